"""The hunter finds what was sent on any branch, in text or in bytes, and does not find what was not."""

from collections.abc import Iterable

import pytest
import torch

from desktop_app.audit.canaries import Canary
from desktop_app.audit.chats import BRANCH, EDIT, OPENINGS, QUOTE, Hunter
from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.public_model import run_chain
from desktop_app.audit.recording import Frame
from desktop_app.audit.tail_completion import TailCompletion
from remote_agent.segment.payload import to_payload
from remote_agent.wire.codec import encode_buffers
from remote_agent.wire.frames import Splitter
from remote_agent.wire.messages import Answer, Open, Ping, RowFormat, Step
from tests.helpers.attacked_rows import LAYERS, tiny_public_model
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
    found = hunter.hunt(sent, [Canary("Petra", "name"), Canary("Yukiko", "name"), Canary("Noorda", "name")])
    assert found.in_text == [True, True, False]
    assert found.in_bytes == [False, False, False]
    assert found.searched == found.matched == 21 + 22 - 8 - 3  # the template is known


def test_a_value_that_stands_in_any_frame_as_it_is_is_found(hunter: Hunter) -> None:
    sent = frames("<u>call now</u>", "<u>call us</u>", 8)
    secret = Canary("4366 0082 2948 4616", "card")
    sent.append(Frame(False, 0.0, next(Splitter().split(*encode_buffers(Ping(3))))[:-1] + secret.value.encode("utf-16-le")))
    with pytest.raises(Exception, match=r"piece|frame"):
        hunter.hunt(sent, [secret])  # what is no message at all ends the channel, and the hunt
    sent[-1] = Frame(True, 0.0, _step_with(secret.value.encode("utf-16-le")))
    assert hunter.hunt(sent, [secret]).in_bytes == [True]


def _step_with(payload: bytes) -> bytes:
    return next(Splitter().split(*encode_buffers(Step(9, 0, 0, -1, 0, [-1], -1), payload)))


def test_chats_quote_edit_and_branch_with_all_their_values() -> None:
    assert all(f"{{{place}}}" in opening for opening in OPENINGS for place in range(6))
    assert "{0}" in QUOTE
    assert "{0}" in EDIT
    assert "{3}" in BRANCH
