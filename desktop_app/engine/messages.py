"""What crosses the pipes between window, engine and readers: plain values, tagged, length-framed (see `pipes`)."""

from msgspec import Struct

from desktop_app.chat.events import DocumentText, EngineNews, ReplyEvent, ReplyRequest, Split
from desktop_app.engine.queries import Answered, Query, Unanswered
from desktop_app.privacy.spans import Kind, Span


class Prepare(Struct, frozen=True, tag=True):
    """Window to engine: get this model and an agent ready now, so that the first question need not wait."""

    model: str
    split: Split
    dtype: str = ""


class Ask(Struct, frozen=True, tag=True):
    """Window to engine: make a reply; its events come back under `number`."""

    number: int
    request: ReplyRequest


class Stop(Struct, frozen=True, tag=True):
    """Window to engine: stop the reply of this conversation."""

    conversation: str


class Forget(Struct, frozen=True, tag=True):
    """Window to engine: the conversation is gone."""

    conversation: str


class Read(Struct, frozen=True, tag=True):
    """Engine to readers: read the document at this path."""

    number: int
    path: str


class Event(Struct, frozen=True, tag=True):
    """Engine to window: one event of the reply `number`."""

    number: int
    event: ReplyEvent


class News(Struct, frozen=True, tag=True):
    """Engine to window: something that concerns no single reply."""

    news: EngineNews


class DocumentRead(Struct, frozen=True, tag=True):
    """Readers to engine: the document `number` is read."""

    number: int
    document: DocumentText


class DocumentUnreadable(Struct, frozen=True, tag=True):
    """Readers to engine: the document `number` could not be read; the sentence says why."""

    number: int
    sentence: str


class UseLists(Struct, frozen=True, tag=True):
    """Engine to readers: the person's lists, for all texts that follow."""

    always: dict[str, Kind]
    never: list[str]


class Recognise(Struct, frozen=True, tag=True):
    """Engine to readers: find the protected spans of this piece of a text; with `names`, where these stand and nothing else."""

    number: int
    piece: str
    names: dict[str, Kind] | None = None


class Recognised(Struct, frozen=True, tag=True):
    """Readers to engine: the spans of the piece `number`."""

    number: int
    spans: list[Span]


class Unrecognised(Struct, frozen=True, tag=True):
    """Readers to engine: the piece `number` could not be looked through; the sentence says why."""

    number: int
    sentence: str


ToEngine = Prepare | Ask | Stop | Forget | Query
FromEngine = Event | News | Answered | Unanswered
ToReaders = Read | UseLists | Recognise
FromReaders = DocumentRead | DocumentUnreadable | Recognised | Unrecognised
