"""The hunter finds what was sent on any branch, in text or in bytes, and does not find what was not."""

from collections.abc import Callable, Iterable
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
import torch

from desktop_app.audit.canaries import LATE, STRANGER, Canary, canaries, found_in_text
from desktop_app.audit.chats import BRANCH, EDIT, OPENINGS, QUOTE, Chatted, Hunter, chat
from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.recording import Frame
from desktop_app.audit.split import request_at
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.events import ReplyEvent, ReplyFinished, ReplyRequest, Split, Statistics, TextAdded
from desktop_app.chat.responder import ChatError
from desktop_app.chat.stored import Decision
from desktop_app.engine.exchange import KeptExchange
from desktop_app.open_weights.public_model import run_chain
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind
from remote_agent.segment.payload import to_payload
from remote_agent.wire.codec import encode_buffers
from remote_agent.wire.frames import Splitter
from remote_agent.wire.messages import Answer, Open, Ping, RowFormat, Step
from tests.helpers.attacked_rows import LAYERS, tiny_public_model
from tests.helpers.protecting import keeper_in, protection_of
from tests.helpers.tiny_models import SIZES

HEAD, TAIL = 1, 1


class Letters:
    """A tokenizer of printable letters, for a vocabulary of 199 tokens."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]

    def decode(self, ids: Iterable[int]) -> str:
        return "".join(map(chr, ids))

    def prompt(self, turns: list[dict[str, str]]) -> list[int]:
        return self.encode(f"<u>{turns[0]['content']}</u>")


def frames(first: str, second: str, shared: int) -> list[Frame]:
    """A text, and another one that branches off after so many of its letters."""
    model, splitters = tiny_public_model(), {True: Splitter(), False: Splitter()}
    found: list[Frame] = []

    def cross(sent: bool, message: Open | Step | Answer, rows: torch.Tensor | None = None) -> None:
        payload = b"" if rows is None else to_payload(rows, RowFormat.FLOAT32)
        found.extend(Frame(sent, 0.0, data) for data in splitters[sent].split(*encode_buffers(message, payload)))

    cross(True, Open(1, HEAD, LAYERS - TAIL, RowFormat.FLOAT32))
    one, two = ([ord(letter) for letter in text] for text in (first, second))
    for epoch, tokens, start, id_ in ((0, one, 0, 0), (1, two, shared, len(one))):
        sent = run_chain(model.head(HEAD), model.embedding(tokens))
        returned = run_chain(model.middle(HEAD, LAYERS - TAIL), sent)
        count = len(tokens) - start
        parents = [start - 1, *range(id_, id_ + count - 1)]
        cross(True, Step(1, epoch, 0, start - 1, id_, parents, -1), sent[start:])
        cross(False, Answer(1, epoch, 0, 5), returned[start:])
    return found


@pytest.fixture
def hunter() -> Hunter:
    model = tiny_public_model()
    search = ExactSearch(model, HEAD, RowReader(model, HEAD, texts=8, length=64))
    return Hunter(search, TailCompletion(model, TAIL), Letters(), SIZES["hidden_size"])  # type: ignore[arg-type]


def test_a_value_on_a_branch_that_was_given_up_is_found(hunter: Hunter) -> None:
    sent = frames("<u>call Petra now</u>", "<u>call Yukiko now</u>", 8)
    names = [Canary(f"{name} Vane", "name") for name in ("Petra", "Yukiko", "Noorda")]
    found = hunter.hunt(Chatted(sent), names, [names[2], names[0]])
    assert found.own.in_text == [True, True, False]
    assert found.own.in_bytes == [False, False, False]
    assert found.others.in_text == [False, True]
    assert found.others.in_bytes == [False, False]
    assert found.searched == found.matched == 21 + 22 - 8 - 3  # the template is known


def test_a_value_that_stands_in_any_frame_as_it_is_is_found(hunter: Hunter) -> None:
    sent = frames("<u>call now</u>", "<u>call us</u>", 8)
    secret = Canary("4366 0082 2948 4616", "card")
    sent.append(Frame(False, 0.0, next(Splitter().split(*encode_buffers(Ping(3))))[:-1] + secret.value.encode("utf-16-le")))
    with pytest.raises(Exception, match=r"piece|frame"):
        hunter.hunt(Chatted(sent), [secret])  # what is no message at all ends the channel, and the hunt
    sent[-1] = Frame(True, 0.0, _step_with(secret.value.encode("utf-16-le")))
    assert hunter.hunt(Chatted(sent), [secret]).own.in_bytes == [True]


@pytest.mark.parametrize(("second", "found"), [("<u>call quellomire</u>", True), ("<u>call them now</u>", False)])
def test_of_a_word_that_is_marked_late_only_what_left_later_counts(hunter: Hunter, second: str, found: bool) -> None:
    first = frames("<u>so quellomire</u>", "<u>so quellomirx</u>", 15)
    later = frames("<u>so quellomire</u>", second, 3)[len(first) - 2 :]
    sent = [*first[:-2], *later]
    late = Canary("quellomire", LATE)
    hunted = hunter.hunt(Chatted(sent, len(first) - 2), [late, Canary("quellomire", STRANGER)])
    assert hunted.own.in_text == [found, True]


def _step_with(payload: bytes) -> bytes:
    return next(Splitter().split(*encode_buffers(Step(9, 0, 0, -1, 0, [-1], -1), payload)))


def test_chats_quote_edit_and_branch_with_all_their_values() -> None:
    assert all(f"{{{place}}}" in opening for opening in OPENINGS for place in range(6))
    assert "{0}" in QUOTE
    assert "{0}" in EDIT
    assert "{3}" in BRANCH


class Engine:
    """Asks a scripted model through the engine's own exchange. `left` are the turns of each request as they left."""

    def __init__(self, *names: str) -> None:
        self.keeper = keeper_in(None)
        self.protection, _ = protection_of(*names, keeper=self.keeper)
        self.asked: list[ReplyRequest] = []
        self.left: list[list[str]] = []
        self.marked: list[int] = []
        self.gone = ""

    async def ask(self, request: ReplyRequest, tell: Callable[[ReplyEvent], None]) -> Any:
        exchange = KeptExchange(request, tell, self.keeper, self.protection)
        await exchange.open()
        self.asked.append(request)
        self.left.append([turn.text for turn in exchange.request.turns])
        question = exchange.request.turns[-1]
        read = [*(document.text for document in question.documents), question.text]
        await exchange.leave(Statistics())
        exchange.emit(TextAdded(f"As  you say: {' '.join(read)}"))
        tell(await exchange.end(ReplyFinished("end", Statistics())))
        return SimpleNamespace(frames=[Frame(True, 0.0, b"")])

    async def mark(self, request: ReplyRequest, value: str) -> None:
        self.marked.append(len(self.left))
        decision = Decision(value=value, kind=Kind.OTHER, replaced=True)
        await self.protection.decide(request.conversation, request.incognito, [decision])

    async def leave(self, conversation: str) -> None:
        self.gone = conversation
        await self.keeper.left(conversation)


OWN = [*canaries(5, 3, ["name"]), *canaries(1, 4, [STRANGER])]
WORD = Canary("quellomire", LATE)


async def chatted(engine: Engine, number: int, *late: Canary, protect: bool = True) -> Chatted:
    request = msgspec.structs.replace(request_at("", Split(), tokens=4), protect=protect, incognito=True)
    return await chat(engine, request, [*OWN, *late], number)  # type: ignore[arg-type]


def names() -> list[str]:
    return [canary.value for canary in OWN]


@pytest.mark.parametrize("number", range(4))
async def test_kept_answers_go_back_as_the_model_wrote_them(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[str] = []
    protect_reply = Naming.protect_reply

    def watched(self: Naming, sent: str) -> str:
        kept.append(sent)
        return protect_reply(self, sent)

    monkeypatch.setattr(Naming, "protect_reply", watched)
    engine = Engine(*names())
    await chatted(engine, number)
    # The quote, its second try and the branch: each has the first answer before it.
    assert len(kept) == 3
    assert [len(turns) for turns in engine.left] == [1, 3, 3, 3, 1]
    answer = f"As  you say: {' '.join(text for text in engine.left[0])}"
    assert all(
        turns[1].startswith("As  you say") for turns in engine.left[1:4]
    )  # two blanks: not a replacement of what was shown
    if not number % 2:
        assert {turns[1] for turns in engine.left[1:4]} == {answer}
    assert all(turn.identity for request in engine.asked for turn in request.turns)
    assert len({request.answer for request in engine.asked}) == 5


@pytest.mark.parametrize("number", range(4))
async def test_the_quote_has_the_answer_with_the_real_words_and_none_leaves(number: int) -> None:
    engine = Engine(*names())
    await chatted(engine, number)
    shown, quote = engine.asked[1].turns[1].text, engine.asked[1].turns[2].text
    assert found_in_text(OWN[0], shown)
    assert shown in quote
    assert not [text for turns in engine.left for text in turns for canary in OWN if canary.value in text]


@pytest.mark.parametrize("number", range(4))
async def test_a_word_that_is_marked_late_leaves_in_the_first_question_alone(number: int) -> None:
    engine = Engine(*names())
    found = await chatted(engine, number, WORD)
    assert (engine.marked, found.marked) == ([1], 1)
    assert WORD.value in engine.left[0][0]
    assert WORD.value in engine.asked[1].turns[1].text  # also in the answer that is kept
    assert not [text for turns in engine.left[1:] for text in turns if found_in_text(WORD, text)]


async def test_without_protection_all_leaves_and_nothing_is_left_behind() -> None:
    engine = Engine(*names())
    assert (await chatted(engine, 0, WORD, protect=False)).marked == 1
    assert engine.marked == []
    assert all(WORD.value in turns[0] for turns in engine.left)
    assert engine.gone == engine.asked[0].conversation
    with pytest.raises(ChatError):
        await engine.keeper.run(lambda kept: kept.history.load(engine.gone), engine.gone, True)
