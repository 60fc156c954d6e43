"""The errors of this room.

DecodingError      base of everything this room raises
+-- NoRoom         prompt and reply do not fit the limits; the user can do something about it
+-- BrokenRule     a caller or a drafter broke the rules of this room: a bug, never the user's fault
"""


class DecodingError(Exception):
    """Base of everything this room raises."""


class NoRoom(DecodingError):
    """The prompt is empty, or leaves no room for a reply; the sentence says by how much."""


class BrokenRule(DecodingError):
    """Draws that are not those asked for, a tree that is none, a row that nobody knows."""
