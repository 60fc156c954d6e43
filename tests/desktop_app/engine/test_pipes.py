"""Pipes between our own processes: what goes in comes out, and a closed or broken pipe is told in words."""

import os

import pytest

from desktop_app.chat.events import DocumentText, ReplyRequest, Sampling, Turn
from desktop_app.engine.errors import EngineError, PipeClosed
from desktop_app.engine.messages import Ask, Stop, ToEngine
from desktop_app.engine.pipes import MAX_MESSAGE, Pipe
from desktop_app.engine.queries import DocumentAt, Query


@pytest.fixture
def pipe() -> Pipe[object]:
    read, write = os.pipe()
    return Pipe(os.fdopen(read, "rb"), os.fdopen(write, "wb"), ToEngine)


def test_messages_come_out_as_they_went_in(pipe: Pipe[object]) -> None:
    turns = [Turn(role="user", text="가나다 🙂", documents=[DocumentText(name="a b.txt", text="x" * 2000, pages=3)])]
    sent = [
        Ask(1, ReplyRequest(conversation="c", turns=turns, sampling=Sampling(seed=7))),
        Stop("c"),
        Query(2, DocumentAt("/tmp/ü.pdf")),
    ]
    for message in sent:
        pipe.send(message)
    assert [pipe.receive() for _ in sent] == sent


def test_the_end_of_the_other_process_is_a_closed_pipe() -> None:
    read, write = os.pipe()
    reader = Pipe[object](os.fdopen(read, "rb"), os.fdopen(os.open(os.devnull, os.O_WRONLY), "wb"), ToEngine)
    os.close(write)
    with pytest.raises(PipeClosed):
        reader.receive()


def test_writing_to_a_process_that_is_gone_is_a_closed_pipe() -> None:
    read, write = os.pipe()
    writer = Pipe[object](os.fdopen(os.open(os.devnull, os.O_RDONLY), "rb"), os.fdopen(write, "wb"), ToEngine)
    os.close(read)
    with pytest.raises(PipeClosed):
        writer.send(Stop("c"))


@pytest.mark.parametrize("data", [b"\x03\x00\x00\x00abc", (MAX_MESSAGE + 1).to_bytes(4, "little"), b"\x01\x00\x00\x00\xc0"])
def test_bytes_that_are_no_message_are_an_error_in_words(data: bytes) -> None:
    read, write = os.pipe()
    reader = Pipe[object](os.fdopen(read, "rb"), os.fdopen(os.open(os.devnull, os.O_WRONLY), "wb"), ToEngine)
    os.write(write, data)
    with pytest.raises(EngineError, match="restart Sotto"):
        reader.receive()
    os.close(write)


@pytest.mark.parametrize(
    "message",
    [
        Query(2**80, DocumentAt("x")),
        Stop("\udce9"),
        Ask(1, ReplyRequest(conversation="c", turns=[], sampling=Sampling(seed=2**90))),
    ],
)
def test_a_message_that_cannot_be_sent_is_told_to_who_sends_it(pipe: Pipe[object], message: object) -> None:
    with pytest.raises(EngineError, match="Correct it"):
        pipe.send(message)  # type: ignore[arg-type]
    pipe.send(Stop("c"))
    assert pipe.receive() == Stop("c")
