"""From the command to files that an agent and the application find: on the real starter model, with few tokens."""

import argparse
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from desktop_app.model.codes import find_codes
from desktop_app.model.local import LocalModel
from desktop_app.settings.paths import Paths
from desktop_app.training.command import add_arguments
from desktop_app.training.jobs import Bar, Job
from remote_agent.segment.artefacts import read

pytestmark = pytest.mark.slow


@dataclass
class Home:
    paths: Paths

    def train(self, *words: str) -> dict[Path, bytes]:
        parser = argparse.ArgumentParser()
        add_arguments(parser)
        return Job(parser.parse_args([*words, "--tokens", "1000", "--length", "4"]), self.paths).run()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, models_directory: Path, prepared_starter: LocalModel) -> Home:
    folder = tmp_path_factory.mktemp("home")
    (folder / "models").symlink_to(models_directory, target_is_directory=True)
    digest = prepared_starter.manifest.digest().hex()[:16]
    ids = prepared_starter.tokenizer.encode(
        "The contract ends in March. The tenant pays the rent until then, and gives the keys back."
    )
    texts = [[[1], ids[:10], [2], ids]] * 4
    (folder / "training").mkdir()
    (folder / "training" / f"{digest}-1000-7.json").write_text(json.dumps(texts))
    return Home(Paths(folder, folder, folder, folder))


def test_a_projection_then_what_belongs_to_it(home: Home, prepared_starter: LocalModel) -> None:
    files = home.train("projection", "--steps", "3")
    (path,) = files
    assert path.with_suffix(".svg").exists()
    codes = find_codes(prepared_starter, home.paths.codes, 4)
    assert codes.digest == files[path]
    assert codes.table.projection.log_prior is not None
    (path,) = home.train("soft-prompt", "--mu", "30")
    soft = read(path.read_bytes())
    assert (soft.kind, soft.table, soft.level) == ("soft_prompt", codes.digest, 480)
    assert soft.tensors["soft_prompt"].shape == (4, 576)
    (path,) = home.train("adapter")
    adapter = read(path.read_bytes())
    assert (adapter.kind, adapter.table, adapter.level) == ("adapter", codes.digest, 640)
    assert any(bool(tensor.abs().sum() > 0) for name, tensor in adapter.tensors.items() if name.endswith(".b"))
    assert not list((home.paths.data / "training").glob("*.part.*"))


def test_dels_recipe_lies_apart_and_is_never_taken_for_ours(home: Home, prepared_starter: LocalModel) -> None:
    before = find_codes(prepared_starter, home.paths.codes, 4).digest
    files = home.train("decoder", "--recipe", "del")
    projection, decoder = (read(path.read_bytes()) for path in files)
    assert (projection.kind, decoder.kind, decoder.table) == ("projection", "decoder", projection.digest)
    assert decoder.tensors["norm_cap"] > 0
    (path,) = home.train("soft-prompt", "--recipe", "del", "--mu", "20")
    assert read(path.read_bytes()).table == projection.digest
    assert find_codes(prepared_starter, home.paths.codes, 4).digest == before


def test_the_bar_ends_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar("adapter", 3)
    for step in (1, 2, 3):
        bar(step, 1.0)
    assert capsys.readouterr().err.endswith("3/3 loss 1.0000\n")
    assert torch.is_grad_enabled()
