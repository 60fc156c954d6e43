"""What no Python package carries: Qt's libraries on Linux, and the module that makes virtual environments on Debian.

Missing ones are installed where that is allowed (by the root user), else the one command that installs them is told.
"""

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from installers.problems import BootstrapProblem
from installers.progress import Progress


@dataclass(frozen=True)
class PackageManager:
    """A system's package manager: its program, how it refreshes its lists (nothing: by itself) and how it installs."""

    program: str
    refresh: tuple[str, ...]
    install: tuple[str, ...]


MANAGERS = (
    PackageManager("apt-get", ("apt-get", "update"), ("apt-get", "install", "-y", "--no-install-recommends")),
    PackageManager("dnf", (), ("dnf", "install", "-y")),
    PackageManager("pacman", (), ("pacman", "-S", "--needed", "--noconfirm")),
    PackageManager("zypper", (), ("zypper", "--non-interactive", "install")),
)

# Library that Qt loads: its package for apt-get, dnf, pacman, zypper.
QT_LIBRARIES = {
    "libEGL.so.1": ("libegl1", "libglvnd-egl", "libglvnd", "libglvnd"),
    "libGL.so.1": ("libgl1", "libglvnd-glx", "libglvnd", "libglvnd"),
    "libglib-2.0.so.0": ("libglib2.0-0", "glib2", "glib2", "libglib-2_0-0"),
    "libgthread-2.0.so.0": ("libglib2.0-0", "glib2", "glib2", "libgthread-2_0-0"),
    "libdbus-1.so.3": ("libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3"),
    "libfontconfig.so.1": ("libfontconfig1", "fontconfig", "fontconfig", "libfontconfig1"),
    "libfreetype.so.6": ("libfreetype6", "freetype", "freetype2", "libfreetype6"),
    "libX11.so.6": ("libx11-6", "libX11", "libx11", "libX11-6"),
    "libX11-xcb.so.1": ("libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"),
    "libxkbcommon.so.0": ("libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0"),
    "libxkbcommon-x11.so.0": ("libxkbcommon-x11-0", "libxkbcommon-x11", "libxkbcommon-x11", "libxkbcommon-x11-0"),
    "libxcb-cursor.so.0": ("libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor", "libxcb-cursor0"),
    "libxcb-icccm.so.4": ("libxcb-icccm4", "xcb-util-wm", "xcb-util-wm", "libxcb-icccm4"),
    "libxcb-util.so.1": ("libxcb-util1", "xcb-util", "xcb-util", "libxcb-util1"),
    "libxcb-image.so.0": ("libxcb-image0", "xcb-util-image", "xcb-util-image", "libxcb-image0"),
    "libxcb-keysyms.so.1": ("libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms", "libxcb-keysyms1"),
    "libxcb-render-util.so.0": ("libxcb-render-util0", "xcb-util-renderutil", "xcb-util-renderutil", "libxcb-render-util0"),
    "libxcb-randr.so.0": ("libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0"),
    "libxcb-render.so.0": ("libxcb-render0", "libxcb", "libxcb", "libxcb-render0"),
    "libxcb-shape.so.0": ("libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0"),
    "libxcb-shm.so.0": ("libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0"),
    "libxcb-sync.so.1": ("libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1"),
    "libxcb-xfixes.so.0": ("libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0"),
    "libxcb-xkb.so.1": ("libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1"),
}

VENV_PACKAGES = (f"python{sys.version_info[0]}.{sys.version_info[1]}-venv", "python3", "python", "python3")


def loads(library: str) -> bool:
    """Whether the system's loader finds this library."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def missing_qt_libraries(is_there: Callable[[str], bool] = loads) -> list[str]:
    """The libraries that Qt would not find here; none on macOS and Windows, where Qt brings all it needs."""
    return [library for library in QT_LIBRARIES if not is_there(library)] if sys.platform == "linux" else []


def can_make_environments() -> bool:
    """Whether this Python has `venv` and the pip that goes into a new environment; Debian packs them apart."""
    return importlib.util.find_spec("venv") is not None and importlib.util.find_spec("ensurepip") is not None


def find_manager(which: Callable[[str], str | None] = shutil.which) -> PackageManager | None:
    """The package manager of this system; None where none of the known ones is there."""
    return next((manager for manager in MANAGERS if which(manager.program)), None)


def names_for(manager: PackageManager, packages: Sequence[Sequence[str]]) -> list[str]:
    """The names of packages (each with a name per manager, in the order of `MANAGERS`) for this manager, each once."""
    column = MANAGERS.index(manager)
    return sorted({names[column] for names in packages})


def command_for(manager: PackageManager, names: Sequence[str], as_root: bool) -> str:
    """The one line that a user can type to install these packages."""
    return " ".join([*([] if as_root else ["sudo"]), *manager.install, *names])


def provide_qt_libraries(progress: Progress) -> None:
    """Have every library that Qt needs. Raises `BootstrapProblem` when some are missing and may not be installed."""
    missing = missing_qt_libraries()
    if missing:
        _provide("the system libraries that the window needs", [QT_LIBRARIES[library] for library in missing], missing, progress)
        still = missing_qt_libraries()
        if still:
            libraries = ", ".join(still)
            raise BootstrapProblem(f"The window needs {libraries}, and no package brought it. Install it, then run this again.")


def provide_venv(progress: Progress) -> None:
    """Have what makes virtual environments. Raises `BootstrapProblem` when it is missing and may not be installed."""
    if not can_make_environments():
        _provide("Python's own support for virtual environments", [VENV_PACKAGES], ["the modules venv and ensurepip"], progress)
        importlib.invalidate_caches()
        if not can_make_environments():
            raise BootstrapProblem(
                "This Python cannot make virtual environments (no module ensurepip). Start this with a Python from python.org."
            )


def _provide(what: str, packages: Sequence[Sequence[str]], missing: Sequence[str], progress: Progress) -> None:
    manager = find_manager()
    if manager is None:
        raise BootstrapProblem(f"This system lacks {what}: {', '.join(missing)}. Install them, then run this again.")
    names = names_for(manager, packages)
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not as_root:
        raise BootstrapProblem(
            f"This system lacks {what}. Install them with this command, then run this again:\n\n"
            f"    {command_for(manager, names, as_root)}\n"
        )
    progress.say(f"Installing {what}: {' '.join(names)}")
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True, "text": True, "errors": "replace", "check": False}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    if manager.refresh:
        subprocess.run(manager.refresh, env=environment, **quiet)  # type: ignore[call-overload]
    result = subprocess.run([*manager.install, *names], env=environment, **quiet)  # type: ignore[call-overload]
    if result.returncode:
        last = (str(result.stderr).strip().splitlines() or ["no reason was given"])[-1]
        raise BootstrapProblem(
            f"{what[0].upper()}{what[1:]} could not be installed ({last}). Install them, then run this again:\n\n"
            f"    {command_for(manager, names, as_root)}\n"
        )
