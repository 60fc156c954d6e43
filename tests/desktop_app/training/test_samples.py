"""Texts are cut as chats are sent: a person's words, what the template has between, and the answer."""

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.training.samples import FEWEST, LEAST_REPLY, MOST, cut

STOP, BEFORE, BETWEEN = 2, [50, 51], [2, 60, 61]


def test_a_turn_that_the_model_ends_is_cut_there() -> None:
    text = [*range(100, 120), *BETWEEN, *range(200, 230), STOP, 9, 9]
    (sample,) = cut([text], BEFORE, BETWEEN, frozenset({STOP}), seed=1)
    assert sample.prompt == tuple(range(100, 120))
    assert sample.reply == (*range(200, 230), STOP)
    assert sample.ids == [*BEFORE, *text[: text.index(9)]]
    assert sample.ids[sample.reply_start] == 200


def test_a_turn_that_goes_on_otherwise_than_the_template_is_left_out() -> None:
    assert cut([[*range(100, 120), STOP, 77, 78, *range(200, 260)]], BEFORE, BETWEEN, frozenset({STOP}), seed=1) == []


@given(st.lists(st.lists(st.integers(0, 40), max_size=120), max_size=6), st.integers(0, 9))
def test_samples_are_pieces_of_their_texts_and_the_same_for_a_seed(texts: list[list[int]], seed: int) -> None:
    found = cut(texts, BEFORE, BETWEEN, frozenset({STOP}), seed)
    assert found == cut(texts, BEFORE, BETWEEN, frozenset({STOP}), seed)
    for sample in found:
        assert FEWEST <= len(sample.prompt) <= MOST
        assert len(sample.reply) >= LEAST_REPLY
        assert STOP not in sample.reply[:-1]
        assert any(tuple(text[: len(sample.prompt)]) == sample.prompt for text in texts)
