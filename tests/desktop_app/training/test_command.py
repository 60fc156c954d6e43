"""The command's arguments: wrong ones are sentences with a next step, before anything is loaded."""

import argparse

import pytest

from desktop_app.training.command import add_arguments, check, main


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    "words", [("projection",), ("decoder", "--recipe", "del"), ("soft-prompt", "--mu", "30"), ("adapter",), ("denoiser",)]
)
def test_what_can_be_trained_is_accepted(words: tuple[str, ...]) -> None:
    assert check(parsed(*words)) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("adapter", "--mu", "0"), "mu from"),
        (("adapter", "--mu", "nan"), "mu from"),
        (("adapter", "--tokens", "300001"), "300,000"),
        (("projection", "--dimensions", "0"), "at least 1"),
        (("soft-prompt", "--length", "0"), "at least 1"),
        (("decoder",), "--recipe del"),
        (("adapter", "--recipe", "del"), "no adapter"),
        (("denoiser", "--recipe", "del"), "no denoiser"),
        (("denoiser", "--tokens", "100001"), "three times"),
    ],
)
def test_what_cannot_is_a_sentence(words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(parsed(*words)) == 2
    assert said in capsys.readouterr().err
