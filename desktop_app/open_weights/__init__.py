"""The model as anyone can run it, in one place: all its layers, texts it writes by itself, and a copy that can be trained."""
