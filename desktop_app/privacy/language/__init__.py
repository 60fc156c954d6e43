"""What is known of English and Korean: words, names, particles, scripts, and how a text is read."""
