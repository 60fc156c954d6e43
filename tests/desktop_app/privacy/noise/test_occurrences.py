"""One occurrence, one draw, whatever is asked for and whenever the process dies; and the coins are the operating system's."""

import itertools
import os
import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.archive.database import Archive
from desktop_app.archive.errors import ArchiveError
from desktop_app.privacy.errors import BadLevel
from desktop_app.privacy.noise import occurrences, quantiser
from desktop_app.privacy.noise.budget import Budget
from desktop_app.privacy.noise.draws import SCHEMA, Draws, Unit
from desktop_app.privacy.noise.ledger import BudgetExceeded, Ledger, ModeRefused, RowRefused, Terms, Way
from desktop_app.privacy.noise.occurrences import Notes, Occurrences, OccurrencesDiffer, matches
from desktop_app.privacy.noise.quantiser import GRID, Level
from tests.helpers import draw_writer
from tests.helpers.draw_writer import BITS, CONVERSATION, DIMENSIONS, KEY, MILD, STRICT, TABLE, TERMS, Drawing, cheaply, limits

TOKENS = [5, 7, 5, 9]


@pytest.fixture
def drawing() -> Drawing:
    return Drawing()


def charged(drawing: Drawing) -> int:
    return sum(Draws(drawing.archive).counts(CONVERSATION).values())


# once


def test_what_was_drawn_is_the_same_for_ever(drawing: Drawing) -> None:
    first = drawing.of("m", TOKENS)
    assert [draw.mu16 for draw in first] == [MILD] * 4
    assert {len(draw.codes) for draw in first} == {quantiser.bytes_per_row(Level(3, BITS, DIMENSIONS))}
    assert len({draw.codes for draw in first}) == 4
    for _ in range(3):
        assert drawing.of("m", TOKENS) == first
    assert drawing.coins.draws == charged(drawing) == 4


def test_retry_resume_branch_and_whoever_else_asks_draw_nothing_again(tmp_path: Path) -> None:
    path = tmp_path / "conversations.db"
    drawing = Drawing(archive=Archive.open(path, KEY, [SCHEMA]))
    first = drawing.of("m", TOKENS)
    assert drawing.of("m", TOKENS) == first, "retry"
    drawing.of("another branch's answer", [1, 2], notes=Notes(reply=True))
    assert drawing.of("m", TOKENS) == first, "branch"
    drawing.archive.close()
    again = Drawing(archive=Archive.open(path, KEY, [SCHEMA]))
    assert again.of("m", TOKENS) == first, "resume"
    another = Occurrences(again.archive, Ledger(again.archive), TABLE, limits, again.coins)
    assert another.of(CONVERSATION, "m", TOKENS, [MILD] * 4) == first, "a title, a summary: others who ask"
    assert again.coins.bytes == 0
    assert charged(again) == 6
    again.archive.close()


@pytest.mark.parametrize(("tokens", "level"), [([5, 7, 5, 8], MILD), (TOKENS[:3], MILD), ([*TOKENS, 1], MILD), (TOKENS, STRICT)])
def test_a_revision_that_was_drawn_never_changes(drawing: Drawing, tokens: list[int], level: int) -> None:
    first = drawing.of("m", TOKENS)
    with pytest.raises(OccurrencesDiffer, match="Edit it"):
        drawing.of("m", tokens, level)
    assert drawing.of("m", TOKENS) == first
    assert drawing.coins.draws == charged(drawing) == 4


def test_a_message_belongs_to_one_conversation(drawing: Drawing) -> None:
    drawing.of("m", TOKENS)
    drawing.ledger.begin("d", TERMS)
    with pytest.raises(OccurrencesDiffer):
        drawing.occurrences.of("d", "m", TOKENS, [MILD] * 4)
    with pytest.raises(OccurrencesDiffer):
        drawing.occurrences.of("d", "n", TOKENS, [MILD] * 4, like="m")


def test_an_answer_grows_and_what_it_had_stays(drawing: Drawing) -> None:
    notes = Notes(reply=True)
    first = drawing.of("a", [1, 2], notes=notes)
    longer = drawing.of("a", [1, 2, 3], notes=notes)
    assert longer[:2] == first
    assert drawing.of("a", [1, 2], notes=notes) == first
    assert drawing.of("a", [1, 2, 3], notes=notes) == longer
    assert drawing.coins.draws == charged(drawing) == 3
    with pytest.raises(OccurrencesDiffer):
        drawing.of("a", [1, 4], notes=notes)


def test_nothing_is_drawn_for_nothing(drawing: Drawing) -> None:
    assert drawing.of("m", []) == []
    assert drawing.coins.bytes == 0


# again on purpose


def test_an_edit_keeps_the_draws_of_what_is_unchanged_at_the_same_level(drawing: Drawing) -> None:
    first = drawing.of("m", [1, 2, 3, 4, 5], [MILD, MILD, MILD, STRICT, MILD])
    edited = drawing.of("n", [1, 2, 9, 4, 5, 3], [MILD, STRICT, MILD, STRICT, MILD, MILD], like="m")
    assert [edited[0], edited[3], edited[4]] == [first[0], first[3], first[4]]
    numbers = {draw.number for draw in first}
    assert [draw.number in numbers for draw in edited] == [True, False, False, True, True, False]
    assert drawing.coins.draws == charged(drawing) == 5 + 3


def test_without_like_the_same_words_are_drawn_anew(drawing: Drawing) -> None:
    assert not {draw.number for draw in drawing.of("m", TOKENS)} & {draw.number for draw in drawing.of("n", TOKENS)}
    drawing.of("o", TOKENS, like="never drawn")
    assert drawing.coins.draws == 12


def test_words_look_alike_only_where_the_caller_says_so(drawing: Drawing) -> None:
    first = drawing.of("m", [1, 2, 1, 1], notes=Notes(shared={0: "Kim", 1: "Kim", 2: "Kim"}))
    assert first[0] == first[2] != first[3]
    assert first[0] != first[1]
    second = drawing.of("n", [2, 1, 1], [MILD, MILD, STRICT], notes=Notes(shared={0: "Kim", 1: "Kim", 2: "Kim"}))
    assert second[:2] == [first[1], first[0]]
    assert second[2].number not in {draw.number for draw in first}, "another level is another draw"
    drawing.ledger.begin("d", TERMS)
    drawing.occurrences.of("d", "o", [1], [MILD], notes=Notes(shared={0: "Kim"}))
    assert drawing.coins.draws == 3 + 1 + 1, "another conversation shares nothing"


TEXTS = st.lists(st.integers(0, 4), max_size=12)


@given(TEXTS, TEXTS)
def test_matches_are_the_same_tokens_in_order_and_each_once(before: list[int], after: list[int]) -> None:
    same = matches(before, after)
    assert all(before[old] == after[new] for old, new in same)
    for one, other in itertools.pairwise(same):
        assert one[0] < other[0]
        assert one[1] < other[1]
    assert matches(before, before) == [(place, place) for place in range(len(before))]


@given(TEXTS, TEXTS)
def test_matches_are_as_many_as_can_be(before: list[int], after: list[int]) -> None:
    longest = np.zeros((len(before) + 1, len(after) + 1), dtype=int)
    for old, was in enumerate(before):
        for new, token in enumerate(after):
            longest[old + 1, new + 1] = (
                longest[old, new] + 1 if was == token else max(longest[old, new + 1], longest[old + 1, new])
            )
    assert len(matches(before, after)) == longest[-1, -1]


def test_many_changes_in_a_long_text_are_found_at_once() -> None:
    randomness = random.Random(1)
    before = [randomness.randrange(50) for _ in range(8000)]
    after = [token if place % 50 else 99 for place, token in enumerate(before)]
    start = time.process_time()
    assert len(matches(before, after)) == 8000 - 160
    assert time.process_time() - start < 1


def test_of_a_comparison_that_would_take_too_much_only_the_ends_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(occurrences, "MOST_BITS", 8)
    assert matches([1, 2, 3, 4, 5], [1, 9, 3, 8, 5]) == [(0, 0), (4, 4)]


# coins


def test_the_coins_are_the_operating_systems_and_no_other_generator_is_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = os.urandom

    def counted(count: int) -> bytes:
        asked.append(count)
        return real(count)

    monkeypatch.setattr(os, "urandom", counted)
    for module, name in ((np.random, "default_rng"), (random, "random"), (random, "randbytes"), (np.random, "random")):
        monkeypatch.setattr(module, name, None)
    archive = Archive.in_memory([SCHEMA])
    ledger = Ledger(archive, cheaply)
    ledger.begin(CONVERSATION, TERMS)
    states = random.getstate(), [np.array(part) for part in np.random.get_state()]
    drawn = Occurrences(archive, ledger, TABLE, limits).of(CONVERSATION, "m", TOKENS, [MILD, STRICT, MILD, STRICT])
    assert sum(asked) == 4 * draw_writer.BYTES_A_DRAW
    assert random.getstate() == states[0]
    assert all((part == was).all() for part, was in zip(np.random.get_state(), states[1], strict=True))
    assert len({draw.codes for draw in drawn}) == 4


def test_what_is_sent_is_what_the_quantiser_makes_of_the_coins() -> None:
    archive = Archive.in_memory([SCHEMA])
    ledger = Ledger(archive, cheaply)
    ledger.begin(CONVERSATION, TERMS)
    coins = os.urandom(2 * draw_writer.BYTES_A_DRAW)
    drawn = Occurrences(archive, ledger, TABLE, limits, lambda count: coins[:count]).of(CONVERSATION, "m", [3, 4], [MILD, MILD])
    level = Level(MILD / 16, BITS, DIMENSIONS)
    counts = quantiser.draw(np.stack([limits(3, level), limits(4, level)]), level, lambda count: coins[:count])
    assert b"".join(draw.codes for draw in drawn) == quantiser.packed(counts, BITS)


# nothing that must not be


def test_beyond_the_budget_nothing_is_drawn_or_kept() -> None:
    drawing = Drawing(Terms(Way.CHARGED_REPLY, Budget(30, 1e-6), TABLE, BITS, DIMENSIONS, (MILD,)))
    drawing.of("m", [1, 2])
    with pytest.raises(
        BudgetExceeded, match="shorter, attach fewer documents, begin a new conversation for other texts, or raise the budget"
    ):
        drawing.of("n", range(50))
    assert drawing.coins.draws == charged(drawing) == 2
    assert Draws(drawing.archive).of_message("n") == []


def test_where_coins_or_disk_fail_nothing_is_kept(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Occurrences(drawing.archive, drawing.ledger, TABLE, limits, lambda count: bytes(count - 1))
    with pytest.raises(ValueError, match=r"buffer|reshape"):
        broken.of(CONVERSATION, "m", TOKENS, [MILD] * 4)
    monkeypatch.setattr(Draws, "place", lambda *_: drawing.archive.execute("INSERT INTO nowhere VALUES (1)"))
    with pytest.raises(ArchiveError):
        drawing.of("m", TOKENS)
    assert charged(drawing) == 0


@pytest.mark.parametrize("wrong", [np.zeros(DIMENSIONS), np.full(DIMENSIONS, GRID), np.full(DIMENSIONS + 1, GRID // 2)])
def test_thresholds_that_give_away_more_than_is_accounted_for_are_refused(drawing: Drawing, wrong: np.ndarray) -> None:
    foreign = Occurrences(drawing.archive, drawing.ledger, TABLE, lambda token, level: wrong.astype(np.uint32), drawing.coins)
    with pytest.raises(BadLevel, match="projection"):
        foreign.of(CONVERSATION, "m", [1], [MILD])
    assert drawing.coins.bytes == charged(drawing) == 0


def test_another_table_another_level_and_no_terms_are_refused(drawing: Drawing) -> None:
    with pytest.raises(ModeRefused, match="other codes"):
        Occurrences(drawing.archive, drawing.ledger, "cd" * 32, limits).of(CONVERSATION, "m", [1], [MILD])
    with pytest.raises(RowRefused, match="noise level of 10"):
        drawing.of("m", [1], 160)
    with pytest.raises(RowRefused, match="noise level of 0"):
        drawing.of("m", [1], 0)
    with pytest.raises(ModeRefused, match="never agreed"):
        drawing.occurrences.of("unknown", "m", [1], [MILD])
    assert drawing.coins.bytes == charged(drawing) == 0


# spans


def test_a_protected_value_is_charged_wherever_it_stands_and_each_draw_once(drawing: Drawing) -> None:
    def carrying(span: str) -> int:
        return sum(Draws(drawing.archive).counts(CONVERSATION, Unit.SPAN, span).values())

    drawing.of("m", [1, 2, 3], notes=Notes(spans={0: ["v"], 1: ["v", "w"]}))
    assert (carrying("v"), carrying("w"), carrying("x")) == (2, 1, 0)
    drawing.of("n", [1, 2, 3, 1], like="m", notes=Notes(spans={0: ["v"], 1: ["v", "w"], 3: ["v"]}))
    assert (carrying("v"), carrying("w")) == (3, 1)
    drawing.of("m", [1, 2, 3], notes=Notes(spans={2: ["x"]}))
    assert (carrying("v"), carrying("x")) == (3, 1), "marked later"


# all at once

STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(0, 5), TEXTS, st.booleans()),
        st.tuples(st.just("edit"), st.integers(0, 5), TEXTS, st.booleans()),
        st.tuples(st.just("answer"), st.integers(0, 5), TEXTS, st.booleans()),
        st.tuples(st.just("retry"), st.integers(0, 20), st.just([]), st.booleans()),
        st.tuples(st.just("restart"), st.just(0), st.just([]), st.booleans()),
    ),
    max_size=15,
)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_whatever_is_asked_in_whatever_order_bytes_stay_and_charges_are_draws(
    steps: list[tuple[str, int, list[int], bool]],
) -> None:
    drawing = Drawing()
    sent: dict[str, tuple[list[int], list[int], list[bytes], Notes]] = {}
    epsilon = 0.0
    for number, (step, which, tokens, strict) in enumerate(steps):
        levels = [STRICT if strict and token == 1 else MILD for token in tokens]
        names = list(sent)
        message, like = str(number), names[which % len(names)] if names else ""
        notes = Notes({0: ["v"]} if tokens else {}, {0: "k"} if tokens and strict else {}, reply=step == "answer")
        if step == "restart":  # another branch, a title, a resume: other objects, the same archive
            drawing.occurrences = Occurrences(drawing.archive, Ledger(drawing.archive, cheaply), TABLE, limits, drawing.coins)
            continue
        if step == "retry":
            if not names:
                continue
            message, like = like, ""
            tokens, levels, _, notes = sent[message]
        if step == "answer" and names and sent[like][3].reply:  # it grows
            message = like
            tokens, levels = [*sent[message][0], *tokens], [*sent[message][1], *levels]
        drawn = drawing.of(message, tokens, levels, like if step == "edit" else "", notes)
        codes = [draw.codes for draw in drawn]
        assert codes[: len(sent.get(message, ([], [], [], notes))[2])] == sent.get(message, ([], [], [], notes))[2]
        sent[message] = tokens, levels, codes, notes
        assert charged(drawing) == drawing.coins.draws
        now = drawing.ledger.spent(CONVERSATION)
        assert now.draws == drawing.coins.draws
        assert now.epsilon >= epsilon * (1 - 1e-3)  # to the accuracy of the accounting
        epsilon = now.epsilon
    for message, (tokens, levels, codes, notes) in sent.items():
        assert [draw.codes for draw in drawing.of(message, tokens, levels, notes=notes)] == codes
    assert charged(drawing) == drawing.coins.draws


# kills


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
def test_after_ten_kills_all_that_left_is_charged_and_the_same_bytes(tmp_path: Path) -> None:
    randomness = random.Random(3)
    for kill in range(10):
        draw_writer.kill_at(tmp_path, kill, randomness.randrange(1, 300))
        assert draw_writer.not_charged(tmp_path) == []
    assert len((tmp_path / draw_writer.SENT).read_text().splitlines()) > 100


# speed


def test_a_thousand_tokens_take_well_under_a_tenth_of_a_second(tmp_path: Path) -> None:
    archive = Archive.open(tmp_path / "conversations.db", KEY, [SCHEMA])
    ledger = Ledger(archive, cheaply)
    ledger.begin(CONVERSATION, Terms(Way.CHARGED_REPLY, Budget(1e6, 1e-6), TABLE, 4, 128, (320,)))
    row = limits(1, Level(20, 4, 128))
    asked = Occurrences(archive, ledger, TABLE, lambda token, level: row)
    took = []
    for attempt in range(5):
        start = time.process_time()
        asked.of(CONVERSATION, str(attempt), range(1000), [320] * 1000)
        took.append(time.process_time() - start)
    archive.close()
    assert min(took) < 0.1
