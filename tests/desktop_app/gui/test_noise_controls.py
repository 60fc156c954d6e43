"""The choice of noise goes round, shows what belongs to it, and refuses numbers that mean nothing."""

import pytest
import shiboken6
from hypothesis import HealthCheck, given
from hypothesis import settings as trials
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Noise, Split
from desktop_app.chat.responder import ArchiveUnavailable
from desktop_app.chat.stored import NoiseWorth, Recovered
from desktop_app.gui.noise_controls import NoiseControls, number_text
from desktop_app.gui.theme import Theme
from desktop_app.settings.noise_numbers import read_epsilon
from desktop_app.settings.settings import Settings
from tests.desktop_app.gui.conftest import Drive
from tests.helpers.scripted_responder import ScriptedResponder


@pytest.fixture
def controls(qtbot: QtBot, theme: Theme) -> NoiseControls:
    made = NoiseControls()
    qtbot.addWidget(made)
    return made


def choose(controls: NoiseControls, choice: str) -> None:
    controls.choice.setCurrentIndex(controls.choice.findData(choice))


@trials(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.builds(
        Settings,
        noise=st.sampled_from(["off", "words", "all"]),
        mu=st.floats(1 / 16, 4095.0),
        strict_mu=st.just(0.0) | st.floats(1 / 16, 4095.0),
        epsilon=st.floats(1e-3, 1e15),
        delta=st.floats(1e-12, 1e-4),
        noisy_answers=st.booleans(),
    )
)
def test_what_is_shown_is_what_is_chosen(theme: Theme, settings: Settings) -> None:
    controls = NoiseControls()
    controls.show_settings(settings)
    assert controls.put_into(Settings()) == settings
    assert controls.complaint == ""
    shiboken6.delete(controls)


@given(st.floats(1e-12, 1e15))
def test_numbers_are_written_as_they_are_read(value: float) -> None:
    assert read_epsilon(number_text(value)) == value


def test_only_what_belongs_to_the_choice_is_asked(controls: NoiseControls) -> None:
    controls.show()
    parts = (controls.mu, controls.strict, controls.answers, controls.epsilon, controls.delta)
    for choice, shown in (("off", ()), ("words", parts[1:2] + parts[3:]), ("all", parts)):
        choose(controls, choice)
        assert [part for part in parts if part.isVisible()] == list(shown)
        assert controls.worth.isVisible() == (choice != "off")
        assert "Our advice" in controls.meaning.text()


def test_the_usual_budget_goes_with_the_choice_and_ones_own_stays(controls: NoiseControls) -> None:
    choose(controls, "all")
    assert controls.epsilon.text() == "100,000"
    choose(controls, "words")
    assert controls.epsilon.text() == "20"
    controls.epsilon.setText("7")
    choose(controls, "all")
    choose(controls, "off")
    choose(controls, "words")
    assert controls.epsilon.text() == "7"


def test_strict_words_have_a_level_of_their_own(controls: NoiseControls) -> None:
    controls.show_settings(Settings(noise="all", strict_mu=0.0))
    choose(controls, "words")
    assert controls.strict.currentData() == 0.75


@pytest.mark.parametrize(
    ("epsilon", "delta", "complaint"),
    [
        ("", "1e-6", "epsilon is empty"),
        ("0", "1e-6", "epsilon must be above 0"),
        ("-2", "1e-6", "epsilon must be above 0"),
        ("inf", "1e-6", "epsilon cannot be infinite"),
        ("nan", "1e-6", "epsilon is no number"),
        ("many", "1e-6", "epsilon is no number"),
        ("20", "", "delta is empty"),
        ("20", "0", "delta must be above 0"),
        ("20", "0.01", "larger than one over the number of tokens"),
    ],
)
def test_numbers_that_mean_nothing_are_complained_of(controls: NoiseControls, epsilon: str, delta: str, complaint: str) -> None:
    choose(controls, "words")
    controls.epsilon.setText(epsilon)
    controls.delta.setText(delta)
    assert complaint in controls.complaint
    chosen = controls.put_into(Settings(epsilon=5.0, delta=1e-9))
    assert (chosen.epsilon == 5.0) == ("epsilon" in complaint)
    choose(controls, "off")
    assert controls.complaint == ""


def test_what_is_chosen_is_looked_up_at_the_noise_that_the_budget_is_spent_on(
    controls: NoiseControls, responder: ScriptedResponder, drive: Drive
) -> None:
    asked: list[tuple[str, Split, bool, float]] = []

    async def recovered(model: str, split: Split, protect: bool, mu: float = 0.0) -> list[Recovered]:
        asked.append((model, split, protect, mu))
        return []

    async def worth(noise: Noise, model: str) -> NoiseWorth:
        raise ArchiveUnavailable("It cannot be counted. Try again.")

    responder.recovered = recovered  # type: ignore[method-assign]
    settings = Settings(head=3, tail=1, model="m")

    async def scenario() -> None:
        await controls.look_up(responder, settings)
        assert asked == []
        for choice, mu in (("all", 20.0), ("words", 0.75)):
            choose(controls, choice)
            await controls.look_up(responder, settings)
            assert asked[-1] == ("m", Split(head=3, tail=1), True, mu)
            assert "not measured yet" in controls.worth.text()
            assert "18 tokens" in controls.worth.text()
        responder.noise_worth = worth  # type: ignore[method-assign]
        await controls.look_up(responder, settings)
        assert controls.worth.text() == "It cannot be counted. Try again."

    drive(scenario())
