"""What is said of noise promises nothing that does not hold, and its numbers are those that were counted."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import NoiseSpent, NoiseWorth, Recovered
from desktop_app.gui import noise_words
from desktop_app.settings.noise_numbers import Fault
from desktop_app.settings.settings import Settings

ALL = Noise(mu=40.0, epsilon=1e6)
WORDS = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)
SPENT = NoiseSpent(epsilon=3.21, delta=1e-6, budget=20.0, tokens=1234, success=1 / 6543, prior=1e-6)


@pytest.mark.parametrize("noisy_answers", [False, True])
def test_settings_become_the_noise_that_they_say(noisy_answers: bool) -> None:
    assert noise_words.noise_of(Settings()) is None
    chosen = Settings(noise="all", mu=30.0, strict_mu=0.5, epsilon=9.0, delta=1e-7, noisy_answers=noisy_answers)
    answers = "codes" if noisy_answers else "exact"
    assert noise_words.noise_of(chosen) == Noise(mu=30.0, strict_mu=0.5, epsilon=9.0, delta=1e-7, answers=answers)
    words = noise_words.noise_of(Settings(noise="words", noisy_answers=noisy_answers))
    assert words is not None
    assert (words.rest, words.per, words.answers, words.strict_mu, words.epsilon) == ("exact", "value", "exact", 0.75, 20.0)


def test_where_only_some_words_are_noisy_they_are_noisy_whatever_the_settings_say_of_their_level() -> None:
    words = noise_words.noise_of(Settings(noise="words", strict_mu=0.0, mu=20.0))
    assert words is not None
    assert words.strict_mu == noise_words.limiting_mu(words) == 20.0
    assert noise_words.limiting_mu(ALL) == 40.0


@pytest.mark.parametrize("choice", ["off", "words", "all"])
def test_every_choice_says_its_weak_side_and_nothing_is_called_safe(choice: str) -> None:
    said = noise_words.choice_sentence(choice)
    assert "Whoever runs the agent" in said or "whoever has the model" in said
    assert not any(word in said.casefold() for word in ("secure", "private", "safe", "encrypt", "guarantee", "anonym"))
    assert noise_words.choice_name(choice)


def test_that_an_exact_answer_can_be_read_is_said() -> None:
    assert "the agent can read them" in noise_words.answers_sentence(ALL)
    assert "charged" in noise_words.answers_sentence(Noise(epsilon=1.0, answers="codes"))


def test_a_level_has_a_word_and_its_number() -> None:
    assert noise_words.level_name(20.0) == "middling (mu 20)"
    assert noise_words.level_name(35.0) == "mu 35"
    assert noise_words.level_name(0.75, strict=True) == "strict (mu 0.75)"
    assert noise_words.level_name(0.0, strict=True) == "as for every other word"
    assert [noise_words.mode_name(noise) for noise in (None, ALL, WORDS)] == [
        "Exact split",
        "Noise (mu 40)",
        "Strict words (mu 0.75)",
    ]


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (1.0, "as good as always"),
        (0.97, "97 % of the time"),
        (0.1, "10 % of the time"),
        (1 / 6543, "1 time in 6,500"),
        (1e-6, "1 time in 1,000,000"),
    ],
)
def test_chances_are_said_as_people_say_them(chance: float, text: str) -> None:
    assert noise_words.chance_text(chance) == text


def test_what_was_spent_is_told_with_budget_delta_and_tokens() -> None:
    assert noise_words.spent_sentence(SPENT, ALL) == "ε 3.21 of 20 spent (δ 1e-6), 1,234 tokens."
    assert "most exposed name or number" in noise_words.spent_sentence(SPENT, WORDS)
    assert noise_words.spent_sentence(None, ALL) == "Nothing spent yet of ε 1,000,000 for this chat (δ 1e-6)."
    assert "for each name or number" in noise_words.spent_sentence(None, WORDS)
    assert noise_words.guess_sentence(SPENT.success).startswith(
        "A guess that was right once in a million may then be right 1 time"
    )


def test_after_exact_rows_nothing_is_said_to_be_hidden() -> None:
    gone = NoiseSpent(epsilon=math.inf, delta=1e-6, budget=20.0, tokens=3, success=1.0, prior=1e-6, exact=True)
    assert noise_words.spent_sentence(gone, ALL) == "Exact rows have left in this chat, so its noise hides nothing: ε ∞."


def test_a_budget_that_pays_for_nothing_and_a_count_that_bounds_nothing_are_said_to_be_that() -> None:
    nothing = noise_words.worth_sentence(NoiseWorth(epsilon=868.3, success=1.0, prior=1e-6, tokens=0), ALL)
    assert "nothing could be sent" in nothing
    assert "ε 868" in nothing
    assert "That bounds nothing" in nothing
    assert "worst case" not in nothing
    unknown = noise_words.worth_sentence(NoiseWorth(epsilon=1.0, success=1.0, prior=1e-6, tokens=0, proven=False), ALL)
    assert "may be less" in unknown
    some = noise_words.worth_sentence(NoiseWorth(epsilon=3.52, success=3.1e-5, prior=1e-6, tokens=18), WORDS)
    assert "18 tokens of each name or number" in some
    assert "1 time in 32,000" in some


def row(**changes: object) -> Recovered:
    values: dict[str, object] = {
        "attack": "map", "of": "prompt", "weights": "public", "share": 0.5, "prior_only": 0.06, "mu": 40.0,
    }  # fmt: skip
    return Recovered(**(values | changes))  # type: ignore[arg-type]


def test_the_best_attack_is_told_beside_what_is_left_of_the_answer() -> None:
    rows = [
        row(),
        row(attack="map_with_model", share=0.83),
        row(attack="agreement", of="reply", share=0.81, prior_only=0.64, utility=True),
        row(attack="traffic", share=0.99, unit="texts"),
    ]
    said = noise_words.measured_sentence(rows, ALL)
    assert "the best attack gets back 83 % of the noisy words (6 % by guessing)" in said
    assert "81 % of places (64 % with no question at all)" in said
    assert "itself" not in said
    assert "At mu 35 itself nothing is measured." in noise_words.measured_sentence(rows, Noise(mu=35.0, epsilon=1.0))


@pytest.mark.parametrize("rows", [[], [row(measured=False)], [row(utility=True)]])
def test_what_is_not_measured_is_no_protection(rows: list[Recovered]) -> None:
    said = noise_words.measured_sentence(rows, WORDS)
    assert said == "What attackers get back at mu 0.75 is not measured yet. Do not take that for protection."


@pytest.mark.parametrize("fault", list(Fault))
def test_every_fault_has_a_sentence_with_its_name(fault: Fault) -> None:
    assert noise_words.fault_sentence(fault, "The budget's delta").startswith("The budget's delta ")


@given(st.floats(1e-9, 1.0))
def test_a_rarer_guess_is_never_said_to_be_a_sure_one(chance: float) -> None:
    assert (noise_words.chance_text(chance) == "as good as always") == (chance >= 0.995)
