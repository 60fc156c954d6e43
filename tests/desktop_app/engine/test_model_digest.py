"""A name stands for the model that was prepared from just this file, and for none where that is not known."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from desktop_app.engine.model_digest import model_digest
from desktop_app.model.store import ModelStore
from tests.helpers.prepared_models import prepared, prepared_starter


def test_two_files_of_one_name_are_two_models(tmp_path: Path) -> None:
    models, one, other = tmp_path / "models", tmp_path / "a" / "model.gguf", tmp_path / "b" / "model.gguf"
    digests = [prepared(models, one, b"one"), prepared(models, other, b"other")]
    assert [model_digest(str(path), models) for path in (one, other)] == digests
    assert model_digest(str(tmp_path / "c" / "model.gguf"), models) is None


def test_a_file_that_was_changed_is_not_known_any_more(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    digest = prepared(tmp_path / "models", path, b"one")
    assert model_digest(str(path), tmp_path / "models") == digest
    os.utime(path, (1, 1))
    assert model_digest(str(path), tmp_path / "models") is None
    path.unlink()
    assert model_digest(str(path), tmp_path / "models") is None


def test_a_folder_and_a_model_of_the_hub_are_known(tmp_path: Path) -> None:
    models = tmp_path / "models"
    mine, hub = prepared(models, tmp_path / "mine", b"1"), prepared(models, models / "hub" / "org--name", b"2")
    assert model_digest(str(tmp_path / "mine"), models) == mine
    assert model_digest("org/name", models) == hub


def test_the_starter_is_known_by_the_hash_of_its_file(tmp_path: Path) -> None:
    assert model_digest("", tmp_path) is None
    digest = prepared_starter(tmp_path)
    assert model_digest("", tmp_path) == digest


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff"])
def test_a_broken_origin_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    prepared(tmp_path / "models", path)
    next((tmp_path / "models").glob("*/origin.json")).write_bytes(content)
    assert model_digest(str(path), tmp_path / "models") is None


def test_torch_is_not_needed() -> None:
    program = "import sys, desktop_app.engine.model_digest; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"


@pytest.mark.slow
def test_it_is_the_digest_that_the_handshake_compares(models_directory: Path, starter_model: Path) -> None:
    assert model_digest("", models_directory) == ModelStore(models_directory).prepare("", 1, 1).manifest.digest().hex()
