"""The table of a model's codes: found by the model it belongs to, clipped after projection, the same as the agent's."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.model import listed
from desktop_app.model.codes import ModelCodes, NoCodes, find_adapter, find_codes, find_decoder, find_soft_prompt
from desktop_app.model.local import LocalModel
from desktop_app.model.store import ModelStore
from desktop_app.privacy.noise.proofs import ProvenTables
from desktop_app.privacy.noise.quantiser import Level, thresholds
from desktop_app.privacy.noise.vocabulary import worst_pair
from desktop_app.settings.paths import SHIPPED_CODES, write_atomically
from remote_agent.segment import code_table
from remote_agent.segment.ends import EMBEDDING
from tests.helpers.tiny_codes import save_artefact, save_projection, tiny_projection
from tests.helpers.tiny_models import tiny_model
from tests.helpers.tokenizers_of_kinds import byte_level


@pytest.fixture
def model(tmp_path: Path) -> LocalModel:
    tiny_model("llama", vocab_size=400).save(tmp_path / "source")
    return ModelStore(tmp_path / "models").prepare(str(byte_level(tmp_path / "source")), 2**16, 0)


def test_the_projection_that_belongs_to_the_model_is_found_and_no_other(model: LocalModel, tmp_path: Path) -> None:
    mine, foreign = tmp_path / "codes", tmp_path / "other"
    save_projection(foreign / "z.safetensors", tiny_projection(model.plan.hidden_size, seed=1), bytes(32))
    with pytest.raises(NoCodes, match="Train one"):
        find_codes(model, [foreign, tmp_path / "nowhere"], 4)
    digest = save_projection(mine / "a.safetensors", tiny_projection(model.plan.hidden_size), model.manifest.digest())
    save_artefact(mine / "b.safetensors", "decoder", {"decoder": torch.zeros(1)}, model.manifest.digest(), table=digest.hex())
    assert find_codes(model, [foreign, mine], 4).digest == digest


def test_a_projection_of_dels_recipe_is_never_taken_for_ours(model: LocalModel, tmp_path: Path) -> None:
    mine, size = model.manifest.digest(), model.plan.hidden_size
    theirs = save_projection(tmp_path / "z.safetensors", tiny_projection(size, seed=1), mine, recipe="del")
    with pytest.raises(NoCodes, match="Train one"):
        find_codes(model, [tmp_path], 4)
    ours = save_projection(tmp_path / "a.safetensors", tiny_projection(size), mine, recipe="sotto")
    assert find_codes(model, [tmp_path], 4).digest == ours
    assert find_codes(model, [tmp_path], 4, of_del=True).digest == theirs


@pytest.mark.parametrize("mu", [0.5, 20.0, 60.0])
@pytest.mark.parametrize("bits", [1, 2, 4])
def test_both_sides_draw_and_decode_by_the_same_thresholds(model: LocalModel, tmp_path: Path, mu: float, bits: int) -> None:
    save_projection(tmp_path / "codes" / "a.safetensors", tiny_projection(model.plan.hidden_size), model.manifest.digest())
    codes = find_codes(model, [tmp_path / "codes"], bits)
    ours = thresholds(codes.codes, Level(mu, bits, codes.table.dimensions))  # type: ignore[arg-type]
    theirs = code_table.thresholds(codes.table.codes, int(mu * 16), bits)
    assert np.array_equal(ours.astype(np.int64), theirs.numpy())


def test_codes_are_clipped_after_the_projection(model: LocalModel, tmp_path: Path) -> None:
    projection = tiny_projection(model.plan.hidden_size)
    save_projection(tmp_path / "codes" / "a.safetensors", projection, model.manifest.digest())
    codes = find_codes(model, [tmp_path / "codes"], 4).codes
    embeddings = model.weights.tensor(f"{EMBEDDING}.weight").double() * model.plan.embedding_scale
    meant = (embeddings @ projection.matrix.double().T).numpy() / projection.clip
    assert np.allclose(codes, np.clip(meant, -1, 1))
    assert np.abs(meant).max() > 1, "the test has nothing to clip"


def test_a_soft_prompt_is_for_one_model_table_and_level(model: LocalModel, tmp_path: Path) -> None:
    mine, size = model.manifest.digest(), model.plan.hidden_size
    table = save_projection(tmp_path / "a.safetensors", tiny_projection(size), mine)
    rows = torch.arange(2.0 * size).view(2, size)
    fitting = {"table": table.hex(), "level": "640"}
    save_artefact(tmp_path / "good.safetensors", "soft_prompt", {"soft_prompt": rows}, mine, **fitting)
    found = find_soft_prompt(model, [tmp_path], table, 640)
    assert found is not None
    assert torch.equal(found, rows)
    assert find_soft_prompt(model, [tmp_path], table, 480) is None
    assert find_adapter(model, [tmp_path], table, 640) is None
    adapter = save_artefact(
        tmp_path / "adapter.safetensors", "adapter", {"x.a": rows, "x.b": rows.T.contiguous()}, mine, **fitting
    )
    assert find_adapter(model, [tmp_path], table, 640) == adapter
    assert find_adapter(model, [tmp_path], table, 480) is None
    assert find_soft_prompt(model, [tmp_path], bytes(32), 640) is None
    for name, tensor, of, metadata in (
        ("shape", rows[:, 1:].clone(), mine, fitting),
        ("model", rows, bytes(32), fitting),
        ("no level", rows, mine, {"table": table.hex()}),
    ):
        (tmp_path / "good.safetensors").unlink(missing_ok=True)
        save_artefact(tmp_path / "good.safetensors", "soft_prompt", {"soft_prompt": tensor}, of, **metadata)
        assert find_soft_prompt(model, [tmp_path], table, 640) is None, name


def test_a_linear_decoder_is_for_one_model_and_table(model: LocalModel, tmp_path: Path) -> None:
    mine, size = model.manifest.digest(), model.plan.hidden_size
    table = save_projection(tmp_path / "a.safetensors", tiny_projection(size), mine)
    codes = find_codes(model, [tmp_path], 4)
    matrix = torch.randn(size, codes.table.dimensions)
    for name, tensor, of, metadata in (
        ("other model", matrix, bytes(32), {"table": table.hex()}),
        ("other table", matrix, mine, {"table": bytes(32).hex()}),
        ("other shape", matrix[1:].clone(), mine, {"table": table.hex()}),
    ):
        save_artefact(tmp_path / f"{name}.safetensors", "decoder", {"decoder": tensor}, of, **metadata)
    assert find_decoder(model, [tmp_path], codes) is None
    save_artefact(tmp_path / "b.safetensors", "decoder", {"decoder": matrix}, mine, table=table.hex())
    found = find_decoder(model, [tmp_path], codes)
    assert found is not None
    assert torch.equal(found, matrix)


def _find(model: LocalModel, kind: str, folder: Path, table: bytes) -> object:
    match kind:
        case "projection":
            return find_codes(model, [folder], 4)
        case "soft_prompt":
            return find_soft_prompt(model, [folder], table, 640)
        case "adapter":
            return find_adapter(model, [folder], table, 640)
        case _:
            # Without the projection, which may be what was changed.
            return find_decoder(model, [folder], ModelCodes(None, table))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["projection", "soft_prompt", "adapter", "decoder"])
@given(place=st.integers(0, 10**6), bit=st.integers(0, 7))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_changed_by_one_bit_is_refused_by_name(model: LocalModel, tmp_path: Path, kind: str, place: int, bit: int) -> None:
    folder, size = tmp_path / "codes", model.plan.hidden_size
    path, whole = folder / "it.safetensors", tmp_path / "whole"
    if whole.exists():
        pass
    elif kind == "projection":
        save_projection(folder / "it.safetensors", tiny_projection(size), model.manifest.digest())
    else:
        level = {} if kind == "decoder" else {"level": "640"}
        tensors = {"soft_prompt": torch.ones(2, size)}
        save_artefact(folder / "it.safetensors", kind, tensors, model.manifest.digest(), table=bytes(32).hex(), **level)
    if not whole.exists():
        whole.write_bytes(path.read_bytes())
    data = bytearray(whole.read_bytes())
    data[place % len(data)] ^= 1 << bit
    path.write_bytes(data)
    with pytest.raises(listed.NotListed, match=r"it\.safetensors .*train it anew"):
        _find(model, kind, folder, bytes(32))


@pytest.mark.slow
def test_the_starter_model_has_a_projection_and_what_is_shipped_as_proven_is_true(prepared_starter: LocalModel) -> None:
    codes = find_codes(prepared_starter, [SHIPPED_CODES], 4)
    assert codes.table.dimensions == 128
    assert codes.table.projection.log_prior is not None
    level = Level(20.0, 4, 128)
    shipped = ProvenTables([SHIPPED_CODES], partial(listed.write, replace=write_atomically), listed.is_listed)(
        codes.digest.hex(), level
    )
    assert shipped == pytest.approx(worst_pair(thresholds(codes.codes, level), level).rho, rel=1e-3)
