"""The choice of a chat and its budget are only taken where they mean something."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.noise_dialogs import BudgetDialog, NoiseDialog, settings_of
from desktop_app.gui.noise_words import noise_of
from desktop_app.gui.reply_task import Tasks
from desktop_app.gui.theme import Theme
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import ScriptedResponder
from tests.helpers.window_events import until

WORDS = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)
SPENT = NoiseSpent(epsilon=7.5, delta=1e-6, budget=8.0, tokens=300, success=0.01, prior=1e-6)


@given(st.sampled_from(["off", "words", "all"]), st.floats(1, 100), st.booleans())
def test_a_noise_and_the_settings_that_make_it_are_one(choice: str, mu: float, noisy_answers: bool) -> None:
    noise = noise_of(Settings(noise=choice, mu=mu, noisy_answers=noisy_answers and choice == "all"))  # type: ignore[arg-type]
    assert noise_of(settings_of(noise, Settings())) == noise


def test_what_was_chosen_before_is_shown_and_bad_numbers_are_not_taken(
    qtbot: QtBot, theme: Theme, responder: ScriptedResponder, drive: Drive
) -> None:
    dialog = NoiseDialog(WORDS, Settings())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)

    async def scenario() -> None:
        dialog.open()
        dialog.measure(responder, tasks)
        assert dialog.noise == WORDS
        await until(lambda: "18 tokens" in dialog.controls.worth.text())
        dialog.controls.epsilon.setText("0")
        assert not dialog.accepting.isEnabled()
        assert "above 0" in dialog.complaint.text()
        dialog.controls.choice.setCurrentIndex(0)
        assert dialog.accepting.isEnabled()
        assert dialog.noise is None
        dialog.accept()
        await tasks.close()

    tasks = Tasks()
    drive(scenario())


def budget_dialog(qtbot: QtBot, needed: float = 0.0, spent: NoiseSpent = SPENT) -> BudgetDialog:
    dialog = BudgetDialog(WORDS, spent, ("Raise", needed))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    return dialog


@pytest.mark.parametrize(("needed", "offered"), [(0.0, 16.0), (9.0, 16.0), (100.0, 120.0), (123456.0, 150000.0)])
def test_a_budget_is_offered_that_pays_for_what_was_asked(qtbot: QtBot, theme: Theme, needed: float, offered: float) -> None:
    dialog = budget_dialog(qtbot, needed)
    assert (dialog.epsilon, dialog.delta) == (offered, 1e-6)
    assert dialog.accepting.isEnabled()


@pytest.mark.parametrize(
    ("epsilon", "delta", "complaint"),
    [
        ("", "1e-6", "is empty"),
        ("inf", "1e-6", "cannot be infinite"),
        ("16", "-1", "above 0"),
        ("16", "0.1", "one over the number of tokens"),
        ("7.5", "1e-6", "spent already"),
    ],
)
def test_a_budget_that_is_none_or_spent_is_not_taken(
    qtbot: QtBot, theme: Theme, epsilon: str, delta: str, complaint: str
) -> None:
    dialog = budget_dialog(qtbot)
    dialog._epsilon.setText(epsilon)
    dialog._delta.setText(delta)
    assert complaint in dialog.complaint.text()
    assert not dialog.accepting.isEnabled()
