"""What a person may set, and where Sotto keeps its files."""
