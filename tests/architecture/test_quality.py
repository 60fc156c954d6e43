"""The linters and the type checker have nothing to say."""

import subprocess
import sys

import pytest

from tests.helpers.source_tree import ROOT

pytestmark = pytest.mark.slow


def check(*command: str) -> None:
    result = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_ruff_finds_nothing() -> None:
    check("ruff", "check", "--no-cache", ".")


def test_the_code_is_formatted() -> None:
    check("ruff", "format", "--check", "--no-cache", ".")


@pytest.mark.timeout(600)
def test_types_are_complete_and_right() -> None:
    check("mypy")
    check("mypy", "--explicit-package-bases", "installers")
