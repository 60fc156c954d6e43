"""A Hub model is fetched once, without what is not wanted, and never asked for again."""

from pathlib import Path

import pytest

from desktop_app.model.errors import DownloadFailed, NoModel
from desktop_app.model.hub import HUB_ID, hub_model
from desktop_app.model.store import ModelStore
from tests.helpers.gguf_files import tiny_model
from tests.helpers.tiny_hub import TinyHub
from tests.helpers.tokenizers_of_kinds import byte_level


@pytest.fixture
def hub(tmp_path: Path) -> TinyHub:
    folder = tmp_path / "hub"
    tiny_model("llama", vocab_size=520).save_pretrained(folder)
    byte_level(folder)
    (folder / "pytorch_model.bin").write_bytes(b"\x80\x04.")
    (folder / "modeling_own.py").write_text("raise SystemExit")
    return TinyHub(folder)


def test_a_model_is_fetched_with_progress_and_works_offline_afterwards(
    hub: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int]] = []
    with hub.running() as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        folder = hub_model("org/tiny", tmp_path / "models", lambda done, total: seen.append((done, total)))
    assert {file.name for file in folder.iterdir()} >= {"model.safetensors", "config.json", "tokenizer.json"}
    assert not any(name in path for path in hub.asked for name in (".bin", ".py"))
    assert not (folder / "pytorch_model.bin").exists()
    assert seen
    assert seen[-1][0] == seen[-1][1] >= (folder / "model.safetensors").stat().st_size
    asked = len(hub.asked)
    model = ModelStore(tmp_path / "models").prepare("org/tiny", 1, 1)  # the server is gone
    assert model.name == "org/tiny"
    assert len(hub.asked) == asked


@pytest.mark.slow
def test_an_interrupted_download_is_a_sentence_and_goes_on(hub: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.broken = True
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DOWNLOAD_TIMEOUT", 1, raising=False)
    with hub.running() as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(DownloadFailed, match="goes on where it stopped"):
            hub_model("org/tiny", tmp_path / "models")
        hub.broken = False
        folder = hub_model("org/tiny", tmp_path / "models")
    assert (folder / "model.safetensors").read_bytes() == (hub.folder / "model.safetensors").read_bytes()


def test_no_such_model_and_no_weights_are_sentences(hub: TinyHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hub.running() as address:
        monkeypatch.setenv("HF_ENDPOINT", address)
        with pytest.raises(NoModel, match="no model 'org/other'"):
            hub_model("org/other", tmp_path / "models")
        (hub.folder / "model.safetensors").unlink()
        with pytest.raises(NoModel, match="safetensors"):
            hub_model("org/tiny", tmp_path / "models")


def test_no_network_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(DownloadFailed, match="Check the network"):
        hub_model("org/tiny", tmp_path)


@pytest.mark.parametrize("name", ["org/name", "Qwen/Qwen3-0.6B", "a/b_c.d"])
def test_names_of_the_hub(name: str) -> None:
    assert HUB_ID.fullmatch(name)


@pytest.mark.parametrize("name", ["name", "/a/b", "./a/b", "a/b/c", "../b", "한국/모델", "a b/c"])
def test_what_is_no_name_of_the_hub(name: str) -> None:
    assert not HUB_ID.fullmatch(name)
