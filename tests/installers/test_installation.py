"""The order of an installation: torch of the right build before anything can ask for another."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from installers import installation, system_packages, torch_build
from installers.environment import Environment
from installers.packages import Pip
from installers.progress import Progress
from installers.torch_build import TorchChoice


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What would be done, in order."""
    made: list[object] = []
    monkeypatch.setattr(system_packages, "provide_venv", lambda progress: made.append("venv support"))
    monkeypatch.setattr(system_packages, "provide_qt_libraries", lambda progress: made.append("Qt libraries"))
    monkeypatch.setattr(Environment, "make", lambda self: made.append("environment"))
    monkeypatch.setattr(Environment, "mark_complete", lambda self, extra: made.append(("complete", extra)))

    def install(self: Pip, arguments: Sequence[str], raw_progress: bool = True) -> None:
        made.append(list(arguments))

    monkeypatch.setattr(Pip, "install", install)
    return made


@pytest.mark.parametrize(("arguments", "torch_steps"), [(("torch==2.13.0",), [["torch==2.13.0"]]), ((), [])])
def test_torch_comes_before_the_rest_and_not_at_all_where_it_is(
    steps: list[object],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    torch_steps: list[object],
) -> None:
    monkeypatch.setattr(torch_build, "choose", lambda *facts: TorchChoice(arguments, "as tested"))
    installation.install_packages(Environment(Path("checkout")), "dev", Progress())
    assert steps == [
        "venv support",
        "environment",
        "Qt libraries",
        ["pip", "setuptools"],
        *torch_steps,
        ["--no-build-isolation", "--editable", "checkout[dev]"],
        ("complete", "dev"),
    ]
    assert "torch 2.13.0: as tested" in capsys.readouterr().out
