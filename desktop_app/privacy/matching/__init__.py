"""Values that have a stand-in, and where they and their other forms stand in a text."""
