"""What has left as it was is told however it is written, and nothing else is."""

import pytest

from desktop_app.chat.events import DocumentText, Mark
from desktop_app.chat.stored import Consequence, Decision, SentRecord, StoredMessage
from desktop_app.engine.consequences import consequences
from desktop_app.engine.keeper import Keeper, Kept
from tests.helpers.protecting import keeper_in
from tests.helpers.sent_records import sent_record


def _left(message: str, *, protect: bool = True) -> SentRecord:
    return sent_record(message, peer="agent.example", protect=protect)


async def _late(keeper: Keeper, *values: str) -> list[Consequence]:
    decisions = [Decision(value=value, kind="other", replaced=True) for value in values]
    return await keeper.run(lambda kept: consequences(kept, "c", decisions), "c")


@pytest.mark.parametrize("value", ["Blue Folder", "BLUE-FOLDER", "blue\u00a0folder", "Zoe\u0301", "zoé"])
async def test_too_late_is_told_however_the_word_is_written(value: str) -> None:
    keeper = keeper_in(None)

    def keep(kept: Kept) -> None:
        kept.history.begin("c", 1.0, True)
        kept.history.add("c", StoredMessage(identity="q", parent="", role="user", text="The blue folder of Zoé, rezoéd"))
        kept.history.add("c", StoredMessage(identity="a", parent="q", role="assistant", text="Yes"))
        kept.history.record(_left("a"))

    await keeper.run(keep, "c")
    assert [it.value for it in await _late(keeper, value, "fold")] == [value]


async def test_what_was_replaced_once_and_then_went_along_without_protection_has_left() -> None:
    keeper = keeper_in(None)
    letter = DocumentText(name="Vance.pdf", text="Dear all")

    def keep(kept: Kept) -> None:
        kept.history.begin("c", 1.0, True)
        marks = [Mark(start=7, end=14, kind="person", stand_in="Whitcombe")]
        question = StoredMessage(identity="q", parent="", role="user", text="Who is Marlowe?", marks=marks, documents=[letter])
        kept.history.add("c", question)
        for identity, parent, role in (("a", "q", "assistant"), ("q2", "a", "user"), ("a2", "q2", "assistant")):
            kept.history.add("c", StoredMessage(identity=identity, parent=parent, role=role, text="Yes"))  # type: ignore[arg-type]
        kept.history.record(_left("a"))

    await keeper.run(keep, "c")
    assert await _late(keeper, "Marlowe", "Vance") == []
    await keeper.run(lambda kept: kept.history.record(_left("a2", protect=False)), "c")
    assert {it.value: it.messages for it in await _late(keeper, "Marlowe", "Vance")} == {"Marlowe": 1, "Vance": 1}
