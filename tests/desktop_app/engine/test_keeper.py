"""Where conversations are kept: on the disk, in memory until the disk is open, or in memory only; and how that is told."""

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from desktop_app.chat.events import ArchiveState
from desktop_app.chat.responder import ArchiveUnavailable, ProtectionFailed
from desktop_app.chat.stored import Decision, StoredMessage
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.privacy.keeping import KeptList
from tests.helpers.protecting import keeper_in
from tests.helpers.sent_records import sent_record

PASSPHRASE = "correct horse battery staple"
RECORD = sent_record(peer="p")


@pytest.fixture
async def keeper(tmp_path: Path) -> AsyncIterator[Keeper]:
    keeper = keeper_in(tmp_path / "archive")
    yield keeper
    await keeper.close()


def _begin(conversation: str) -> "object":
    def job(kept: Kept) -> None:
        kept.history.begin(conversation, 1.0, True)
        kept.history.add(
            conversation,
            StoredMessage(identity="m" if conversation == "c" else conversation, parent="", role="user", text="Hello"),
        )

    return job


async def _entries(keeper: Keeper) -> list[str]:
    return [entry.identity for entry in await keeper.run(lambda kept: kept.history.entries())]


async def test_without_a_keyring_a_passphrase_is_asked_for_and_then_the_archive_is_open(tmp_path: Path) -> None:
    told: list[ArchiveState] = []
    keeper = keeper_in(tmp_path / "archive", told)
    assert (await keeper.open()).state == "new"
    await keeper.unlock(PASSPHRASE)
    assert [state.state for state in told] == ["new", "open"]
    await keeper.close()


async def test_what_was_said_before_the_archive_was_open_is_moved_into_it(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.open()
    decision = msgspec.msgpack.encode(Decision(value="Jane", kind="person", replaced=True))
    await keeper.run(_begin("c"), "c")
    await keeper.run(lambda kept: kept.history.record(RECORD), "c")
    await keeper.run(lambda kept: kept.keeping.add_entries("c", [b"entry"]), "c")
    await keeper.run(lambda kept: kept.keeping.decide("c", "Jane", decision), "c")
    await keeper.run(lambda kept: kept.keeping.keep_list(KeptList(name="l", kind="person", values=["Park"])))
    await keeper.unlock(PASSPHRASE)
    await keeper.close()

    again = keeper_in(tmp_path / "archive")
    await again.unlock(PASSPHRASE)
    kept = await again.run(lambda kept: (kept.history.load("c"), kept.history.sent("c"), kept.keeping.entries("c")), "c")
    assert kept[0].messages[0].text == "Hello"
    assert kept[1:] == ([RECORD], [b"entry"])
    assert await again.run(lambda kept: kept.keeping.decisions("c")) == [decision]
    assert [names.values for names in await again.run(lambda kept: kept.keeping.lists())] == [["Park"]]
    await again.close()


async def test_an_incognito_conversation_is_not_listed_not_moved_and_gone_when_left(keeper: Keeper) -> None:
    await keeper.run(_begin("secret"), "secret", incognito=True)
    await keeper.run(_begin("c"), "c")
    await keeper.unlock(PASSPHRASE)
    assert await _entries(keeper) == ["c"]
    assert (await keeper.run(lambda kept: kept.history.load("secret"), "secret", incognito=True)).messages
    await keeper.left("secret")
    assert await keeper.run(lambda kept: kept.history.entries(), "secret", incognito=True) == []


async def test_an_incognito_conversation_leaves_no_byte_on_the_disk(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.unlock(PASSPHRASE)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    await keeper.run(_begin("secret"), "secret", incognito=True)
    await keeper.run(lambda kept: kept.keeping.add_entries("secret", [b"entry"]), "secret", incognito=True)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


async def test_a_kept_conversation_stays_when_it_is_left_and_goes_when_it_is_deleted(keeper: Keeper) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.run(_begin("c"), "c")
    await keeper.run(lambda kept: kept.keeping.add_entries("c", [b"entry"]), "c")
    await keeper.left("c")
    assert await _entries(keeper) == ["c"]
    await keeper.delete("c")
    assert await _entries(keeper) == []
    assert await keeper.run(lambda kept: kept.keeping.entries("c")) == []


async def test_stand_ins_of_a_question_that_was_never_asked_are_gone_at_the_next_start(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.run(_begin("c"), "c")
    for conversation in ("c", "never asked"):
        await keeper.run(lambda kept, name=conversation: kept.keeping.add_entries(name, [b"entry"]), conversation)
    await keeper.close()
    again = keeper_in(tmp_path / "archive")
    await again.unlock(PASSPHRASE)
    assert await again.run(lambda kept: (kept.keeping.entries("c"), kept.keeping.entries("never asked"))) == ([b"entry"], [])
    await again.close()


async def test_a_wrong_passphrase_is_told_and_the_right_one_still_opens(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.close()
    again = keeper_in(tmp_path / "archive")
    assert (await again.open()).state == "locked"
    with pytest.raises(ArchiveUnavailable):
        await again.unlock("another passphrase")
    await again.unlock(PASSPHRASE)
    await again.close()


async def test_a_damaged_archive_is_told_and_conversations_go_on_in_memory(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.close()
    database = next((tmp_path / "archive").glob("*.db"))
    database.write_bytes(b"not a database" * 1000)
    again = keeper_in(tmp_path / "archive")
    state = await again.open(PASSPHRASE)
    assert state.state == "failed"
    assert state.sentence.endswith(".")
    await again.run(_begin("c"), "c")
    assert await _entries(again) == ["c"]
    await again.close()
    assert database.read_bytes() == b"not a database" * 1000


async def test_without_a_folder_nothing_is_written_and_nothing_is_asked_for() -> None:
    keeper = keeper_in(None)
    assert (await keeper.open()).state == "open"
    await keeper.run(_begin("c"), "c")
    assert await _entries(keeper) == ["c"]
    await keeper.close()


NAMES = KeptList(name="friends", kind="person", values=["Ann", "Bob"])


async def _lists(keeper: Keeper) -> dict[str, tuple[list[str], bool]]:
    return {it.name: (it.values, it.never) for it in await keeper.lists()}


@pytest.mark.parametrize("damaged", [False, True])
async def test_lists_that_cannot_be_read_are_a_sentence_until_one_goes_on_without_them(
    keeper: Keeper, tmp_path: Path, damaged: bool
) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.run(lambda kept: kept.keeping.keep_list(NAMES))
    await keeper.close()
    if damaged:
        next((tmp_path / "archive").glob("*.db")).write_bytes(b"not a database" * 1000)
    again = keeper_in(tmp_path / "archive")
    await again.open(PASSPHRASE if damaged else "")
    with pytest.raises(ProtectionFailed, match=r"nothing was sent\. (Unlock|Restart)"):
        await again.lists()
    again.go_on_without_lists()
    assert await again.lists() == []
    if not damaged:
        await again.unlock(PASSPHRASE)
        assert await again.lists() == [NAMES]
    await again.close()


async def test_while_there_is_no_archive_yet_lists_are_those_in_memory(keeper: Keeper) -> None:
    assert (await keeper.open()).state == "new"
    await keeper.run(lambda kept: kept.keeping.keep_list(NAMES))
    assert await keeper.lists() == [NAMES]


async def test_a_list_that_was_made_while_locked_joins_the_one_of_its_name(keeper: Keeper, tmp_path: Path) -> None:
    await keeper.unlock(PASSPHRASE)
    await keeper.run(lambda kept: kept.keeping.keep_list(NAMES))
    await keeper.run(lambda kept: kept.keeping.keep_list(KeptList(name="fine", kind="other", values=["May"], never=True)))
    await keeper.close()
    again = keeper_in(tmp_path / "archive")
    await again.open()
    await again.run(lambda kept: kept.keeping.keep_list(KeptList(name="friends", kind="other", values=["Cem", "Ann"])))
    await again.run(lambda kept: kept.keeping.keep_list(KeptList(name="fine", kind="person", values=["June"])))
    await again.unlock(PASSPHRASE)
    assert await _lists(again) == {
        "friends": (["Ann", "Bob", "Cem"], False), "fine": (["May"], True), "fine (2)": (["June"], False)
    }  # fmt: skip
    await again.close()


async def test_stand_ins_and_decisions_of_a_question_that_was_only_looked_through_are_moved_too(keeper: Keeper) -> None:
    await keeper.open()
    decision = msgspec.msgpack.encode(Decision(value="Jane", kind="person", replaced=True))
    await keeper.run(lambda kept: kept.keeping.add_entries("looked through", [b"entry"]), "looked through")
    await keeper.run(lambda kept: kept.keeping.decide("decided", "Jane", decision), "decided")
    await keeper.run(lambda kept: kept.keeping.add_entries("secret", [b"entry"]), "secret", incognito=True)
    await keeper.unlock(PASSPHRASE)
    assert await keeper.run(lambda kept: kept.keeping.entries("looked through"), "looked through") == [b"entry"]
    assert await keeper.run(lambda kept: kept.keeping.decisions("decided"), "decided") == [decision]
    assert await keeper.run(lambda kept: kept.keeping.conversations()) == ["decided", "looked through"]
