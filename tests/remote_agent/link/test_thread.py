"""A loop in a thread: results come back, callbacks go where they should, it ends cleanly."""

import asyncio
import threading

import pytest

from remote_agent.link.thread import LinkThread, into, new_event_loop


async def thread_name() -> str:
    return threading.current_thread().name


async def test_work_runs_in_the_thread_and_its_result_comes_back() -> None:
    with LinkThread("elsewhere") as link:
        assert await link.run(thread_name()) == "elsewhere"
        assert link.submit(thread_name()).result() == "elsewhere"


async def test_an_error_comes_back_too() -> None:
    async def fail() -> None:
        raise KeyError("x")

    with LinkThread() as link, pytest.raises(KeyError):
        await link.run(fail())


async def test_cancelling_here_cancels_there() -> None:
    started, cancelled = threading.Event(), threading.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    with LinkThread() as link:
        waiting = asyncio.create_task(link.run(work()))
        assert await asyncio.to_thread(started.wait, 5)
        waiting.cancel()
        assert await asyncio.to_thread(cancelled.wait, 5)


async def test_callbacks_are_called_in_the_loop_they_are_for() -> None:
    loop = asyncio.get_running_loop()
    called: asyncio.Future[tuple[str, int]] = loop.create_future()
    deliver = into(loop, lambda number: called.set_result((threading.current_thread().name, number)))
    with LinkThread() as link:
        link.post(deliver, 7)
        assert await called == (threading.current_thread().name, 7)


def test_a_callback_for_a_loop_that_has_ended_is_dropped() -> None:
    loop = new_event_loop()
    loop.close()
    into(loop, lambda: None)()


def test_stopping_cancels_what_runs_and_ends_the_thread() -> None:
    link = LinkThread()
    cleaned = threading.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cleaned.set()

    link.submit(work())
    link.post(lambda: None)
    link.submit(asyncio.sleep(0)).result()
    link.stop()
    assert cleaned.is_set()
    assert link.loop.is_closed()
    link.stop()
