"""One peer connection: opens, carries frames, tells of its loss, waits when too much is unsent."""

import asyncio

import pytest

from remote_agent.link.errors import LinkClosed
from remote_agent.link.line import Line, Stream

ORDERED = Stream("ordered", 0, ordered=True, high_bytes=20_000, low_bytes=10_000)
UNORDERED = Stream("unordered", 1, ordered=False, high_bytes=20_000, low_bytes=10_000)


class End:
    """A line and what it told."""

    def __init__(self) -> None:
        self.frames: asyncio.Queue[bytes] = asyncio.Queue()
        self.losses = 0
        self.lost = asyncio.Event()
        self.line = Line((ORDERED, UNORDERED), True, self.frames.put_nowait, self._lost)

    def _lost(self) -> None:
        self.losses += 1
        self.lost.set()


@pytest.fixture
async def ends() -> tuple[End, End]:
    here, there = End(), End()
    await here.line.accept(await there.line.answer(await here.line.offer()))
    await asyncio.wait_for(asyncio.gather(here.line.opened, there.line.opened), 10)
    return here, there


async def test_frames_go_both_ways_and_the_ordered_stream_keeps_their_order(ends: tuple[End, End]) -> None:
    here, there = ends
    frames = [bytes([number]) * 1160 for number in range(100)]
    await here.line.send(ORDERED, frames)
    assert [await there.frames.get() for _ in frames] == frames
    await there.line.send(UNORDERED, frames[:1])
    assert await here.frames.get() == frames[0]
    await asyncio.gather(here.line.close(), there.line.close())


async def test_a_close_is_told_to_the_peer_once_and_not_to_oneself(ends: tuple[End, End]) -> None:
    here, there = ends
    await here.line.close()
    await asyncio.wait_for(there.lost.wait(), 5)
    await there.line.close()
    assert (here.losses, there.losses) == (0, 1)


async def test_sending_waits_while_too_much_is_unsent_and_ends_with_the_line(ends: tuple[End, End]) -> None:
    here, there = ends
    here.line._peer.sctp._window.size = 0
    sending = asyncio.create_task(here.line.send(UNORDERED, [bytes(1160)] * 200))
    done, _ = await asyncio.wait((sending,), timeout=0.1)
    assert not done
    assert here.line._outlets[UNORDERED.id].data_channel.bufferedAmount < 20_000 + 32 * 1160
    await here.line.close()
    with pytest.raises(LinkClosed):
        await sending
    await there.line.close()


async def test_text_ends_the_line(ends: tuple[End, End]) -> None:
    here, there = ends
    here.line._outlets[ORDERED.id].data_channel.send("text")
    await asyncio.wait_for(there.lost.wait(), 5)
    assert there.frames.empty()
    await asyncio.gather(here.line.close(), there.line.close())
