"""The window speaks the system's language, or the one that was asked for, and no text is forgotten."""

import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_app.gui.theme import RESOURCES
from desktop_app.gui.translation import LANGUAGE_VARIABLE, window_locale

CATALOGUE = RESOURCES / "translations" / "sotto_ko.ts"
LUPDATE = shutil.which("pyside6-lupdate", path=str(Path(sys.executable).parent) + os.pathsep + os.environ.get("PATH", ""))


@pytest.mark.usefixtures("korean")
def test_korean_is_spoken_when_asked_for() -> None:
    assert QCoreApplication.translate("Composer", "Send") == "보내기"
    assert QCoreApplication.translate("Figures", "{count} pages") == "{count}쪽"


def test_language_variable_comes_before_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LANGUAGE_VARIABLE, "ko_KR")
    assert window_locale().language() == QLocale.Language.Korean
    monkeypatch.delenv(LANGUAGE_VARIABLE)
    assert window_locale() == QLocale.system()


def messages(path: Path) -> dict[tuple[str, str], str]:
    found = {}
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            found[context.findtext("name", ""), message.findtext("source", "")] = message.findtext("translation", "")
    return found


def test_every_text_is_translated_with_its_placeholders() -> None:
    for (context, source), translation in messages(CATALOGUE).items():
        assert translation, (context, source)
        wanted = {part.split("}")[0] for part in source.split("{")[1:]}
        assert {part.split("}")[0] for part in translation.split("{")[1:]} == wanted, source


def test_compiled_catalogue_is_that_of_the_texts(qapp: QApplication) -> None:
    translator = QTranslator()
    assert translator.load(str(CATALOGUE.with_suffix(".qm")))
    for (context, source), translation in messages(CATALOGUE).items():
        assert translator.translate(context, source) == translation


@pytest.mark.slow
@pytest.mark.skipif(LUPDATE is None, reason="pyside6-lupdate is not installed")
def test_catalogue_holds_the_texts_of_the_code(tmp_path: Path) -> None:
    assert LUPDATE is not None
    fresh = tmp_path / "sotto_ko.ts"
    sources = sorted(str(path) for path in (RESOURCES.parent / "desktop_app" / "gui").glob("*.py"))
    subprocess.run([LUPDATE, *sources, "-ts", str(fresh), "-locations", "none"], check=True, capture_output=True)
    assert set(messages(fresh)) == set(messages(CATALOGUE))
