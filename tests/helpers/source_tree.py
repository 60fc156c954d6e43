"""The project's own files, for tests that look at all of them."""

import ast
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = ("desktop_app", "remote_agent", "installers")


@cache
def all_files() -> list[Path]:
    """Every file that is, or is about to be, under version control; relative to `ROOT`."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return sorted(Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file())


def text_files() -> dict[Path, str]:
    """Those of them that are text, with their content."""
    found = {}
    for path in all_files():
        data = (ROOT / path).read_bytes()
        if b"\0" not in data:
            found[path] = data.decode(errors="replace")
    return found


def shipped_modules() -> list[Path]:
    """The Python files that users get; relative to `ROOT`."""
    return [path for path in all_files() if path.suffix == ".py" and path.parts[0] in SHIPPED]


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of one of these files."""
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))
