"""The house: which rooms there are, what may lie in them, and how large a module and a function may be."""

import ast
from pathlib import Path

import pytest

from tests.helpers.source_tree import ROOT, all_files, parsed, shipped_modules

TOP_LEVEL = {"pyproject.toml", "README.md", "LICENSE", "desktop_app", "remote_agent", "resources", "installers", "tests"}
ROOMS = {
    "desktop_app": {
        "archive", "decoding", "privacy", "documents", "chat", "settings", "model", "engine", "gui", "audit", "training",
        "open_weights",
    },
    "remote_agent": {"wire", "segment", "link", "service"},
}  # fmt: skip
BANNED_NAMES = {"utils", "util", "common", "core", "shared", "misc", "base", "manager", "managers", "helpers", "helper"}
MOST_LINES_OF_A_MODULE = 350
MOST_LINES_OF_A_FUNCTION = 59
MOST_PARAMETERS = 6
EXPLANATION = "longer because"

MODULES = shipped_modules()
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> list[Function]:
    return [node for node in ast.walk(parsed(path)) if isinstance(node, Function)]


def is_explained(path: Path) -> bool:
    """Whether the module says at its top why it, or something in it, is longer than the house allows."""
    return EXPLANATION in (ast.get_docstring(parsed(path)) or "")


def test_the_top_level_holds_what_was_agreed() -> None:
    assert {path.parts[0] for path in all_files() if not path.parts[0].startswith(".")} <= TOP_LEVEL


def test_there_are_no_other_rooms() -> None:
    for building, rooms in ROOMS.items():
        assert {path.parts[1] for path in MODULES if path.parts[0] == building and len(path.parts) > 2} <= rooms


@pytest.mark.parametrize("path", [path for path in MODULES if path.name == "__init__.py"], ids=str)
def test_an_init_says_what_its_room_is_for_and_nothing_else(path: Path) -> None:
    assert ast.get_docstring(parsed(path))
    assert len(parsed(path).body) == 1


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_every_module_says_at_its_top_what_it_is(path: Path) -> None:
    assert ast.get_docstring(parsed(path))


def test_every_module_has_its_test_file() -> None:
    missing = []
    for path in MODULES:
        if path.name != "__init__.py":
            names = (f"test_{path.stem}.py", f"test_{path.stem.strip('_')}.py")
            if not any((ROOT / "tests" / path.parent / name).exists() for name in names):
                missing.append(f"{path} has no tests/{path.parent}/{names[0]}")
    assert not missing, "\n".join(missing)


def test_no_name_says_nothing() -> None:
    names = {part for path in MODULES for part in (*path.parts[:-1], path.stem)}
    assert not {name for name in names if name in BANNED_NAMES or name.rpartition("_")[2] in BANNED_NAMES - {"base", "core"}}


def test_modules_and_functions_are_short_or_say_why_not() -> None:
    too_long = []
    for path in MODULES:
        if is_explained(path):
            continue
        lines = len((ROOT / path).read_text(encoding="utf-8").splitlines())
        if lines > MOST_LINES_OF_A_MODULE:
            too_long.append(f"{path}: {lines} lines")
        for function in functions(path):
            length = (function.end_lineno or function.lineno) - function.lineno + 1
            if length > MOST_LINES_OF_A_FUNCTION:
                too_long.append(f"{path}:{function.lineno}: {function.name} has {length} lines")
            given = function.args
            parameters = [given.vararg, given.kwarg, *given.posonlyargs, *given.args, *given.kwonlyargs]
            count = sum(1 for parameter in parameters if parameter is not None and parameter.arg not in ("self", "cls"))
            if count > MOST_PARAMETERS:
                too_long.append(f"{path}:{function.lineno}: {function.name} has {count} parameters")
    assert not too_long, "\n".join(too_long)
