"""GGUF files become exactly the tensors that went into them, and bad ones become sentences."""

import contextlib
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from remote_agent.segment.errors import BadModelFile, SegmentError, UnsupportedModel
from remote_agent.segment.gguf_source import GgufSource
from tests.helpers.gguf_files import SHAPE, tiny_model, write_gguf

GEMMA = {"sliding_window": 16, "query_pre_attn_scalar": 8, "num_hidden_layers": 7}
FAMILIES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "llama": ("llama", {"tie_word_embeddings": False}, {}),
    "llama with biases": ("llama", {"attention_bias": True, "mlp_bias": True}, {}),
    "qwen2": ("qwen2", {"tie_word_embeddings": True}, {}),
    "qwen3": ("qwen3", {"tie_word_embeddings": False}, {}),
    "gemma": ("gemma", {}, {}),
    "gemma2": ("gemma2", GEMMA, {"attention__sliding_window": 16}),
    "gemma3": ("gemma3_text", GEMMA, {"attention__sliding_window": 16, "rope__freq_base": 1e6}),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_tensor_of_every_family_comes_back_bit_by_bit(family: str, tmp_path: Path) -> None:
    model_type, config, metadata = FAMILIES[family]
    model = tiny_model(model_type, **config)
    source = GgufSource(write_gguf(tmp_path / "m.gguf", model, family.split()[0], **metadata))
    expected = {name: tensor for name, tensor in model.state_dict().items() if name in source.names}
    assert set(model.state_dict()) - set(expected) <= {"lm_head.weight"}
    for name, tensor in expected.items():
        assert torch.equal(source.tensor(name), tensor), name
        assert source.names[name] == tuple(tensor.shape)


@pytest.mark.parametrize("family", FAMILIES)
def test_transformers_builds_the_same_model_from_the_config(family: str, tmp_path: Path) -> None:
    from transformers import AutoConfig, AutoModelForCausalLM

    model_type, config, metadata = FAMILIES[family]
    model = tiny_model(model_type, **config)
    source = GgufSource(write_gguf(tmp_path / "m.gguf", model, family.split()[0], **metadata))
    again = AutoModelForCausalLM.from_config(AutoConfig.for_model(**source.config), dtype=torch.float32).eval()
    again.load_state_dict({name: source.tensor(name) for name in source.names}, strict=False)
    again.tie_weights()
    tokens = torch.arange(40)[None] % SHAPE["vocab_size"]
    with torch.no_grad():
        torch.testing.assert_close(again(tokens).logits, model(tokens).logits, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("kind", "dtype"), [("float32", "float32"), ("float16", "float16"), ("BF16", "bfloat16"), ("Q8_0", "float32")]
)
def test_the_storage_dtype_follows_from_the_file(kind: str, dtype: str, tmp_path: Path) -> None:
    source = GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("llama", intermediate_size=64), "llama", kind=kind))
    assert str(source.dtype) == f"torch.{dtype}"
    assert all(source.tensor(name).dtype == source.dtype for name in source.names)


def test_pieces_are_whole_heads_and_join_to_the_tensor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("llama"), "llama"))
    whole = {name: source.tensor(name) for name in source.names}
    monkeypatch.setattr("remote_agent.segment.gguf_source.PIECE_ELEMENTS", 100)
    for name, tensor in whole.items():
        pieces = list(source.pieces(name))
        assert torch.equal(torch.cat(pieces), tensor)
        assert len(pieces) > 1 or tensor.numel() <= 256


@pytest.mark.slow
def test_starter_model_equals_what_transformers_reads(starter_model: Path) -> None:
    from transformers import AutoConfig, AutoModelForCausalLM
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    source = GgufSource(starter_model)
    config = AutoConfig.from_pretrained(str(starter_model.parent), gguf_file=starter_model.name)
    with torch.device("meta"):
        empty = AutoModelForCausalLM.from_config(config)
    theirs = load_gguf_checkpoint(str(starter_model), return_tensors=True, model_to_load=empty)["tensors"]
    assert set(theirs) == set(source.names)
    assert all(torch.equal(source.tensor(name), tensor) for name, tensor in theirs.items())
    ours = AutoConfig.for_model(**source.config)
    for key in (
        "hidden_size",
        "head_dim",
        "num_hidden_layers",
        "rope_parameters",
        "tie_word_embeddings",
        "vocab_size",
        "eos_token_id",
    ):
        assert getattr(ours, key) == getattr(config, key), key


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.gguf"
    path.write_bytes(b"Dear Sir, " * 100)
    with pytest.raises(BadModelFile, match="not a GGUF file"):
        GgufSource(path)
    path.write_bytes(b"")
    with pytest.raises(BadModelFile, match="not a GGUF file"):
        GgufSource(path)


def test_an_unknown_architecture_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedModel, match="'mamba'"):
        GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("llama"), "mamba"))


def test_a_part_that_is_not_computed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedModel, match=r"attn_[qk]_norm"):
        GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("qwen3"), "llama"))


def test_a_missing_tensor_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadModelFile, match=r"lacks .* tensors"):
        GgufSource(write_gguf(tmp_path / "m.gguf", tiny_model("llama"), "llama", block_count=5))


@pytest.fixture(scope="module")
def good_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf(tmp_path_factory.mktemp("gguf") / "m.gguf", tiny_model("llama", num_hidden_layers=1), "llama")


@settings(max_examples=60, deadline=None)
@given(share=st.floats(0, 0.999))
def test_a_file_cut_short_anywhere_is_a_sentence(good_file: Path, share: float, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("cut") / "m.gguf"
    path.write_bytes(good_file.read_bytes()[: int(good_file.stat().st_size * share)])
    with pytest.raises(BadModelFile):
        GgufSource(path)


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_file_with_wrong_bytes_raises_nothing_but_our_errors(
    good_file: Path, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    broken = bytearray(good_file.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        broken[data.draw(st.integers(0, 3000))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.mktemp("wrong") / "m.gguf"
    path.write_bytes(broken)
    with contextlib.suppress(SegmentError):
        source = GgufSource(path)
        for name in source.names:
            source.tensor(name)


def test_an_unreadable_path_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadModelFile, match="cannot be read"):
        GgufSource(tmp_path / "nowhere.gguf")


def test_big_endian_and_split_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_uint16("split.count", 3)
    writer.add_tensor("token_embd.weight", np.zeros((4, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(UnsupportedModel, match="several"):
        GgufSource(path)
    path.write_bytes(b"GGUF\0\0\0\x03" + bytes(16))
    with pytest.raises(UnsupportedModel, match="big-endian"):
        GgufSource(path)
