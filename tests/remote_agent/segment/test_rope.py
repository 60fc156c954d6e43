"""Frequencies against transformers' own, bit for bit, and the turning itself."""

from typing import Any

import pytest
import torch
from transformers import LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

from remote_agent.segment.rope import Rope, RopeTable, rotate

PARAMETERS: list[dict[str, Any]] = [
    {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0},
    {
        "rope_type": "llama3", "rope_theta": 500_000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192,
    },
    {"rope_type": "yarn", "rope_theta": 1_000_000.0, "factor": 4.0, "original_max_position_embeddings": 32_768},
    {
        "rope_type": "yarn", "rope_theta": 1e4, "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 0.5, "beta_fast": 20.0,
        "truncate": False,
    },
    {"rope_type": "yarn", "rope_theta": 1e4, "factor": 2.0, "attention_factor": 1.25},
]  # fmt: skip


@pytest.mark.parametrize("parameters", PARAMETERS, ids=lambda parameters: parameters["rope_type"])
def test_scaled_frequencies_are_transformers_own(parameters: dict[str, Any]) -> None:
    config = LlamaConfig(hidden_size=512, num_attention_heads=4, max_position_embeddings=4096, rope_parameters=dict(parameters))
    expected, factor = ROPE_INIT_FUNCTIONS[parameters["rope_type"]](config, "cpu")
    rope = Rope.from_parameters(parameters, 4096)
    assert torch.allclose(rope.frequencies(128), expected, rtol=2e-7, atol=0)
    assert rope.attention_factor == pytest.approx(factor)


def test_turning_equals_transformers_and_the_table_grows() -> None:
    rope, positions = Rope(10_000.0), torch.tensor([0, 3, 3, 5000])
    table = RopeTable(rope, 16, torch.device("cpu"), torch.float32)
    heads = torch.randn(4, 2, 16)
    angles = positions[:, None].float() * rope.frequencies(16)
    angles = torch.cat((angles, angles), dim=-1)
    expected, _ = apply_rotary_pos_emb(heads[None], heads[None], angles.cos()[None], angles.sin()[None], unsqueeze_dim=2)
    assert torch.allclose(rotate(heads, table.at(positions, 5000)), expected[0], atol=1e-6)
