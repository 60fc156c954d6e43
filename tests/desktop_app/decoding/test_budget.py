from desktop_app.decoding.budget import AdaptiveBudget, FixedBudget


def test_fixed_budget_never_changes() -> None:
    budget = FixedBudget(5)
    budget.record(5, 0)
    assert (budget.limit(), budget.choose([0.5, 0.1])) == (5, 2)


def rows_spent(budget: AdaptiveBudget, steps: int, share_right: float) -> int:
    spent = 0
    for _ in range(steps):
        rows = budget.choose([0.5] * budget.limit())
        budget.record(rows, int(rows * share_right))
        spent += rows
    return spent


def test_lies_soon_cost_next_to_nothing() -> None:
    budget = AdaptiveBudget(16)
    assert rows_spent(budget, 10, 0) < 20
    assert 0 < rows_spent(budget, 90, 0) <= 10


def test_truth_opens_it_to_the_most() -> None:
    budget = AdaptiveBudget(16)
    rows_spent(budget, 50, 0)
    rows_spent(budget, 20, 1)
    assert budget.limit() == 16


def test_half_right_drafts_keep_it_open() -> None:
    budget = AdaptiveBudget(16)
    rows_spent(budget, 50, 0.5)
    assert budget.limit() > 4


def test_guesses_that_come_true_with_a_step_that_carried_none_widen_it() -> None:
    budget = AdaptiveBudget(16)
    budget.record(0, 5)
    assert budget.limit() == 16


def test_no_rows_at_all_is_possible() -> None:
    budget = AdaptiveBudget(0)
    assert budget.limit() == 0
