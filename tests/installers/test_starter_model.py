"""The starter model is fetched by the application's own code; here only what is shown and told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop_app.model.errors import DownloadFailed
from installers import starter_model

Fetch = Callable[[Path, Callable[[int, int], None]], Path]


def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fetch: Fetch) -> int:
    monkeypatch.setenv("SOTTO_HOME", str(tmp_path))
    monkeypatch.setattr(starter_model, "starter_model", fetch)
    return starter_model.main()


def test_one_that_is_there_is_not_talked_about(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, lambda models, progress: models / "model.gguf") == 0
    assert capsys.readouterr().out == ""


def test_one_that_is_fetched_is_shown_with_its_size_and_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fetch(models: Path, progress: Callable[[int, int], None]) -> Path:
        progress(50_000_000, 93_000_000)
        progress(93_000_000, 93_000_000)
        return models / "model.gguf"

    assert run(monkeypatch, tmp_path, fetch) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown == [
        "  downloading starter model SmolLM2-135M-Instruct (93 MB)",
        f"The starter model is in {tmp_path / 'data' / 'models'}",
    ]


def test_a_failure_is_a_sentence_and_a_status(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def fetch(models: Path, progress: Callable[[int, int], None]) -> Path:
        raise DownloadFailed("The starter model could not be downloaded: no network.")

    assert run(monkeypatch, tmp_path, fetch) == 1
    assert capsys.readouterr().err.strip() == "The starter model could not be downloaded: no network."
