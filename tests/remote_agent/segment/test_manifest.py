"""A manifest names one model: the same bytes for the same model, others for anything else."""

from pathlib import Path

import msgspec
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.segment.errors import BadModelFile
from remote_agent.segment.manifest import FILE_NAME, Manifest, TensorHash, tensor_hash

MANIFEST = Manifest(
    source="ab" * 32,
    config={"b": 1, "a": [1.5, {"z": None, "y": True}]},
    dtype="float32",
    tensors={"t": "cd" * 32, "s": "ef" * 32},
)


def test_the_digest_does_not_depend_on_the_order_of_keys() -> None:
    other = Manifest(
        source="ab" * 32,
        config={"a": [1.5, {"y": True, "z": None}], "b": 1},
        dtype="float32",
        tensors={"s": "ef" * 32, "t": "cd" * 32},
    )
    assert other.digest() == MANIFEST.digest()
    assert len(MANIFEST.digest()) == 32


@pytest.mark.parametrize(
    "change",
    [{"source": "00" * 32}, {"config": {}}, {"dtype": "bfloat16"}, {"tensors": {"t": "cd" * 32}}, {"format": 2}],
    ids=lambda change: next(iter(change)),
)
def test_the_digest_changes_with_every_part(change: dict[str, object]) -> None:
    assert msgspec.structs.replace(MANIFEST, **change).digest() != MANIFEST.digest()


def test_a_saved_manifest_is_the_same_model(tmp_path: Path) -> None:
    MANIFEST.save(tmp_path)
    assert Manifest.load(tmp_path).digest() == MANIFEST.digest()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"format": 1}', MANIFEST.encoded().decode().replace('"format":1', '"format":9')]
)
def test_a_damaged_manifest_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    with pytest.raises(BadModelFile, match="Delete the folder"):
        Manifest.load(tmp_path)


def test_a_missing_manifest_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadModelFile, match="cannot be read"):
        Manifest.load(tmp_path)


@given(
    rows=st.integers(1, 9),
    columns=st.integers(1, 9),
    cut=st.integers(0, 9),
    dtype=st.sampled_from([torch.float32, torch.bfloat16]),
)
def test_a_tensor_hashed_in_pieces_has_the_hash_of_the_whole(rows: int, columns: int, cut: int, dtype: torch.dtype) -> None:
    tensor = torch.arange(rows * columns, dtype=torch.float32).reshape(rows, columns).to(dtype)
    digest = TensorHash(dtype, (rows, columns))
    for piece in (tensor[:cut], tensor[cut:]):
        if len(piece):
            digest.update(piece)
    assert digest.hexdigest() == tensor_hash(tensor)


def test_shape_and_dtype_are_part_of_a_tensors_hash() -> None:
    zeros = torch.zeros(4, 6)
    assert len({tensor_hash(zeros), tensor_hash(zeros.reshape(6, 4)), tensor_hash(torch.zeros(4, 12, dtype=torch.float16))}) == 3
