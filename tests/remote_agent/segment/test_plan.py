"""The arithmetic of a plan: parameters counted as transformers counts them, and what a split needs on this machine."""

import pytest
from transformers import AutoConfig

from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import KINDS, tiny_model

NEMO = {
    "model_type": "mistral", "hidden_size": 5120, "num_attention_heads": 32, "head_dim": 128, "num_key_value_heads": 8,
    "intermediate_size": 14336, "vocab_size": 131_072, "num_hidden_layers": 40, "tie_word_embeddings": False,
    "sliding_window": None, "max_position_embeddings": 131_072, "rope_theta": 1_000_000.0,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_are_those_of_the_real_model(kind: str) -> None:
    model = tiny_model(kind)
    plan = ModelPlan.from_config(model.config)
    assert plan.parameters == sum(parameter.numel() for parameter in model.reference.parameters())
    layer = model.reference.model.layers[0]
    assert plan.layer_parameters == sum(parameter.numel() for parameter in layer.parameters())


def test_the_local_part_of_a_12b_model_fits_5_gb() -> None:
    plan = ModelPlan.from_config(NEMO)
    assert 12.2e9 < plan.parameters < 12.3e9
    local = plan.local_bytes(head=4, tail=2, dtype_bytes=2, context=8192)
    assert local.weights == 2 * (6 * plan.layer_parameters + 131_072 * 5120 + 5120)
    assert local.cache == 6 * 8192 * 2 * 8 * 128 * 2
    assert local.resident < 5e9
    assert local.embedding == 2 * 131_072 * 5120  # mapped, not resident


def test_the_starter_model_keeps_less_than_six_tenths_here() -> None:
    config = AutoConfig.for_model(
        "llama", hidden_size=576, intermediate_size=1536, num_hidden_layers=30, num_attention_heads=9, num_key_value_heads=3,
        vocab_size=49_152, tie_word_embeddings=True,
    )  # fmt: skip
    plan = ModelPlan.from_config(config.to_dict())
    assert plan.parameters == 134_515_008
    assert plan.local_bytes(4, 2, 4, 0).weights / (4 * plan.parameters) < 0.6
