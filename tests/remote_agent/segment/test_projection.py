"""Every layout multiplies alike."""

import pytest
import torch

from remote_agent.segment import projection
from remote_agent.segment.projection import project

CPU = torch.device("cpu")


class Source(dict[str, torch.Tensor]):
    """A weights source of given tensors."""

    def tensor(self, name: str) -> torch.Tensor:
        return self[name]


@pytest.fixture
def source() -> Source:
    tensors = Source()
    for name, out in (("a", 24), ("b", 8)):
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = torch.randn(out, 32), torch.randn(out)
    return tensors


@pytest.mark.parametrize("packs", [True, False], ids=["packed if it can", "as it lies"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("bias", [True, False])
def test_joined_layers_give_their_outputs_side_by_side(
    source: Source, bias: bool, dtype: torch.dtype, packs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not packs:
        monkeypatch.setattr(projection, "can_pack", lambda dtype: False)
    for count in (1, 2, 17):
        rows = torch.randn(count, 32).to(dtype)
        parts = [rows.float() @ source[f"{name}.weight"].T + bias * source[f"{name}.bias"] for name in "ab"]
        got = project(source, ["a", "b"], bias, CPU, dtype)(rows)
        assert got.dtype == dtype
        assert torch.allclose(got.float(), torch.cat(parts, dim=1), atol=1e-4 if dtype == torch.float32 else 0.3)
        assert project(source, ["b"], bias, CPU, dtype)(rows).shape == (count, 8)


def test_mapped_tensors_are_used_where_they_lie_when_nothing_has_to_be_converted(
    source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projection, "can_pack", lambda dtype: False)
    apart = project(source, ["a", "b"], False, CPU, torch.float32)
    source["a.weight"].zero_()
    assert (apart(torch.ones(1, 32))[0, :24] == 0).all()


def test_only_kinds_of_numbers_that_are_computed_are_packed() -> None:
    assert not projection.can_pack(torch.float64)
