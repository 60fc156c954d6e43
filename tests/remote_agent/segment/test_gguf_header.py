"""A damaged header is refused at once, however large the counts in it are."""

import struct
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.segment.errors import BadModelFile
from remote_agent.segment.gguf_header import check_header
from tests.helpers.gguf_files import tiny_model, write_gguf

HUGE = 2**60


def header(tensors: int = 0, entries: bytes = b"", count: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", 3, tensors, count) + entries


def text(value: bytes) -> bytes:
    return struct.pack("<Q", len(value)) + value


@pytest.mark.parametrize(
    "data",
    [
        header(tensors=HUGE),
        header(count=HUGE),
        header(entries=struct.pack("<Q", HUGE), count=1),
        header(entries=text(b"k") + struct.pack("<IIQ", 9, 6, HUGE), count=1),
        header(entries=text(b"k") + struct.pack("<IIQ", 9, 8, 1000), count=1),
        header(entries=text(b"k") + struct.pack("<IIQ", 9, 9, 1), count=1),
        header(entries=text(b"k") + struct.pack("<I", 99), count=1),
        header(tensors=1, entries=text(b"t") + struct.pack("<I", 1000)),
    ],
)
def test_counts_that_lead_out_of_the_file_are_refused_at_once(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(data)
    start = time.perf_counter()
    with pytest.raises(BadModelFile, match="cut short"):
        check_header(tmp_path / "m.gguf")
    assert time.perf_counter() - start < 1


def test_good_headers_are_believed(tmp_path: Path) -> None:
    check_header(write_gguf(tmp_path / "m.gguf", tiny_model("llama"), "llama"))


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_are_refused_or_believed(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("any") / "m.gguf"
    path.write_bytes(header() + data)
    check_header(path)
    path.write_bytes(header(3, data, 3))
    with pytest.raises(BadModelFile):
        check_header(path)
