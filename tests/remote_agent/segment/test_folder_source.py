"""Hugging Face folders are read where they lie, whole or not at all, and never as pickle."""

import json
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from remote_agent.segment.errors import BadModelFile, SegmentError, UnsupportedModel
from remote_agent.segment.folder_source import INDEX, FolderSource
from tests.helpers.gguf_files import tiny_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "모델 folder"
    tiny_model("llama", tie_word_embeddings=False).save_pretrained(path)
    return path


def shard(folder: Path) -> None:
    """Cut model.safetensors into two files with an index."""
    tensors = load_file(folder / "model.safetensors")
    names = sorted(tensors)
    parts = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, held in parts.items():
        save_file({name: tensors[name] for name in held}, folder / file)
    weight_map = {name: file for file, held in parts.items() for name in held}
    (folder / INDEX).write_text(json.dumps({"weight_map": weight_map}))
    (folder / "model.safetensors").unlink()


def test_every_tensor_has_a_place(folder: Path) -> None:
    source = FolderSource(folder)
    assert set(source.places) == set(load_file(folder / "model.safetensors"))
    assert source.config["num_hidden_layers"] == 4
    assert "transformers_version" not in source.config


def test_a_sharded_folder_has_the_same_tensors(folder: Path) -> None:
    before = FolderSource(folder)
    shard(folder)
    after = FolderSource(folder)
    assert set(after.places) == set(before.places)
    assert len(after.files) == 2


def test_a_lost_shard_is_named(folder: Path) -> None:
    shard(folder)
    (folder / "model-00002-of-00002.safetensors").unlink()
    with pytest.raises(BadModelFile, match="model-00002-of-00002"):
        FolderSource(folder)


def test_an_index_cannot_name_files_elsewhere(folder: Path) -> None:
    shard(folder)
    (folder / INDEX).write_text(json.dumps({"weight_map": {"a": "../../etc/secret.safetensors"}}))
    with pytest.raises(BadModelFile, match=r"lacks 1 of the model's files, secret\.safetensors"):
        FolderSource(folder)


def test_a_lost_layer_is_named(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    save_file({name: value for name, value in tensors.items() if ".layers.2." not in name}, folder / "model.safetensors")
    with pytest.raises(BadModelFile, match=r"layers\.2\."):
        FolderSource(folder)


def test_the_language_model_of_a_picture_model_is_found(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    inside = {f"language_model.{name}": value for name, value in tensors.items() if name != "lm_head.weight"}
    save_file(inside | {"vision_tower.encoder.layers.0.weight": torch.zeros(2)}, folder / "model.safetensors")
    config = json.loads((folder / "config.json").read_text())
    del config["tie_word_embeddings"]
    (folder / "config.json").write_text(json.dumps({"model_type": "gemma3", "eos_token_id": [1, 106], "text_config": config}))
    source = FolderSource(folder)
    assert set(source.places) == set(tensors) - {"lm_head.weight"}
    assert source.config["tie_word_embeddings"] is True
    assert source.config["model_type"] == "llama"


def test_a_missing_lm_head_is_not_taken_for_a_tied_one(folder: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    del tensors["lm_head.weight"]
    save_file(tensors, folder / "model.safetensors")
    assert json.loads((folder / "config.json").read_text())["tie_word_embeddings"] is False
    with pytest.raises(BadModelFile, match="lm_head"):
        FolderSource(folder)


def test_pickled_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    with pytest.raises(UnsupportedModel, match="pickle"):
        FolderSource(tmp_path)


def test_quantised_weights_are_refused(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"quantization_config": {"quant_method": "gptq"}}))
    with pytest.raises(UnsupportedModel, match="GGUF"):
        FolderSource(folder)


@pytest.mark.parametrize("text", [None, "", "{", "[]", "{}"])
def test_a_bad_config_is_a_sentence(folder: Path, text: str | None) -> None:
    if text is None:
        (folder / "config.json").unlink()
    else:
        (folder / "config.json").write_text(text)
    with pytest.raises(SegmentError, match=r"Download|Choose|can run"):
        FolderSource(folder)


def test_a_cut_file_and_an_empty_folder_are_sentences(folder: Path, tmp_path: Path) -> None:
    file = folder / "model.safetensors"
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(BadModelFile, match="cut short"):
        FolderSource(folder)
    file.unlink()
    with pytest.raises(BadModelFile, match="holds no model"):
        FolderSource(folder)
