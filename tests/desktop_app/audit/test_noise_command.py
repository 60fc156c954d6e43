"""`sotto audit --mode dp`: what is wrong is a sentence before anything is started."""

import argparse
import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_app.__main__ import main
from desktop_app.audit import command, noise_command, sizes
from desktop_app.audit.noise_command import levels
from desktop_app.open_weights import corpus


def parsed(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    return parser.parse_args(words)


def test_levels_rise_and_wrong_ones_are_told() -> None:
    assert levels("40, 2.5,20,40") == [2.5, 20.0, 40.0]
    assert levels(None) is None
    for wrong in ("", "many", "0", "-3", "nan", "inf", "5000", "0.1"):
        with pytest.raises(ValueError, match="--mu 20,40 for example"):
            levels(wrong)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mu", "20"], "--mu needs --mode dp"),
        (["--wikitext", "file"], "--wikitext needs --mode dp"),
        (["--mode", "dp", "--head", "4"], "Leave --head out"),
        (["--mode", "dp", "--corpus", "folder"], "Leave --corpus out"),
        (["--mode", "dp", "--mu", "none"], "--mu 20,40"),
        (["--mode", "dp", "--settings", "exact_public"], "Choose among: untrained, del, ours"),
    ],
)
def test_what_does_not_go_together_is_a_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_what_goes_together_is_accepted() -> None:
    assert noise_command.check(parsed()) is None
    assert noise_command.check(parsed("--head", "4")) is None
    assert noise_command.check(parsed("--mode", "dp", "--mu", "20", "--sst2", "file", "--full")) is None


def test_the_command_line_makes_the_audit_again() -> None:
    words = ["--mode", "dp", "--mu", "20,30", "--settings", "ours", "--mrpc", "a file", "--json", "out"]
    assert noise_command.command(parsed(*words)) == "sotto audit --mode dp --quick --settings ours --mu 20,30 --mrpc 'a file'"


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_small_audit_is_printed_kept_and_written(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = replace(sizes.NOISE_QUICK, documents=3, passages=1, chats=2, reply_tokens=8, continued_tokens=4, prior_tokens=50)
    monkeypatch.setattr(sizes, "NOISE_QUICK", small)
    monkeypatch.setattr(corpus, "LENGTH", 8)
    words = ["audit", "--mode", "dp", "--settings", "untrained,ours", "--mu", "20,60", "--json", str(home / "out.json")]
    assert main(words) == 0
    figures = json.loads((home / "out.json").read_text())["figures"]
    recovered = [figures[f"recovered.map_with_model.dp_mu{mu}.untrained.prompt"] for mu in (20, 60)]
    assert recovered[0] < 0.4 < 0.8 < recovered[1]
    assert figures["bytes_per_token.codes"] * 18 == figures["bytes_per_token.rows"]
    assert "gain.untrained.at_prior_plus_0.6" in figures
    assert "untrained_linear" in capsys.readouterr().out
    assert not list((home / "data" / "audit").glob("*.part.json"))  # it is done
