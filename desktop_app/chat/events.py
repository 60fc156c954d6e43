"""What the engine tells the window while a reply is made, and what the window asks for: plain values that cross a pipe.

Sizes are bytes, times seconds, speeds tokens per second.
"""

from typing import Literal

from msgspec import Struct, field


class Sampling(Struct, frozen=True, kw_only=True):
    """How the next token is drawn. Temperature 0 is greedy; top_k 0, top_p 1, min_p 0 and repetition_penalty 1 mean: off."""

    temperature: float = 0.7
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    seed: int | None = None
    max_tokens: int = 1024
    stop: list[str] = field(default_factory=list)


class Split(Struct, frozen=True, kw_only=True):
    """Which layers run here: the first `head` and the last `tail`; the agent runs the rest. `only_here`: nothing is sent."""

    head: int = 4
    tail: int = 2
    only_here: bool = False


class DocumentText(Struct, frozen=True, kw_only=True):
    """A document as it was read: what the model will see of it."""

    name: str
    text: str
    pages: int = 0
    note: str = ""


class Turn(Struct, frozen=True, kw_only=True):
    """One message of a conversation; documents belong to a user's turn and come before its text in the prompt."""

    role: Literal["system", "user", "assistant"]
    text: str
    documents: list[DocumentText] = field(default_factory=list)


class ReplyRequest(Struct, frozen=True, kw_only=True):
    """Answer the last turn. `conversation` names the session whose rows may be used again.

    `model` "" is the starter model; `dtype` "" is chosen by device and size.
    """

    conversation: str
    turns: list[Turn]
    sampling: Sampling = field(default_factory=Sampling)
    split: Split = field(default_factory=Split)
    model: str = ""
    dtype: str = ""
    drafting: bool = True


class Statistics(Struct, frozen=True, kw_only=True):
    """Figures of one reply, as far as it has come."""

    prompt_tokens: int = 0
    reused_tokens: int = 0
    reply_tokens: int = 0
    steps: int = 0
    seconds: float = 0.0
    tokens_per_second: float = 0.0
    tokens_per_step: float = 0.0
    time_to_first_token: float = 0.0
    round_trip: float = 0.0
    bytes_up: int = 0
    bytes_down: int = 0
    head_layers: int = 0
    middle_layers: int = 0
    tail_layers: int = 0
    mode: str = "exact"
    device: str = ""
    dtype: str = ""
    model: str = ""
    seed: int = 0


class Progress(Struct, frozen=True, tag=True):
    """What is going on before text comes; `done` of `total` where that is known (total 0: it is not)."""

    stage: Literal["engine", "model", "agent", "prompt"]
    done: int = 0
    total: int = 0


class TextAdded(Struct, frozen=True, tag=True):
    """More of the reply. Never ends within a character; never taken back."""

    text: str


class StatisticsChanged(Struct, frozen=True, tag=True):
    """The figures have moved on."""

    statistics: Statistics


class ReplyFinished(Struct, frozen=True, tag=True):
    """The last event of a reply that ended as it should: by itself, at its limit, or because it was stopped."""

    reason: Literal["end", "length", "stopped"]
    statistics: Statistics


class ReplyFailed(Struct, frozen=True, tag=True):
    """The last event of a reply that could not go on. `sentence` names cause and next step; text that came before is kept."""

    sentence: str
    statistics: Statistics = field(default_factory=Statistics)
    kind: Literal["refused", "interrupted"] = "refused"


ReplyEvent = Progress | TextAdded | StatisticsChanged | ReplyFinished | ReplyFailed


class ModelLoaded(Struct, frozen=True, tag=True):
    """A model is ready: `layers` in all, `context` tokens at most, the agent can run the layers [first_layer, last_layer)."""

    name: str
    layers: int
    context: int
    first_layer: int
    last_layer: int


class AgentState(Struct, frozen=True, tag=True):
    """Who runs the middle layers, for the status line. `embedded`: started by this program on this computer."""

    connected: bool
    embedded: bool
    address: str = ""
    round_trip: float = 0.0
    device: str = ""


class EngineState(Struct, frozen=True, tag=True):
    """Whether the engine process runs; `sentence` says what happened and what comes next, where something happened."""

    running: bool
    sentence: str = ""


EngineNews = ModelLoaded | AgentState | EngineState | Progress
