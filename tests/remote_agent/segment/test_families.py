"""Which configs are read, what they leave unsaid, and which are refused with a sentence."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import AutoConfig

from remote_agent.segment.errors import BadModelFile, SegmentError, UnsupportedModel
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.rope import Rope
from tests.helpers.tiny_models import SIZES

LLAMA = {"model_type": "llama", **SIZES}


def plan_of(**config: Any) -> ModelPlan:
    return ModelPlan.from_config({**LLAMA, **config})


def test_windows_follow_the_family() -> None:
    assert plan_of(sliding_window=9).windows == (None,) * 5
    assert plan_of(model_type="mistral", sliding_window=9).windows == (9,) * 5
    assert plan_of(model_type="mistral").windows == (4096,) * 5
    assert plan_of(model_type="mistral", sliding_window=None).windows == (None,) * 5
    qwen = {"model_type": "qwen2", "sliding_window": 9, "max_window_layers": 3}
    assert plan_of(**qwen).windows == (None,) * 5
    assert plan_of(**qwen, use_sliding_window=True).windows == (None, None, None, 9, 9)
    assert plan_of(model_type="gemma2", sliding_window=9).windows == (9, None, 9, None, 9)
    assert plan_of(model_type="gemma3_text", sliding_window=9, sliding_window_pattern=3).windows == (9, 9, None, 9, 9)
    kinds = ["full_attention"] * 4 + ["sliding_attention"]
    assert plan_of(model_type="gemma3_text", sliding_window=9, layer_types=kinds).windows == (None, None, None, None, 9)


def test_rotary_parameters_are_read_in_the_old_and_the_new_form() -> None:
    scaled = {"type": "linear", "factor": 4.0}
    assert plan_of(rope_theta=5e5, rope_scaling=scaled).ropes[0] == Rope(5e5, "linear", 4.0)
    new = {"rope_type": "linear", "rope_theta": 5e5, "factor": 4.0}
    assert plan_of(rope_parameters=new).ropes[0] == Rope(5e5, "linear", 4.0)
    assert plan_of().ropes[0] == Rope(10_000.0)
    gemma = {"model_type": "gemma3_text", "sliding_window_pattern": 2}
    old = plan_of(**gemma, rope_theta=1e6, rope_local_base_freq=1e4, rope_scaling={"rope_type": "linear", "factor": 8.0})
    nested = {
        "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
    }
    assert old.ropes[:2] == plan_of(**gemma, rope_parameters=nested).ropes[:2] == (Rope(1e4), Rope(1e6, "linear", 8.0))
    assert plan_of(model_type="smollm3").ropes == (*[Rope(2e6)] * 3, None, Rope(2e6))


@pytest.mark.parametrize("kind", ["gemma3", "qwen3", "gemma2", "mistral", "qwen2", "gemma", "smollm3", "llama"])
def test_a_config_that_says_little_means_what_it_means_to_transformers(kind: str) -> None:
    config = AutoConfig.for_model(kind)
    text = config.get_text_config()
    said = {"hidden_size": text.hidden_size, "intermediate_size": text.intermediate_size, "vocab_size": text.vocab_size}
    said |= {"num_hidden_layers": text.num_hidden_layers, "num_attention_heads": text.num_attention_heads}
    said |= {"num_key_value_heads": text.num_key_value_heads}
    short = {"model_type": kind, "text_config": said} if kind == "gemma3" else {"model_type": kind, **said}
    full = text.to_dict()
    assert ModelPlan.from_config(short) == ModelPlan.from_config(full)


@pytest.mark.parametrize("kind", ["mamba2", "jamba", "falcon_h1", "lfm2", "qwen3_next", "qwen3_5", "recurrent_gemma"])
def test_recurrent_models_are_refused_because_they_cannot_be_rolled_back(kind: str) -> None:
    with pytest.raises(UnsupportedModel, match=rf"“{kind}”.*cannot be rolled back.*Llama, Mistral"):
        plan_of(model_type=kind)


def test_recurrent_layers_are_refused_whatever_the_model_is_called() -> None:
    with pytest.raises(UnsupportedModel, match="cannot be rolled back"):
        plan_of(layer_types=["linear_attention", "full_attention"] * 3)


@pytest.mark.parametrize("config", [{"model_type": "qwen3_moe"}, {"model_type": "mixtral"}, {"num_local_experts": 8}])
def test_mixtures_of_experts_are_refused(config: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedModel, match=r"mixture of experts.*dense"):
        plan_of(**config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"model_type": "gpt2"}, "type “gpt2”.*It can run Llama, Mistral, Qwen 2"),
        ({"model_type": None}, "does not name.*It can run Llama"),
        ({"layer_types": ["chunked_attention"] * 5}, "chunked_attention"),
        ({"hidden_act": "relu2"}, "relu2"),
        ({"rope_scaling": {"rope_type": "longrope", "factor": 2.0}}, "longrope.*linear"),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.0}}, "dynamic"),
        ({"partial_rotary_factor": 0.5}, "only a part of each head"),
        ({"quantization_config": {"quant_method": "awq"}}, "awq.*GGUF"),
        ({"model_type": "gemma2", "use_bidirectional_attention": True}, "later tokens"),
    ],
)
def test_what_is_not_computed_is_refused_by_name_with_a_way_out(config: dict[str, Any], words: str) -> None:
    with pytest.raises(UnsupportedModel, match=words):
        plan_of(**config)


@pytest.mark.parametrize(
    "config",
    [
        {"hidden_size": 0}, {"hidden_size": "48"}, {"num_hidden_layers": True}, {"intermediate_size": None}, {"head_dim": 7},
        {"num_attention_heads": 3}, {"vocab_size": 2**40}, {"rms_norm_eps": -1}, {"rope_theta": "x"},
        {"rope_scaling": {"rope_type": "linear"}}, {"rope_parameters": {"rope_type": "llama3", "factor": 8.0}},
        {"model_type": "gemma2", "layer_types": ["full_attention"]}, {"num_hidden_layers": 2000},
        {"model_type": "smollm3", "no_rope_layers": [1, 0]}, {"rope_parameters": {"rope_type": "default", "rope_theta": -1.0}},
    ],
    ids=str,
)  # fmt: skip
def test_a_broken_config_is_a_bad_file_not_a_crash(config: dict[str, Any]) -> None:
    with pytest.raises(BadModelFile, match="again"):
        plan_of(**config)


NAMES = [
    *SIZES, "model_type", "rms_norm_eps", "hidden_act", "layer_types", "sliding_window", "sliding_window_pattern",
    "max_window_layers", "use_sliding_window", "rope_parameters", "rope_scaling", "rope_theta", "rope_local_base_freq",
    "no_rope_layers", "text_config", "no_rope_layer_interval", "query_pre_attn_scalar", "attn_logit_softcapping",
    "quantization_config", "num_experts",
]  # fmt: skip
KINDS = ["llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "gemma3_text", "smollm3"]
KEYS = ["rope_type", "factor", "full_attention", "rope_theta", "quant_method"]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.integers(0, 1), max_size=6),
    st.dictionaries(st.sampled_from(KEYS), st.none() | st.floats()),
    st.fixed_dictionaries({"rope_type": st.sampled_from(["yarn", "llama3", "linear"]), "factor": st.floats()}),
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(NAMES), JUNK, min_size=1, max_size=3))
def test_no_config_whatever_raises_anything_but_the_rooms_own_errors(kind: str, junk: dict[str, Any]) -> None:
    try:
        plan = plan_of(**{"model_type": kind, **junk})
    except SegmentError:
        return
    assert len(plan.windows) == len(plan.ropes) == plan.layers
