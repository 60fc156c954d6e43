"""What may cross the line: messages, codec, frames, session rules and errors. No I/O, no torch; imports no other room."""
