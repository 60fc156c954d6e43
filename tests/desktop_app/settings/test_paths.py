"""Where files go, and that a file is whole or not there."""

from pathlib import Path

import pytest

from desktop_app.settings.paths import HOME_VARIABLE, user_paths, write_atomically


def test_home_variable_puts_all_folders_below_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "집 с пробелом"
    monkeypatch.setenv(HOME_VARIABLE, str(home))
    paths = user_paths()
    assert {folder.parent for folder in (paths.data, paths.config, paths.cache, paths.log)} == {home}
    assert paths.settings_file.parent == paths.config
    assert paths.models.parent == paths.data
    assert not home.exists()


def test_platform_folders_are_used_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME_VARIABLE, raising=False)
    paths = user_paths()
    assert len({paths.data, paths.config, paths.cache, paths.log}) >= 2
    assert all("sotto" in str(folder).lower() for folder in (paths.data, paths.config, paths.cache, paths.log))
    assert paths.data != paths.cache


def test_file_is_replaced_and_no_part_stays(tmp_path: Path) -> None:
    path = tmp_path / "새 폴더" / "a file.json"
    write_atomically(path, b"one")
    write_atomically(path, b"two")
    assert path.read_bytes() == b"two"
    assert list(path.parent.iterdir()) == [path]


def test_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "settings.json"
    target.mkdir()
    (target / "kept").write_text("old")
    with pytest.raises(OSError, match=r".+"):
        write_atomically(target, b"new")
    assert (target / "kept").read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]
