"""Greedy output of the split engine against transformers' own `generate` on the unsplit model, float32, token by token.

A first divergence where the unsplit model's two best logits lie within 1e-4 is a tie: counted apart and printed. Drafting on is
also held against drafting off, this engine's sequential mode.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from desktop_app.chat.events import Sampling, Split, Turn
from desktop_app.engine import prompt
from desktop_app.model.starter import starter_model
from desktop_app.settings.paths import user_paths
from tests.benchmarks.prompts import PROMPTS
from tests.benchmarks.report import Checkpoint, add_arguments, publish
from tests.helpers.engine_harness import Harness, engine_harness

SPLITS = ((1, 1), (4, 2), (8, 8))
TOKENS = 128
TIE = 1e-4


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="identity", description=__doc__)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    count = 6 if options.quick else len(PROMPTS)
    publish(asyncio.run(measure(user_paths().models, count, Checkpoint(options.checkpoint))), options)


class Reference:
    """transformers' own unsplit model."""

    def __init__(self, gguf: Path) -> None:
        from transformers import AutoModelForCausalLM

        self._model: Any = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)

    def reply(self, ids: list[int], stop_ids: frozenset[int], tokens: int) -> list[int]:
        """Return the greedy reply without the token that ends it."""
        output = self._model.generate(
            torch.tensor([ids]), max_new_tokens=tokens, do_sample=False, eos_token_id=sorted(stop_ids), pad_token_id=0
        )[0, len(ids) :].tolist()
        return [token for token in output if token not in stop_ids]

    def gap(self, ids: list[int]) -> float:
        """Return how far apart the two best logits after `ids` lie."""
        with torch.inference_mode():
            best = torch.topk(self._model(torch.tensor([ids])).logits[0, -1].float(), 2).values
        return float(best[0] - best[1])


async def measure(models: Path, count: int, kept: Checkpoint, tokens: int = TOKENS) -> dict[str, float]:
    """Return the figures for the first `count` prompts."""
    reference = Reference(starter_model(models))
    async with engine_harness(models, "float32") as harness:
        for head, tail in SPLITS:
            split = Split(head=head, tail=tail)
            loaded = await harness.models.get("", split, "float32", lambda progress: None)
            for number, question in enumerate(PROMPTS[:count]):
                key = f"{number} {head} {tail}"
                ids = loaded.model.tokenizer.prompt(prompt.messages([Turn(role="user", text=question)]))
                if f"expected {number}" not in kept:
                    kept[f"expected {number}"] = reference.reply(ids, loaded.model.tokenizer.stop_ids, tokens)
                if key not in kept:
                    kept[key] = await _compare(harness, reference, (question, ids, kept[f"expected {number}"]), split, tokens)
                print(key, kept[key], flush=True)
    return figures([kept[f"{n} {h} {t}"] for n in range(count) for h, t in SPLITS])


async def _compare(
    harness: Harness, reference: Reference, task: tuple[str, list[int], Any], split: Split, tokens: int
) -> dict[str, str]:
    question, ids, expected = task
    sampling = Sampling(temperature=0.0, max_tokens=tokens)
    outcome = {}
    replies = {}
    for drafting in (False, True):
        reply = await harness.ask(question, split=split, sampling=sampling, drafting=drafting)
        if reply.sentence:
            raise RuntimeError(reply.sentence)
        replies[drafting] = reply.tokens
        outcome["drafts" if drafting else "plain"] = _verdict(reference, ids, expected, reply.tokens)
    outcome["drafts against plain"] = _verdict(reference, ids, replies[False], replies[True])
    return outcome


def _verdict(reference: Reference, ids: list[int], expected: list[int], actual: list[int]) -> str:
    if actual == expected:
        return "identical"
    both = zip(expected, actual, strict=False)
    place = next((i for i, pair in enumerate(both) if pair[0] != pair[1]), min(len(expected), len(actual)))
    gap = reference.gap(ids + expected[:place])
    return f"{'tie' if gap < TIE else 'DIFFERENT'} at token {place}, gap {gap:.2e}"


def figures(results: Sequence[Any]) -> dict[str, float]:
    """Return shares in percent; ties are left out of both numerator and denominator and counted apart."""
    against = [result[name] for result in results for name in ("plain", "drafts")]
    sequential = [result["drafts against plain"] for result in results]

    def percent(verdicts: list[str]) -> float:
        counted = [verdict for verdict in verdicts if not verdict.startswith("tie")]
        return 100.0 * sum(verdict == "identical" for verdict in counted) / max(1, len(counted))

    return {
        "identical_percent.vs_transformers": percent(against),
        "identical_percent.vs_sequential.greedy": percent(sequential),
        "ties": float(sum(verdict.startswith("tie") for verdict in against)),
        "replies": float(len(against)),
    }
