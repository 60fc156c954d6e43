"""The errors of this room, and the only reasons for which an agent may refuse something.

    WireError                 what came over the line breaks the rules of this room
    +-- MalformedMessage      bytes that are no message, or a message out of its bounds
    +-- MalformedFrame        a frame that belongs to no message, or a message too large to be put together
    +-- BrokenRule            a well-formed message that its session does not allow now

A reason crosses the line as a number (`ErrorCode`), never as text: free text could carry a document.
"""

from enum import IntEnum


class WireError(Exception):
    """Base of everything this room raises."""


class MalformedMessage(WireError):
    """The bytes are no message of this protocol, or one of its fields is out of bounds."""


class MalformedFrame(WireError):
    """The frame fits no message, or its message would be larger than the limit."""


class BrokenRule(WireError):
    """The message is well formed, but the session it names does not allow it.

    `code` is the reason as it is told to the peer.
    """

    def __init__(self, code: "ErrorCode", detail: str) -> None:
        super().__init__(detail)
        self.code = code


class ErrorCode(IntEnum):
    """Why an agent refused; the desktop turns each into a sentence with a next step."""

    PROTOCOL_VERSION = 1
    OTHER_MODEL = 2
    LAYERS_NOT_AVAILABLE = 3
    SESSION_UNKNOWN = 4
    SESSION_GONE = 5
    TOO_MANY_SESSIONS = 6
    ROW_UNKNOWN = 7
    CONTEXT_FULL = 8
    STEP_TOO_LARGE = 9
    BAD_ROWS = 10
    OUT_OF_MEMORY = 11
    MALFORMED = 12
    INTERNAL = 13
    CODES_UNKNOWN = 14
    AGENT_FULL = 15
    TOO_FAST = 16
    AGENT_STOPPING = 17
