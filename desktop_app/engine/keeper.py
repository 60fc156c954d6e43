"""The archive as the engine holds it: on a thread of its own, with a second one in memory for what must not reach the disk.

Where a conversation is kept:

incognito                         in memory, until it is left
else, while the archive is open   on the disk
else (no passphrase yet, broken)  in memory, and moved to the disk as soon as the archive opens: nothing that was typed is lost

The person's lists are on the disk too. While they cannot be read, nothing is protected as it should be, and nothing may be sent,
unless the person goes on without them.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from desktop_app.archive.database import Archive
from desktop_app.archive.errors import ArchiveError, PassphraseNeeded, PassphraseRefused, WrongPassphrase
from desktop_app.archive.opening import open_archive
from desktop_app.archive.system_keyring import SystemKeyring
from desktop_app.chat import history
from desktop_app.chat.events import ArchiveState
from desktop_app.chat.history import History
from desktop_app.chat.responder import ArchiveUnavailable, ProtectionFailed
from desktop_app.chat.stored import Decision
from desktop_app.model import listed
from desktop_app.privacy import keeping
from desktop_app.privacy.keeping import Keeping, KeptList
from desktop_app.privacy.noise import draws
from desktop_app.privacy.noise.draws import Draws
from desktop_app.privacy.noise.ledger import Ledger
from desktop_app.privacy.noise.proofs import ProvenTables
from desktop_app.settings.paths import write_atomically

SCHEMAS = (history.SCHEMA, keeping.SCHEMA, draws.SCHEMA)

OUT_OF_REACH = {
    "locked": "Your lists of names are locked, so nothing was sent. Unlock your chats, or go on without keeping anything, and "
    "then without your lists.",
    "failed": "Your lists of names cannot be read, so nothing was sent. Restart Sotto; if that does not help, go on without "
    "keeping anything, and then without your lists.",
}
"""What is said while there are lists, or may be, and none of them can be read."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kept:
    """One archive with the tables of the rooms."""

    archive: Archive
    history: History
    keeping: Keeping
    draws: Draws
    ledger: Ledger
    proofs: ProvenTables

    @classmethod
    def of(cls, archive: Archive, proofs: ProvenTables) -> "Kept":
        """The tables of an archive, charged by these proofs."""
        kept = cls(archive, History(archive), Keeping(archive), Draws(archive), Ledger(archive, proofs), proofs)
        known = {entry.identity for entry in kept.history.entries()}
        kept.keeping.forget_others(known)
        kept.draws.forget_others(known)
        return kept


class Keeper:
    """Keeps conversations. Its methods belong to the engine's event loop; they raise `ArchiveUnavailable` and `ChatError`."""

    def __init__(
        self,
        folder: Path | None,
        tell: Callable[[ArchiveState], None],
        keyring: SystemKeyring | None = None,
        codes_folders: Sequence[Path] = (),
    ) -> None:
        """`folder` None: everything stays in memory. `codes_folders`: where what is proven of tables of codes is kept."""
        self._folder = folder
        self.codes_folders = tuple(codes_folders)
        self._proofs = ProvenTables(codes_folders, partial(listed.write, replace=write_atomically), listed.is_listed)
        self._tell = tell
        self._keyring = keyring or SystemKeyring()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="archive")
        self._memory: Kept | None = None
        self._disk: Kept | None = None
        self._incognito: set[str] = set()
        self._state = ArchiveState("open")
        self._without_lists = False
        self._closed = False

    async def open(self, passphrase: str = "") -> ArchiveState:
        """Open the archive, or make it, and tell how that went; the state is told as news too."""
        self._state = await self._on_thread(lambda: self._open(passphrase))
        self._tell(self._state)
        return self._state

    async def unlock(self, passphrase: str) -> None:
        """Open the archive with a passphrase. Raises `ArchiveUnavailable` with the reason where it stays closed."""
        state = await self.open(passphrase)
        if state.state != "open":
            raise ArchiveUnavailable(state.sentence)

    async def lists(self) -> list[KeptList]:
        """The person's lists. Raises `ProtectionFailed` while those on the disk cannot be read."""
        lists = await self.run(lambda kept: kept.keeping.lists())
        if self._state.state in OUT_OF_REACH and not self._without_lists:
            raise ProtectionFailed(OUT_OF_REACH[self._state.state])
        return lists

    def go_on_without_lists(self) -> None:
        """The person knows that lists that cannot be read are not used."""
        self._without_lists = True

    async def run(self, job: Callable[[Kept], T], conversation: str = "", incognito: bool = False) -> T:
        """Do something with the archive that keeps this conversation; "": the one of all that are not incognito."""
        if incognito:
            self._incognito.add(conversation)
        return await self._on_thread(lambda: job(self._place(conversation)))

    async def left(self, conversation: str) -> None:
        """The conversation was left: an incognito one is gone with that."""
        if conversation in self._incognito:
            await self._on_thread(lambda: _delete(self._place(conversation), conversation))
            self._incognito.discard(conversation)

    async def delete(self, conversation: str) -> None:
        """Delete a conversation for good."""
        await self._on_thread(lambda: _delete(self._place(conversation), conversation))

    async def close(self) -> None:
        """Write what waits and close; closing twice does nothing."""
        if not self._closed:
            self._closed = True
            await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
            self._thread.shutdown()

    async def _on_thread(self, job: Callable[[], T]) -> T:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, job)
        except ArchiveError as error:
            raise ArchiveUnavailable(str(error)) from error

    # in the thread

    def _place(self, conversation: str) -> Kept:
        if self._disk is not None and conversation not in self._incognito:
            return self._disk
        if self._memory is None:
            self._memory = Kept.of(Archive.in_memory(SCHEMAS), self._proofs)
        return self._memory

    def _open(self, passphrase: str) -> ArchiveState:
        if self._folder is None or self._disk is not None:
            return ArchiveState("open")
        try:
            self._disk = Kept.of(open_archive(self._folder, SCHEMAS, self._keyring, passphrase), self._proofs)
            self._move()
        except PassphraseNeeded as error:
            return ArchiveState("new" if error.new else "locked", str(error))
        except PassphraseRefused as error:
            return ArchiveState("new", str(error))
        except WrongPassphrase as error:
            return ArchiveState("locked", str(error))
        except ArchiveError as error:
            return ArchiveState("failed", str(error))
        return ArchiveState("open")

    def _move(self) -> None:
        """What was kept in memory only because the archive was closed belongs on the disk."""
        if self._memory is None or self._disk is None:
            return
        begun = [entry.identity for entry in reversed(self._memory.history.entries())]
        looked_through = [it for it in self._memory.keeping.conversations() if it not in begun]
        for conversation in (*begun, *looked_through):
            if conversation not in self._incognito:
                with self._disk.archive.transaction():
                    if conversation in begun:
                        _copy(self._memory, self._disk, conversation)
                    _copy_stand_ins(self._memory, self._disk, conversation)
                    draws.copy(self._memory.archive, self._disk.archive, conversation)
                _delete(self._memory, conversation)
        for names in self._memory.keeping.lists():
            self._disk.keeping.keep_list(_united(names, self._disk.keeping.lists()))
            self._memory.keeping.keep_list(replace(names, values=[]))

    def _close(self) -> None:
        for kept in (self._disk, self._memory):
            if kept is not None:
                kept.archive.close()
        self._disk = self._memory = None


def _copy(source: Kept, target: Kept, conversation: str) -> None:
    stored = source.history.load(conversation)
    entry = stored.entry
    target.history.begin(conversation, entry.created, entry.protect, entry.noise)
    if entry.title:
        target.history.rename(conversation, entry.title)
    for message in stored.messages:
        target.history.add(conversation, message)
    target.history.set_tip(conversation, entry.tip)
    for record in source.history.sent(conversation):
        target.history.record(record)


def _copy_stand_ins(source: Kept, target: Kept, conversation: str) -> None:
    target.keeping.add_entries(conversation, source.keeping.entries(conversation))
    for blob in source.keeping.decisions(conversation):
        target.keeping.decide(conversation, msgspec.msgpack.decode(blob, type=Decision).value, blob)


def _delete(kept: Kept, conversation: str) -> None:
    with kept.archive.erasing():
        kept.history.delete(conversation)
        kept.keeping.forget(conversation)
        kept.draws.forget(conversation)


def _united(names: KeptList, lists: Sequence[KeptList]) -> KeptList:
    """A list together with the one that has its name; one that says the opposite keeps its own, and this one gets another."""
    same = next((it for it in lists if it.name == names.name), None)
    if same is None:
        return names
    if same.never != names.never:
        return _united(replace(names, name=f"{names.name} (2)"), lists)
    return replace(same, values=list(dict.fromkeys([*same.values, *names.values])))
