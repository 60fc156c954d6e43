"""What a bad network costs: steps and bulk over an emulated path, beside plain aiortc on the same path in the same run.

Desktop, agent and path are a process each; the path is the user-space relay, which needs no root. Times are those of closed
loops, a step sent when the last one is back. Figures are medians of the runs. Plain bulk is measured for `BULK_LIMIT` seconds at
most.
"""

import argparse
import asyncio
import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from remote_agent.link.thread import LinkThread
from tests.benchmarks.link_peers import Child, Ours, Plain
from tests.benchmarks.report import Checkpoint, add_arguments, publish

DELAY, RATE = 0.040, 100e6
RTT = 2 * DELAY
STEPS = {"2k": 2000, "40k": 40_000}
BULK_BYTES = 10_000_000
BULK_LIMIT = 8.0
LONGEST_PART = 40.0  # seconds for the steps of one size at one loss, unless --part-seconds says otherwise
WARM_UP = 5


@dataclass(frozen=True)
class Limits:
    """How many steps are measured, and for how many seconds at most."""

    steps: int
    seconds: float


Figures = dict[str, float]
Kind = type[Ours] | type[Plain]


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="link", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--without-plain", action="store_true", help="leave out plain aiortc, which takes most of the time")
    parser.add_argument("--only", default="", metavar="TEXT", help="only the parts whose name holds this")
    parser.add_argument(
        "--part-seconds", type=float, default=LONGEST_PART, help="the longest that the steps of a size are measured"
    )
    options = parser.parse_args(arguments)
    limits = Limits(200 if options.quick else 300, options.part_seconds)
    runs = 1 if options.quick else options.runs
    print(f"the user-space relay: {1000 * RTT:.0f} ms; {runs} run(s), {limits}", flush=True)
    parts = [part for part in PARTS if options.only in part]
    kinds: list[tuple[Kind, str]] = [(Ours, "")] if options.without_plain else [(Ours, ""), (Plain, "plain_")]
    done = Checkpoint(options.checkpoint)
    for run in range(runs):
        for kind, _ in kinds:
            for part in parts:
                key = f"{run} {kind.role} {part}"
                if key not in done:
                    done[key] = measured(kind, part, limits)
                    print(key, {name: round(value, 3) for name, value in done[key].items()}, flush=True)
    found: Figures = {}
    for kind, prefix in kinds:
        for part in parts:
            results = [done[f"{run} {kind.role} {part}"] for run in range(runs)]
            found |= {prefix + name: statistics.median(result[name] for result in results) for name in results[0]}
    publish(found, options)


def measured(kind: Kind, part: str, limits: Limits) -> Figures:
    """One part of one run, with processes and a connection of its own."""
    conditions, measure = PARTS[part]
    agent, relay = Child(kind.role), Child("relay")

    async def job() -> Figures:
        peer = kind()
        await peer.connect(agent, relay, {"delay": DELAY})
        relay.ask(conditions)
        found: Figures = await measure(peer, limits)
        await peer.close()
        return found

    try:
        if kind is Plain:
            return asyncio.run(job())
        with LinkThread() as link:
            return link.submit(job()).result()
    finally:
        agent.end()
        relay.end()


async def round_trips(peer: Ours | Plain, size: int, limits: Limits, until: "asyncio.Task[Any] | None" = None) -> list[float]:
    """Seconds of each step, after a warm-up, within limits and before a task has ended."""
    rows, times, started = random.Random(size).randbytes(size), [], time.perf_counter()
    for number in range(limits.steps + WARM_UP):
        began = time.perf_counter()
        await peer.echo(rows)
        if number >= WARM_UP:
            times.append(time.perf_counter() - began)
        if time.perf_counter() - started > limits.seconds or (until is not None and until.done()):
            break
    return times


def steps_of(name: str, loss: str) -> Any:
    """A part that measures steps of one size."""

    async def measure(peer: Ours | Plain, limits: Limits) -> Figures:
        times = await round_trips(peer, STEPS[name], limits)
        over = {f"p{share}": quantile(times, share) / RTT for share in (50, 95, 99)}
        return {f"step_{name}_{key}_over_rtt_{loss}": value for key, value in over.items()} | {
            f"step_{name}_samples_{loss}": float(len(times))
        }

    return measure


def bulk_of(loss: str) -> Any:
    """A part that measures one large transfer, and the steps beside another one."""
    suffix = "" if loss == "loss0" else f"_{loss}"

    async def measure(peer: Ours | Plain, limits: Limits) -> Figures:
        idle = statistics.median(await round_trips(peer, STEPS["2k"], Limits(25, 10)))
        rate = await peer.sink(BULK_BYTES, BULK_LIMIT)
        began = time.perf_counter()
        transfer = asyncio.create_task(peer.sink(2 * BULK_BYTES, BULK_LIMIT))
        times = await round_trips(peer, STEPS["2k"], Limits(10_000, 60), until=transfer)
        beside = await transfer
        times = times or [time.perf_counter() - began]  # not one step came back: it waited at least so long
        delays = {share: 1000 * (quantile(times, share) - idle) for share in (50, 95)}
        return {
            f"bulk_10mb_mb_s_{loss}": rate / 1e6,
            f"bulk_beside_steps_mb_s_{loss}": beside / 1e6,
            f"step_delay_by_bulk_p50_ms{suffix}": delays[50],
            f"step_delay_by_bulk_p95_ms{suffix}": delays[95],
            f"step_by_bulk_samples{suffix}": float(len(times)),
        }

    return measure


def quantile(times: list[float], percent: int) -> float:
    """The value that so many percent do not exceed."""
    return sorted(times)[min(len(times) - 1, int(len(times) * percent / 100))]


PARTS: dict[str, tuple[dict[str, Any], Any]] = {
    "2k loss 1 %": ({"loss": 0.01}, steps_of("2k", "loss1")),
    "40k loss 1 %": ({"loss": 0.01}, steps_of("40k", "loss1")),
    "2k loss 3 %": ({"loss": 0.03}, steps_of("2k", "loss3")),
    "40k loss 3 %": ({"loss": 0.03}, steps_of("40k", "loss3")),
    "bulk loss 0": ({"rate": RATE}, bulk_of("loss0")),
    "bulk loss 1 %": ({"rate": RATE, "loss": 0.01}, bulk_of("loss1")),
}
