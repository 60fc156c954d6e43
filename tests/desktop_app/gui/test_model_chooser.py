"""The chooser names the same model that the settings keep."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop_app.gui.model_chooser import FILE, FOLDER, HUB, STARTER, ModelChooser, kind_of
from desktop_app.gui.theme import Theme


@pytest.fixture
def chooser(qtbot: QtBot, theme: Theme) -> ModelChooser:
    made = ModelChooser()
    qtbot.addWidget(made)
    return made


def test_kinds_are_told_apart(tmp_path: Path) -> None:
    assert kind_of("") == STARTER
    assert kind_of(str(tmp_path / "gone.GGUF")) == FILE
    assert kind_of(str(tmp_path)) == FOLDER
    assert kind_of("owner/name") == HUB


def test_model_comes_back_as_it_was_given(chooser: ModelChooser, tmp_path: Path) -> None:
    for model in ("", str(tmp_path / "모델 1.gguf"), str(tmp_path), "owner/name"):
        chooser.model = model
        assert chooser.model == model


def test_unusable_choices_are_explained(chooser: ModelChooser, tmp_path: Path) -> None:
    chooser.model = "owner/name"
    assert chooser.complaint == ""
    for model in ("owner/", "a/b/c", "owner name/x"):
        chooser.kind.setCurrentIndex(HUB)
        chooser.name.setText(model)
        assert "owner/name" in chooser.complaint
    chooser.name.setText("")
    assert "Choose a model" in chooser.complaint
    chooser.model = str(tmp_path / "none.gguf")
    assert "no file" in chooser.complaint
    (tmp_path / "none.gguf").write_bytes(b"GGUF")
    assert chooser.complaint == ""
    chooser.model = str(tmp_path / "none")
    assert "no folder" in chooser.complaint
    chooser.model = ""
    assert chooser.complaint == ""


def test_download_is_announced_before_it_is_chosen(chooser: ModelChooser) -> None:
    chooser.kind.setCurrentIndex(HUB)
    assert "huggingface.co" in chooser._note.text()


@pytest.mark.parametrize("model", ["/" + "a" * 300, "/" + "a" * 300 + ".gguf"])
def test_a_path_that_no_file_can_have_is_a_complaint_and_no_crash(qtbot: QtBot, model: str) -> None:
    chooser = ModelChooser()
    qtbot.addWidget(chooser)
    chooser.model = model
    assert "Choose another one" in chooser.complaint
