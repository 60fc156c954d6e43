"""Everything that sees plain text: the desktop application, its engine process and its command line."""
