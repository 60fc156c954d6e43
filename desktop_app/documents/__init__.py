"""Text out of the documents that a person drops into a conversation. Knows no other room."""
