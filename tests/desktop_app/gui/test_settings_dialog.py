"""What is set in the dialog is what is saved, and cancelling changes nothing."""

import shiboken6
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QLineEdit,
    QScrollArea,
    QSlider,
)
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Split
from desktop_app.chat.responder import ArchiveUnavailable
from desktop_app.chat.stored import Recovered
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.settings_dialog import SettingsDialog
from desktop_app.gui.theme import Theme
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import MODEL, ScriptedResponder
from tests.helpers.window_events import until

SHOWN = st.builds(
    Settings,
    head=st.integers(1, 14),
    tail=st.integers(1, 14),
    only_here=st.booleans(),
    model=st.sampled_from(["", "owner/name"]),
    temperature=st.integers(0, 500).map(lambda value: value / 100),
    top_k=st.integers(0, 1000),
    top_p=st.integers(0, 100).map(lambda value: value / 100),
    min_p=st.integers(0, 100).map(lambda value: value / 100),
    repetition_penalty=st.integers(1, 1000).map(lambda value: value / 100),
    seed=st.none() | st.integers(0, 2**63 - 1),
    max_tokens=st.integers(1, 1_000_000),
    drafting=st.booleans(),
    protect=st.booleans(),
    review=st.sampled_from(["first", "always", "never"]),
    shape=st.sampled_from(["off", "padded", "steady"]),
    noise=st.sampled_from(["off", "words", "all"]),
    mu=st.sampled_from([0.25, 20.0, 35.5]),
    strict_mu=st.sampled_from([0.0, 0.75, 3.0]),
    epsilon=st.floats(0.1, 1e9),
    delta=st.floats(1e-9, 1e-4),
    noisy_answers=st.booleans(),
)


@trials(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(settings=SHOWN)
def test_settings_go_round_through_the_dialog(theme: Theme, settings: Settings) -> None:
    dialog = SettingsDialog(Settings(), MODEL, theme)
    dialog.show_settings(settings)
    assert dialog.values == settings
    shiboken6.delete(dialog)


def test_save_hands_over_and_cancel_does_not(qtbot: QtBot, theme: Theme) -> None:
    saved: list[Settings] = []
    for accept in (False, True):
        dialog = SettingsDialog(Settings(), MODEL, theme)
        dialog.saved.connect(saved.append)
        dialog.open()
        dialog.split.head.setValue(7)
        dialog.drafting.setChecked(False)
        if accept:
            dialog._save.click()
        else:
            dialog._buttons.buttons()[1].click()
    assert saved == [Settings(head=7, drafting=False)]


def test_bad_seed_or_model_cannot_be_saved_and_says_why(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(Settings(), MODEL, theme)
    qtbot.addWidget(dialog)
    saved: list[Settings] = []
    dialog.saved.connect(saved.append)
    for seed in ("-1", "four", "９", str(2**63)):
        dialog.seed.setText(seed)
        assert not dialog._save.isEnabled()
        assert "whole number" in dialog.complaint.text()
    dialog.accept()
    assert saved == []
    dialog.seed.setText("12")
    assert dialog._save.isEnabled()
    dialog.model.model = "broken id"
    assert not dialog._save.isEnabled()


def test_bad_numbers_of_a_noise_cannot_be_saved(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(Settings(noise="words"), MODEL, theme)
    qtbot.addWidget(dialog)
    dialog.noise.epsilon.setText("-1")
    assert not dialog._save.isEnabled()
    assert "above 0" in dialog.complaint.text()
    dialog.noise.epsilon.setText("9")
    assert dialog._save.isEnabled()
    assert dialog.values == Settings(noise="words", epsilon=9.0)


def test_defaults_come_back(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(Settings(head=9, temperature=0.1), MODEL, theme)
    qtbot.addWidget(dialog)
    dialog._buttons.button(QDialogButtonBox.StandardButton.NoButton)
    next(button for button in dialog._buttons.buttons() if button.text() == "Defaults").click()
    assert dialog.values == Settings()


def test_every_control_has_a_name_for_a_screen_reader(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(Settings(), None, theme)
    qtbot.addWidget(dialog)
    for kind in (QAbstractSpinBox, QSlider, QComboBox, QCheckBox, QLineEdit):
        for control in dialog.findChildren(kind):
            inner = control.objectName() == "qt_spinbox_lineedit"
            assert inner or control.accessibleName() or (isinstance(control, QCheckBox) and control.text()), control


def test_figures_are_looked_up_for_the_setting_that_is_shown(theme: Theme, responder: ScriptedResponder, drive: Drive) -> None:
    asked: list[tuple[str, Split, bool, float]] = []

    async def recovered(model: str, split: Split, protect: bool, mu: float = 0.0) -> list[Recovered]:
        asked.append((model, split, protect, mu))
        if protect:
            return [Recovered(attack="exact_search", of="prompt", weights="public", share=1.0, low=0.9, high=1.0)]
        raise ArchiveUnavailable("The table could not be read. Run the audit again.")

    responder.recovered = recovered  # type: ignore[method-assign]
    dialog = SettingsDialog(Settings(), MODEL, theme)
    dialog._rest.setInterval(1)

    async def scenario() -> None:
        dialog.open()
        dialog.measure(responder, Tasks())
        await until(lambda: "Exact search · question" in dialog.recovered.lines)
        dialog.split.head.setValue(9)
        await until(lambda: asked[-1] == ("", Split(head=9, tail=2), True, 0.0))
        dialog.noise.choice.setCurrentIndex(2)
        await until(lambda: asked[-1] == ("", Split(head=9, tail=2), True, 20.0))
        await until(lambda: "18 tokens" in dialog.noise.worth.text())
        assert "can work most of it out again" in dialog.protection.words.text()
        dialog.protection.protect.setChecked(False)
        await until(lambda: "Run the audit again." in dialog.recovered.note.text())
        assert dialog.recovered.lines == []
        dialog.split.only_here.setChecked(True)
        await until(lambda: "nothing to recover" in dialog.recovered.note.text())
        assert "Nothing is sent" in dialog.protection.words.text()

    drive(scenario())
    shiboken6.delete(dialog)


def test_the_plain_words_come_first_and_are_seen_without_scrolling(qtbot: QtBot, theme: Theme) -> None:
    dialog = SettingsDialog(Settings(), MODEL, theme)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    figures = [Recovered(attack="exact_search", of="prompt", weights="public", share=1.0, low=0.9, high=1.0)] * 9
    dialog.recovered.show_recovered(figures)
    dialog.show()
    QApplication.processEvents()
    (area,) = dialog.findChildren(QScrollArea)
    words = dialog.protection.words
    assert "Not protected" in words.text()
    top = words.mapTo(area.viewport(), QPoint()).y()
    assert 0 <= top < area.viewport().height() / 3
    assert top + words.height() <= area.viewport().height()
    below = (dialog.protection.review, dialog.split, dialog.traffic, dialog.recovered, dialog.model, dialog.temperature)
    places = [widget.mapTo(area.viewport(), QPoint()).y() for widget in (words, *below)]
    assert places == sorted(places)
