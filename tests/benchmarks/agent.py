"""What an agent does for many at once: a load generator replays recorded head rows over channels, so that only the agent works.

Eight peers at once against one at a time, a ninth with a long document beside them, and how often an agent that alters answers is
found. Rows are those of real text behind the real head; every step waits for the answer to the one before, as a desktop without
drafts does (`--rows 8`: as one with drafts).
"""

import argparse
import asyncio
import itertools
import statistics
import time
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from desktop_app.chat.events import Sampling, Split
from desktop_app.engine.embedded_agent import EmbeddedAgent
from desktop_app.model.starter import starter_model
from desktop_app.settings.paths import user_paths
from remote_agent.link.channel import Channel
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread
from remote_agent.segment.payload import to_payload
from remote_agent.wire import messages as wire
from tests.benchmarks.cheating import cheat_found
from tests.benchmarks.prompts import PROMPTS
from tests.benchmarks.report import add_arguments, publish
from tests.helpers.engine_harness import Harness, engine_harness

PEERS = 8
SPLIT = Split(head=4, tail=2)
PROMPT_ROWS = 96
PROMPT_SLICE = 128  # as the engine sends prompts
DOCUMENT_TOKENS = 6000


@dataclass(frozen=True, slots=True)
class Recording:
    """Head rows of one long text, as they travel in float32, and what an agent is to be asked for."""

    rows: memoryview
    row_bytes: int
    manifest: bytes
    layers: tuple[int, int]

    def part(self, first: int, count: int) -> memoryview:
        """The payload of `count` rows; those of a text that goes on for ever, round and round."""
        first %= len(self.rows) // self.row_bytes - count
        return self.rows[first * self.row_bytes : (first + count) * self.row_bytes]


@dataclass(slots=True)
class LoadPeer:
    """One peer; `latencies` are the seconds of its steps."""

    channel: Channel
    recording: Recording
    offset: int
    session: int = 0
    sequence: int = 0
    row: int = 0
    latencies: list[float] = field(default_factory=list)
    _came: "asyncio.Queue[wire.Message]" = field(default_factory=asyncio.Queue)

    async def greet(self) -> None:
        """Exchange greetings."""
        self.channel.on_message(lambda message, payload: self._came.put_nowait(message))
        await self.channel.send(wire.Hello(wire.PROTOCOL_VERSION, self.recording.manifest))
        await self._expect(wire.Welcome)

    async def begin(self, prompt_rows: int = PROMPT_ROWS) -> None:
        """A new session with a prompt in it."""
        if self.session:
            await self.channel.send(wire.Close(self.session))
        self.session += 1
        self.sequence = self.row = 0
        await self.channel.send(wire.Open(self.session, *self.recording.layers, wire.RowFormat.FLOAT32))
        await self._expect(wire.Ready)
        await self.prefill(prompt_rows)
        self.latencies.clear()

    async def prefill(self, rows: int) -> None:
        """So many rows in steps as large as the engine's."""
        for done in range(0, rows, PROMPT_SLICE):
            await self.step(min(PROMPT_SLICE, rows - done))

    async def step(self, rows: int) -> None:
        """One step, a chain of rows, and its answer."""
        parents = list(range(self.row - 1, self.row + rows - 1))
        step = wire.Step(self.session, 0, self.sequence, self.row - 1, self.row, parents, self.sequence - 1)
        asked = time.perf_counter()
        await self.channel.send(step, self.recording.part(self.offset + self.row, rows))
        await self._expect(wire.Answer)
        self.latencies.append(time.perf_counter() - asked)
        self.row += rows
        self.sequence += 1

    async def steps_until(self, ended: asyncio.Event, rows: int) -> int:
        """Step after step until then; how many rows came back."""
        before = self.row
        while not ended.is_set():
            await self.step(rows)
        return self.row - before

    async def _expect(self, kind: type[wire.Message]) -> None:
        message = await asyncio.wait_for(self._came.get(), 300)
        if not isinstance(message, kind):
            raise RuntimeError(f"{kind.__name__} was expected, and {message!r} came.")


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="agent", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8.0, help="how long eight peers run at once in a round")
    parser.add_argument("--rows", type=int, default=1, help="rows of a step")
    parser.add_argument("--without-system", action="store_true", help="leave out the whole system's tokens per second")
    options = parser.parse_args(arguments)
    torch.set_num_threads(1)  # the load generator and the agent share a machine
    publish(asyncio.run(measure(options)), options)


async def measure(options: argparse.Namespace) -> dict[str, float]:
    """Return the figures."""
    models = user_paths().models
    async with engine_harness(models, "float32") as harness:
        recording = await record(harness)
        found = cheat_found(await harness.models.get("", SPLIT, "float32", lambda progress: None))
        system = {} if options.without_system else await whole_system(harness)
    agent = await EmbeddedAgent.start(starter_model(models), models, dtype="float32", log=None)
    try:
        with LinkThread("load") as link:
            figures = await link.run(_under_load(agent, recording, options))
    finally:
        agent.close()
    return {**figures, **found, **system}


async def record(harness: Harness) -> Recording:
    """Head rows of a long text."""
    loaded = await harness.models.get("", SPLIT, "float32", lambda progress: None)
    ids: list[int] = []
    for prompt in itertools.cycle(PROMPTS):
        ids += loaded.model.tokenizer.encode(prompt)
        if len(ids) >= DOCUMENT_TOKENS:
            break
    ids = ids[:DOCUMENT_TOKENS]
    loaded.head.open(0, len(ids))
    rows = []
    for first in range(0, len(ids), 256):
        part = ids[first : first + 256]
        rows.append(loaded.head.run(0, 0, first - 1, first, list(range(first - 1, first + len(part) - 1)), part))
    loaded.head.close(0)
    hidden = torch.cat(rows)
    layers = (SPLIT.head, loaded.model.plan.layers - SPLIT.tail)
    return Recording(to_payload(hidden, wire.RowFormat.FLOAT32), 4 * hidden.shape[1], loaded.file.digest, layers)


async def _under_load(agent: EmbeddedAgent, recording: Recording, options: argparse.Namespace) -> dict[str, float]:
    peers = []
    for number in range(PEERS + 1):
        peer = LoadPeer(await connect(agent.url, agent.token), recording, offset=517 * number)
        await peer.greet()
        peers.append(peer)
    *eight, ninth = peers
    rounds = []
    for number in range(2 if options.quick else options.rounds):
        alone = await _alone(eight, options)
        together, slowest, before = await _together(eight, asyncio.sleep(options.seconds), options)
        began = time.perf_counter()
        long_rows, _, beside = await _together(eight, _document(ninth, options), options)
        spent = time.perf_counter() - began
        rounds.append((together / alone, slowest, beside / before))
        print(
            f"round {number + 1}: {alone:.1f} rows/s alone, {together:.1f} for eight; p95 {1e3 * before:.0f} ms, "
            f"{1e3 * beside:.0f} ms beside a document that took {spent:.0f} s ({long_rows:.1f} rows/s for the eight)",
            flush=True,
        )
    for peer in peers:
        await peer.channel.close()
    names = ("peers8_over_one", "slowest_over_mean", "long_prefill_p95_ratio")
    return {name: statistics.median(values) for name, values in zip(names, zip(*rounds, strict=True), strict=True)}


async def _alone(peers: Sequence[LoadPeer], options: argparse.Namespace) -> float:
    """Rows per second of one peer after the other."""
    rows, seconds = 0, 0.0
    for peer in peers:
        await peer.begin()
        ended = asyncio.Event()
        asyncio.get_running_loop().call_later(options.seconds / len(peers), ended.set)
        began = time.perf_counter()
        rows += await peer.steps_until(ended, options.rows)
        seconds += time.perf_counter() - began
    return rows / seconds


async def _together(
    peers: Sequence[LoadPeer], until: Coroutine[Any, Any, None], options: argparse.Namespace
) -> tuple[float, float, float]:
    """All at once while `until` runs: rows per second, the mean peer's rows over the slowest's, p95 of the seconds of a step."""
    await asyncio.gather(*(peer.begin() for peer in peers))
    ended = asyncio.Event()
    began = time.perf_counter()
    running = [asyncio.ensure_future(peer.steps_until(ended, options.rows)) for peer in peers]
    await until
    ended.set()
    rows = await asyncio.gather(*running)
    seconds = time.perf_counter() - began
    latencies = sorted(latency for peer in peers for latency in peer.latencies)
    return sum(rows) / seconds, statistics.mean(rows) / min(rows), latencies[int(0.95 * len(latencies))]


async def _document(ninth: LoadPeer, options: argparse.Namespace) -> None:
    """A long document, sent as the engine sends prompts."""
    await ninth.begin(0)
    await ninth.prefill(1500 if options.quick else DOCUMENT_TOKENS)


async def whole_system(harness: Harness) -> dict[str, float]:
    """Tokens per second of the whole system: one answer, and eight of one desktop at a time."""
    sampling = Sampling(temperature=0.0, max_tokens=48)

    async def tokens(questions: Sequence[str]) -> float:
        began = time.perf_counter()
        asked = [harness.ask(question, split=SPLIT, sampling=sampling, drafting=False) for question in questions]
        return sum(len(outcome.tokens) for outcome in await asyncio.gather(*asked)) / (time.perf_counter() - began)

    await tokens(PROMPTS[:1])
    return {"system_tokens_per_second.1": await tokens(PROMPTS[:1]), "system_tokens_per_second.8": await tokens(PROMPTS[:8])}
