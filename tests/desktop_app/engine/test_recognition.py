"""Recognition has a process of its own: a crash or a hang is a sentence, a search can be cancelled, the next call is answered."""

import asyncio
import os
import signal
import subprocess
import sys

import psutil
import pytest

from desktop_app.chat.responder import ProtectionFailed
from desktop_app.engine.recognition import Recognition
from desktop_app.privacy.recognition.pieces import PIECE
from desktop_app.privacy.spans import Kind, Source, Span
from tests.helpers.source_tree import ROOT

pytestmark = pytest.mark.slow

PHONE = "010-1234-5678"  # rules find it; no model is loaded for it
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads the memory map of a process")
LOADS_MODELS = (
    "from desktop_app.privacy.recognition.recogniser import Recogniser;"
    "Recogniser().find('Anna Kowalska'); print('done', flush=True); input()"
)


def holds_torch(process: int) -> bool:
    return any("libtorch" in region.path for region in psutil.Process(process).memory_maps())


def process_of(recognition: Recognition) -> int:
    process = recognition._child.pid
    assert process is not None
    return process


@LINUX
async def test_names_are_found_and_the_process_never_holds_torch() -> None:
    recognition = Recognition()
    told: list[tuple[int, int]] = []
    texts = ["Dr. Harlan Voss met Jon-\nathan.", "", "김철수 씨 \ud800 Orion, Voss"]
    try:
        first, empty, third = await recognition.find(texts, {"orion": Kind.OTHER}, ["Jonathan"], lambda *done: told.append(done))
        assert [texts[0][span.start : span.end] for span in first] == ["Harlan Voss"]
        assert empty == []
        assert [texts[2][span.start : span.end] for span in third] == ["김철수", "Orion", "Voss"]
        assert third[1].source is Source.LIST
        assert told[0] == (0, sum(map(len, texts)))
        assert told[-1] == (sum(map(len, texts)), sum(map(len, texts)))
        assert not holds_torch(process_of(recognition))
    finally:
        recognition.close()


@LINUX
def test_without_that_care_the_models_would_bring_torch() -> None:
    # What the test above looks at is there to be seen: the same recognisers in a process that does not keep torch out.
    process = subprocess.Popen([sys.executable, "-c", LOADS_MODELS], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        assert holds_torch(process.pid)
    finally:
        process.kill()
        process.wait()


async def test_after_a_crash_the_next_text_is_looked_through() -> None:
    recognition = Recognition()
    try:
        await recognition.find([PHONE])
        os.kill(process_of(recognition), signal.SIGSTOP)
        waiting = asyncio.ensure_future(recognition.find([PHONE]))
        await asyncio.sleep(0)  # let the text be sent before the process dies
        os.kill(process_of(recognition), signal.SIGKILL)
        with pytest.raises(ProtectionFailed, match=r"nothing was sent"):
            await waiting
        assert await recognition.find([PHONE]) == [[Span(0, 13, Kind.PHONE, Source.RULE)]]
    finally:
        recognition.close()


async def test_a_process_that_hangs_is_ended_and_the_next_call_starts_anew() -> None:
    recognition = Recognition(time_limit=30)
    try:
        await recognition.find([PHONE])
        hung = process_of(recognition)
        os.kill(hung, signal.SIGSTOP)
        recognition._time_limit = 0.2
        with pytest.raises(ProtectionFailed, match=r"too long"):
            await recognition.find([PHONE])
        recognition._time_limit = 30
        assert await recognition.find([PHONE]) == [[Span(0, 13, Kind.PHONE, Source.RULE)]]
        assert process_of(recognition) != hung
    finally:
        recognition.close()


async def test_a_search_that_is_cancelled_stops_after_its_piece_and_disturbs_nothing() -> None:
    recognition = Recognition()
    text = f"{PHONE} " * (5 * PIECE // 14)
    begun = asyncio.Event()
    done: list[int] = []

    def progress(now: int, total: int) -> None:
        done.append(now)
        if now:
            begun.set()

    try:
        search = asyncio.ensure_future(recognition.find([text], progress=progress))
        await begun.wait()
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert await recognition.find([PHONE]) == [[Span(0, 13, Kind.PHONE, Source.RULE)]]
        assert max(done) < len(text)
    finally:
        recognition.close()


async def test_lists_of_two_conversations_do_not_mix() -> None:
    recognition = Recognition()
    try:
        one, other = await asyncio.gather(
            recognition.find(["12 orion 12 sirius"] * 3, {"orion": Kind.OTHER}),
            recognition.find(["12 orion 12 sirius"] * 3, {"sirius": Kind.OTHER}),
        )
        assert one == [[Span(3, 8, Kind.OTHER, Source.LIST)]] * 3
        assert other == [[Span(12, 18, Kind.OTHER, Source.LIST)]] * 3
    finally:
        recognition.close()
