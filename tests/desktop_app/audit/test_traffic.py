"""The observer tells prompts apart where sizes or times do, and not where they do not."""

from random import Random

import pytest

from desktop_app.audit.ticks import Tick
from desktop_app.audit.traffic import Look, Trace, chance, first_ticks, prefill, told, whole, whole_unpadded

PROMPTS, REPETITIONS = 20, 6


def traces(ticks: object, seed: int = 1) -> list[Trace]:
    """A trace for each prompt and repetition; `ticks(prompt, chance)` makes its ticks, the prompt's own first."""
    noise = Random(seed)
    made = []
    for repetition in range(REPETITIONS):
        for prompt in range(PROMPTS):
            line, real = ticks(prompt, noise)  # type: ignore[operator]
            made.append(Trace(prompt, repetition, line, real, real))
    return made


def speculating(prompt: int, noise: Random) -> tuple[list[Tick], int]:
    """Guesses come in where the prompt's text repeats itself, nearly always."""
    own = Random(prompt)
    pattern = [own.choice([1, 1, 1, 5, 9]) for _ in range(64)]
    rows = [size if noise.random() < 0.8 else 1 for size in pattern]
    return [Tick(0, 50_000, 50_000), *(Tick(noise.gauss(0.05, 0.01), 1253 * size, 1253 * size) for size in rows)], 64


def all_alike(prompt: int, noise: Random) -> tuple[list[Tick], int]:
    return [Tick(0, 90_000, 90_000), *(Tick(noise.gauss(0.05, 0.01), 5012, 5012) for _ in range(64))], 10 + prompt


def telling_times(prompt: int, noise: Random) -> tuple[list[Tick], int]:
    return [Tick(0, 90_000, 90_000), *(Tick(noise.gauss(0.03 + 0.004 * prompt, 0.003), 5012, 5012) for _ in range(64))], 64


def telling_prompt(prompt: int, noise: Random) -> tuple[list[Tick], int]:
    line, real = all_alike(prompt, noise)
    return [Tick(0, 40_000 + 1253 * prompt, 40_000), *line[1:]], real


@pytest.mark.parametrize(
    ("ticks", "look"),
    [(speculating, first_ticks), (telling_times, first_ticks), (telling_prompt, prefill), (all_alike, whole_unpadded)],
)
def test_what_differs_tells_the_prompt(ticks: object, look: Look) -> None:
    assert told(traces(ticks), look).value >= 0.8


@pytest.mark.parametrize("look", [first_ticks, prefill, whole])
def test_what_is_alike_tells_nothing(look: Look) -> None:
    found = told(traces(all_alike), look)
    assert found.low <= 1 / PROMPTS + 0.03


def test_without_any_difference_at_all_it_is_a_blind_guess() -> None:
    same = traces(lambda prompt, noise: ([Tick(0, 9, 9)] * 65, 64))
    assert told(same, first_ticks).value <= 1.5 / PROMPTS
    assert chance(same).value == 1 / PROMPTS


def test_a_reply_of_a_single_tick_is_a_trace_too() -> None:
    short, long = first_ticks(Trace(0, 0, [Tick(0, 9, 9)], 0, 0)), first_ticks(traces(all_alike)[0])
    assert (len(short.sizes), len(short.times)) == (len(long.sizes), len(long.times))
