"""Conversations, reply events and the Responder interface, the only thing the window knows of the engine."""
