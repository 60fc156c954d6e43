"""Layers loaded with an adapter compute W + b a; adapters of other models, tables and shapes are refused."""

from pathlib import Path

import pytest
import torch

from remote_agent.segment.adapted_weights import AdaptedWeights, adapter_of
from remote_agent.segment.artefacts import UnknownArtefact, read
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Segment
from tests.helpers.tiny_codes import save_artefact
from tests.helpers.tiny_models import tiny_model

MODEL, TABLE = bytes(range(32)), bytes(range(32, 64))
LAYER = "model.layers.1.self_attn.q_proj"


def adapter(rank: int = 2, out: int = 48, into: int = 48) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(1)
    return {
        f"{LAYER}.a": torch.randn(rank, into, generator=generator),
        f"{LAYER}.b": torch.randn(out, rank, generator=generator),
    }


def rows(weights: object) -> torch.Tensor:
    model = tiny_model("llama")
    segment = Segment(ModelPlan.from_config(model.config), weights, 0, 3, dtype=torch.float32)  # type: ignore[arg-type]
    segment.open(1, 8)
    return segment.run(1, 0, -1, 0, range(-1, 3), torch.randn(4, 48, generator=torch.Generator().manual_seed(2)))


def test_layers_compute_with_the_changed_weights_and_the_others_stay() -> None:
    plain, changed = tiny_model("llama"), tiny_model("llama")
    with torch.no_grad():
        changed.reference.get_submodule(LAYER).weight += adapter()[f"{LAYER}.b"] @ adapter()[f"{LAYER}.a"]
    torch.testing.assert_close(rows(AdaptedWeights(plain, adapter())), rows(changed), rtol=1e-4, atol=1e-4)
    assert not torch.allclose(rows(plain), rows(changed))
    assert torch.equal(AdaptedWeights(plain, adapter()).tensor("model.norm.weight"), plain.tensor("model.norm.weight"))


def test_an_adapter_for_other_shapes_is_refused() -> None:
    with pytest.raises(UnknownArtefact, match="another shape"):
        AdaptedWeights(tiny_model("llama"), adapter(out=50)).tensor(f"{LAYER}.weight")


def test_a_file_is_taken_for_its_model_and_table_only(tmp_path: Path) -> None:
    path = tmp_path / "a.safetensors"
    save_artefact(path, "adapter", adapter(), MODEL, table=TABLE.hex(), level="320")
    assert adapter_of(read(path.read_bytes()), MODEL, TABLE).keys() == adapter().keys()
    for model, table in ((TABLE, TABLE), (MODEL, MODEL)):
        with pytest.raises(UnknownArtefact, match="made for another"):
            adapter_of(read(path.read_bytes()), model, table)


@pytest.mark.parametrize(
    "tensors",
    [
        {},
        {f"{LAYER}.a": torch.ones(2, 48)},
        {f"{LAYER}.a": torch.ones(2, 48), f"{LAYER}.b": torch.ones(48, 3)},
        {f"{LAYER}.a": torch.ones(48), f"{LAYER}.b": torch.ones(48, 2)},
        {f"{LAYER}.c": torch.ones(2, 48)},
    ],
)
def test_one_that_is_not_whole_is_refused(tmp_path: Path, tensors: dict[str, torch.Tensor]) -> None:
    path = tmp_path / "a.safetensors"
    save_artefact(path, "adapter", tensors, MODEL, table=TABLE.hex())
    with pytest.raises(UnknownArtefact, match="Fetch it again"):
        adapter_of(read(path.read_bytes()), MODEL, TABLE)
