"""What is learned for a model on this machine: projection, decoder, soft prompts, adapter; one command each."""
