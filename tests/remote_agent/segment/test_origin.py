"""What a prepared model was made from is remembered, and known again as long as it is as it was."""

import os
from pathlib import Path

import pytest

from remote_agent.segment.origin import Origin


def test_an_origin_is_remembered(tmp_path: Path) -> None:
    origin = Origin(path="/a b/한국", folder=True, stamps={"x": (1, 2)})
    origin.save(tmp_path)
    assert Origin.load(tmp_path) == origin
    assert Origin.load(tmp_path / "nowhere") is None


@pytest.mark.parametrize("folder", [True, False])
def test_a_source_is_unchanged_until_a_file_of_it_is_touched_or_gone(tmp_path: Path, folder: bool) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"1")
    origin = Origin.of(tmp_path if folder else file, [file])
    assert origin.folder == folder
    assert origin.is_unchanged
    os.utime(file, (1, 1))
    assert not origin.is_unchanged
    file.unlink()
    assert not origin.is_unchanged
