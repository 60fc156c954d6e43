"""Every question of the window gets the answer that was promised for it."""

from pathlib import Path
from typing import Any

import pytest

from desktop_app.chat.events import EngineNews, Noise, Progress, Split
from desktop_app.chat.responder import ChatError, DocumentRefused
from desktop_app.chat.stored import Decision, NameList, StoredMessage
from desktop_app.engine import queries
from desktop_app.engine.desk import Desk
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.engine.readers import Readers
from tests.helpers.protecting import keeper_in, protection_of, request_of


class Room:
    """A desk with an archive in memory that holds one conversation."""

    def __init__(self, keeper: Keeper) -> None:
        self.news: list[EngineNews] = []
        self.forgotten: list[str] = []
        self.keeper = keeper
        self.protection, _ = protection_of("Marlowe", keeper=keeper)
        self.readers = Readers()
        self.desk = Desk(keeper, self.protection, self.readers, self.news.append, self._forget)

    async def answer(self, about: Any) -> Any:
        """The answer, as the window gets it."""
        value = await self.desk.answer(about)
        return queries.value_of(about, queries.answered(1, value))

    async def _forget(self, conversation: str) -> None:
        self.forgotten.append(conversation)


@pytest.fixture
async def room() -> Room:
    keeper = keeper_in(None)

    def begin(kept: Kept) -> None:
        kept.history.begin("c", 1.0, True)
        kept.history.add("c", StoredMessage(identity="m", parent="", role="user", text="Who is Marlowe?"))

    await keeper.run(begin)
    return Room(keeper)


async def test_conversations_are_listed_opened_renamed_and_deleted(room: Room) -> None:
    assert [entry.title for entry in await room.answer(queries.Conversations())] == ["Who is Marlowe?"]
    assert (await room.answer(queries.OpenConversation("c"))).messages[0].text == "Who is Marlowe?"
    assert await room.answer(queries.RenameConversation("c", "A case")) is None
    assert [entry.title for entry in await room.answer(queries.Conversations())] == ["A case"]
    assert await room.answer(queries.SentOf("c", False)) == []
    assert await room.answer(queries.DeleteConversation("c")) is None
    assert await room.answer(queries.Conversations()) == []
    assert room.forgotten == ["c"]
    with pytest.raises(ChatError, match="no longer here"):
        await room.answer(queries.OpenConversation("c"))


async def test_a_branch_is_kept_before_anything_is_asked_in_it(room: Room) -> None:
    copied = StoredMessage(identity="n", parent="", role="user", text="Who is Marlowe?")
    assert await room.answer(queries.KeepBranch("c", False, [copied])) is None
    kept = await room.answer(queries.OpenConversation("c"))
    assert (kept.entry.protect, kept.entry.tip, len(kept.messages)) == (False, "n", 2)


async def test_a_review_tells_its_progress(room: Room) -> None:
    review = await room.answer(queries.ReviewOf(request_of("Who is Marlowe?", conversation="new")))
    assert [row.value for row in review.found] == ["Marlowe"]
    assert any(isinstance(news, Progress) and news.stage == "protect" for news in room.news)


async def test_a_decision_holds(room: Room) -> None:
    decision = Decision(value="Marlowe", kind="person", replaced=False)
    assert await room.answer(queries.Decide("new", True, [decision])) == []
    review = await room.answer(queries.ReviewOf(request_of("Who is Marlowe?", conversation="new", incognito=True)))
    assert [row.replaced for row in review.found] == [False]


async def test_lists_are_imported_kept_and_deleted(room: Room, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text("Ada Quill\nBo Ferris\n", encoding="utf-8")
    imported = await room.answer(queries.ImportList(str(tmp_path / "names.txt"), "clients", "person"))
    assert imported.values == ["Ada Quill", "Bo Ferris"]
    assert await room.answer(queries.Lists()) == [imported]
    (tmp_path / "names.txt").write_text("Bo Ferris\nCy Grant\n", encoding="utf-8")
    more = await room.answer(queries.ImportList(str(tmp_path / "names.txt"), "clients", "person"))
    assert more.values == ["Ada Quill", "Bo Ferris", "Cy Grant"]
    await room.answer(queries.KeepList(NameList(name="clients", kind="person", values=[])))
    assert await room.answer(queries.Lists()) == []


async def test_an_import_tells_how_many_entries_it_left_out(room: Room, tmp_path: Path) -> None:
    (tmp_path / "names.txt").write_text(f"Ada Quill\nx\n{'a' * 300}\n", encoding="utf-8")
    imported = await room.answer(queries.ImportList(str(tmp_path / "names.txt"), "clients", "person"))
    assert (imported.values, imported.left_out) == (["Ada Quill"], 2)


async def test_what_is_added_to_a_list_from_a_file_leaves_the_list_what_it_is(room: Room, tmp_path: Path) -> None:
    await room.answer(queries.KeepList(NameList(name="ours", kind="organisation", values=["Ada Quill"], never=True)))
    (tmp_path / "ours.txt").write_text("Bo Ferris\n", encoding="utf-8")
    more = await room.answer(queries.ImportList(str(tmp_path / "ours.txt"), "ours", "person"))
    assert more == NameList(name="ours", kind="organisation", values=["Ada Quill", "Bo Ferris"], never=True)
    assert await room.answer(queries.Lists()) == [more]


async def test_a_list_or_document_that_cannot_be_read_is_a_sentence(room: Room, tmp_path: Path) -> None:
    with pytest.raises(DocumentRefused, match=r"gone\.txt"):
        await room.answer(queries.ImportList(str(tmp_path / "gone.txt"), "clients", "person"))
    assert await room.answer(queries.Lists()) == []


async def test_figures_of_attacks_are_answered_for_a_split_and_there_are_none_where_nothing_is_sent(room: Room) -> None:
    assert all(
        figure.command for figure in await room.answer(queries.RecoveredAt("", Split(head=27), True)) if not figure.measured
    )
    assert await room.answer(queries.RecoveredAt("", Split(only_here=True), True)) == []


async def test_the_archive_is_unlocked(room: Room) -> None:
    assert await room.answer(queries.Unlock("")) is None


async def test_noise_is_kept_with_a_branch_and_its_figures_are_told(room: Room) -> None:
    noise = Noise(mu=20.0, epsilon=1e5)
    await room.answer(queries.KeepBranch("c", True, [], noise))
    assert (await room.answer(queries.OpenConversation("c"))).entry.noise == noise
    assert await room.answer(queries.NoiseSpentIn("c")) is None
    assert (await room.answer(queries.WorthOf(noise, ""))).tokens > 0
    with pytest.raises(ChatError, match="nothing under noise"):
        await room.answer(queries.SetNoiseBudget("c", 1.0, 1e-6))
