"""A stamp holds as long as its file is the same, and its loss costs a check, nothing else."""

import os
from pathlib import Path

from remote_agent.segment.stamps import is_stamped, stamp


def test_a_file_is_stamped_until_it_changes(tmp_path: Path) -> None:
    file, directory = tmp_path / "a layer 층.safetensors", tmp_path / "ours"
    directory.mkdir()
    file.write_bytes(b"abc")
    assert not is_stamped(file, directory)
    stamp(file, directory)
    assert is_stamped(file, directory)
    before = file.stat().st_mtime_ns
    file.write_bytes(b"xyz")
    os.utime(file, ns=(before, before + 1))
    assert not is_stamped(file, directory)
    assert [found.name for found in tmp_path.iterdir() if found.is_file()] == [file.name]


def test_files_of_one_name_in_two_folders_have_two_stamps(tmp_path: Path) -> None:
    files = [tmp_path / folder / "model.safetensors" for folder in ("a", "b")]
    for file in files:
        file.parent.mkdir()
        file.write_bytes(b"abc")
    stamp(files[0], tmp_path)
    assert [is_stamped(file, tmp_path) for file in files] == [True, False]


def test_a_damaged_stamp_or_a_missing_file_is_no_stamp(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    stamp(file, tmp_path)
    next(tmp_path.glob(".checked-*")).write_bytes(b"{")
    assert not is_stamped(file, tmp_path)
    assert not is_stamped(tmp_path / "none", tmp_path)


def test_where_nothing_can_be_written_stamping_does_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"abc")
    stamp(tmp_path / "file", tmp_path / "file" / "no folder")
