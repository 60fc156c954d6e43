"""What splitting costs: tokens per second over loopback against transformers' `generate` on the same model, drafter off."""

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence
from types import FunctionType
from typing import Any

import torch

from desktop_app.chat.events import Sampling, Split, Turn
from desktop_app.engine import prompt
from desktop_app.engine.models import Loaded
from desktop_app.model.starter import starter_model
from desktop_app.settings.paths import user_paths
from tests.benchmarks.report import add_arguments, publish
from tests.helpers.engine_harness import Harness, Outcome, engine_harness

QUESTION = "Explain how a court decides whether a contract was broken, and what the other side may ask for."
SECOND = "And what if both sides broke it?"
TOKENS = 96


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="split", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args(arguments)
    publish(asyncio.run(measure(2 if options.quick else options.rounds)), options)


async def measure(rounds: int) -> dict[str, float]:
    """Return the figures; each round measures the unsplit model, the split one and the bare linear layers in turn."""
    from transformers import AutoModelForCausalLM

    models = user_paths().models
    gguf = starter_model(models)
    unsplit: Any = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
    bare = [module.weight for module in unsplit.modules() if isinstance(module, torch.nn.Linear)]
    ratios, steps_ms, bare_ms = [], [], []
    async with engine_harness(models, "float32") as harness:
        split = Split(head=4, tail=2)
        loaded = await harness.models.get("", split, "float32", lambda progress: None)
        ids = loaded.model.tokenizer.prompt(prompt.messages([Turn(role="user", text=QUESTION)]))
        await _split(harness, split)
        _generate(unsplit, ids)
        for _ in range(rounds):
            plain = _generate(unsplit, ids)
            outcome = await _split(harness, split)
            ratios.append(outcome.statistics.tokens_per_second / plain)
            steps_ms.append(1000 / outcome.statistics.tokens_per_second)
            bare_ms.append(_bare(bare))
            speed = outcome.statistics.tokens_per_second
            print(f"unsplit {plain:.1f} tokens/s, split {speed:.1f}, bare {bare_ms[-1]:.1f} ms", flush=True)
        turn_bytes = await _second_turn(harness, split)
    step, linear = statistics.median(steps_ms), statistics.median(bare_ms)
    return {
        "split_over_unsplit": statistics.median(ratios),
        "fixed_cost_ms": step - linear,
        "fixed_cost_over_bare": step / linear,
        "local_memory_share": local_memory_share(loaded),
        **turn_bytes,
    }


def _generate(model: Any, ids: list[int]) -> float:
    """Return the tokens per second of `generate` after its first token, as the engine counts them."""
    inputs = torch.tensor([ids])
    first = _timed(lambda: model.generate(inputs, max_new_tokens=1, min_new_tokens=1, do_sample=False))
    whole = _timed(lambda: model.generate(inputs, max_new_tokens=TOKENS, min_new_tokens=TOKENS, do_sample=False))
    return (TOKENS - 1) / (whole - first)


def _timed(job: Any) -> float:
    started = time.perf_counter()
    job()
    return time.perf_counter() - started


async def _split(harness: Harness, split: Split) -> Outcome:
    sampling = Sampling(temperature=0.0, max_tokens=TOKENS)
    outcome = await harness.ask(QUESTION, split=split, sampling=sampling, drafting=False)
    if outcome.sentence:
        raise RuntimeError(outcome.sentence)
    return outcome


def _bare(weights: list[torch.Tensor]) -> float:
    """Return the milliseconds that the model's linear layers take for one row, and nothing else."""
    rows = {weight.shape[1]: torch.randn(1, weight.shape[1]) for weight in weights}

    def once() -> None:
        for weight in weights:
            torch.nn.functional.linear(rows[weight.shape[1]], weight)

    with torch.inference_mode():
        once()
        return 1000 * statistics.median(_timed(once) for _ in range(20))


def local_memory_share(loaded: Loaded) -> float:
    """Return the bytes of weights that head and tail really hold, each tensor once, over those of the whole model."""
    held: dict[int, int] = {}
    _tensors((loaded.head, loaded.tail), held, set())
    plan = loaded.model.plan
    # The embedding is memory-mapped and the LM head packed: one table to the model where they are tied, two in this memory.
    return sum(held.values()) / (plan.parameters * loaded.head.dtype.itemsize)


def _tensors(value: Any, held: dict[int, int], seen: set[int]) -> None:
    """Collect the bytes of all tensors below `value`."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, torch.Tensor):
        held[id(value)] = value.numel() * value.element_size()
    elif isinstance(value, dict):
        for item in value.values():
            _tensors(item, held, seen)
    elif isinstance(value, list | tuple | set):
        for item in value:
            _tensors(item, held, seen)
    elif isinstance(value, FunctionType):
        # A projection is a function, its weights are what it closes over.
        for cell in value.__closure__ or ():
            _tensors(cell.cell_contents, held, seen)
    elif type(value).__module__.startswith(("desktop_app", "remote_agent")):
        names = [*getattr(value, "__dict__", {}), *getattr(type(value), "__slots__", ())]
        for name in names:
            _tensors(getattr(value, name, None), held, seen)


async def _second_turn(harness: Harness, split: Split) -> dict[str, float]:
    sampling = Sampling(temperature=0.0, max_tokens=48)
    turns = [Turn(role="user", text=QUESTION)]
    first = await harness.ask(turns, split=split, sampling=sampling, conversation="turns")
    turns += [Turn(role="assistant", text=first.text), Turn(role="user", text=SECOND)]
    short = Sampling(temperature=0.0, max_tokens=1)
    second = await harness.ask(turns, split=split, sampling=short, conversation="turns")
    anew = await harness.ask(turns, split=split, sampling=short)
    up, whole = second.statistics.bytes_up, anew.statistics.bytes_up
    reused, total = second.statistics.reused_tokens, second.statistics.prompt_tokens
    print(f"second turn: {total - reused} of {total} rows sent, {up:,} bytes up; sent anew it would be {whole:,}")
    return {"second_turn_bytes": float(up), "second_turn_bytes_share": up / whole}
