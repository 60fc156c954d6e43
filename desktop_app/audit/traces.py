"""Collects traces of the engine's traffic, unshaped and shaped, and has the observers of `traffic` try them.

Several engines answer side by side, one thread each, as a small model leaves cores idle; that makes times a little noisier for
the observer, as other programs on a computer do. In bfloat16 a step takes half the time, and all sizes halve alike.
"""

import asyncio
import os
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import torch
from msgspec.structs import replace

from desktop_app.audit.experiments import Findings
from desktop_app.audit.intervals import Share
from desktop_app.audit.prompts import traffic_prompts
from desktop_app.audit.recording import Recorder, recorder
from desktop_app.audit.report import Result
from desktop_app.audit.sizes import Sizes
from desktop_app.audit.split import Tell
from desktop_app.audit.ticks import ticks
from desktop_app.audit.traffic import Trace, chance, first_ticks, prefill, told, whole, whole_unpadded
from desktop_app.chat.events import OFF, PADDED, STEADY, ReplyRequest, Sampling, Shape, Split, Turn
from desktop_app.open_weights.checkpoint import Checkpoint

TEMPERATURE = 0.3  # as in "When speculation spills secrets"; the hotter, the less two replies to one prompt have in common
LANES = 2
SHAPES = {"unshaped": OFF, "shaped": PADDED, "steady": STEADY}


async def collected(
    models: Path, model: str, split: Split, shape: Shape, sizes: Sizes, kept: tuple[Checkpoint, Tell]
) -> list[Trace]:
    """Traces of all prompts, several of each with fresh seeds; the checkpoint keeps each repetition."""
    checkpoint, tell = kept
    traces: list[Trace] = []
    repetitions = sizes.steady_repetitions if shape.tick else sizes.repetitions
    lanes = max(1, min(LANES, os.cpu_count() or 1))
    with _one_thread_each():
        async with AsyncExitStack() as stack:
            engines: list[Recorder] = []
            for repetition in range(repetitions):
                key = f"traces.{shape.name}.{repetition}"
                found = checkpoint.get(key, list[Trace])
                if found is None:
                    while len(engines) < lanes:
                        engines.append(await stack.enter_async_context(recorder(models)))
                    request = ReplyRequest(
                        conversation="",
                        turns=[],
                        protect=False,
                        incognito=True,
                        sampling=Sampling(temperature=TEMPERATURE, max_tokens=sizes.reply_tokens),
                        split=split,
                        model=model,
                        dtype="bfloat16",
                        shape=shape,
                    )
                    parts = (_answered(engine, request, repetition, lane, lanes) for lane, engine in enumerate(engines))
                    found = [trace for part in await asyncio.gather(*parts) for trace in part]
                    checkpoint.put(key, found)
                traces += found
                tell(f"traced {len(traces)} replies of {repetitions * len(traffic_prompts())}, shape {shape.name}")
    return traces


async def _answered(engine: Recorder, request: ReplyRequest, repetition: int, lane: int, lanes: int) -> list[Trace]:
    """The traces of one repetition of every `lanes`-th prompt."""
    traces = []
    for number, text in enumerate(traffic_prompts()):
        if number % lanes != lane:
            continue
        conversation = f"traffic {repetition} {number}"
        recorded = await engine.ask(replace(request, conversation=conversation, turns=[Turn(role="user", text=text)]))
        engine.forget(conversation)
        figures = recorded.statistics
        traces.append(
            Trace(number, repetition, ticks(recorded.frames), figures.steps, len(recorded.reply), figures.padding_seconds)
        )
    return traces


def attacked(traces: Sequence[Trace], setting: str, reply_tokens: int) -> Findings:
    """What the observers tell from these traces, and what the traffic cost."""
    blind = chance(traces)
    cut = f"replies end at {reply_tokens} tokens at the latest"

    def result(of: str, found: Share, note: str = "") -> Result:
        return Result(attack="traffic", setting=setting, of=of, share=found, prior=blind, note=note)

    results = [
        result("prompt", told(traces, first_ticks), "first 64 ticks after the prompt's"),
        result("prompt.prefill", told(traces, prefill), "the prompt's own tick"),
        result("prompt.whole", told(traces, whole), cut),
    ]
    if setting != "unshaped":
        results.append(result("prompt.whole_unpadded", told(traces, whole_unpadded), f"{cut}; as if no length were padded"))
    tokens = sum(trace.tokens for trace in traces)
    sent = sum(tick.up + tick.down for trace in traces for tick in trace.ticks[1:])
    seconds = sum(tick.wait for trace in traces for tick in trace.ticks[1:])
    figures = {
        f"traces.{setting}": float(len(traces)),
        f"bytes_per_token.{setting}": sent / tokens,
        f"seconds_per_token.{setting}": (seconds - sum(trace.padding_seconds for trace in traces)) / tokens,
        f"seconds_with_padding_per_token.{setting}": seconds / tokens,
    }
    if setting != "steady":  # of which there are fewer
        figures["traces"] = float(len(traces))
    return Findings(results, figures)


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """One thread for each engine here and for each agent that it starts."""
    before, threads = os.environ.get("OMP_NUM_THREADS"), torch.get_num_threads()
    os.environ["OMP_NUM_THREADS"] = "1"
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        if before is None:
            del os.environ["OMP_NUM_THREADS"]
        else:
            os.environ["OMP_NUM_THREADS"] = before
