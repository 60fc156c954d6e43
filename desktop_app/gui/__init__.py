"""The windows. The only room that imports PySide6 or qasync; of the application it knows chat and settings."""
