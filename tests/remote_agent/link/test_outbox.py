"""Sending from a thread that computes."""

import asyncio
import time

import pytest

from remote_agent.link.outbox import Outbox
from remote_agent.link.thread import LinkThread, into
from tests.helpers.link_calls import Caller
from tests.helpers.wire_messages import step


async def test_messages_posted_from_another_thread_are_sent(caller: Caller, link: LinkThread) -> None:
    answer = caller._answers[0] = asyncio.get_running_loop().create_future()
    await asyncio.to_thread(Outbox(caller.channel, link).post, step(0), b"rows")
    assert await asyncio.wait_for(answer, 5) == b"rows"


async def test_a_message_posted_for_a_time_leaves_then_and_not_before(caller: Caller, link: LinkThread) -> None:
    answers = [caller._answers.setdefault(sequence, asyncio.get_running_loop().create_future()) for sequence in range(3)]
    outbox = Outbox(caller.channel, link)
    due = time.perf_counter() + 0.2
    outbox.post_at(due, step(0), b"due")
    outbox.post_at(0.0, step(1), b"overdue")
    outbox.post(step(2), b"now")
    assert await asyncio.wait_for(answers[1], 5) == b"overdue"
    assert await asyncio.wait_for(answers[2], 5) == b"now"
    assert not answers[0].done()
    assert await asyncio.wait_for(answers[0], 5) == b"due"
    assert time.perf_counter() >= due


async def test_messages_to_an_ended_channel_or_link_are_dropped(caller: Caller, link: LinkThread) -> None:
    outbox = Outbox(caller.channel, link)
    await link.run(caller.channel.close())
    outbox.post(step(0), b"rows")
    await link.run(asyncio.sleep(0))
    other = LinkThread()
    other.stop()
    Outbox(caller.channel, other).post(step(0), b"rows")


@pytest.mark.parametrize(("limit", "value"), [("MAX_WAITING", 8), ("MAX_WAITING_BYTES", 32)])
async def test_a_peer_that_asks_and_does_not_read_is_cut_off(
    caller: Caller, link: LinkThread, monkeypatch: pytest.MonkeyPatch, limit: str, value: int
) -> None:
    monkeypatch.setattr(f"remote_agent.link.outbox.{limit}", value)
    ended = asyncio.get_running_loop().create_future()
    link.post(caller.channel.on_closed, into(asyncio.get_running_loop(), ended.set_result))
    never = asyncio.Event()
    monkeypatch.setattr(caller.channel, "send", lambda *message: never.wait())
    outbox = Outbox(caller.channel, link)
    for sequence in range(9):
        outbox.post(step(sequence), b"rows")
        await link.run(asyncio.sleep(0))
    await asyncio.wait_for(ended, 5)
