"""Dependencies: what is imported is declared, what is declared is pinned, and nothing is pinned that nobody needs."""

import ast
import importlib.metadata
import sys
import tomllib
from functools import cache

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.helpers.source_tree import ROOT, parsed, shipped_modules

NOT_IMPORTED = {
    "accelerate": "transformers wants it to load weights",
    "jinja2": "transformers renders chat templates with it",
    "uvloop": "a faster event loop where there is one",
    "keyring": "settings keep secrets in it",
    "markdown-it-py": "imported as markdown_it",
}
TOOLS = {"pip", "setuptools"}  # what installs the rest
OF_THE_GPU_BUILD = ("nvidia-", "cuda-", "triton")  # required by torch's GPU build, which is not the one that tests run with

SYSTEMS = [
    {
        "sys_platform": platform,
        "platform_system": {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}[platform],
        "os_name": "nt" if platform == "win32" else "posix",
        "platform_machine": machine,
        "python_version": python,
        "python_full_version": f"{python}.1",
    }
    for platform, machine in (("linux", "x86_64"), ("linux", "aarch64"), ("darwin", "arm64"), ("win32", "AMD64"))
    for python in ("3.11", "3.12", "3.13", "3.14")
]


def pins() -> dict[str, Requirement]:
    lines = (ROOT / "installers" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line.strip() and not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def declared() -> dict[str, Requirement]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = [*project["dependencies"], *(text for extra in project["optional-dependencies"].values() for text in extra)]
    return {canonicalize_name(Requirement(text).name): Requirement(text) for text in texts if not text.startswith("sotto[")}


@cache
def needed() -> frozenset[str]:
    """Every package that is needed on any system, from the metadata of those that are installed."""
    names: set[str] = set()
    todo = [(name, extra) for name, requirement in declared().items() for extra in ("", *requirement.extras)]
    seen = set(todo)
    while todo:
        name, extra = todo.pop()
        names.add(name)
        try:
            requirements = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue  # of another system
        for requirement in map(Requirement, requirements):
            if requirement.marker is None or any(requirement.marker.evaluate({**system, "extra": extra}) for system in SYSTEMS):
                for wanted in ("", *requirement.extras):
                    step = (canonicalize_name(requirement.name), wanted)
                    if step not in seen:
                        seen.add(step)
                        todo.append(step)
    return frozenset(names)


def imported() -> set[str]:
    """Names of the packages outside the standard library that shipped code imports."""
    own = {"desktop_app", "remote_agent", "installers"}
    names = set()
    for path in shipped_modules():
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    packages = importlib.metadata.packages_distributions()
    return {canonicalize_name(packages.get(name, [name])[0]) for name in names - own - sys.stdlib_module_names}


def test_every_pin_is_one_exact_version() -> None:
    for requirement in pins().values():
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        assert "*" not in specifier.version
        assert "+" not in specifier.version


def test_everything_that_is_needed_is_pinned() -> None:
    assert needed() - pins().keys() == set()


def test_nothing_is_pinned_that_nobody_needs() -> None:
    unneeded = pins().keys() - needed() - TOOLS
    assert {name for name in unneeded if not name.startswith(OF_THE_GPU_BUILD)} == set()


@pytest.mark.parametrize("name", sorted(declared()))
def test_a_declared_range_admits_its_pin(name: str) -> None:
    (specifier,) = pins()[name].specifier
    assert declared()[name].specifier.contains(specifier.version, prereleases=True)


def test_what_the_tests_run_with_is_what_is_pinned() -> None:
    different = {}
    for name, requirement in pins().items():
        if name in TOOLS or (requirement.marker is not None and not requirement.marker.evaluate()):
            continue
        try:
            version = importlib.metadata.version(name).partition("+")[0]
        except importlib.metadata.PackageNotFoundError:
            continue  # of another system, or of another build of torch
        if not requirement.specifier.contains(version, prereleases=True):
            different[name] = version
    assert different == {}, "run `python3 installers/bootstrap.py test`, which installs the pinned versions"


def test_what_is_imported_is_declared() -> None:
    assert imported() - declared().keys() == set()


def test_what_is_declared_is_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tools = {canonicalize_name(Requirement(text).name) for text in project["optional-dependencies"]["dev"]}
    assert declared().keys() - imported() - tools - NOT_IMPORTED.keys() == set()
