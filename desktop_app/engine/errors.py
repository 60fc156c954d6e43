"""The errors of this room.

EngineError           its text is a sentence with a next step, fit to be shown
+-- PipeClosed        the process at the other end of a pipe is gone
+-- ChildCrashed      a process that was asked something died before it answered
+-- CacheLost         what an agent held of a conversation is gone, and can be sent anew
|   +-- AgentLost     the agent went away while something was under way
+-- RequestRefused    a request that cannot be answered as it stands (context, split, model)
    +-- BudgetSpent   its noise would cost more than the conversation's budget has left
"""


class EngineError(Exception):
    """Base of this room's errors; its text is a sentence with a next step."""


class PipeClosed(EngineError):
    """The process at the other end of a pipe is gone."""


class ChildCrashed(EngineError):
    """A process that was asked something died before it answered."""


class CacheLost(EngineError):
    """What the agent held of a conversation is gone; everything can be sent anew."""


class AgentLost(CacheLost):
    """The agent went away while something was under way; what was received is kept."""


class RequestRefused(EngineError):
    """The request cannot be answered as it stands; the text says why and what would help."""


class BudgetSpent(RequestRefused):
    """The noise of the request would cost more than the conversation's budget has left; nothing was drawn.

    `needed` is the epsilon that it would have come to.
    """

    def __init__(self, sentence: str, needed: float) -> None:
        super().__init__(sentence)
        self.needed = needed
