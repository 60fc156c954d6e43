"""System packages: what is missing is found, and named as each system names it."""

import sys

import pytest

from installers import system_packages
from installers.problems import BootstrapProblem
from installers.progress import Progress
from installers.system_packages import MANAGERS, QT_LIBRARIES, command_for, find_manager, loads, missing_qt_libraries, names_for


def test_a_library_that_is_nowhere_does_not_load() -> None:
    assert not loads("libsurely-not-there.so.7")


def test_only_what_is_missing_on_linux_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    assert missing_qt_libraries(lambda name: name != "libEGL.so.1") == ["libEGL.so.1"]
    monkeypatch.setattr(sys, "platform", "darwin")
    assert missing_qt_libraries(lambda name: False) == []


@pytest.mark.parametrize(
    ("program", "as_root", "command"),
    [
        ("apt-get", False, "sudo apt-get install -y --no-install-recommends libegl1 libxcb-cursor0"),
        ("apt-get", True, "apt-get install -y --no-install-recommends libegl1 libxcb-cursor0"),
        ("dnf", False, "sudo dnf install -y libglvnd-egl xcb-util-cursor"),
        ("pacman", False, "sudo pacman -S --needed --noconfirm libglvnd xcb-util-cursor"),
        ("zypper", False, "sudo zypper --non-interactive install libglvnd libxcb-cursor0"),
    ],
)
def test_each_system_gets_its_own_command(program: str, as_root: bool, command: str) -> None:
    manager = find_manager(lambda name: name if name == program else None)
    assert manager is not None
    packages = [QT_LIBRARIES[library] for library in ("libEGL.so.1", "libxcb-cursor.so.0")]
    assert command_for(manager, names_for(manager, packages), as_root) == command


def test_every_library_has_a_package_on_every_system() -> None:
    assert all(len(names) == len(MANAGERS) and all(names) for names in QT_LIBRARIES.values())


def test_who_may_not_install_gets_the_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(system_packages, "missing_qt_libraries", lambda: ["libEGL.so.1", "libGL.so.1"])
    monkeypatch.setattr(system_packages, "find_manager", lambda: MANAGERS[0])
    monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
    with pytest.raises(BootstrapProblem, match=r"with this command.*\n\n    sudo apt-get install .*libegl1 libgl1\n"):
        system_packages.provide_qt_libraries(Progress())


def test_an_unknown_system_gets_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "missing_qt_libraries", lambda: ["libEGL.so.1"])
    monkeypatch.setattr(system_packages, "find_manager", lambda: None)
    with pytest.raises(BootstrapProblem, match=r"lacks the system libraries that the window needs: libEGL\.so\.1"):
        system_packages.provide_qt_libraries(Progress())


def test_nothing_is_done_where_nothing_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_packages, "missing_qt_libraries", list)
    monkeypatch.setattr(system_packages, "can_make_environments", lambda: True)
    monkeypatch.setattr(system_packages, "find_manager", lambda: pytest.fail("nothing was to be installed"))
    system_packages.provide_qt_libraries(Progress())
    system_packages.provide_venv(Progress())
