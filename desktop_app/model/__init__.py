"""Model files, tokenizer and chat template, head and tail segments on this machine's device. May import segment and wire."""
