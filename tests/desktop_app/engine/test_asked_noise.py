"""Noise on the command line: a budget without its unit, and levels that are none, are sentences."""

import argparse

import pytest

from desktop_app.chat.events import Noise
from desktop_app.engine import ask
from desktop_app.engine.asked_noise import noise_of


def _parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    ask.add_arguments(parser)
    return parser.parse_args(arguments)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--epsilon", "8"), "unit"),
        (("--mode", "dp"), "budget or a level"),
        (("--mode", "dp", "--epsilon", "8"), "unit"),
        (("--mode", "dp", "--epsilon-per-conversation", "8", "--mu-per-token", "3"), "one of"),
        (("--epsilon-per-conversation", "8"), "--mode dp"),
        (("--mode", "dp", "--epsilon-per-conversation", "0"), "above 0"),
        (("--mode", "dp", "--epsilon-per-conversation", "-1"), "above 0"),
        (("--mode", "dp", "--epsilon-per-conversation", "inf"), "above 0"),
        (("--mode", "dp", "--epsilon-per-conversation", "nan"), "above 0"),
        (("--mode", "dp", "--epsilon-per-conversation", "8", "--delta", "0"), "delta"),
        (("--mode", "dp", "--epsilon-per-conversation", "8", "--delta", "2"), "delta"),
        (("--mode", "dp", "--mu-per-token", "0"), "0.0625"),
        (("--mode", "dp", "--mu-per-token", "nan"), "0.0625"),
        (("--mode", "dp", "--mu-per-token", "9999"), "0.0625"),
        (("--mode", "dp", "--mu-per-token", "3", "--only-here"), "nothing leaves"),
    ],
)
def test_a_noise_that_means_nothing_is_a_sentence(options: tuple[str, ...], said: str) -> None:
    sentence = ask.check(_parse("Hi", *options))
    assert sentence is not None
    assert said in sentence
    assert sentence.endswith(".")


def test_the_noise_that_is_asked_for() -> None:
    assert noise_of(_parse("Hi")) is None
    level = noise_of(_parse("Hi", "--mode", "dp", "--mu-per-token", "30"))
    assert level is not None
    assert (level.mu, level.delta) == (30.0, 1e-6)
    budget = noise_of(_parse("Hi", "--mode", "dp", "--epsilon-per-conversation", "8", "--delta", "1e-5"))
    assert budget == Noise(mu=0.0, epsilon=8.0, delta=1e-5)
