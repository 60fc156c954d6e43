"""The expected tensors are exactly those of transformers' models, and anything else is a sentence."""

from typing import Any

import pytest

from remote_agent.segment.errors import BadModelFile
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.shapes import check_shapes, expected_shapes
from tests.helpers.gguf_files import tiny_model

KINDS = ("llama", "mistral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tied", [True, False])
def test_the_tensors_of_every_family(kind: str, tied: bool) -> None:
    model = tiny_model(kind, tie_word_embeddings=tied)
    plan = ModelPlan.from_config(model.config.to_dict())
    theirs = {name: tuple(tensor.shape) for name, tensor in model.state_dict().items() if not (tied and name == "lm_head.weight")}
    assert expected_shapes(plan) == theirs


def test_biases_are_expected_where_the_config_says_so() -> None:
    model = tiny_model("llama", attention_bias=True, mlp_bias=True)
    shapes = expected_shapes(ModelPlan.from_config(model.config.to_dict()))
    assert shapes == {name: tuple(value.shape) for name, value in model.state_dict().items() if name in shapes}
    assert sum(name.endswith(".bias") for name in shapes) == 4 * 7


@pytest.mark.parametrize(
    ("change", "words"), [({"model.norm.weight": (31,)}, "of shape"), ({"model.norm.weight": None}, "lacks")]
)
def test_a_wrong_or_missing_tensor_is_named(change: dict[str, Any], words: str) -> None:
    plan = ModelPlan.from_config(tiny_model("llama").config.to_dict())
    found = {name: shape for name, shape in (expected_shapes(plan) | change).items() if shape is not None}
    with pytest.raises(BadModelFile, match=rf"m\.gguf .*{words}.*model\.norm\.weight|m\.gguf .*model\.norm\.weight.*{words}"):
        check_shapes(plan, found, "m.gguf")
