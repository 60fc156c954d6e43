"""Fixtures for the whole suite: the starter model, fetched and converted once on a machine."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
import pytest

if TYPE_CHECKING:
    from desktop_app.model.local import LocalModel


def _test_data() -> Path:
    """Where what tests download is kept between runs: $SOTTO_TEST_DATA, else the user's cache directory."""
    given = os.environ.get("SOTTO_TEST_DATA")
    return Path(given) if given else Path(platformdirs.user_cache_dir("sotto")) / "tests"


@pytest.fixture(scope="session")
def models_directory() -> Path:
    """Models of this machine: the user's own where the starter model is there already, else one kept for tests."""
    from desktop_app.model.starter import FILE_NAME, FILE_SIZE
    from desktop_app.settings.paths import user_paths

    own = user_paths().models
    file = own / FILE_NAME
    if "SOTTO_TEST_DATA" not in os.environ and file.exists() and file.stat().st_size == FILE_SIZE:
        return own
    directory = _test_data() / "models"
    directory.mkdir(parents=True, exist_ok=True)
    return directory


@pytest.fixture(scope="session")
def starter_model(models_directory: Path) -> Path:
    """The starter model's GGUF file."""
    from desktop_app.model.starter import starter_model

    return starter_model(models_directory)


@pytest.fixture(scope="session")
def prepared_starter(models_directory: Path, starter_model: Path) -> "LocalModel":
    """The starter model with all its layers on this machine, converted at the first run of the suite."""
    from desktop_app.model.store import ModelStore

    return ModelStore(models_directory).prepare("", head=30, tail=0)
