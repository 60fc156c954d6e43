"""What the engine tells the window while a reply is made, and what the window asks for: plain values that cross a pipe.

Sizes are bytes, times seconds, speeds tokens per second.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct, field


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


class Noise(Struct, frozen=True, kw_only=True):
    """DP split: a prompt's words leave as noisy codes, at the budget `epsilon` at `delta` of the whole conversation.

    `mu` is the noise of one token (the smaller, the noisier; 0: as the budget allows for this prompt), `strict_mu` that of
    protected and marked words (0: the same). `rest` "exact": all but those words leaves in clear. The budget is that of the whole
    conversation or of each protected value by itself (`per`). With `answers` "exact" the agent can read the answer, and its words
    cost nothing; with "codes" they leave as the prompt's do, charged.
    """

    mu: float = 20.0
    strict_mu: float = 0.0
    bits: Literal[1, 2, 4] = 4
    epsilon: float
    delta: float = 1e-6
    answers: Literal["exact", "codes"] = "exact"
    rest: Literal["noisy", "exact"] = "noisy"
    per: Literal["conversation", "value"] = "conversation"


class Shape(Struct, frozen=True, kw_only=True):
    """How alike replies look to someone on the network, who sees sizes and times of what is encrypted; the default: not shaped.

    Each step after the prompt has `rows` rows (0: not shaped), the prompt goes in steps of `prompt_rows`, and all frames have one
    size. After its end a reply goes on in dummy steps until it has 64, 128, 256 or a multiple of 256 of them, at least `ticks`
    (0: it does not go on). With `tick` seconds a step leaves at every beat of a clock, whether there is something to say or not.
    """

    rows: Annotated[int, Meta(ge=0, le=64)] = 0
    prompt_rows: Annotated[int, Meta(ge=1, le=1024)] = 128
    ticks: Literal[0, 64, 128, 256] = 0
    tick: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.0

    @property
    def name(self) -> Literal["off", "padded", "steady"]:
        """Its short name, for figures and records."""
        if not self.rows:
            return "off"
        return "steady" if self.tick else "padded"


OFF = Shape()
PADDED = Shape(rows=4, ticks=64)
STEADY = Shape(rows=4, ticks=64, tick=0.1)


class Mark(Struct, frozen=True, kw_only=True):
    """The characters [start, end) of a text are a protected span: `kind` as in `privacy.spans.Kind`, `stand_in` what was sent.

    `doubtful`: a restoration that the reply allows to be read in two ways.
    """

    start: int
    end: int
    kind: str
    stand_in: str = ""
    doubtful: bool = False


class DocumentText(Struct, frozen=True, kw_only=True):
    """A document as it was read: what the model will see of it."""

    name: str
    text: str
    pages: int = 0
    note: str = ""


class Turn(Struct, frozen=True, kw_only=True):
    """One message of a conversation, with the real words; documents belong to a user's turn and come before its text.

    `identity` names this revision of the message: the same identity is always the same text.
    """

    role: Literal["system", "user", "assistant"]
    text: str
    documents: list[DocumentText] = field(default_factory=list)
    identity: str = ""


class ReplyRequest(Struct, frozen=True, kw_only=True):
    """Answer the last turn. `conversation` names the session whose rows may be used again; `answer` the message to come.

    `parent` is the message that the last turn hangs on: not the turn before it where that one was refused and left out; where it
    is not kept, the turn before takes its place. Turns that are not kept yet are kept, each under the one before. `model` "" is
    the starter model; `dtype` "" is chosen by device and size. `protect`: protected spans leave as stand-ins. `incognito`:
    nothing of this conversation touches the disk. `noise` None: exact split; `told_exact`: the person was told that exact rows
    after noise give everything away that it hid.
    """

    conversation: str
    turns: list[Turn]
    answer: str = ""
    parent: str = ""
    protect: bool = True
    incognito: bool = False
    sampling: Sampling = field(default_factory=Sampling)
    split: Split = field(default_factory=Split)
    model: str = ""
    dtype: str = ""
    drafting: bool = True
    shape: Shape = OFF
    noise: Noise | None = None
    told_exact: bool = False


class Statistics(Struct, frozen=True, kw_only=True):
    """Figures of one reply, as far as it has come.

    `padding_bytes`, both ways, are those of `bytes_up` and `bytes_down` that only the shape asked for, `padding_seconds` how long
    dummy steps go on after the end. The last figures of a reply count the dummy steps that follow it as if they had been sent.
    """

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
    rows: int = 0  # hidden states sent
    peer: str = ""
    head_layers: int = 0
    middle_layers: int = 0
    tail_layers: int = 0
    mode: str = "exact"
    device: str = ""
    dtype: str = ""
    model: str = ""
    seed: int = 0
    shape: Literal["off", "padded", "steady"] = "off"
    padding_bytes: int = 0
    padding_seconds: float = 0.0


class Progress(Struct, frozen=True, tag=True):
    """What is going on before text comes; `done` of `total` where that is known (total 0: it is not)."""

    stage: Literal["engine", "model", "agent", "protect", "prompt"]
    done: int = 0
    total: int = 0


class QuestionProtected(Struct, frozen=True, tag=True):
    """What is replaced in the question, before anything of it is sent; `document_marks` are those of each of its documents.

    `sent` is the question as it leaves, with its documents and what they are called; `unread` names the scripts in it in which
    names could not be looked for.
    """

    marks: list[Mark]
    document_marks: list[list[Mark]]
    sent: Turn | None = None
    unread: list[str] = field(default_factory=list)


class TextAdded(Struct, frozen=True, tag=True):
    """More of the reply, stand-ins restored; `marks` are places in this text. Never ends within a character; never taken back.

    `sent` is what the model has written since the event before.
    """

    text: str
    marks: list[Mark] = field(default_factory=list)
    sent: str = ""


class StatisticsChanged(Struct, frozen=True, tag=True):
    """The figures have moved on."""

    statistics: Statistics


class ReplyFinished(Struct, frozen=True, tag=True):
    """The last event of a reply that ended as it should: by itself, at its limit, or because it was stopped."""

    reason: Literal["end", "length", "stopped"]
    statistics: Statistics


class ReplyFailed(Struct, frozen=True, tag=True):
    """The last event of a reply that could not go on. `sentence` names cause and next step; text that came before is kept.

    Of kind "budget": what was asked costs more than the chat's noise may spend, and nothing was sent; it would have come to an
    epsilon of `needed` (0: not known).
    """

    sentence: str
    statistics: Statistics = field(default_factory=Statistics)
    kind: Literal["refused", "interrupted", "budget"] = "refused"
    needed: float = 0.0


ReplyEvent = Progress | QuestionProtected | TextAdded | StatisticsChanged | ReplyFinished | ReplyFailed


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


class ArchiveState(Struct, frozen=True, tag=True):
    """Whether conversations can be kept. `new`, `locked`: a passphrase is needed, to make or to open the archive.

    `failed`: nothing is kept until it is mended; the sentence says why and what to do.
    """

    state: Literal["open", "new", "locked", "failed"]
    sentence: str = ""


EngineNews = ModelLoaded | AgentState | EngineState | ArchiveState | Progress
