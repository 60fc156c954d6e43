"""Who may import whom: the contracts of pyproject.toml hold."""

import subprocess
import sys

from tests.helpers.source_tree import ROOT


def test_all_contracts_are_kept() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout
