"""Sizes are what the issue asks for, and can be narrowed to what a model has."""

from desktop_app.audit.experiments import PER_CHAT
from desktop_app.audit.sizes import FULL, QUICK, narrowed, possible


def test_a_quick_audit_has_three_depths_and_a_full_one_five() -> None:
    assert QUICK.heads == (1, 4, 15)
    assert FULL.heads == (1, 2, 4, 8, 15)
    assert {2, 8} <= set(QUICK.inverter_heads) & set(FULL.inverter_heads)


def test_they_are_as_many_as_was_promised() -> None:
    assert (QUICK.repetitions * 50, FULL.repetitions * 50) == (250, 1000)
    assert 2 <= QUICK.steady_repetitions <= FULL.steady_repetitions  # one is judged from the others
    assert (QUICK.canaries, FULL.canaries) == (50, 500)
    assert QUICK.canaries % PER_CHAT == FULL.canaries % PER_CHAT == 0


def test_one_depth_is_that_depth_everywhere() -> None:
    sizes = narrowed(QUICK, 3)
    assert sizes.heads == sizes.attribute_heads == sizes.inverter_heads == (3,)
    assert narrowed(QUICK, None) == QUICK


def test_depths_that_leave_the_agent_nothing_are_left_out() -> None:
    assert possible((1, 4, 15), 2, 12) == (1, 4)
    assert possible((0, 10), 2, 12) == ()
