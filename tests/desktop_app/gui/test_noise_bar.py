"""The line below the composer tells the mode and what is spent, and warns where the count promises nothing."""

import math

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import NoiseSpent
from desktop_app.gui.noise_bar import PARTS, NoiseBar
from desktop_app.gui.theme import Theme

NOISE = Noise(mu=20.0, epsilon=8.0)
SPENT = NoiseSpent(epsilon=2.0, delta=1e-6, budget=8.0, tokens=3, success=1e-3, prior=1e-6)


@pytest.fixture
def bar(qtbot: QtBot, theme: Theme) -> NoiseBar:
    made = NoiseBar()
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.mark.parametrize(
    ("begun", "only_here", "said"),
    [(False, False, "before the first question"), (True, False, "as long as this chat lives"), (True, True, "Nothing is sent.")],
)
def test_an_exact_chat_says_so_and_shows_no_meter(bar: NoiseBar, begun: bool, only_here: bool, said: str) -> None:
    bar.show_exact(begun=begun, only_here=only_here)
    assert bar.mode.text() == "Exact split …"
    assert said in bar.sentence.text()
    assert not any(part.isVisible() for part in (bar.meter, bar.budget, bar.guess))


def test_a_noisy_chat_shows_what_is_spent_of_what(bar: NoiseBar) -> None:
    bar.show_noise(NOISE, SPENT, begun=True)
    assert bar.mode.text() == "Noise (mu 20) …"
    assert bar.meter.value() == PARTS // 4
    assert "ε 2 of 8 spent" in bar.sentence.text()
    assert "1 time in 1,000" in bar.guess.text()
    assert bar.budget.isVisible()
    assert not bar.property("off")


def test_before_anything_is_spent_there_is_nothing_to_raise(bar: NoiseBar) -> None:
    bar.show_noise(NOISE, None, begun=False)
    assert "Nothing spent yet of ε 8" in bar.sentence.text()
    assert (bar.meter.value(), bar.budget.isVisible(), bar.guess.isVisible()) == (0, False, False)
    bar.show_noise(NOISE, replace(SPENT, tokens=0, epsilon=0.0, success=1e-6), begun=True)
    assert bar.budget.isVisible()
    bar.show_noise(NOISE, SPENT, begun=True, only_here=True)
    assert bar.sentence.text() == "Nothing is sent, so nothing is spent."


@pytest.mark.parametrize("spent", [replace(SPENT, success=0.5), replace(SPENT, epsilon=math.inf, success=1.0, exact=True)])
def test_where_a_guess_may_be_right_half_the_time_it_warns(bar: NoiseBar, spent: NoiseSpent) -> None:
    bar.show_noise(NOISE, spent, begun=True)
    assert bar.property("off")
    assert bar.budget.isVisible() is not spent.exact
    bar.show_exact(begun=True)
    assert not bar.property("off")


def test_the_buttons_ask(bar: NoiseBar, qtbot: QtBot) -> None:
    bar.show_noise(NOISE, SPENT, begun=True)
    with qtbot.waitSignal(bar.mode_asked):
        bar.mode.click()
    with qtbot.waitSignal(bar.budget_asked):
        bar.budget.click()
