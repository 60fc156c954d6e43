"""What the archive gives back: past conversations, what would be replaced in a text, and what has left this computer.

Plain values that cross a pipe. Times are seconds since 1970.
"""

from typing import Literal

from msgspec import Struct, field

from desktop_app.chat.events import DocumentText, Mark, Noise, Statistics

State = Literal["complete", "streaming", "stopped", "interrupted", "failed"]


class ConversationEntry(Struct, frozen=True, kw_only=True):
    """A line of the list of conversations. `tip` is the last message of the branch that was open last, `noise` None: exact."""

    identity: str
    title: str
    created: float
    changed: float
    protect: bool = True
    tip: str = ""
    noise: Noise | None = None


class StoredMessage(Struct, frozen=True, kw_only=True):
    """A message as it is kept; `parent` "" is the first of a branch. `text` has the real words, `sent` what the model sees of it.

    `marks` are the protected spans in `text`, `document_marks` those of each document.
    """

    identity: str
    parent: str
    role: Literal["system", "user", "assistant"]
    text: str
    sent: str = ""
    marks: list[Mark] = field(default_factory=list)
    documents: list[DocumentText] = field(default_factory=list)
    document_marks: list[list[Mark]] = field(default_factory=list)
    state: State = "complete"
    sentence: str = ""
    at_limit: bool = False
    created: float = 0.0
    statistics: Statistics = field(default_factory=Statistics)


class StoredConversation(Struct, frozen=True, kw_only=True):
    """A conversation with all messages of all its branches, oldest first."""

    entry: ConversationEntry
    messages: list[StoredMessage]


class Found(Struct, frozen=True, kw_only=True):
    """One row of the review sheet: a value that identifies somebody, `count` times in the question and its documents.

    `kind` and `source` as in `privacy.spans`; `places` names where it stands (a document's name; "" is the question). `replaced`
    false: it would leave as it is, because the person said so.
    """

    value: str
    kind: str
    source: str
    stand_in: str
    count: int
    places: list[str]
    replaced: bool = True


class Review(Struct, frozen=True, kw_only=True):
    """What would be replaced in a question that has not been sent; marks as in `StoredMessage`.

    `unread` names the scripts in it in which names could not be looked for: "Chinese", "Arabic".
    """

    found: list[Found]
    marks: list[Mark]
    document_marks: list[list[Mark]]
    unread: list[str] = field(default_factory=list)


class Decision(Struct, frozen=True, kw_only=True):
    """The person's word on one value, for this conversation: replace it (as `kind`, by `stand_in` if given), or never."""

    value: str
    kind: str
    replaced: bool
    stand_in: str = ""


class Consequence(Struct, frozen=True, kw_only=True):
    """What a decision comes too late for: messages and bytes in which the value has already left; `peer` got them."""

    value: str
    messages: int
    peer: str


class SentRecord(Struct, frozen=True, kw_only=True):
    """What left this computer for one answer. `rows` are hidden states, one a token; `replaced` counts spans by kind.

    In mode "dp": with what noise, how many of the `rows` were noisy `codes` (-1: not known), and what the conversation had spent
    by then, `epsilon` (-1: not known).
    """

    message: str
    time: float
    mode: str
    peer: str
    model: str
    bytes_up: int
    bytes_down: int
    rows: int
    head_layers: int
    tail_layers: int
    protect: bool
    replaced: dict[str, int] = field(default_factory=dict)
    shape: str = ""
    noise: Noise | None = None
    codes: int = -1
    epsilon: float = -1.0


class NoiseSpent(Struct, frozen=True, kw_only=True):
    """What the noisy codes of a conversation, or (`per`) of its dearest protected value, have given away so far.

    `epsilon` at `delta` of the `budget`; `tokens` were drawn and charged. Whoever is right beforehand with the probability
    `prior` is right after seeing all of it with `success` at most. `exact`: exact rows have left as well, so all is given away.
    """

    epsilon: float
    delta: float
    budget: float
    tokens: int
    success: float
    prior: float
    per: Literal["conversation", "value"] = "conversation"
    exact: bool = False


class NoiseWorth(Struct, frozen=True, kw_only=True):
    """What a noise is worth by count, before anything is sent: what one token costs, and how many tokens its budget pays.

    `epsilon`, `success` and `prior` as in `NoiseSpent`, for one token at the noise that limits the budget; `tokens` is
    the most that are paid, of the conversation or of each protected value. Not `proven`: this is the worst case, since what the
    real vocabulary gives away at that noise is not known yet; what is charged may be less.
    """

    epsilon: float
    success: float
    prior: float
    tokens: int
    proven: bool = True


class Recovered(Struct, frozen=True, kw_only=True):
    """What an attack got back of a prompt or a reply, as a share with a 95 % interval.

    `unit` tells of what: of the tokens, of values that were planted, or of whole texts. `detail` tells apart what one attack
    found of several things ("topic", "shaped.whole"). `protect`: measured while stand-ins took the place of what identifies a
    person.
    `prior_only` is what guessing without any traffic gets. `weights` tells what the attacker has: the model's public weights, or
    everything but the desktop's own layers. `measured` false: no figure, and `command` is how to get one. `mu`: measured under
    noise of this level (0: exact rows). `utility`: not what is got back, but what is left of the answer.
    """

    attack: str
    of: Literal["prompt", "reply"]
    weights: Literal["public", "private ends"]
    detail: str = ""
    protect: bool = False
    unit: Literal["tokens", "values", "texts"] = "tokens"
    share: float = 0.0
    low: float = 0.0
    high: float = 0.0
    prior_only: float = 0.0
    measured: bool = True
    command: str = ""
    mu: float = 0.0
    utility: bool = False


class NameList(Struct, frozen=True, kw_only=True):
    """A list of the person's own: values that are always replaced as `kind`, or (`never`) never.

    `left_out`: of the file that was imported just now, the entries that are no values.
    """

    name: str
    kind: str
    values: list[str]
    never: bool = False
    left_out: int = 0
