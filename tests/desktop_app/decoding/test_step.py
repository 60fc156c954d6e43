from dataclasses import FrozenInstanceError

import pytest

from desktop_app.decoding.step import Draw, Step


def test_steps_are_values_that_nobody_can_change() -> None:
    step = Step(0, 0, 0, -1, 0, (5,), (-1,), (0,))
    assert step == Step(0, 0, 0, -1, 0, (5,), (-1,), (0,))
    with pytest.raises(FrozenInstanceError):
        step.commit = 3  # type: ignore[misc]


def test_draws_are_certain_unless_said_otherwise() -> None:
    assert Draw(0, 1).certain
