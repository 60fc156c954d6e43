"""Systems are found by their files, each by its own, and do with codes what they say."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from desktop_app.audit.noise_systems import DEL, LINEAR, OURS, UNTRAINED, System, Systems
from desktop_app.model import codes
from desktop_app.model.listed import NotListed
from remote_agent.segment.artefacts import UnknownArtefact
from tests.helpers.noisy_bench import VOCABULARY, tiny_batches
from tests.helpers.tiny_codes import drawn, save_artefact, save_projection, tiny_projection
from tests.helpers.tiny_models import SIZES, tiny_model

MODEL, HIDDEN, DIMENSIONS = b"m" * 32, SIZES["hidden_size"], 12
PRIOR = torch.log_softmax(torch.arange(VOCABULARY).float(), 0)


@pytest.fixture
def local() -> Any:
    manifest = SimpleNamespace(digest=lambda: MODEL)
    plan = SimpleNamespace(hidden_size=HIDDEN, vocab_size=VOCABULARY, embedding_scale=1.0)
    return SimpleNamespace(manifest=manifest, plan=plan, weights=tiny_model("llama"))


def systems(local: Any, *folders: Path) -> tuple[dict[str, System], list[str]]:
    found, missing = Systems(local, tiny_batches().table, folders, PRIOR).find(["untrained", "del", "ours"])
    return {it.name: it for it in found}, missing


def save_del(folder: Path, projection: bytes, **metadata: str) -> None:
    """A decoder with a cap and two soft prompts."""
    of = {"table": projection.hex(), **metadata}
    decoder = {"decoder": torch.ones(HIDDEN, DIMENSIONS), "norm_cap": torch.tensor([0.5])}
    save_artefact(folder / "decoder.safetensors", "decoder", decoder, MODEL, **of)
    for level in (320, 640):
        soft = {"soft_prompt": torch.full((3, HIDDEN), float(level))}
        save_artefact(folder / f"soft{level}.safetensors", "soft_prompt", soft, MODEL, level=str(level), **of)


def test_without_files_only_what_is_untrained_is_there(local: Any, tmp_path: Path) -> None:
    found, missing = systems(local, tmp_path)
    assert list(found) == [UNTRAINED, LINEAR]
    assert found[UNTRAINED].table is found[LINEAR].table
    assert ["not trained yet" in sentence or "no projection" in sentence for sentence in missing] == [True, True]


def test_ours_is_what_the_application_finds_with_what_goes_with_it(local: Any, tmp_path: Path) -> None:
    digest = save_projection(tmp_path / "b.safetensors", tiny_projection(HIDDEN), MODEL)
    other = save_projection(tmp_path / "a.safetensors", tiny_projection(HIDDEN, seed=1), MODEL)
    for number, table in enumerate((digest, other)):
        soft = {"soft_prompt": torch.full((2, HIDDEN), float(number))}
        save_artefact(tmp_path / f"s{number}.safetensors", "soft_prompt", soft, MODEL, table=table.hex(), level="640")
    ours = systems(local, tmp_path)[0][OURS]
    assert codes.find_codes(local, [tmp_path], 4).digest == digest
    assert ours.searches
    assert torch.equal(ours.table.projection.matrix, tiny_projection(HIDDEN).matrix)
    soft = ours.soft_prompt(640)
    assert soft is not None
    assert soft.tolist() == torch.zeros(2, HIDDEN).tolist()
    assert ours.soft_prompt(320) is None
    assert ours.trained_for(320)
    # The prior is the attackers', the same for all.
    found = systems(local, tmp_path)[0]
    assert all(torch.allclose(system.table.log_prior, PRIOR, atol=1e-5) for system in found.values())
    assert found[UNTRAINED].table.dimensions == ours.table.dimensions == DIMENSIONS  # as many bytes


@pytest.mark.parametrize("where", ["folder", "metadata"])
def test_dels_recipe_is_found_apart(local: Any, tmp_path: Path, where: str) -> None:
    save_projection(tmp_path / "a.safetensors", tiny_projection(HIDDEN), MODEL)
    folder, metadata = (tmp_path / "del", {}) if where == "folder" else (tmp_path, {"recipe": "del"})
    digest = save_projection(folder / "projection.safetensors", tiny_projection(HIDDEN, seed=2), MODEL, **metadata)
    save_del(folder, digest, **metadata)
    found, missing = systems(local, tmp_path)
    rebuilt, ours = found[DEL], found[OURS]
    assert not missing
    assert not rebuilt.searches
    assert torch.equal(rebuilt.table.projection.matrix, tiny_projection(HIDDEN, seed=2).matrix)
    assert torch.equal(ours.table.projection.matrix, tiny_projection(HIDDEN).matrix)
    assert not ours.soft_prompts
    assert [rebuilt.trained_for(level) for level in (320, 640, 480)] == [True, True, False]
    assert len(rebuilt.files) == 4
    counts = drawn(rebuilt.table, [3, 50, 7], 320)
    codes_of = rebuilt.table.meant(counts, 320)
    capped = codes_of * (0.5 / codes_of.norm(dim=1, keepdim=True)).clamp(max=1)
    torch.testing.assert_close(rebuilt.linear(counts, 320), capped @ torch.ones(DIMENSIONS, HIDDEN))


def test_files_of_another_model_are_none(local: Any, tmp_path: Path) -> None:
    digest = save_projection(tmp_path / "del" / "p.safetensors", tiny_projection(HIDDEN), b"o" * 32)
    save_del(tmp_path / "del", digest)
    assert list(systems(local, tmp_path)[0]) == [UNTRAINED, LINEAR]
    (tmp_path / "broken.safetensors").write_bytes(b"broken")
    with pytest.raises(NotListed, match="broken"):
        systems(local, tmp_path)


def test_a_soft_prompt_of_another_width_is_refused(local: Any, tmp_path: Path) -> None:
    digest = save_projection(tmp_path / "p.safetensors", tiny_projection(HIDDEN), MODEL)
    soft = {"soft_prompt": torch.zeros(2, HIDDEN + 1)}
    save_artefact(tmp_path / "s.safetensors", "soft_prompt", soft, MODEL, table=digest.hex())
    with pytest.raises(UnknownArtefact, match="another shape"):
        systems(local, tmp_path)
