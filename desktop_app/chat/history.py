"""Conversations, messages, documents and records of what was sent, as tables of the archive.

A conversation is a tree: every message names its parent, so an edited question and another answer are siblings, and a branch is
the way from a message up to its root. The text of a message that has come to its end never changes.

An answer that streams is kept in pieces, each holding what has come since the last one, so that keeping a long answer costs no
more a second than a short one. At its end the pieces become one text. Pieces found when the archive is opened belong to an
answer whose process was killed: they too become one text, of an answer that was interrupted.

Values that grow new fields (marks, statistics, records) are packed, see `archive.packing`.
"""

from typing import Any

from msgspec.structs import replace

from desktop_app.archive.database import Archive
from desktop_app.archive.packing import packed, unpacked
from desktop_app.archive.schema import Schema
from desktop_app.chat.events import DocumentText, Mark, Noise, Statistics
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import ConversationEntry, SentRecord, StoredConversation, StoredMessage
from desktop_app.chat.titles import first_words

SCHEMA = Schema(
    "chat",
    (
        """
        CREATE TABLE conversation (
            identity TEXT PRIMARY KEY,
            title TEXT NOT NULL, renamed INTEGER NOT NULL, created REAL NOT NULL, changed REAL NOT NULL,
            protect INTEGER NOT NULL, tip TEXT NOT NULL
        ) STRICT;
        CREATE INDEX conversation_changed ON conversation (changed);
        CREATE TABLE message (
            number INTEGER PRIMARY KEY,
            identity TEXT NOT NULL UNIQUE,
            conversation TEXT NOT NULL REFERENCES conversation ON DELETE CASCADE,
            parent TEXT REFERENCES message (identity),
            role TEXT NOT NULL, text TEXT NOT NULL, sent TEXT NOT NULL, marks BLOB NOT NULL,
            state TEXT NOT NULL, sentence TEXT NOT NULL, at_limit INTEGER NOT NULL, created REAL NOT NULL,
            statistics BLOB NOT NULL
        ) STRICT;
        CREATE INDEX message_conversation ON message (conversation);
        CREATE INDEX message_parent ON message (parent);
        CREATE INDEX message_streaming ON message (number) WHERE state = 'streaming';
        CREATE TABLE piece (
            number INTEGER PRIMARY KEY,
            message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
            text TEXT NOT NULL, sent TEXT NOT NULL, marks BLOB NOT NULL,
            text_end INTEGER NOT NULL, sent_end INTEGER NOT NULL, marks_end INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX piece_message ON piece (message, number);
        CREATE TABLE document (
            number INTEGER PRIMARY KEY,
            message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE,
            name TEXT NOT NULL, text TEXT NOT NULL, pages INTEGER NOT NULL, note TEXT NOT NULL, marks BLOB NOT NULL
        ) STRICT;
        CREATE INDEX document_message ON document (message);
        CREATE TABLE sent_record (
            message INTEGER NOT NULL REFERENCES message ON DELETE CASCADE, time REAL NOT NULL, record BLOB NOT NULL,
            PRIMARY KEY (message, time)
        ) STRICT;
        """,
        "ALTER TABLE conversation ADD COLUMN noise BLOB NOT NULL DEFAULT x''",
    ),
)

CUT_OFF = "Sotto ended while this answer was coming; what had come by then is kept. Ask again for a whole answer."


class ConversationGone(ChatError):
    """The conversation is not, or no longer, in the archive."""


class MessageRefused(ChatError):
    """The message cannot be kept: it belongs to no conversation here, or hangs on no message of its own conversation."""


class History:
    """The conversations in an archive. Making it ends answers whose process was killed. Errors: `ArchiveError`, `ChatError`."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        with archive.transaction():
            for (number,) in archive.query("SELECT number FROM message WHERE state = 'streaming'"):
                text, sent, marks = self._pieces(number)
                self._archive.execute(
                    "UPDATE message SET text = ?, sent = ?, marks = ?, state = 'interrupted', sentence = ? WHERE number = ?",
                    (text, sent, packed(marks), CUT_OFF, number),
                )
                self._archive.execute("DELETE FROM piece WHERE message = ?", (number,))

    def entries(self) -> list[ConversationEntry]:
        """All conversations, the latest first."""
        rows = self._archive.query(f"SELECT {_ENTRY} FROM conversation ORDER BY changed DESC, created DESC, identity")
        return [_entry(row) for row in rows]

    def load(self, conversation: str) -> StoredConversation:
        """Everything of one conversation, also of an answer that streams. Raises `ConversationGone`."""
        rows = self._archive.query(f"SELECT {_ENTRY} FROM conversation WHERE identity = ?", (conversation,))
        if not rows:
            raise _gone()
        documents = self._documents(conversation)
        found = self._archive.query(
            "SELECT number, identity, parent, role, text, sent, marks, state, sentence, at_limit, created, statistics"
            " FROM message WHERE conversation = ? ORDER BY number",
            (conversation,),
        )
        return StoredConversation(
            entry=_entry(rows[0]), messages=[self._message(row, documents.get(row[0], [])) for row in found]
        )

    def begin(self, conversation: str, created: float, protect: bool, noise: Noise | None = None) -> None:
        """Keep a new conversation, without a message yet; of one that is there already, how it is protected from now on."""
        self._archive.execute(
            "INSERT INTO conversation VALUES (?, '', 0, ?, ?, ?, '', ?)"
            " ON CONFLICT (identity) DO UPDATE SET protect = excluded.protect, noise = excluded.noise",
            (conversation, created, created, protect, packed(noise) if noise else b""),
        )

    def branch(
        self, conversation: str, now: float, protect: bool, messages: list[StoredMessage], noise: Noise | None = None
    ) -> None:
        """Go on in a branch, its oldest message first, protected or not. All of it is kept, or nothing; raises as `add`."""
        with self._archive.transaction():
            self.begin(conversation, now, protect, noise)
            for message in messages:
                self.add(conversation, message)

    def holds(self, conversation: str, message: str) -> bool:
        """Whether this message of this conversation is kept."""
        found = self._archive.query("SELECT 1 FROM message WHERE identity = ? AND conversation = ?", (message, conversation))
        return bool(found)

    def add(self, conversation: str, message: StoredMessage) -> None:
        """Keep a message; the branch that ends with it is now the open one. One that is there already stays as it is.

        Raises `ConversationGone`, and `MessageRefused` where its parent is no message of this conversation.
        """
        with self._archive.transaction():
            if self._archive.query("SELECT 1 FROM message WHERE identity = ?", (message.identity,)):
                return
            titles = self._archive.query("SELECT title, renamed FROM conversation WHERE identity = ?", (conversation,))
            if not titles:
                raise _gone()
            if message.parent and not self.holds(conversation, message.parent):
                raise MessageRefused(
                    "This message follows one that is not in its conversation. Open the conversation, then try again."
                )
            if message.state == "streaming":  # what has come of it belongs into pieces
                self._insert(conversation, replace(message, text="", sent="", marks=[]))
                self.stream(message.identity, message.text, message.marks, message.sent)
            else:
                self._insert(conversation, message)
            title, renamed = titles[0]
            if not title and not renamed and message.role == "user":
                title = first_words(message.text)
            self._archive.execute(
                "UPDATE conversation SET title = ?, tip = ?, changed = max(changed, ?) WHERE identity = ?",
                (title, message.identity, message.created, conversation),
            )

    def mark(self, message: str, marks: list[Mark], document_marks: list[list[Mark]]) -> None:
        """Keep what was replaced in a question and in each of its documents, in their order."""
        with self._archive.transaction():
            self._archive.execute("UPDATE message SET marks = ? WHERE identity = ?", (packed(marks), message))
            numbers = self._archive.query(
                "SELECT document.number FROM document JOIN message ON message.number = document.message"
                " WHERE message.identity = ? ORDER BY document.number",
                (message,),
            )
            for (number,), places in zip(numbers, document_marks, strict=True):
                self._archive.execute("UPDATE document SET marks = ? WHERE number = ?", (packed(places), number))

    def stream(self, message: str, text: str, marks: list[Mark], sent: str) -> None:
        """Keep what has come of an answer: all so far is given, what is new is written. Nothing happens once it has ended."""
        with self._archive.transaction():
            number = self._streaming(message)
            if number is None:
                return
            ends = self._archive.query(
                "SELECT text_end, sent_end, marks_end FROM piece WHERE message = ? ORDER BY number DESC LIMIT 1", (number,)
            )
            text_end, sent_end, marks_end = ends[0] if ends else (0, 0, 0)
            if (len(text), len(sent), len(marks)) == (text_end, sent_end, marks_end):
                return
            self._archive.execute(
                "INSERT INTO piece (message, text, sent, marks, text_end, sent_end, marks_end) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, text[text_end:], sent[sent_end:], packed(marks[marks_end:]), len(text), len(sent), len(marks)),
            )

    def finish(self, message: StoredMessage) -> None:
        """Keep an answer as it ended, in place of what has streamed of it. Nothing happens where it has ended already."""
        with self._archive.transaction():
            number = self._streaming(message.identity)
            if number is None:
                return
            self._archive.execute(
                "UPDATE message SET text = ?, sent = ?, marks = ?, state = ?, sentence = ?, at_limit = ?, statistics = ?"
                " WHERE number = ?",
                (
                    message.text,
                    message.sent,
                    packed(message.marks),
                    message.state,
                    message.sentence,
                    message.at_limit,
                    _figures(message.statistics),
                    number,
                ),
            )
            self._archive.execute("DELETE FROM piece WHERE message = ?", (number,))

    def set_tip(self, conversation: str, message: str) -> None:
        """The branch that ends with `message` is now the open one."""
        self._archive.execute("UPDATE conversation SET tip = ? WHERE identity = ?", (message, conversation))

    def rename(self, conversation: str, title: str) -> None:
        """Give a title of the person's own; "" lets the next question give one."""
        title = " ".join(title.split())
        self._archive.execute(
            "UPDATE conversation SET title = ?, renamed = ? WHERE identity = ?", (title, bool(title), conversation)
        )

    def record(self, record: SentRecord) -> None:
        """Keep what has left for an answer, in place of a record of the same answer and time. Raises `MessageRefused`."""
        kept = self._archive.execute(
            "INSERT OR REPLACE INTO sent_record SELECT number, ?, ? FROM message WHERE identity = ?",
            (record.time, packed(record), record.message),
        )
        if not kept:
            raise MessageRefused("What was sent cannot be recorded: its answer is not in the archive. Ask again.")

    def sent(self, conversation: str) -> list[SentRecord]:
        """What has left this computer in a conversation, answer by answer."""
        rows = self._archive.query(
            "SELECT record FROM sent_record JOIN message ON message.number = sent_record.message"
            " WHERE conversation = ? ORDER BY time, number",
            (conversation,),
        )
        records = [unpacked(blob, SentRecord, None) for (blob,) in rows]
        return [record for record in records if record is not None]

    def delete(self, conversation: str) -> None:
        """Delete a conversation with everything that belongs to it, for good: also from the backups."""
        with self._archive.erasing():
            self._archive.execute("DELETE FROM conversation WHERE identity = ?", (conversation,))

    def _insert(self, conversation: str, message: StoredMessage) -> None:
        self._archive.execute(
            "INSERT INTO message (identity, conversation, parent, role, text, sent, marks,"
            " state, sentence, at_limit, created, statistics) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                message.identity,
                conversation,
                message.parent or None,
                message.role,
                message.text,
                message.sent,
                packed(message.marks),
                message.state,
                message.sentence,
                message.at_limit,
                message.created,
                _figures(message.statistics),
            ),
        )
        for index, document in enumerate(message.documents):
            marks = message.document_marks[index] if index < len(message.document_marks) else []
            self._archive.execute(
                "INSERT INTO document (message, name, text, pages, note, marks)"
                " SELECT number, ?, ?, ?, ?, ? FROM message WHERE identity = ?",
                (document.name, document.text, document.pages, document.note, packed(marks), message.identity),
            )

    def _streaming(self, message: str) -> int | None:
        rows = self._archive.query("SELECT number FROM message WHERE identity = ? AND state = 'streaming'", (message,))
        return rows[0][0] if rows else None

    def _pieces(self, number: int) -> tuple[str, str, list[Mark]]:
        rows = self._archive.query("SELECT text, sent, marks FROM piece WHERE message = ? ORDER BY number", (number,))
        marks = [mark for row in rows for mark in unpacked(row[2], list[Mark], [])]
        return "".join(row[0] for row in rows), "".join(row[1] for row in rows), marks

    def _documents(self, conversation: str) -> dict[int, list[tuple[DocumentText, list[Mark]]]]:
        documents: dict[int, list[tuple[DocumentText, list[Mark]]]] = {}
        for message, name, text, pages, note, marks in self._archive.query(
            "SELECT document.message, name, document.text, pages, note, document.marks FROM document"
            " JOIN message ON message.number = document.message WHERE conversation = ? ORDER BY document.number",
            (conversation,),
        ):
            document = DocumentText(name=name, text=text, pages=pages, note=note)
            documents.setdefault(message, []).append((document, unpacked(marks, list[Mark], [])))
        return documents

    def _message(self, row: tuple[Any, ...], documents: list[tuple[DocumentText, list[Mark]]]) -> StoredMessage:
        number, identity, parent, role, text, sent, marks_blob, state, sentence, at_limit, created, statistics = row
        marks = unpacked(marks_blob, list[Mark], [])
        if state == "streaming":
            text, sent, marks = self._pieces(number)
        return StoredMessage(
            identity=identity,
            parent=parent or "",
            role=role,
            text=text,
            sent=sent,
            marks=marks,
            documents=[document for document, _ in documents],
            document_marks=[marks for _, marks in documents] if any(marks for _, marks in documents) else [],
            state=state,
            sentence=sentence,
            at_limit=bool(at_limit),
            created=created,
            statistics=unpacked(statistics, Statistics, Statistics()),
        )


_ENTRY = "identity, title, created, changed, protect, tip, noise"


def _entry(row: tuple[Any, ...]) -> ConversationEntry:
    identity, title, created, changed, protect, tip, noise = row
    return ConversationEntry(
        identity=identity,
        title=title,
        created=created,
        changed=changed,
        protect=bool(protect),
        tip=tip,
        noise=unpacked(noise, Noise, None),
    )


def _figures(statistics: Statistics) -> bytes:
    """Nothing where there are none: most messages are questions, and field names take room."""
    return b"" if statistics == Statistics() else packed(statistics)


def _gone() -> ConversationGone:
    return ConversationGone("This conversation is no longer here. Choose another one, or begin a new one.")
