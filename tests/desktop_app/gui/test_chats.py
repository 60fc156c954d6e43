"""Conversations are left and come back, and what the engine says reaches the right one."""

import asyncio
from pathlib import Path

import pytest

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import Noise, Progress
from desktop_app.chat.message import MessageState
from desktop_app.gui.chats import Chats
from desktop_app.gui.reply_task import Tasks
from desktop_app.settings.settings import Settings, SettingsStore
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import ScriptedResponder, said
from tests.helpers.window_events import until


class Gate:
    """Lets questions leave, or not, or keeps them waiting."""

    def __init__(self) -> None:
        self.answer: bool | Exception | None = True

    async def __call__(self, conversation: Conversation) -> bool:
        if self.answer is None:
            await asyncio.Event().wait()
        if isinstance(self.answer, Exception):
            raise self.answer
        return bool(self.answer)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def chats(responder: ScriptedResponder, gate: Gate, drive: Drive, tmp_path: Path) -> Chats:
    return Chats(responder, SettingsStore(tmp_path / "settings.json"), Tasks(), gate)


def test_a_question_that_may_not_leave_is_withdrawn(chats: Chats, gate: Gate, responder: ScriptedResponder, drive: Drive) -> None:
    withdrawn: list[tuple[str, list[object]]] = []
    told: list[str] = []
    chats.withdrawn.connect(lambda _conversation, unsent: withdrawn.append(unsent))
    chats.told.connect(told.append)

    async def scenario() -> None:
        for number, answer in enumerate((False, RuntimeError("what the person wrote")), start=1):
            gate.answer = answer
            chats.ask("why?", [])
            await until(lambda number=number: len(withdrawn) == number)
        assert withdrawn == [("why?", [])] * 2
        assert (chats.current.messages, responder.requests) == ([], [])
        assert len(told) == 1
        assert "wrote" not in told[0]

    drive(scenario())


def test_stopping_before_anything_left_stops_no_engine(
    chats: Chats, gate: Gate, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        gate.answer = None
        seen: list[object] = []
        chats.received.connect(lambda _conversation, event: seen.append(event))
        chats.ask("why?", [])
        await until(lambda: seen == [Progress(stage="protect")])
        chats.stop()
        await until(lambda: chats.current.messages == [])
        assert responder.stopped == []

    drive(scenario())


def test_new_chats_begin_as_the_settings_say_and_incognito_where_nothing_is_kept(
    responder: ScriptedResponder, gate: Gate, drive: Drive, tmp_path: Path
) -> None:
    store = SettingsStore(tmp_path / "s.json")
    store.save(Settings(protect=False))
    chats = Chats(responder, store, Tasks(), gate)
    assert (chats.current.protect, chats.current.incognito) == (False, False)

    async def scenario() -> None:
        chats.keep(False)
        assert chats.current.incognito
        chats.keep(True)
        assert not chats.current.incognito
        chats.begin(incognito=True)
        chats.keep(True)
        assert chats.current.incognito

    drive(scenario())


def test_a_noise_for_new_chats_changes_none_that_has_begun(chats: Chats, responder: ScriptedResponder, drive: Drive) -> None:
    noise = Noise(mu=20.0, epsilon=5.0)

    async def scenario() -> None:
        chats.make_new_noisy(noise)
        assert chats.current.noise == noise
        chats.ask("one", [])
        await until(lambda: chats.current.answer is None)
        chats.make_new_noisy(None)
        assert chats.current.noise == noise
        chats.protect(False)
        await until(lambda: not responder.archive.entries[chats.current.identity].protect)
        assert responder.archive.entries[chats.current.identity].noise == noise

    drive(scenario())


def test_the_latest_chat_that_was_asked_for_is_the_one_that_is_shown(
    chats: Chats, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        for question in ("one", "two"):
            chats.ask(question, [])
            await until(lambda: chats.current.answer is None)
            chats.begin()
        first, second = responder.archive.entries
        chats.open(first)
        chats.open(second)
        await until(lambda: chats.current.identity == second)
        chats.open(first)
        chats.begin()
        new = chats.current
        await asyncio.sleep(0.02)
        assert chats.current is new

    drive(scenario())


def test_a_chat_that_cannot_be_opened_is_told_and_the_present_one_stays(
    chats: Chats, responder: ScriptedResponder, drive: Drive
) -> None:
    async def scenario() -> None:
        told: list[str] = []
        chats.told.connect(told.append)
        present = chats.current
        chats.open("gone")
        await until(lambda: told)
        assert "no longer here" in told[0]
        assert chats.current is present

    drive(scenario())


def test_deleting_a_chat_whose_answer_comes_stops_it(chats: Chats, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        responder.hold, responder.script = True, said("never ends")
        chats.ask("one", [])
        responder.release()
        await until(lambda: chats.current.answer is not None and chats.current.answer.text)
        deleted = chats.current
        chats.delete(deleted.identity)
        assert chats.current is not deleted
        await until(lambda: responder.archive.entries == {})
        assert responder.stopped == [deleted.identity]
        await until(lambda: deleted.messages[-1].state is not MessageState.STREAMING)

    drive(scenario())


def test_protection_is_changed_in_a_new_branch(chats: Chats, responder: ScriptedResponder, drive: Drive) -> None:
    async def scenario() -> None:
        chats.ask("one", [])
        await until(lambda: chats.current.answer is None)
        old = [message.identity for message in chats.current.messages]
        chats.protect(True)
        assert [message.identity for message in chats.current.messages] == old
        chats.protect(False)
        chats.ask("two", [])
        await until(lambda: chats.current.answer is None)
        request = responder.requests[-1]
        assert [turn.text for turn in request.turns] == ["one", "Hello.", "two"]
        assert not request.protect
        assert not {turn.identity for turn in request.turns} & set(old)
        stored = await responder.open_conversation(chats.current.identity)
        assert [message.text for message in Conversation.of(stored).messages] == ["one", "Hello.", "two", "Hello."]

    drive(scenario())
