"""The entry of the installers can be read by any Python, and tells an old one what it needs."""

import ast
import subprocess
import sys
from pathlib import Path

BOOTSTRAP = Path(__file__).parents[2] / "installers" / "bootstrap.py"


def test_an_old_python_gets_a_sentence() -> None:
    code = "import sys; sys.version_info = (3, 9, 2); exec(compile(open(sys.argv[1]).read(), sys.argv[1], 'exec'))"
    result = subprocess.run([sys.executable, "-c", code, str(BOOTSTRAP)], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Sotto needs Python 3.11 or newer, and this is Python 3.9. Install a newer one")


def test_it_is_written_in_what_any_python_3_can_read() -> None:
    tree = ast.parse(BOOTSTRAP.read_text(encoding="ascii"), feature_version=(3, 4))
    new = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.AsyncFunctionDef)
    assert not [node for node in ast.walk(tree) if isinstance(node, new)]


def test_without_a_command_it_names_them() -> None:
    result = subprocess.run([sys.executable, str(BOOTSTRAP)], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert all(f"\n  {command} " in result.stderr for command in ("run", "test", "install"))
