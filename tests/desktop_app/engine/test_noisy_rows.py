"""Under noise nothing of a prompt but what may leave gets near the wire, and what the ledger does not know is refused."""

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.decoding.limits import Limits
from desktop_app.decoding.lookup import Lookup
from desktop_app.decoding.shape import ShapedDecoder
from desktop_app.decoding.step import Draw as Drawn
from desktop_app.decoding.token_tree import TokenTree
from desktop_app.engine.noisy_rows import CODES, OCCURRENCE, PUBLIC, SOFT, NoisyHead, NoisyRows, RowUncharged, VisibleDrafter
from desktop_app.privacy.noise.draws import Draw


def rows(answers_exact: bool = True) -> NoisyRows:
    made = NoisyRows(answers_exact)
    drawn = [(Draw(3, 320, b"abc"), CODES), (Draw(4, 0, b""), 12), (Draw(6, 16, b"xyz"), 77)]
    assert made.add(drawn) == [OCCURRENCE + 3, OCCURRENCE + 4, OCCURRENCE + 6]
    return made


def test_codes_travel_for_a_drawn_word_and_its_token_is_nowhere() -> None:
    numbers = [PUBLIC + 1, OCCURRENCE + 3, OCCURRENCE + 4, 5, OCCURRENCE + 6]
    assert rows().codes(numbers) == [None, Draw(3, 320, b"abc"), None, None, None]
    assert [rows().token(number) for number in numbers] == [1, 0, 12, 5, 77], "what its codes stand for leaves for the last"


def test_rows_of_a_soft_prompt_are_its_own_and_exact() -> None:
    class Head:
        def run(self, *step: object) -> torch.Tensor:
            tokens = step[-1]
            assert isinstance(tokens, list)
            return torch.tensor(tokens, dtype=torch.float16)[:, None].expand(-1, 3)

    soft = NoisyRows(True, torch.tensor([[0.5, 1.5, 2.5], [7.0, 8.0, 9.0]]))
    numbers = [SOFT, SOFT + 1, PUBLIC + 4, 5]
    hidden = NoisyHead(Head(), soft).run(1, 0, -1, 0, [-1, 0, 1, 2], numbers)  # type: ignore[arg-type]
    assert hidden.tolist() == [[0.5, 1.5, 2.5], [7.0, 8.0, 9.0], [4.0] * 3, [5.0] * 3]
    assert soft.codes(numbers) == [None] * 4


def test_the_words_of_an_answer_are_drawn_one_by_one_where_answers_go_as_codes() -> None:
    made, asked = rows(answers_exact=False), []

    def draw(tokens: Sequence[int]) -> Draw:
        asked.append(list(tokens))
        return Draw(10 + len(tokens), 640, b"r")

    made.begin_answer(draw)
    assert made.codes([PUBLIC + 1, 8, 9]) == [None, Draw(11, 640, b"r"), Draw(12, 640, b"r")]
    made.begin_answer(draw)
    assert made.codes([7]) == [Draw(11, 640, b"r")]
    assert asked == [[8], [8, 9], [7]]


@given(
    st.lists(st.sampled_from([PUBLIC + 1, PUBLIC + 2, OCCURRENCE + 3, OCCURRENCE + 4, 8]), min_size=1, max_size=20),
    st.lists(st.integers(0, 7), min_size=1, max_size=12),
    st.integers(1, 9),
)
def test_whatever_pads_a_step_an_answer_as_codes_is_drawn_once_a_token(prompt: list[int], reply: list[int], size: int) -> None:
    made, asked = rows(answers_exact=False), []

    def draw(tokens: Sequence[int]) -> Draw:
        asked.append(list(tokens))
        return Draw(10 + len(tokens), 640, b"r")

    made.begin_answer(draw)
    prompt = [PUBLIC + 1, *(number for number in prompt if number >= PUBLIC)]
    limits = Limits(max_tokens=len(reply), context=1000, stop_ids=frozenset(), prompt_slice=4)
    decoder = ShapedDecoder(1, prompt, limits=limits, rows=size, least_ticks=20, may_pad=made.may_pad)
    while not decoder.over:
        step = decoder.next_step()
        assert step is not None
        assert len(made.codes(step.tokens, step.padding)) == len(step.tokens)
        decoder.receive(step, [Drawn(row, reply[len(decoder.reply)], certain=True) for row in step.drawn])
    assert decoder.reply == reply
    assert asked == [reply[:count] for count in range(1, len(reply))]


def test_a_step_padded_with_an_answer_s_own_words_is_refused_where_they_go_as_codes() -> None:
    made = rows(answers_exact=False)
    made.begin_answer(lambda tokens: pytest.fail("a draw was made"))
    for number in (5, OCCURRENCE + 3, OCCURRENCE + 4):
        with pytest.raises(RowUncharged, match="Padding"):
            made.codes([5, number], padding=1)
    assert rows().codes([PUBLIC + 1, 5], padding=2) == [None, None], "exact answers cost nothing"


@given(st.integers(0, 2**20).filter(lambda number: number not in (3, 4, 6)))
def test_a_word_that_the_ledger_does_not_know_is_refused(number: int) -> None:
    with pytest.raises(RowUncharged, match="Ask again"):
        rows().codes([PUBLIC + 1, OCCURRENCE + number])


def test_exact_words_of_an_answer_are_refused_where_answers_go_as_codes() -> None:
    with pytest.raises(RowUncharged, match="codes only"):
        rows(answers_exact=False).codes([5])


def test_numbers_that_the_archive_gave_anew_are_noticed() -> None:
    assert not rows().knows_otherwise([(Draw(3, 320, b"abc"), CODES), (Draw(9, 320, b"x"), 1)])
    assert rows().knows_otherwise([(Draw(3, 320, b"abd"), CODES)])
    assert rows().knows_otherwise([(Draw(3, 320, b"abc"), 5)])


@given(st.lists(st.sampled_from([1, 2, 3, PUBLIC + 1, OCCURRENCE + 1, OCCURRENCE + 2]), min_size=4, max_size=60))
def test_drafts_hold_tokens_only_whatever_the_text_is(context: list[int]) -> None:
    plain, visible = Lookup(), VisibleDrafter(Lookup())
    for drafter in (plain, visible):
        drafter.begin(context[:-2])
        drafter.observe(context[-2:])
    proposed, shown = plain.propose(context, 8), visible.propose(context, 8)
    assert all(token < PUBLIC for token in shown.tokens)
    cut = next((place for place, token in enumerate(proposed.tokens) if token >= PUBLIC), len(proposed))
    assert shown.tokens == proposed.tokens[:cut]


def test_branches_without_numbers_are_left_as_they_are() -> None:
    class Fixed(Lookup):
        def propose(self, path: object, limit: int) -> TokenTree:
            return TokenTree((1, PUBLIC + 2, 3, 4), (-1, -1, 0, 1), (0.9, 0.8, 0.7, 0.6))

    assert VisibleDrafter(Fixed()).propose([1], 4) == TokenTree((1, 3), (-1, 0), (0.9, 0.7))
