"""What GGUF's metadata leaves to the reader is restored, or refused."""

from typing import Any

import numpy as np
import pytest
import torch

from remote_agent.segment.errors import BadModelFile, UnsupportedModel
from remote_agent.segment.gguf_config import Metadata, config_of, short

BASE = {
    "context_length": 8192,
    "block_count": 26,
    "embedding_length": 4096,
    "feed_forward_length": 16384,
    "attention.head_count": 32,
    "attention.head_count_kv": 8,
    "attention.layer_norm_rms_epsilon": float(np.float32(1e-6)),
    "rope.freq_base": 500000.0,
}


def config(architecture: str, factors: Any = None, tied: bool = True, **more: Any) -> dict[str, Any]:
    keys = BASE | {key.replace("__", "."): value for key, value in more.items()}
    own = {f"{architecture}.{key}": value for key, value in keys.items() if value is not None and not key.startswith("tokenizer")}
    tokens = {key: value for key, value in keys.items() if key.startswith("tokenizer")}
    return config_of(Metadata({"general.architecture": architecture} | own | tokens), 1000, tied, factors)


def test_epsilon_is_the_number_that_was_meant() -> None:
    assert config("llama")["rms_norm_eps"] == 1e-6
    assert short(float(np.float32(1e-5))) == 1e-5


@pytest.mark.slow
def test_llama_3_scaling_is_restored_from_its_factors() -> None:
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    scaling = {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
    scaling |= {"original_max_position_embeddings": 8192, "rope_theta": 500000.0}
    model = LlamaConfig(hidden_size=4096, num_attention_heads=32, rope_parameters=dict(scaling), max_position_embeddings=131072)
    scaled, _ = ROPE_INIT_FUNCTIONS["llama3"](model, device=torch.device("cpu"))
    plain = 500000.0 ** -(np.arange(64) / 64)
    factors = (plain / scaled.numpy()).astype(np.float32)
    assert config("llama", factors=factors)["rope_parameters"] == scaling


def test_factors_of_an_unknown_kind_are_refused() -> None:
    with pytest.raises(UnsupportedModel, match="scales its positions"):
        config("llama", factors=np.linspace(1, 8, 64).astype(np.float32))


@pytest.mark.parametrize("kind", ["linear", "yarn"])
def test_known_stretching_is_kept(kind: str) -> None:
    rope = config("qwen2", rope__scaling__type=kind, rope__scaling__factor=4.0, rope__scaling__original_context_length=2048)
    assert rope["rope_parameters"]["rope_type"] == kind
    assert rope["rope_parameters"]["factor"] == 4.0


def test_unknown_stretching_is_refused() -> None:
    with pytest.raises(UnsupportedModel, match="'longrope'"):
        config("llama", rope__scaling__type="longrope")


def test_experts_and_unknown_kinds_are_refused() -> None:
    with pytest.raises(UnsupportedModel, match="experts"):
        config("llama", expert_count=8)
    with pytest.raises(UnsupportedModel, match="'rwkv6'"):
        config("rwkv6")


def test_a_llama_with_a_window_is_a_mistral() -> None:
    assert config("llama", attention__sliding_window=4096)["model_type"] == "mistral"


def test_gemma_3_slides_but_in_every_sixth_layer_with_a_rope_of_its_own() -> None:
    gemma = config("gemma3", attention__key_length=256, attention__sliding_window=512, rope__freq_base=1e6)
    assert [layer for layer, kind in enumerate(gemma["layer_types"]) if kind == "full_attention"] == [5, 11, 17, 23]
    assert gemma["rope_parameters"]["sliding_attention"]["rope_theta"] == 10_000.0
    assert gemma["query_pre_attn_scalar"] == 256
    assert gemma["final_logit_softcapping"] is None


def test_gemma_27b_scales_its_attention_by_width_over_heads() -> None:
    gemma = config("gemma2", block_count=46, embedding_length=4608, attention__key_length=128)
    assert gemma["query_pre_attn_scalar"] == 144
    assert (gemma["attn_logit_softcapping"], gemma["final_logit_softcapping"], gemma["sliding_window"]) == (50.0, 30.0, 4096)


def test_every_end_of_turn_is_kept() -> None:
    ids = {"tokenizer.ggml.eos_token_id": 5, "tokenizer.ggml.eot_token_id": 7, "tokenizer.ggml.eom_token_id": 5}
    assert config("llama", **ids)["eos_token_id"] == [5, 7]
    assert config("llama", **{"tokenizer.ggml.eos_token_id": 5})["eos_token_id"] == 5


@pytest.mark.parametrize("value", [None, 0, -1, 2.5, "many", [1, 2]])
def test_a_nonsense_number_is_a_sentence(value: Any) -> None:
    with pytest.raises(BadModelFile, match="Download"):
        config("llama", block_count=value)
