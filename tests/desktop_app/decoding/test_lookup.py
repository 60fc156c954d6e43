from random import Random
from time import perf_counter

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.decoding.lookup import Lookup
from desktop_app.decoding.step import Draw

TEXTS = st.lists(st.integers(0, 3), max_size=60)


def lookup_over(tokens: list[int]) -> Lookup:
    lookup = Lookup()
    lookup.begin(tokens)
    return lookup


def slow_lookup(observed: list[int], path: list[int], limit: int) -> list[int]:
    """The same by trying everything: the longest suffix of the path that ends earlier, the most recent occurrence."""
    for length in range(len(path) - 1, 1, -1):
        for end in range(len(observed) - 1, length - 2, -1):
            if end < len(path) - 1 and observed[end - length + 1 : end + 1] == path[-length:]:
                text = list(path)
                for source in range(end + 1, end + 1 + limit):
                    text.append(text[source])
                return text[len(path) :]
    return []


@given(TEXTS, TEXTS, st.integers(0, 12))
def test_proposes_what_followed_the_longest_and_latest_match(observed: list[int], beyond: list[int], limit: int) -> None:
    beyond = beyond[:5]
    short = observed[:28]  # both limits on the work, on tries and on length, lie beyond it
    assert list(lookup_over(short).propose(short + beyond, limit).tokens) == slow_lookup(short, short + beyond, limit)


@given(TEXTS, st.lists(st.integers(0, 3), max_size=20))
def test_observing_bit_by_bit_is_the_same_as_at_once(context: list[int], more: list[int]) -> None:
    bit_by_bit = lookup_over(context)
    for token in more:
        bit_by_bit.observe([token])
    assert bit_by_bit.propose(context + more, 8) == lookup_over(context + more).propose(context + more, 8)


def test_latest_of_equally_long_matches_wins() -> None:
    text = [1, 2, 7, 1, 2, 8, 1, 2]
    assert lookup_over(text).propose(text, 1).tokens == (8,)


def test_longer_match_beats_a_later_one() -> None:
    text = [9, 1, 2, 7, 5, 1, 2, 8, 9, 1, 2]
    assert lookup_over(text).propose(text, 2).tokens == (7, 5)


def test_one_matching_token_is_not_enough() -> None:
    assert len(lookup_over([1, 2, 3, 1]).propose([1, 2, 3, 1], 4)) == 0
    assert len(lookup_over([1]).propose([1], 4)) == 0


def test_repetition_goes_on_beyond_the_end() -> None:
    text = [1, 2, 3] * 3
    assert lookup_over(text).propose(text, 7).tokens == (1, 2, 3, 1, 2, 3, 1)


def test_a_new_reply_forgets_the_old_text() -> None:
    lookup = lookup_over([1, 2, 3, 1, 2])
    lookup.begin([1, 2])
    assert len(lookup.propose([1, 2], 4)) == 0


def test_probabilities_follow_what_came_true() -> None:
    def probability_after(came_true: bool) -> float:
        text = [1, 2, 3] * 20
        lookup = lookup_over(text)
        for turn in range(10):
            lookup.propose(text, 1)
            text = [*text, 1 if came_true else 100 + turn, 2, 3, 1, 2, 3]
            lookup.observe(text[-6:])
        return lookup.propose(text, 1).probabilities[0]

    assert probability_after(False) < 0.5 < probability_after(True)


def test_draws_teach_it_nothing() -> None:
    lookup = lookup_over([1, 2, 3, 1, 2])
    before = lookup.propose([1, 2, 3, 1, 2], 3)
    lookup.learn(2, Draw(0, 9))
    assert lookup.propose([1, 2, 3, 1, 2], 3) == before


def test_long_texts_stay_cheap() -> None:
    random = Random(1)
    for text in ([1] * 100_000, [random.randrange(2) for _ in range(100_000)]):
        lookup = lookup_over(text)
        begin = perf_counter()
        for _ in range(100):
            lookup.propose(text, 16)
        assert perf_counter() - begin < 2, "a proposal must not read the whole text"
