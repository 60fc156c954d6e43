"""What was found is there again after an interruption, and nothing that was found about something else."""

from pathlib import Path

import pytest

from desktop_app.audit.intervals import Share
from desktop_app.open_weights.checkpoint import Checkpoint

SHARE = Share(0.5, 0.4, 0.6, 7)


def test_a_value_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "part.json"
    Checkpoint(path, "a").put("x", [SHARE])
    assert Checkpoint(path, "a").get("x", list[Share]) == [SHARE]
    assert Checkpoint(path, "a").get("y", list[Share]) is None


def test_another_signature_finds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "part.json"
    Checkpoint(path, "a").put("x", SHARE)
    assert Checkpoint(path, "b").get("x", Share) is None


def test_a_value_of_another_kind_counts_as_none(tmp_path: Path) -> None:
    checkpoint = Checkpoint(tmp_path / "part.json", "a")
    checkpoint.put("x", "text")
    assert checkpoint.get("x", Share) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'{"signature": "a", "values": 3}', b"\xff"])
def test_a_broken_file_is_an_empty_one(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "part.json"
    path.write_bytes(content)
    checkpoint = Checkpoint(path, "a")
    assert checkpoint.get("x", Share) is None
    checkpoint.put("x", SHARE)
    assert Checkpoint(path, "a").get("x", Share) == SHARE


def test_what_is_cleared_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "part.json"
    checkpoint = Checkpoint(path, "a")
    checkpoint.put("x", SHARE)
    checkpoint.clear()
    assert not path.exists()
    assert checkpoint.get("x", Share) is None


def test_without_a_file_it_remembers_all_the_same() -> None:
    checkpoint = Checkpoint(None, "a")
    checkpoint.put("x", SHARE)
    assert checkpoint.get("x", Share) == SHARE
