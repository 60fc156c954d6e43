"""The commands of the bootstrap: install what is missing, then start the application or the tests.

Where nothing is missing that is one look at one file: no pip, no network.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from installers.environment import Environment
from installers.problems import BootstrapProblem
from installers.progress import Progress

USAGE = """Usage: python3 installers/bootstrap.py COMMAND [ARGUMENT ...]

  run       install what is needed, fetch the starter model, start Sotto; arguments go to Sotto
            (for example: run ask "What is a split model?")
  test      the same with the tools of the tests, then run the whole suite; arguments go to pytest
  install   install what is needed and fetch the starter model, start nothing

Everything goes into the folder .venv of this checkout, the model into your own data folder.
"""
EXTRA_OF = {"run": "desktop", "install": "desktop", "test": "dev"}


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks for; returns the exit status, if it returns at all."""
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("", [])
    if command not in EXTRA_OF:
        asked = command in ("-h", "--help", "help")
        print(USAGE, file=sys.stdout if asked else sys.stderr)
        return 0 if asked else 2
    environment = Environment(Path(__file__).resolve().parent.parent)
    try:
        if command == "run":
            require_display(rest, os.environ)
        install(environment, EXTRA_OF[command])
    except BootstrapProblem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"\n{error.strerror or error}: {error.filename or environment.directory}. Then run this again.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again to go on from here.", file=sys.stderr)
        return 130
    if command == "test":
        return start(environment, ["pytest", *rest], environment.checkout)
    return start(environment, ["desktop_app", *rest], None) if command == "run" else 0


def install(environment: Environment, extra: str) -> None:
    """Have everything that `extra` needs; where it is there already, this only looks. Raises `BootstrapProblem`."""
    if not environment.is_complete(extra):
        from installers.installation import install_packages  # only here: a start of what is installed should not wait for it

        install_packages(environment, extra, Progress())
    fetch_starter_model(environment)


def fetch_starter_model(environment: Environment) -> None:
    """Have the starter model in the user's data folder. Raises `BootstrapProblem`."""
    # In the environment's Python: what the model is, and how it is fetched, is the application's knowledge.
    command = [str(environment.python), "-P", "-m", "installers.starter_model"]
    variables = {**os.environ, "PYTHONPATH": str(environment.checkout)}
    status = subprocess.run(command, env=variables, check=False).returncode
    if status:
        raise BootstrapProblem("Sotto is installed, but its starter model is not here yet. Run this again to fetch it.")


def require_display(arguments: Sequence[str], variables: os._Environ[str] | dict[str, str]) -> None:
    """Raises `BootstrapProblem` where a window was asked for and there is no screen to show it on."""
    has_window = (not arguments or arguments[0].startswith("-")) and not {"-h", "--help", "--version"} & set(arguments)
    if sys.platform == "linux" and has_window and not any(map(variables.get, ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))):
        raise BootstrapProblem(
            "There is no display here, so no window can be shown. Start this on a desktop, or ask on this terminal:\n\n"
            '    python3 installers/bootstrap.py run ask "your question"\n'
        )


def start(environment: Environment, module: Sequence[str], folder: Path | None) -> int:
    """Run a module of the environment in this process's place; `folder` is where, None: where the user is."""
    # -P: the folder where the user happens to be is no place to import from; pytest is told its own.
    command = [str(environment.python), "-P", "-m", *module]
    if os.name == "nt":  # Windows gives a new process its own window and forgets the status: wait for it instead.
        return subprocess.run(command, cwd=folder, check=False).returncode
    if folder is not None:
        os.chdir(folder)
    sys.stdout.flush()
    os.execv(command[0], command)
