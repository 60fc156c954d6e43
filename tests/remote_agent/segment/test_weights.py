"""Weights are mapped from the files of their own layers, and can be checked."""

from pathlib import Path

import pytest
import torch

from remote_agent.segment.conversion import convert
from remote_agent.segment.errors import BadModelFile, OtherModel
from remote_agent.segment.gguf_source import GgufSource
from remote_agent.segment.weights import Weights, open_weights
from tests.helpers.gguf_files import tiny_model, write_gguf

NAME = "model.layers.1.mlp.up_proj.weight"


@pytest.fixture
def source(tmp_path: Path) -> GgufSource:
    return GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("llama"), "llama"))


@pytest.fixture
def weights(source: GgufSource, tmp_path: Path) -> Weights:
    convert(source, tmp_path / "m", identity="ab" * 32, layers=[1, 2], ends=False)
    return open_weights(tmp_path / "m")


def test_tensors_are_those_of_the_source_and_mapped(source: GgufSource, weights: Weights) -> None:
    assert torch.equal(weights.tensor(NAME), source.tensor(NAME))
    assert weights.tensor(NAME).data_ptr() == weights.tensor(NAME).data_ptr()
    assert weights.dtype == torch.float32
    assert weights.config == source.config


def test_what_is_here_is_known(weights: Weights) -> None:
    assert weights.layers == [1, 2]
    assert not weights.has_ends


def test_files_of_other_layers_are_never_opened(weights: Weights) -> None:
    (weights.directory / "layer-00002.safetensors").write_bytes(b"not a safetensors file")
    assert weights.tensor(NAME).shape == (48, 32)


@pytest.mark.parametrize("name", ["model.layers.0.mlp.up_proj.weight", "model.embed_tokens.weight"])
def test_a_layer_that_is_not_here_is_a_sentence(weights: Weights, name: str) -> None:
    with pytest.raises(BadModelFile, match="not on this machine"):
        weights.tensor(name)


def test_a_tensor_that_no_model_has_is_a_sentence(weights: Weights) -> None:
    with pytest.raises(BadModelFile, match="no tensor"):
        weights.tensor("model.layers.1.mlp.middle_proj.weight")


def test_a_damaged_file_is_a_sentence(weights: Weights) -> None:
    file = weights.directory / "layer-00001.safetensors"
    file.write_bytes(file.read_bytes()[:-10])
    with pytest.raises(BadModelFile, match="damaged"):
        weights.tensor(NAME)


def test_a_changed_number_is_found(weights: Weights) -> None:
    weights.verify()
    weights.verify([NAME])
    file = weights.directory / "layer-00001.safetensors"
    data = bytearray(file.read_bytes())
    data[-3] ^= 1
    file.write_bytes(data)
    with pytest.raises(OtherModel, match="does not hold what the manifest says"):
        open_weights(weights.directory).verify()
