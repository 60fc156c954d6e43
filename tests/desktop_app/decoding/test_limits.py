import pytest

from desktop_app.decoding.errors import BrokenRule, NoRoom
from desktop_app.decoding.limits import Limits


def test_reply_is_bounded_by_the_budget_and_by_the_context() -> None:
    limits = Limits(max_tokens=10, context=50)
    assert limits.reply_room(20) == 10
    assert limits.reply_room(45) == 5


def test_prompt_that_fills_the_context_is_refused_with_both_counts() -> None:
    with pytest.raises(NoRoom, match=r"50 tokens .* holds 50"):
        Limits(max_tokens=10, context=50).reply_room(50)


def test_empty_prompt_is_refused() -> None:
    with pytest.raises(NoRoom, match="empty"):
        Limits(max_tokens=10, context=50).reply_room(0)


@pytest.mark.parametrize("values", [(0, 5, 5), (5, 0, 5), (5, 5, 0)])
def test_senseless_limits_are_refused(values: tuple[int, int, int]) -> None:
    with pytest.raises(BrokenRule):
        Limits(values[0], values[1], prompt_slice=values[2])
