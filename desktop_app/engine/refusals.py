"""What a person is told when an agent refuses, and which refusals only mean that everything has to be sent anew."""

from desktop_app.engine.errors import CacheLost, EngineError, RequestRefused
from remote_agent.wire.errors import ErrorCode

_SENTENCES = {
    ErrorCode.PROTOCOL_VERSION: "The agent is of another version of Sotto. Update the older of the two.",
    ErrorCode.OTHER_MODEL: "The agent holds another model than this computer. Choose the same model file on both sides.",
    ErrorCode.LAYERS_NOT_AVAILABLE: "The agent cannot run these layers. Choose another split in the settings.",
    ErrorCode.SESSION_UNKNOWN: "The agent does not know this conversation any more. Ask again, and it is sent anew.",
    ErrorCode.SESSION_GONE: "The agent had to make room and dropped this conversation. Ask again, and it is sent anew.",
    ErrorCode.TOO_MANY_SESSIONS: "The agent is full. Try again later, or close other conversations.",
    ErrorCode.ROW_UNKNOWN: "The agent has lost a part of this conversation. Ask again, and it is sent anew.",
    ErrorCode.CONTEXT_FULL: "The agent has no room for a conversation of this length. Start a new chat, or shorten it.",
    ErrorCode.STEP_TOO_LARGE: "The agent takes smaller steps than this. Update the older of the two.",
    ErrorCode.BAD_ROWS: "The agent refused the numbers it was sent. Ask again; if it happens again, choose another split.",
    ErrorCode.OUT_OF_MEMORY: "The agent has run out of memory. Close other conversations, or take an agent with more of it.",
    ErrorCode.MALFORMED: "The agent did not understand a message. Update the older of the two.",
    ErrorCode.INTERNAL: "Something failed inside the agent. Ask again; if it happens again, restart the agent.",
    ErrorCode.CODES_UNKNOWN: "The agent lacks the tables that the codes were made with. Give it the same files, or choose exact.",
    ErrorCode.AGENT_FULL: "The agent serves as many computers as it can. Try again later, or choose another agent.",
    ErrorCode.TOO_FAST: "The agent computes only so much for one computer at a time. Wait a minute and ask again.",
    ErrorCode.AGENT_STOPPING: "The agent is being stopped or replaced. Ask again in a minute, or choose another agent.",
}

_CACHE_LOST = {ErrorCode.SESSION_UNKNOWN, ErrorCode.SESSION_GONE, ErrorCode.ROW_UNKNOWN}


def sentence_of(code: ErrorCode) -> str:
    """Return what a person is told when an agent refuses with this code."""
    return _SENTENCES[code]


def refusal_of(code: ErrorCode) -> EngineError:
    """The error that a refusal of a session or a step is."""
    return (CacheLost if code in _CACHE_LOST else RequestRefused)(sentence_of(code))
