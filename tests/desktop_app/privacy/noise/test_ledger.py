"""A conversation keeps its mode for life, only rows that its way allows may leave, and nothing is drawn beyond the budget."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.archive.database import Archive
from desktop_app.privacy.errors import BadBudget, BadLevel
from desktop_app.privacy.noise import vocabulary
from desktop_app.privacy.noise.accounting import Loss
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.draws import SCHEMA, Draws, Unit
from desktop_app.privacy.noise.ledger import BudgetExceeded, Kind, Ledger, ModeRefused, Row, RowRefused, Terms, Way
from desktop_app.privacy.noise.occurrences import Notes
from desktop_app.privacy.noise.quantiser import Level
from tests.helpers.draw_writer import BITS, CONVERSATION, DIMENSIONS, MILD, STRICT, TABLE, TERMS, Drawing

REPLY = Notes(reply=True)


def terms(
    way: Way = Way.CHARGED_REPLY,
    epsilon: float = 1e6,
    levels: tuple[int, ...] = (MILD, STRICT),
    unit: Unit = Unit.CONVERSATION,
    delta: float = 1e-6,
) -> Terms:
    return Terms(way, Budget(epsilon, delta), TABLE, BITS, DIMENSIONS, levels, unit)


def unproven(agreed: Terms) -> Drawing:
    return Drawing(agreed, lambda table, level: None)


# for life


def test_terms_are_kept_and_agreed_to_again() -> None:
    ledger = Drawing().ledger
    ledger.begin(CONVERSATION, TERMS)
    assert ledger.terms(CONVERSATION) == TERMS
    assert ledger.terms("unknown") is None
    assert not ledger.exact(CONVERSATION)


@pytest.mark.parametrize(
    "other",
    [
        terms(way=Way.DENOISED),
        terms(levels=(MILD,)),
        terms(unit=Unit.SPAN),
        Terms(Way.CHARGED_REPLY, TERMS.budget, "cd" * 32, BITS, DIMENSIONS, TERMS.levels),
        Terms(Way.CHARGED_REPLY, TERMS.budget, TABLE, 4, DIMENSIONS, TERMS.levels),
        Terms(Way.CHARGED_REPLY, TERMS.budget, TABLE, BITS, 32, TERMS.levels),
    ],
)
def test_other_terms_are_refused(other: Terms) -> None:
    ledger = Drawing().ledger
    with pytest.raises(ModeRefused, match="for life"):
        ledger.begin(CONVERSATION, other)
    assert ledger.terms(CONVERSATION) == TERMS


def test_only_the_budget_may_change_and_only_on_purpose() -> None:
    ledger = Drawing().ledger
    ledger.begin(CONVERSATION, terms(epsilon=5))
    assert ledger.terms(CONVERSATION) == TERMS
    ledger.set_budget(CONVERSATION, Budget(5, 1e-7))
    assert ledger.terms(CONVERSATION) == terms(epsilon=5, delta=1e-7)


def test_dp_after_exact_begins_a_new_conversation() -> None:
    drawing = Drawing()
    drawing.ledger.begin_exact("e")
    drawing.ledger.begin_exact("e")
    assert drawing.ledger.exact("e")
    with pytest.raises(ModeRefused, match="Begin a new conversation"):
        drawing.ledger.begin("e", TERMS)
    with pytest.raises(ModeRefused, match="exact rows"):
        drawing.occurrences.of("e", "m", [1], [MILD])
    assert drawing.ledger.spent("e").epsilon == math.inf


def test_exact_after_dp_only_where_the_person_was_told_and_then_for_ever() -> None:
    drawing = Drawing()
    drawing.of("m", [1], notes=Notes({0: ["v"]}))
    with pytest.raises(ModeRefused, match="infinite"):
        drawing.ledger.begin_exact(CONVERSATION)
    assert math.isfinite(drawing.ledger.spent(CONVERSATION).epsilon)
    drawing.ledger.begin_exact(CONVERSATION, told=True)
    drawing.ledger.begin_exact(CONVERSATION)
    for where in ({}, {"message": "m"}, {"span": "v"}):
        cost = drawing.ledger.spent(CONVERSATION, **where)
        assert (cost.epsilon, cost.success) == (math.inf, 1.0)
    with pytest.raises(ModeRefused):
        drawing.of("n", [1])
    with pytest.raises(ModeRefused):
        drawing.ledger.begin(CONVERSATION, TERMS)
    assert drawing.coins.draws == 1


@pytest.mark.parametrize("levels", [(), (-1,), (65536,), (MILD, 70000)])
def test_levels_that_are_none_are_refused(levels: tuple[int, ...]) -> None:
    with pytest.raises(BadLevel):
        terms(levels=levels)


# rows


def drawn(way: Way) -> tuple[Drawing, int, int]:
    """A conversation with a draw of a question and, where the way draws for answers, one of an answer."""
    drawing = Drawing(terms(way))
    question = drawing.of("m", [1])[0].number
    answer = 0 if way is Way.POST_PROCESSED else drawing.of("a", [2], notes=REPLY)[0].number
    return drawing, question, answer


@pytest.mark.parametrize("way", Way)
def test_rows_that_the_way_allows_may_leave(way: Way) -> None:
    drawing, question, answer = drawn(way)
    back = Row(Kind.REPLY, 0) if way is Way.POST_PROCESSED else Row(Kind.REPLY, MILD, answer)
    drawing.ledger.check(CONVERSATION, [Row(Kind.PUBLIC, 0), Row(Kind.PRIVATE, MILD, question), back])


@pytest.mark.parametrize(
    ("way", "row"),
    [
        (Way.POST_PROCESSED, Row(Kind.REPLY, MILD, 1)),
        (Way.CHARGED_REPLY, Row(Kind.REPLY, 0)),
        (Way.DENOISED, Row(Kind.REPLY, 0)),
        *((way, row) for way in Way for row in (
            Row(Kind.PUBLIC, MILD, 1), Row(Kind.PRIVATE, 0), Row(Kind.PRIVATE, MILD), Row(Kind.PRIVATE, STRICT, 1),
            Row(Kind.PRIVATE, MILD, 99), Row(Kind.PRIVATE, 160, 1),
        )),
    ],
)  # fmt: skip
def test_rows_that_the_way_does_not_allow_or_that_were_never_charged_are_refused(way: Way, row: Row) -> None:
    drawing, _, _ = drawn(way)
    with pytest.raises(RowRefused):
        drawing.ledger.check(CONVERSATION, [row])


def test_rows_of_another_conversation_s_draws_are_refused() -> None:
    drawing, question, _ = drawn(Way.CHARGED_REPLY)
    drawing.ledger.begin("d", TERMS)
    with pytest.raises(RowRefused, match="not in the ledger"):
        drawing.ledger.check("d", [Row(Kind.PRIVATE, MILD, question)])


def test_an_exact_conversation_sends_no_codes_and_an_unknown_one_nothing() -> None:
    ledger = Drawing().ledger
    ledger.begin_exact("e")
    ledger.check("e", [Row(Kind.PRIVATE, 0), Row(Kind.REPLY, 0)])
    with pytest.raises(RowRefused):
        ledger.check("e", [Row(Kind.PRIVATE, MILD, 1)])
    with pytest.raises(ModeRefused, match="Choose a mode"):
        ledger.check("unknown", [Row(Kind.PRIVATE, 0)])


def test_post_processed_answers_are_never_drawn() -> None:
    drawing = Drawing(terms(Way.POST_PROCESSED))
    with pytest.raises(RowRefused, match="exact"):
        drawing.of("a", [1], notes=REPLY)
    with pytest.raises(RowRefused, match="exact"):
        drawing.of("a", [1], 0, notes=REPLY)
    assert drawing.ledger.spent(CONVERSATION).draws == 0


def test_answers_as_codes_are_never_drawn_at_level_nothing() -> None:
    drawing = Drawing(terms(Way.CHARGED_REPLY, levels=(0, MILD)))
    with pytest.raises(RowRefused, match="never exact"):
        drawing.of("a", [1], 0, notes=REPLY)


# what is spent


def test_what_is_spent_is_counted_for_conversation_message_and_value() -> None:
    drawing = unproven(terms())
    drawing.of("m", [1, 2, 3], [MILD, STRICT, MILD], notes=Notes({1: ["v"]}))
    drawing.of("n", [4, 2], [MILD, STRICT], notes=Notes({1: ["v"]}))
    mild, strict = Level(MILD / 16, BITS, DIMENSIONS), Level(STRICT / 16, BITS, DIMENSIONS)
    spent = drawing.ledger.spent
    assert spent(CONVERSATION).epsilon == pytest.approx(Loss({mild: 3, strict: 2}).epsilon(1e-6))
    assert spent(CONVERSATION, message="m").epsilon == pytest.approx(Loss({mild: 2, strict: 1}).epsilon(1e-6))
    value = spent(CONVERSATION, span="v", prior=1e-3)
    assert (value.draws, value.epsilon) == (2, Loss({strict: 2}).epsilon(1e-6))
    assert value.success == Loss({strict: 2}).success(1e-3)
    assert drawing.ledger.after(CONVERSATION, [STRICT], span="v").epsilon == Loss({strict: 3}).epsilon(1e-6)
    assert spent(CONVERSATION, span="unknown").epsilon == 0.0
    assert drawing.coins.draws == 5, "asking draws nothing"


def test_the_proof_of_the_table_in_use_counts() -> None:
    asked: list[str] = []

    def proofs(table: str, level: Level) -> float:
        asked.append(table)
        return 1e-3

    drawing = Drawing(proofs=proofs)
    drawing.of("m", [1, 2])
    cost = drawing.ledger.spent(CONVERSATION)
    assert (cost.epsilon, cost.by) == (vocabulary.epsilon(2e-3, 1e-6), "vocabulary")
    assert set(asked) == {TABLE}


def test_answers_of_a_denoiser_are_charged_to_all_that_was_there_before_them() -> None:
    drawing = Drawing(terms(Way.DENOISED))
    drawing.of("m", [1, 2], notes=Notes({0: ["v"]}))
    drawing.of("a", [3, 4, 5], notes=REPLY)
    drawing.of("n", [6], notes=Notes({0: ["w"]}))
    spent = drawing.ledger.spent
    assert spent(CONVERSATION, span="v").draws == 1 + 3
    assert spent(CONVERSATION, message="m").draws == 2 + 3
    assert spent(CONVERSATION, span="w").draws == spent(CONVERSATION, message="n").draws == 1
    charged = Drawing(terms(Way.CHARGED_REPLY))
    charged.of("m", [1, 2], notes=Notes({0: ["v"]}))
    charged.of("a", [3, 4, 5], notes=REPLY)
    assert charged.ledger.spent(CONVERSATION, span="v").draws == 1


# the budget


def test_what_would_exceed_the_budget_is_refused_with_its_figures_before_it_is_drawn() -> None:
    drawing = unproven(terms(epsilon=40))
    drawing.of("m", [1, 2], STRICT)
    before = drawing.ledger.spent(CONVERSATION).epsilon
    after = drawing.ledger.after(CONVERSATION, [MILD] * 20).epsilon
    with pytest.raises(BudgetExceeded) as refused:
        drawing.of("n", range(20))
    error = refused.value
    assert (error.spent, error.after, error.cost, error.budget) == (before, after, after - before, Budget(40, 1e-6))
    assert f"{before:,.4g} is spent, and the budget is 40" in str(error)
    assert drawing.coins.draws == drawing.ledger.spent(CONVERSATION).draws == 2
    drawing.ledger.set_budget(CONVERSATION, Budget(math.ceil(after), 1e-6))
    drawing.of("n", range(20))
    assert drawing.ledger.spent(CONVERSATION).epsilon == after


def test_words_in_clear_exceed_every_budget_of_a_conversation() -> None:
    drawing = Drawing(terms(levels=(0, STRICT)))
    with pytest.raises(BudgetExceeded, match="to infinity"):
        drawing.of("m", [1], 0)


def test_a_budget_of_each_value_leaves_other_words_free() -> None:
    drawing = Drawing(terms(levels=(0, STRICT), unit=Unit.SPAN, epsilon=15), lambda table, level: None)
    value = Notes({1: ["v"]})
    rows = drawing.of("m", [1, 2, 3], [0, STRICT, 0], notes=value)
    assert [draw.codes for draw in rows][::2] == [b"", b""]
    drawing.ledger.check(CONVERSATION, [Row(Kind.PRIVATE, draw.mu16, draw.number) for draw in rows])
    assert drawing.ledger.spent(CONVERSATION).epsilon == math.inf
    assert 0 < drawing.ledger.spent(CONVERSATION, span="v").epsilon < 15
    with pytest.raises(BudgetExceeded, match="a protected value"):
        drawing.of("n", [2] * 30, STRICT, notes=Notes(dict.fromkeys(range(30), ("v",))))
    with pytest.raises(BudgetExceeded):
        drawing.of("n", [2], 0, notes=Notes({0: ["v"]}))
    drawing.of("n", [2] * 30, STRICT)
    assert drawing.coins.draws == 31


def test_a_value_that_has_left_in_clear_is_lost_and_has_no_budget_that_it_could_keep() -> None:
    drawing = Drawing(terms(unit=Unit.SPAN, epsilon=15, levels=(0, STRICT)), lambda table, level: None)
    (told,) = drawing.of("m", [1], 0)
    Draws(drawing.archive).carry({("v", told.number)})
    assert (drawing.ledger.spent(CONVERSATION, span="v").epsilon, drawing.ledger.spent(CONVERSATION, span="v").success) == (
        math.inf,
        1.0,
    )
    drawing.of("n", [2] * 30, STRICT, notes=Notes(dict.fromkeys(range(30), ("v",))))
    with pytest.raises(BudgetExceeded, match="a protected value"):
        drawing.of("o", [2] * 30, STRICT, notes=Notes(dict.fromkeys(range(30), ("another",))))


def test_an_edit_that_marks_what_it_keeps_is_charged_for_it() -> None:
    drawing = Drawing(terms(unit=Unit.SPAN, epsilon=15), lambda table, level: None)
    drawing.of("m", [2] * 30, STRICT)
    with pytest.raises(BudgetExceeded):
        drawing.of("n", [*[2] * 30, 3], STRICT, like="m", notes=Notes(dict.fromkeys(range(31), ("v",))))
    assert drawing.ledger.spent(CONVERSATION, span="v").draws == 0


MESSAGES = st.lists(
    st.tuples(st.integers(0, 9), st.lists(st.integers(1, 5), min_size=1, max_size=6), st.sets(st.sampled_from("vwx"))),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(MESSAGES, st.sampled_from([Way.CHARGED_REPLY, Way.DENOISED]))
def test_no_value_is_carried_beyond_its_budget_whatever_was_drawn_before(
    messages: list[tuple[int, list[int], set[str]]], way: Way
) -> None:
    drawing = unproven(terms(way, unit=Unit.SPAN, epsilon=9))  # two strict draws
    sent: dict[int, list[int]] = {}
    spent = dict.fromkeys("vwx", 0.0)
    for which, words, values in messages:
        words = sent.get(which, words)  # the same message once more, and other values marked in it
        notes = Notes(dict.fromkeys(range(len(words)), sorted(values)), {place: f"w{word}" for place, word in enumerate(words)})
        try:
            drawing.of(str(which), words, STRICT, notes=notes)
            sent[which] = words
        except BudgetExceeded:
            assert {value: drawing.ledger.spent(CONVERSATION, span=value).epsilon for value in "vwx"} == spent
        spent = {value: drawing.ledger.spent(CONVERSATION, span=value).epsilon for value in "vwx"}
        assert max(spent.values()) <= 9


def test_answers_of_a_denoiser_spend_the_budget_of_each_value() -> None:
    drawing = Drawing(terms(Way.DENOISED, unit=Unit.SPAN, epsilon=15), lambda table, level: None)
    drawing.of("a", range(30), STRICT, notes=REPLY)
    drawing.of("m", [1], STRICT, notes=Notes({0: ["v"]}))
    with pytest.raises(BudgetExceeded):
        drawing.of("b", range(30), STRICT, notes=REPLY)
    room = drawing.ledger.room(CONVERSATION, STRICT, 30)
    assert 0 < room < 30
    drawing.of("b", range(room), STRICT, notes=REPLY)


def test_delta_must_be_smaller_than_one_over_the_tokens() -> None:
    drawing = Drawing(terms(delta=0.2))
    drawing.of("m", range(5))
    with pytest.raises(BadBudget, match="larger than one over the number of tokens, 6"):
        drawing.of("n", [1])
    assert drawing.coins.draws == 5


def test_room_is_what_still_fits_and_is_charged_without_counting_again(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = unproven(terms(epsilon=60))
    drawing.of("m", [1, 2], STRICT)
    room = drawing.ledger.room(CONVERSATION, STRICT, 1000)
    assert drawing.ledger.after(CONVERSATION, [STRICT] * room).epsilon <= 60
    assert drawing.ledger.after(CONVERSATION, [STRICT] * (room + 1)).epsilon > 60
    assert drawing.ledger.room(CONVERSATION, STRICT, 3) == 3
    monkeypatch.setattr("desktop_app.privacy.noise.costs._delta", None)
    for tokens in range(1, room + 1):
        drawing.of("a", range(tokens), STRICT, notes=REPLY)
    with pytest.raises(BudgetExceeded):
        drawing.of("a", range(room + 1), STRICT, notes=REPLY)
    assert drawing.ledger.room(CONVERSATION, STRICT, 0) == 0


def test_room_knows_delta_too() -> None:
    drawing = Drawing(terms(delta=0.1))
    drawing.of("m", [1, 2])
    assert drawing.ledger.room(CONVERSATION, STRICT, 1000) == 8


def test_the_ledger_of_another_start_counts_the_same() -> None:
    drawing = Drawing()
    drawing.of("m", [1, 2], STRICT)
    assert Ledger(drawing.archive, lambda table, level: level.mu**2 / 2).spent(CONVERSATION) == drawing.ledger.spent(CONVERSATION)
    with pytest.raises(ModeRefused, match="Choose a mode"):
        Ledger(Archive.in_memory([SCHEMA])).spent(CONVERSATION)
