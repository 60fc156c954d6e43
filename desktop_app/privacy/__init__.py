"""What identifies a person is found, replaced by stand-ins before the model reads it, and restored in the reply."""
