"""Codes and exact rows out of one payload, bit by bit."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.noise import quantiser
from remote_agent.segment.code_rows import mixed, unpacked
from remote_agent.segment.payload import BadRows, to_payload
from remote_agent.wire.messages import NO_ARTEFACT, Bits, Codes, Decoder, RowFormat


@given(st.sampled_from([1, 2, 4]), st.integers(1, 40), st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_what_the_desktop_packs_is_unpacked(bits: int, dimensions: int, rows: int, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(0, 1 << bits, (rows, dimensions)).astype(np.uint8)
    assert np.array_equal(unpacked(quantiser.packed(counts, bits), rows, bits, dimensions).numpy(), counts)


def test_the_first_coordinate_is_in_the_lowest_bits() -> None:
    assert unpacked(b"\x1b\x0e", 2, 2, 4).tolist() == [[3, 2, 1, 0], [2, 3, 0, 0]]


@pytest.mark.parametrize("payload", [b"", b"\0", b"\0" * 3])
def test_another_size_is_refused(payload: bytes) -> None:
    with pytest.raises(BadRows):
        unpacked(payload, 2, 4, 2)


def test_bits_behind_the_last_coordinate_must_be_zero() -> None:
    assert unpacked(b"\x07", 1, 1, 3).tolist() == [[1, 1, 1]]
    with pytest.raises(BadRows):
        unpacked(b"\x0f", 1, 1, 3)


CODES = Codes(NO_ARTEFACT, Bits.FOUR, 3, Decoder.MAP, NO_ARTEFACT)


@pytest.mark.parametrize("row_format", list(RowFormat))
def test_rows_and_codes_stand_in_their_places(row_format: RowFormat) -> None:
    exact = torch.tensor([[1.0, 2.0], [-3.0, 0.5]])
    one, two = (bytes(to_payload(row[None], row_format)) for row in exact)
    rows = mixed(memoryview(one + b"\x21\x03" + b"\xff\x0f" + two), [0, 320, 16, 0], row_format, 2, CODES)
    assert rows.hidden.float().tolist() == [[1, 2], [0, 0], [0, 0], [-3, 0.5]]
    assert rows.counts.tolist() == [[0, 0, 0], [1, 2, 3], [15, 15, 15], [0, 0, 0]]
    assert rows.levels.tolist() == [0, 320, 16, 0]
    assert rows.part(1, 3).levels.tolist() == [320, 16]


@pytest.mark.parametrize("payload", [b"\x21", b"\x21\x13", b"\x21\x03" + b"\xff" * 4, b"\x21\x03" + b"\0" * 7])
def test_payloads_that_are_no_rows_are_refused(payload: bytes) -> None:
    with pytest.raises(BadRows):
        mixed(memoryview(payload), [320, 0][: len(payload) // 2 or 1], RowFormat.FLOAT32, 1, CODES)
