"""Everything an untrusted host may have: the agent that runs the middle layers of a language model."""
