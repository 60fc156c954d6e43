"""What protects a person across restarts: stand-ins in use, decisions on single values, and the person's lists; archive tables.

Stand-ins and decisions belong to one conversation and go with it. What they say is opaque here: bytes that `naming` and the
engine understand.
"""

from collections.abc import Collection, Sequence

from msgspec import Struct

from desktop_app.archive.database import Archive
from desktop_app.archive.packing import packed, unpacked
from desktop_app.archive.schema import Schema

SCHEMA = Schema(
    "privacy",
    (
        """
        CREATE TABLE stand_in (number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, blob BLOB NOT NULL) STRICT;
        CREATE INDEX stand_in_conversation ON stand_in (conversation, number);
        CREATE TABLE decision (
            number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, value TEXT NOT NULL, blob BLOB NOT NULL,
            UNIQUE (conversation, value)
        ) STRICT;
        CREATE TABLE name_list (name TEXT PRIMARY KEY, kind TEXT NOT NULL, never INTEGER NOT NULL, entries BLOB NOT NULL) STRICT;
        """,
    ),
)


class KeptList(Struct, frozen=True, kw_only=True):
    """A list of the person's own: values that are always replaced as `kind`, or (`never`) never."""

    name: str
    kind: str
    values: list[str]
    never: bool = False


class Keeping:
    """Stand-ins, decisions and lists in an archive. Errors: the archive's."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def add_entries(self, conversation: str, entries: Sequence[bytes]) -> None:
        """Keep new stand-ins of a conversation, behind those that are kept."""
        with self._archive.transaction():
            for blob in entries:
                self._archive.execute("INSERT INTO stand_in (conversation, blob) VALUES (?, ?)", (conversation, blob))

    def entries(self, conversation: str) -> list[bytes]:
        """The stand-ins of a conversation, in the order in which they were made."""
        rows = self._archive.query("SELECT blob FROM stand_in WHERE conversation = ? ORDER BY number", (conversation,))
        return [blob for (blob,) in rows]

    def decide(self, conversation: str, value: str, decision: bytes) -> None:
        """Keep the person's word on one value, in place of an earlier one."""
        self._archive.execute(
            "INSERT INTO decision (conversation, value, blob) VALUES (?, ?, ?)"
            " ON CONFLICT (conversation, value) DO UPDATE SET blob = excluded.blob",
            (conversation, value, decision),
        )

    def decisions(self, conversation: str) -> list[bytes]:
        """The person's words on values of a conversation, in the order of the first word on each."""
        rows = self._archive.query("SELECT blob FROM decision WHERE conversation = ? ORDER BY number", (conversation,))
        return [blob for (blob,) in rows]

    def forget(self, conversation: str) -> None:
        """Delete what belongs to a conversation, for good: also from the backups."""
        with self._archive.erasing():
            self._archive.execute("DELETE FROM stand_in WHERE conversation = ?", (conversation,))
            self._archive.execute("DELETE FROM decision WHERE conversation = ?", (conversation,))

    def forget_others(self, conversations: Collection[str]) -> None:
        """Delete what belongs to none of these conversations: of questions that were looked through and never asked."""
        for conversation in self.conversations():
            if conversation not in conversations:
                self.forget(conversation)

    def conversations(self) -> list[str]:
        """The conversations that have stand-ins or decisions."""
        kept = self._archive.query("SELECT conversation FROM stand_in UNION SELECT conversation FROM decision ORDER BY 1")
        return [conversation for (conversation,) in kept]

    def lists(self) -> list[KeptList]:
        """The person's lists, by name."""
        return [
            KeptList(name=name, kind=kind, values=unpacked(entries, list[str], []), never=bool(never))
            for name, kind, never, entries in self._archive.query(
                "SELECT name, kind, never, entries FROM name_list ORDER BY name"
            )
        ]

    def keep_list(self, names: KeptList) -> None:
        """Keep a list, in place of the one of this name; without values it is deleted, for good."""
        known = self._archive.query("SELECT 1 FROM name_list WHERE name = ?", (names.name,))
        with self._archive.erasing() if known else self._archive.transaction():
            self._archive.execute("DELETE FROM name_list WHERE name = ?", (names.name,))
            if names.values:
                entries = packed(names.values)
                self._archive.execute("INSERT INTO name_list VALUES (?, ?, ?, ?)", (names.name, names.kind, names.never, entries))
