"""Artefacts are found by digest and refused when foreign, damaged, or of another shape."""

from pathlib import Path

import pytest
import torch

from remote_agent.segment.artefacts import Artefacts, Projection, UnknownArtefact, decoder_of, projection_of, read
from tests.helpers.tiny_codes import save_artefact, save_projection, tiny_projection

MODEL, OTHER = b"\1" * 32, b"\2" * 32
HIDDEN, TOKENS = 16, 20


def test_a_projection_is_found_by_its_digest_and_read_as_it_was_written(tmp_path: Path) -> None:
    wanted = tiny_projection(HIDDEN)
    save_projection(tmp_path / "b" / "other.safetensors", tiny_projection(HIDDEN, seed=1), MODEL)
    digest = save_projection(tmp_path / "b" / "wanted.safetensors", wanted, MODEL)
    found = Artefacts((tmp_path / "nowhere", tmp_path / "b")).find(digest)
    projection = projection_of(found, MODEL, HIDDEN, TOKENS)
    assert found.digest == digest
    assert torch.equal(projection.matrix, wanted.matrix)
    assert (projection.clip, projection.log_prior) == (2.0, None)


def test_a_prior_is_normalised(tmp_path: Path) -> None:
    plain = tiny_projection(HIDDEN)
    save_projection(tmp_path / "p.safetensors", Projection(plain.matrix, plain.clip, torch.randn(TOKENS)), MODEL)
    found = projection_of(read((tmp_path / "p.safetensors").read_bytes()), MODEL, HIDDEN, TOKENS)
    assert found.log_prior is not None
    assert float(found.log_prior.exp().sum()) == pytest.approx(1)


def test_a_file_changed_by_one_byte_is_not_found_even_if_it_was_before(tmp_path: Path) -> None:
    path = tmp_path / "p.safetensors"
    digest = save_projection(path, tiny_projection(HIDDEN), MODEL)
    artefacts = Artefacts((tmp_path,))
    artefacts.find(digest)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(UnknownArtefact, match="Copy it"):
        artefacts.find(digest)


@pytest.mark.parametrize("data", [b"", b"\xff" * 64, b"\x02" + bytes(7) + b"{}", b"\x80\x04pickle"])
def test_a_file_that_is_no_artefact_is_refused(data: bytes) -> None:
    with pytest.raises(UnknownArtefact, match="Fetch it again"):
        read(data)


@pytest.mark.parametrize(
    ("kind", "metadata"),
    [("projection", {"table": "00" * 32}), ("decoder", {}), ("song", {}), ("decoder", {"table": "00" * 32, "level": "0"})],
)
def test_metadata_that_does_not_go_together_is_refused(tmp_path: Path, kind: str, metadata: dict[str, str]) -> None:
    save_artefact(tmp_path / "a.safetensors", kind, {"a": torch.ones(1)}, MODEL, **metadata)
    with pytest.raises(UnknownArtefact, match="another version"):
        read((tmp_path / "a.safetensors").read_bytes())


@pytest.mark.parametrize("metadata", [{"table": "no hex"}, {"table": "00" * 32, "level": "high"}])
def test_metadata_that_cannot_be_read_is_refused(tmp_path: Path, metadata: dict[str, str]) -> None:
    save_artefact(tmp_path / "a.safetensors", "decoder", {"a": torch.ones(1)}, MODEL, **metadata)
    with pytest.raises(UnknownArtefact, match="damaged"):
        read((tmp_path / "a.safetensors").read_bytes())


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_numbers_that_are_not_finite_are_refused(tmp_path: Path, number: float) -> None:
    save_artefact(tmp_path / "a.safetensors", "projection", {"projection": torch.tensor([[number]])}, MODEL)
    with pytest.raises(UnknownArtefact, match="not finite"):
        read((tmp_path / "a.safetensors").read_bytes())


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"projection": torch.ones(4, HIDDEN + 1)}, "another shape"),
        ({"projection": torch.ones(HIDDEN + 1, HIDDEN)}, "another shape"),
        ({"projection": torch.ones(HIDDEN)}, "another shape"),
        ({"clip": torch.tensor([0.0])}, "no clip"),
        ({"clip": torch.tensor([-1.0])}, "no clip"),
        ({"clip": torch.ones(2)}, "no clip"),
        ({"log_prior": torch.ones(TOKENS + 1)}, "another vocabulary"),
    ],
)
def test_a_projection_of_another_shape_is_refused(tmp_path: Path, changes: dict[str, torch.Tensor], words: str) -> None:
    tensors = {"projection": torch.ones(4, HIDDEN), "clip": torch.ones(1)} | changes
    save_artefact(tmp_path / "p.safetensors", "projection", tensors, MODEL)
    with pytest.raises(UnknownArtefact, match=words):
        projection_of(read((tmp_path / "p.safetensors").read_bytes()), MODEL, HIDDEN, TOKENS)


def test_what_was_made_for_another_model_or_table_is_refused(tmp_path: Path) -> None:
    table = save_projection(tmp_path / "p.safetensors", tiny_projection(HIDDEN), MODEL)
    save_artefact(
        tmp_path / "d.safetensors", "decoder", {"decoder": torch.ones(HIDDEN, 12)}, MODEL, table=table.hex(), level="320"
    )
    projection, decoder = (read((tmp_path / f"{name}.safetensors").read_bytes()) for name in "pd")
    assert decoder.level == 320
    assert decoder_of(decoder, MODEL, table, (HIDDEN, 12)).shape == (HIDDEN, 12)
    with pytest.raises(UnknownArtefact, match="another model"):
        projection_of(projection, OTHER, HIDDEN, TOKENS)
    with pytest.raises(UnknownArtefact, match="another model"):
        decoder_of(decoder, OTHER, table, (HIDDEN, 12))
    with pytest.raises(UnknownArtefact, match="another projection"):
        decoder_of(decoder, MODEL, OTHER, (HIDDEN, 12))
    with pytest.raises(UnknownArtefact, match="another shape"):
        decoder_of(decoder, MODEL, table, (HIDDEN, 13))
    with pytest.raises(UnknownArtefact, match="decoder is needed"):
        decoder_of(projection, MODEL, table, (HIDDEN, 12))
