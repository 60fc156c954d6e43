"""The encrypted database: its key, its schema and migrations, its backup; knows no other room."""
