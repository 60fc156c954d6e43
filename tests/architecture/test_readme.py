"""The README tells the truth: its commands and its rooms exist."""

import re
import tomllib

import pytest

from installers.commands import EXTRA_OF
from tests.helpers.source_tree import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8") if (ROOT / "README.md").exists() else ""
FIRST_SCREEN = "\n".join(README.splitlines()[:60])
PLACE = re.compile(r"\b(?:desktop_app|remote_agent|resources|installers|tests)(?:/[\w.-]+)+")
BENCHMARK = re.compile(r"python -m tests\.benchmarks (\w+)")


def test_the_first_screen_has_both_commands() -> None:
    for command in ("run", "test"):
        assert f"python3 installers/bootstrap.py {command}" in FIRST_SCREEN


def test_its_commands_of_the_bootstrap_exist() -> None:
    assert set(re.findall(r"installers/bootstrap\.py ([a-z]+)", README)) <= EXTRA_OF.keys()


def test_its_programs_exist() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    assert set(re.findall(r"^\s*(?:\$ )?(sotto[a-z-]*)\b", README, re.MULTILINE)) <= scripts.keys()


@pytest.mark.parametrize("place", sorted(set(PLACE.findall(README))))
def test_a_place_it_names_exists(place: str) -> None:
    assert (ROOT / place).exists()


@pytest.mark.parametrize("name", sorted(set(BENCHMARK.findall(README))))
def test_a_benchmark_it_names_exists(name: str) -> None:
    assert (ROOT / "tests" / "benchmarks" / f"{name}.py").exists()


def test_every_room_is_on_its_map() -> None:
    rooms = {path.parent.name for building in ("desktop_app", "remote_agent") for path in (ROOT / building).glob("*/__init__.py")}
    assert {room for room in rooms if room not in README} == set()
