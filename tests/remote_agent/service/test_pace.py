"""How long passes take is learnt from those that ran, and slices of long steps delay short ones by no more than their share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from remote_agent.service.pace import ORDINARY_ROWS, ROWS_AT_ONCE, SLOWED, Cost, Pace, context_weight

STEPS = st.lists(st.tuples(st.integers(1, 1024), st.integers(0, 8000)), min_size=1, max_size=12)


def learnt(fixed: float, each: float) -> Cost:
    cost = Cost(0.0003)
    for rows in (1, 8, 3, 40, 12, 1, 9, 100):
        work = cost.work(rows, 50)
        cost.measured(work, fixed + each * work)
    return cost


def test_a_line_through_what_was_measured() -> None:
    fixed, each = learnt(0.03, 0.002).line
    assert fixed == pytest.approx(0.03, rel=1e-6)
    assert each == pytest.approx(0.002, rel=1e-6)


def test_newer_passes_count_more() -> None:
    cost = learnt(0.03, 0.002)
    for _ in range(99):
        for rows in (1, 8, 40):
            cost.measured(cost.work(rows, 0), 0.003 + 0.0002 * rows)
    assert cost.line == (pytest.approx(0.003, rel=0.3), pytest.approx(0.0002, rel=0.3))


def test_passes_that_are_all_alike_give_a_positive_cost_for_a_row() -> None:
    cost = Cost()
    for _ in range(50):
        cost.measured(8.0, 0.04)
    fixed, each = cost.line
    assert fixed >= 0
    assert each > 0


@given(STEPS, st.lists(st.integers(0, 4), min_size=12, max_size=12))
def test_everybody_gets_something_and_nobody_more_than_is_left(steps: list[tuple[int, int]], owners: list[int]) -> None:
    counts = Pace(learnt(0.03, 0.002)).portions(steps, owners[: len(steps)], 0.0)
    assert all(0 < count <= left for count, (left, _) in zip(counts, steps, strict=True))
    assert all(count == left for count, (left, _) in zip(counts, steps, strict=True) if left <= ORDINARY_ROWS)
    assert sum(counts) <= ROWS_AT_ONCE + 4 * len(steps)


@given(st.integers(100, 6000), st.integers(1, 8), st.integers(0, 6000))
def test_a_document_makes_the_pass_of_others_longer_by_no_more_than_its_share(left: int, others: int, context: int) -> None:
    cost = learnt(0.03, 0.002)
    steps = [(1, 200)] * others + [(left, context)]
    counts = Pace(cost).portions(steps, [*range(others), "document"], 0.0)
    plain = cost.seconds(sum(cost.work(1, 200) for _ in range(others)))
    least = cost.seconds(cost.work(4, context)) - cost.line[0]  # a slice of four rows is always allowed
    extra = cost.seconds(cost.work(counts[-1], context)) - cost.line[0]
    assert extra <= max(SLOWED * plain, least) * 1.0001


def test_alone_a_document_goes_in_large_slices_and_beside_somebody_active_in_small_ones() -> None:
    alone, beside = Pace(learnt(0.03, 0.002)), Pace(learnt(0.03, 0.002))
    beside.came("other", 10.0)
    steps = [(1024, 0)]
    assert alone.portions(steps, ["mine"], 10.5)[0] > 2 * beside.portions(steps, ["mine"], 10.5)[0]
    assert beside.portions(steps, ["mine"], 20.0) == alone.portions(steps, ["mine"], 20.0)


def test_who_is_due_in_a_moment_is_waited_for_and_who_is_far_away_is_not() -> None:
    pace = Pace(learnt(0.1, 0.001))
    for owner, thinks in (("near", 0.004), ("far", 0.5)):
        pace.answered(owner, 1.0)
        pace.came(owner, 1.0 + thinks)
        pace.answered(owner, 2.0)
    assert 2.0 < pace.wait_until(2.0, only_long=False) < 2.02
    pace.came("near", 2.003)
    assert pace.wait_until(2.003, only_long=False) == 2.003
    pace.answered("near", 3.0)
    pace.gone("near")
    assert pace.wait_until(3.0, only_long=True) == 3.0


def test_a_row_weighs_more_the_more_stands_before_it() -> None:
    weight = context_weight(heads=9, head_dim=64, layer_parameters=3_540_000)
    assert Cost(weight).work(1, 6000) == pytest.approx(2.95, abs=0.01)
