"""`sotto audit` from the command line: what is wrong is a sentence, and a small audit ends with a table that is kept."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from desktop_app.__main__ import main
from desktop_app.audit import sizes
from desktop_app.audit.command import QUICK_SETTINGS, SETTINGS, chosen
from desktop_app.chat.events import Split
from desktop_app.engine.recovery_table import recovered


def test_settings_narrow_and_wrong_ones_are_named() -> None:
    assert list(QUICK_SETTINGS) == [setting for setting in SETTINGS if setting != "steady"]
    assert chosen(None, QUICK_SETTINGS, SETTINGS) == list(QUICK_SETTINGS)
    assert chosen("steady, exact_public", QUICK_SETTINGS, SETTINGS) == ["steady", "exact_public"]
    with pytest.raises(ValueError, match="“depth” is no setting"):
        chosen("depth", QUICK_SETTINGS, SETTINGS)


@pytest.mark.parametrize("arguments", [["--settings", "depth"], ["--settings", ","], ["--mode", "dp", "--settings", "shaped"]])
def test_a_wrong_setting_is_a_sentence_before_anything_is_started(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", *arguments]) == 1
    assert "Choose among" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_small_audit_shows_that_a_split_hides_nothing_and_stand_ins_do(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = replace(sizes.QUICK, heads=(1,), documents=2, canaries=5, strangers=1, repetitions=2, reply_tokens=2)
    monkeypatch.setattr(sizes, "QUICK", small)
    settings = "exact_public,protected_spans,unshaped"
    assert main(["audit", "--head", "1", "--settings", settings, "--json", str(home / "figures.json")]) == 0

    figures = json.loads((home / "figures.json").read_text())["figures"]
    assert figures["recovered.exact_search.exact_public.head1.prompt"] >= 0.95
    assert figures["recovered.tail_completion.exact_public.head1.reply"] >= 0.95
    assert figures["recovered.canary.exact_public.head1.prompt"] >= 0.9
    assert figures["canaries_found"] == 0
    assert figures["traces"] == 100
    assert capsys.readouterr().out.splitlines()[1].split()[1] == "100.0%"
    kept = recovered("", Split(head=1, tail=2), True, [home / "data" / "audit"])
    assert {(it.attack, it.of): it.measured for it in kept}["exact_search", "prompt"]


@pytest.mark.slow
def test_a_split_that_leaves_the_agent_nothing_is_a_sentence(starter_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--head", "40"]) == 1
    assert "30 layers" in capsys.readouterr().err
