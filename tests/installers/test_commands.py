"""The commands: what they install before they start what."""

import os
import sys
from pathlib import Path

import pytest

from installers import commands
from installers.environment import Environment
from installers.problems import BootstrapProblem


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was installed and started, without doing either."""
    made: list[object] = []

    def start(environment: Environment, module: list[str], folder: Path | None) -> int:
        made.append((module, folder))
        return 7

    monkeypatch.setattr(commands, "install", lambda environment, extra: made.append(extra))
    monkeypatch.setattr(commands, "start", start)
    monkeypatch.setenv("DISPLAY", ":0")
    return made


def test_run_installs_the_application_and_hands_its_arguments_on(calls: list[object]) -> None:
    assert commands.main(["run", "ask", "what?", "--json"]) == 7
    assert calls == ["desktop", (["desktop_app", "ask", "what?", "--json"], None)]


def test_test_installs_the_tools_and_runs_pytest_in_the_checkout(calls: list[object]) -> None:
    assert commands.main(["test", "-k", "wire"]) == 7
    assert calls == ["dev", (["pytest", "-k", "wire"], Path(commands.__file__).parents[1])]


def test_install_starts_nothing(calls: list[object]) -> None:
    assert commands.main(["install"]) == 0
    assert calls == ["desktop"]


@pytest.mark.parametrize("arguments", [[], ["start"], ["--help"], ["help"]])
def test_without_a_known_command_nothing_happens(calls: list[object], arguments: list[str]) -> None:
    assert commands.main(arguments) == (0 if arguments in (["--help"], ["help"]) else 2)
    assert calls == []


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (BootstrapProblem("The disk is full."), 1, "The disk is full."),
        (OSError(28, "No space left on device", "x"), 1, "No space left on device: x. Then run this again."),
        (KeyboardInterrupt(), 130, "Stopped. Run the same command again"),
    ],
)
def test_what_goes_wrong_is_a_sentence_and_a_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, status: int, sentence: str
) -> None:
    def fail(environment: Environment, extra: str) -> None:
        raise error

    monkeypatch.setattr(commands, "install", fail)
    assert commands.main(["install"]) == status
    shown = capsys.readouterr().err
    assert sentence in shown
    assert "Traceback" not in shown


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
def test_a_window_needs_a_display_and_a_question_does_not() -> None:
    with pytest.raises(BootstrapProblem, match="There is no display here"):
        commands.require_display([], {})
    with pytest.raises(BootstrapProblem, match="run ask"):
        commands.require_display(["--verbose"], {"DISPLAY": ""})
    commands.require_display(["ask", "what?"], {})
    commands.require_display(["--help"], {})
    commands.require_display([], {"WAYLAND_DISPLAY": "wayland-0"})
    commands.require_display([], {"QT_QPA_PLATFORM": "offscreen"})


def test_what_is_complete_is_only_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Environment, "is_complete", lambda self, extra: True)
    monkeypatch.setattr(commands, "fetch_starter_model", lambda environment: None)
    monkeypatch.setitem(sys.modules, "installers.installation", None)  # importing it would fail
    commands.install(Environment(Path()), "desktop")


@pytest.mark.skipif(os.name == "nt", reason="Windows waits for a child instead")
def test_the_application_takes_the_place_of_the_bootstrap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    started: list[object] = []
    monkeypatch.setattr(os, "execv", lambda path, arguments: started.append((path, arguments)))
    environment = Environment(tmp_path)
    commands.start(environment, ["desktop_app", "ask"], None)
    python = str(environment.python)
    assert started == [(python, [python, "-P", "-m", "desktop_app", "ask"])]
