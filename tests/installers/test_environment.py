"""The environment and its stamp: what is complete is believed at a look, what is not is made or continued."""

import os
from pathlib import Path

import pytest

from installers import environment as module
from installers.environment import Environment
from installers.problems import BootstrapProblem


@pytest.fixture
def environment(tmp_path: Path) -> Environment:
    """A checkout whose environment looks as if it were made."""
    (tmp_path / "installers").mkdir()
    (tmp_path / "pyproject.toml").write_text("[project]")
    (tmp_path / "installers" / "constraints.txt").write_text("torch==2.13.0")
    made = Environment(tmp_path)
    made.python.parent.mkdir(parents=True)
    made.python.write_text("")
    site = made.directory / ("Lib/site-packages" if os.name == "nt" else "lib/python3.11/site-packages")
    for name in ("pip-26.3", "torch-2.13.0+cpu"):
        (site / f"{name}.dist-info").mkdir(parents=True)
        (site / f"{name}.dist-info" / "INSTALLER").write_text("pip")
    return made


def test_nothing_is_complete_before_it_is_marked(environment: Environment) -> None:
    assert not environment.is_complete("desktop")


def test_an_extra_covers_those_it_contains(environment: Environment) -> None:
    environment.mark_complete("desktop")
    assert [environment.is_complete(extra) for extra in ("agent", "desktop", "dev")] == [True, True, False]


@pytest.mark.parametrize("name", ["pyproject.toml", "installers/constraints.txt"])
def test_a_change_of_what_is_wanted_ends_completeness(environment: Environment, name: str) -> None:
    environment.mark_complete("dev")
    (environment.checkout / name).write_text("something else")
    assert not environment.is_complete("desktop")


def test_an_environment_whose_python_is_gone_or_whose_stamp_is_broken_is_not_complete(environment: Environment) -> None:
    environment.mark_complete("dev")
    environment.stamp.write_text("{half a st")
    assert not environment.is_complete("desktop")
    environment.mark_complete("dev")
    environment.python.unlink()
    assert not environment.is_complete("desktop")


def test_a_checkout_that_was_moved_is_made_anew(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> None:
    environment.mark_complete("dev")
    moved = Environment(tmp_path_factory.mktemp("elsewhere") / "sotto")
    environment.checkout.rename(moved.checkout)
    assert not moved.is_complete("desktop")
    assert moved._cannot_be_used()


def test_a_checkout_that_lacks_a_file_says_so(environment: Environment) -> None:
    (environment.checkout / "pyproject.toml").unlink()
    with pytest.raises(BootstrapProblem, match=r"pyproject\.toml cannot be read.*Clone the project again"):
        environment.is_complete("desktop")


def test_versions_are_read_without_starting_anything(environment: Environment) -> None:
    assert environment.installed_version("torch") == "2.13.0+cpu"
    assert environment.installed_version("transformers") is None


def test_a_package_whose_installation_was_interrupted_is_forgotten(environment: Environment) -> None:
    site = environment.site_packages()
    assert site is not None
    (site / "torch-2.13.0+cpu.dist-info" / "INSTALLER").unlink()
    environment.mark_complete("dev")
    environment.make()
    assert environment.installed_version("torch") is None
    assert environment.installed_version("pip") == "26.3"
    assert not environment.is_complete("desktop"), "while it is worked on, it is not complete"


@pytest.mark.skipif(os.name == "nt", reason="on Windows the folder does not tell")
def test_an_environment_of_an_old_python_cannot_be_used(environment: Environment) -> None:
    assert not environment._cannot_be_used()
    (environment.directory / "lib" / "python3.11").rename(environment.directory / "lib" / "python3.9")
    assert environment._cannot_be_used()


def test_a_failure_to_make_it_is_told_in_a_sentence() -> None:
    full = module._venv_failure(Path(".venv"), "OSError: [Errno 28] No space left on device")
    assert full.startswith("The disk is full")
    other = module._venv_failure(Path(".venv"), "Traceback ...\nPermissionError: no")
    assert other == (
        "The virtual environment .venv could not be made: PermissionError: no. Delete that folder and run the same command again."
    )


@pytest.mark.slow
def test_a_real_environment_is_made_and_made_only_once(tmp_path: Path) -> None:
    made = Environment(tmp_path)
    made.make()
    assert made.python.exists()
    assert made.installed_version("pip") is not None
    before = made.python.lstat().st_mtime_ns
    made.make()
    assert made.python.lstat().st_mtime_ns == before
