"""Numbers that mean nothing are told apart by what is wrong with them, and the rules are those of the ledger."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.errors import BadBudget
from desktop_app.privacy.noise import budget
from desktop_app.privacy.noise.budget import Budget
from desktop_app.settings.noise_numbers import LEAST_MU, MOST_MU, MOST_TOKENS, Fault, read_delta, read_epsilon, read_mu


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY),
        ("  ", Fault.EMPTY),
        ("ten", Fault.NO_NUMBER),
        ("nan", Fault.NO_NUMBER),
        ("1.2.3", Fault.NO_NUMBER),
        ("0", Fault.NOT_POSITIVE),
        ("-3", Fault.NOT_POSITIVE),
        ("-inf", Fault.NOT_POSITIVE),
        ("inf", Fault.INFINITE),
        ("1e999", Fault.INFINITE),
    ],
)
def test_what_is_no_number_of_a_noise_is_told(text: str, fault: Fault) -> None:
    assert read_epsilon(text) is read_delta(text) is read_mu(text) is fault


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("20", 20),
        (" 0.5 ", 0.5),
        ("0,5", 0.5),
        ("1,5", 1.5),
        ("1e6", 1e6),
        ("1,000", 1000),
        ("1,000,000", 1e6),
        ("1 000 000", 1e6),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, number: float) -> None:
    assert read_epsilon(text) == number


def test_each_number_has_a_range_of_its_own() -> None:
    assert read_epsilon("1e16") is Fault.TOO_LARGE
    assert read_mu("0.01") is read_mu("5000") is Fault.NO_LEVEL
    assert read_delta("0.01") is read_delta("2") is Fault.TELLS_A_TOKEN
    assert read_delta("0.01", tokens=100) == 0.01
    assert read_delta(str(1 / MOST_TOKENS)) == 1 / MOST_TOKENS


@given(st.floats(allow_subnormal=False), st.floats(allow_subnormal=False))
def test_what_is_taken_here_is_a_budget_for_the_ledger(epsilon: float, delta: float) -> None:
    numbers = read_epsilon(repr(epsilon)), read_delta(repr(delta))
    if not any(isinstance(it, Fault) for it in numbers):
        Budget(epsilon, delta).check_tokens(MOST_TOKENS)
    elif Fault.TOO_LARGE not in numbers and not math.isnan(epsilon):
        with pytest.raises(BadBudget):
            Budget(epsilon, delta).check_tokens(MOST_TOKENS)


def test_the_levels_are_the_ledgers() -> None:
    assert (LEAST_MU, MOST_MU) == (budget.LEAST_MU, budget.MOST_MU)
