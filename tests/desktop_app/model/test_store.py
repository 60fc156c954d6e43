"""What a user names becomes a model that can be run, or a sentence."""

from pathlib import Path

import pytest

from desktop_app.model.errors import ModelError, NoModel
from desktop_app.model.local import LocalModel
from desktop_app.model.store import ModelStore, ends
from tests.helpers.gguf_files import tiny_model
from tests.helpers.tokenizers_of_kinds import byte_level


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "내 model folder"
    tiny_model("llama", vocab_size=520).save_pretrained(path)
    return byte_level(path)


def test_a_folder_with_a_spaced_path_in_another_script_is_made_ready(folder: Path, tmp_path: Path) -> None:
    model = ModelStore(tmp_path / "모델").prepare(str(folder), 1, 1)
    assert model.name == "내 model folder"
    assert model.plan.layers == 4
    assert model.manifest is model.weights.manifest
    assert model.tokenizer.prompt([{"role": "user", "content": "hello"}])


def test_a_second_time_needs_only_the_prepared_model(folder: Path, tmp_path: Path) -> None:
    store = ModelStore(tmp_path / "models")
    first = store.prepare(str(folder), 1, 1)
    again = store.prepare(str(first.weights.directory), 1, 1)
    assert again.manifest.digest() == first.manifest.digest()
    assert again.name == first.name


@pytest.mark.parametrize("name", ["nothing.gguf", "no/such/folder", "./nothing", "C:\\nothing", "한국/모델.gguf"])
def test_a_path_that_is_not_there_is_a_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(NoModel, match="Check the path"):
        ModelStore(tmp_path).resolve(name)


def test_a_file_that_is_no_model_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "letter.pdf").write_bytes(b"%PDF")
    with pytest.raises(ModelError, match=r"ends in \.gguf"):
        ModelStore(tmp_path).resolve(str(tmp_path / "letter.pdf"))


def test_the_layers_of_both_ends() -> None:
    assert list(ends(30, 2, 1)) == [0, 1, 29]
    assert list(ends(3, 2, 1)) == list(ends(3, 9, 9)) == [0, 1, 2]
    assert list(ends(3, 0, 0)) == []


def test_no_name_is_the_starter_model(prepared_starter: LocalModel) -> None:
    assert prepared_starter.name == "SmolLM2-135M-Instruct"
    assert prepared_starter.plan.layers == 30


@pytest.mark.parametrize("name", ["/tmp/" + "a" * 300, "a\0b", "~nobody-of-this-name/m.gguf"])
def test_a_name_that_no_file_can_have_is_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(NoModel, match="Check the path"):
        ModelStore(tmp_path).resolve(name)
