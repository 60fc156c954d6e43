"""Whatever names a model leads to the same weights, once, quickly thereafter."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file

from remote_agent.segment.errors import BadModelFile, OtherModel, SegmentError, UnsupportedModel
from remote_agent.segment.preparation import prepare
from remote_agent.segment.weights import open_weights
from tests.helpers import tiny_models
from tests.helpers.gguf_files import tiny_model, write_gguf

NAME = "model.layers.1.self_attn.q_proj.weight"


@pytest.fixture
def gguf_path(tmp_path: Path) -> Path:
    folder = tmp_path / "my 모델 [1]"
    folder.mkdir()
    return write_gguf(folder / "tiny model [x].gguf", tiny_model("llama"), "llama")


def never(done: int, total: int) -> None:
    raise AssertionError("nothing was to be done")


def test_a_gguf_file_is_converted_once(gguf_path: Path, tmp_path: Path) -> None:
    first = prepare(gguf_path, tmp_path / "models", layers=[1], ends=False)
    assert first.layers == [1]
    assert first.directory.name == f"tiny-model-x--{first.manifest.source[:12]}"
    again = prepare(gguf_path, tmp_path / "models", layers=[1], ends=False, progress=never)
    assert again.manifest.digest() == first.manifest.digest()


def test_more_layers_come_later_also_by_the_prepared_directory(gguf_path: Path, tmp_path: Path) -> None:
    first = prepare(gguf_path, tmp_path / "models", layers=lambda count: range(1, count - 1), ends=False)
    assert first.layers == [1, 2]
    all_of_it = prepare(first.directory, tmp_path / "unused")
    assert all_of_it.layers == [0, 1, 2, 3]
    assert all_of_it.has_ends
    all_of_it.verify()


def test_a_missing_source_matters_only_when_it_is_needed(gguf_path: Path, tmp_path: Path) -> None:
    directory = prepare(gguf_path, tmp_path / "models", layers=[1], ends=False).directory
    gguf_path.unlink()
    assert prepare(directory, tmp_path, layers=[1], ends=False).layers == [1]
    with pytest.raises(BadModelFile, match="gone"):
        prepare(directory, tmp_path, layers=[2], ends=False)


def test_a_changed_file_is_another_model_and_a_copy_is_the_same(gguf_path: Path, tmp_path: Path) -> None:
    first = prepare(gguf_path, tmp_path / "models", layers=[0])
    copy = Path(shutil.copy(gguf_path, tmp_path / gguf_path.name))
    assert prepare(copy, tmp_path / "models", layers=[0]).directory == first.directory
    write_gguf(gguf_path, tiny_model("llama", seed=1), "llama")
    os.utime(gguf_path, ns=(1, 1))
    other = prepare(gguf_path, tmp_path / "models", layers=[0])
    assert other.directory != first.directory
    assert other.manifest.digest() != first.manifest.digest()


def test_a_folder_is_read_in_place_and_hashed_once(tmp_path: Path) -> None:
    model = tiny_model("qwen3")
    model.save_pretrained(tmp_path / "폴더 f")
    weights = prepare(tmp_path / "폴더 f", tmp_path / "models")
    assert torch.equal(weights.tensor(NAME), model.state_dict()[NAME])
    assert not list(weights.directory.glob("*.safetensors"))
    weights.verify()
    assert prepare(tmp_path / "폴더 f", tmp_path / "models", progress=never).directory == weights.directory


def test_how_a_folder_is_sharded_does_not_matter(tmp_path: Path) -> None:
    model = tiny_model("llama")
    model.save_pretrained(tmp_path / "a")
    model.save_pretrained(tmp_path / "b", max_shard_size="20KB")
    assert len(list((tmp_path / "b").glob("*.safetensors"))) > 1
    digests = {prepare(tmp_path / name, tmp_path / "models").manifest.digest() for name in "ab"}
    assert len(digests) == 1


def test_a_folder_with_one_gguf_file_means_that_file(gguf_path: Path, tmp_path: Path) -> None:
    assert prepare(gguf_path.parent, tmp_path / "models", layers=[0]).layers == [0]
    shutil.copy(gguf_path, gguf_path.parent / "second.gguf")
    with pytest.raises(BadModelFile, match="2 GGUF files"):
        prepare(gguf_path.parent, tmp_path / "models")


def test_what_cannot_be_run_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.for_model("mamba", hidden_size=16, num_hidden_layers=1, vocab_size=16, state_size=4)
    AutoModelForCausalLM.from_config(config).save_pretrained(tmp_path / "mamba")
    with pytest.raises((UnsupportedModel, BadModelFile)):
        prepare(tmp_path / "mamba", tmp_path / "models")
    assert not (tmp_path / "models").exists()


@pytest.mark.parametrize("name", ["nothing.gguf", "nothing", "empty"])
def test_no_model_is_a_sentence(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(SegmentError, match=r"Check the path|Choose|config\.json"):
        prepare(tmp_path / name, tmp_path / "models")


@pytest.mark.slow
def test_two_processes_at_once_make_one_model(gguf_path: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from remote_agent.segment.preparation import prepare\n"
        "weights = prepare(Path(sys.argv[1]), Path(sys.argv[2])); weights.verify(); print(weights.manifest.digest().hex())\n"
    )
    command = [sys.executable, "-c", script, str(gguf_path), str(tmp_path / "models")]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [process.communicate()[0] for process in running]
    assert [process.returncode for process in running] == [0, 0]
    assert outputs[0] == outputs[1] != ""
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_altered_weights_are_an_error_and_not_noise(tmp_path: Path) -> None:
    folder = tiny_models.tiny_model("llama").save(tmp_path / "tiny")
    models = tmp_path / "models"
    weights = prepare(folder, models)
    weights.tensor("model.layers.1.mlp.up_proj.weight")
    tensors = load_file(folder / "model.safetensors")
    name = "model.layers.1.mlp.up_proj.weight"
    save_file(tensors | {name: tensors[name].flip(0).contiguous()}, folder / "model.safetensors")
    # By its manifest the prepared model is still the old one; the file is not.
    with pytest.raises(OtherModel, match="up_proj"):
        open_weights(weights.directory).tensor(name)


def test_a_manifest_of_another_program_does_not_make_a_folder_ours(tmp_path: Path) -> None:
    folder = tiny_models.tiny_model("llama").save(tmp_path / "tiny")
    (folder / "manifest.json").write_text('{"files": []}')
    assert prepare(folder, tmp_path / "models").directory.parent == tmp_path / "models"
    assert prepare(prepare(folder, tmp_path / "models").directory, tmp_path / "models").layers
