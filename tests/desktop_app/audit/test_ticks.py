"""From frames to what an observer of the network can tell apart: steps up and what comes down after each."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.audit.recording import Frame, recorder
from desktop_app.audit.ticks import OVERHEAD, Tick, ticks
from desktop_app.chat.events import PADDED, ReplyRequest, Sampling, Split, Turn
from remote_agent.wire.codec import encode
from remote_agent.wire.frames import MAX_FRAME_BYTES, Splitter
from remote_agent.wire.messages import Answer, Message, Open, Ping, Pong, RowFormat, Step

PAYLOAD = 4608  # bytes: four rows of 576 numbers in 16 bits


class Line:
    """Frames as they cross a line, numbered as both sides number them."""

    def __init__(self, *, padded: bool) -> None:
        self.frames: list[Frame] = []
        self._splitters = {True: Splitter(), False: Splitter()}
        self._padded = padded

    def put(self, sent: bool, time: float, message: Message, payload: int = 0) -> int:
        """A message at this time; returns its bytes on the line."""
        size = (payload + 200 if payload else 1) if self._padded else 0
        made = list(self._splitters[sent].split(encode(message, bytes(payload)), b"", size))
        self.frames += [Frame(sent, time, frame) for frame in made]
        return sum(len(frame) + OVERHEAD for frame in made)

    def step(self, number: int, time: float, payload: int = PAYLOAD) -> int:
        """A step up."""
        return self.put(True, time, Step(1, 0, number, -1, 4 * number, [0] * 4, -1), payload)

    def answer(self, number: int, time: float, payload: int = PAYLOAD) -> int:
        """Its answer down."""
        return self.put(False, time, Answer(1, 0, number, 0), payload)


@pytest.mark.parametrize("padded", [False, True])
def test_a_step_and_its_answer_are_one_tick(padded: bool) -> None:
    line = Line(padded=padded)
    first = Tick(0.0, line.step(0, 1.0, 20_000), line.answer(0, 1.04, 20_000))
    second = Tick(0.5, line.step(1, 1.5), line.answer(1, 1.54))
    assert ticks(line.frames) == [first, second]


def test_padded_pings_and_the_opening_of_a_session_are_no_ticks_wherever_they_stand() -> None:
    line = Line(padded=True)
    line.put(True, 0.0, Open(1, 4, 28, RowFormat.BFLOAT16))
    up = line.step(0, 0.001)
    line.put(False, 0.0011, Ping(1))
    line.put(True, 0.0012, Pong(1))
    down = line.answer(0, 0.02)
    line.put(True, 0.0201, Ping(2))
    line.step(1, 0.5)
    assert {len(frame.data) for frame in line.frames} == {MAX_FRAME_BYTES}
    found = ticks(line.frames)
    assert len(found) == 2
    assert found[0] == Tick(0.0, up, down)


def test_a_second_step_in_flight_is_a_tick_of_its_own() -> None:
    line = Line(padded=False)
    for number in range(2):
        line.step(number, 1.0 + number / 100)
    for number in range(2):
        line.answer(number, 1.1)
    assert [tick.down > 0 for tick in ticks(line.frames)] == [False, True]


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9000), st.floats(0.0, 0.1)), max_size=30), st.booleans())
def test_no_byte_of_a_step_or_an_answer_behind_the_first_step_is_lost(
    messages: list[tuple[bool, int, float]], padded: bool
) -> None:
    clock, line, total = 0.0, Line(padded=padded), 0
    total += line.step(0, clock)
    for number, (sent, size, wait) in enumerate(messages, 1):
        clock += wait
        total += line.step(number, clock, size) if sent else line.answer(number, clock, size)
    found = ticks(line.frames)
    assert sum(tick.up + tick.down for tick in found) == total
    assert len(found) == 1 + sum(sent for sent, _, _ in messages)
    assert all(tick.wait >= 0 and tick.up for tick in found)


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_real_padded_reply_has_the_prompts_tick_and_sixty_four_of_one_size(
    models_directory: Path, starter_model: Path
) -> None:
    async with recorder(models_directory) as engine:
        for number, text in enumerate(("Name a river.", "Why is the sky blue? Say it in ten words.")):
            request = ReplyRequest(
                conversation=f"ticks {number}",
                turns=[Turn(role="user", text=text)],
                protect=False,
                incognito=True,
                sampling=Sampling(temperature=0.0, max_tokens=12),
                split=Split(head=1, tail=2),
                dtype="bfloat16",
                shape=PADDED,
            )
            recorded = await engine.ask(request)
            found = ticks(recorded.frames)
            assert len(found) == 1 + PADDED.ticks
            assert len({(tick.up, tick.down) for tick in found[1:]}) == 1
            assert found[0].up > 10 * found[1].up
            # Bytes of all ticks are those that the engine counts for itself, but for what the network adds.
            frames = sum(tick.up + tick.down for tick in found) / (MAX_FRAME_BYTES + OVERHEAD)
            assert frames * MAX_FRAME_BYTES == recorded.statistics.bytes_up + recorded.statistics.bytes_down
