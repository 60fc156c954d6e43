"""The desktop's command line: each subcommand loads only what it needs, and what is wrong is a sentence."""

import subprocess
import sys

import pytest

from desktop_app.__main__ import main


def test_help_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    assert "ask" in capsys.readouterr().out


def test_a_command_that_is_none_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["sing"])
    assert end.value.code == 2
    assert "sing" in capsys.readouterr().err


@pytest.mark.parametrize(
    "given",
    [
        ["ask", "Hi", "--temprature", "3"],
        ["ask", "Hi", "--head", "x"],
        ["ask"],
        ["audit", "--quick", "--full"],
        ["protect", "-x"],
    ],
)
def test_a_wrong_option_is_a_sentence_that_names_the_commands_own_help(
    given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(given)
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"sotto {given[0]}: ")
    assert said.endswith(f"See what there is: sotto {given[0]} --help\n")
    assert "usage" not in said


@pytest.mark.parametrize(("command", "told"), [("ask", "stand-ins"), ("protect", "Nothing is sent"), ("audit", "half\nan hour")])
def test_the_help_of_a_command_says_what_it_does(command: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert " ".join(told.split()) in " ".join(capsys.readouterr().out.split())


def test_an_empty_question_is_a_sentence_before_anything_is_started(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "  "]) == 1
    assert "no question" in capsys.readouterr().err


def test_the_window_is_imported_without_torch_and_the_engine_without_qt() -> None:
    for module, banned in [
        ("desktop_app.gui.application", "torch transformers aiortc aiohttp numpy"),
        ("desktop_app.engine.responder", "torch transformers aiortc PySide6 numpy"),
        ("desktop_app.engine.replies", "PySide6 transformers"),
        ("desktop_app.engine.readers", "torch PySide6 aiortc"),
        ("desktop_app.audit.noise_command", "torch transformers numpy msgspec"),
        ("desktop_app.training.command", "torch transformers numpy msgspec"),
        ("remote_agent.service.server", "transformers PySide6 desktop_app.chat"),
    ]:
        program = f"import sys, {module}; print([name for name in '{banned}'.split() if name in sys.modules])"
        result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert result.stdout.strip() == "[]", (module, result.stdout, result.stderr)
