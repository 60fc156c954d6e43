"""What crosses the pipes between window, engine and readers: plain values, tagged, length-framed (see `pipes`)."""

from msgspec import Struct

from desktop_app.chat.events import DocumentText, EngineNews, ReplyEvent, ReplyRequest, Split


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
    """Window to engine, and engine to readers: read the document at this path."""

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
    """Readers to engine to window: the document `number` is read."""

    number: int
    document: DocumentText


class DocumentUnreadable(Struct, frozen=True, tag=True):
    """Readers to engine to window: the document `number` could not be read; the sentence says why."""

    number: int
    sentence: str


ToEngine = Prepare | Ask | Stop | Forget | Read
FromEngine = Event | News | DocumentRead | DocumentUnreadable
ToReaders = Read
FromReaders = DocumentRead | DocumentUnreadable
