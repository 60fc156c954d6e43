"""Exact search finds every token at every depth where it must, and nothing where there is nothing to find."""

from dataclasses import replace

import pytest
import torch
from torch import Tensor

from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.held_rows import HeldRows
from desktop_app.audit.tail_completion import TailCompletion
from tests.helpers.attacked_rows import random_tokens, rows_of, tiny_public_model

KNOWN = 4
TOKENS = random_tokens(24)


def searched(rows: HeldRows, head: int, tokens: list[int] = TOKENS, known: int = KNOWN) -> list[int]:
    model = tiny_public_model()
    search = ExactSearch(model, head, RowReader(model, head, texts=8, length=64))
    found = search.recover(rows, rows.path, TailCompletion(model, 1).logits(rows), dict(enumerate(tokens[:known])))
    assert set(found) == set(range(known, len(tokens)))
    return [found[row].token for row in range(known, len(tokens))]


def hits(rows: HeldRows, head: int) -> int:
    return sum(a == b for a, b in zip(searched(rows, head), TOKENS[KNOWN:], strict=True))


def eight_bits(rows: Tensor) -> Tensor:
    scale = rows.abs().amax(1, keepdim=True) / 127
    return (rows / scale).round() * scale


@pytest.mark.parametrize("head", [0, 1, 2, 3])
def test_every_token_is_found_at_every_depth(head: int) -> None:
    assert searched(rows_of(TOKENS, head, 1), head) == TOKENS[KNOWN:]


@pytest.mark.parametrize("rounded", [lambda it: it.half().float(), lambda it: it.bfloat16().float(), eight_bits])
def test_coarser_rows_hide_next_to_nothing(rounded: object) -> None:
    rows = rows_of(TOKENS, 2, 1)
    assert hits(replace(rows, sent=rounded(rows.sent)), 2) >= len(TOKENS) - KNOWN - 1  # type: ignore[operator]


def test_rows_that_are_noise_tell_nothing() -> None:
    rows = rows_of(TOKENS, 2, 1)
    noise = torch.randn(rows.sent.shape, generator=torch.Generator().manual_seed(3)) * rows.sent.std()
    assert hits(replace(rows, sent=noise, returned=noise), 2) <= 3


def test_rows_in_another_order_than_their_texts_tell_nothing() -> None:
    rows = rows_of(TOKENS, 2, 1)
    order = [*range(KNOWN), *(KNOWN + torch.randperm(len(TOKENS) - KNOWN, generator=torch.Generator().manual_seed(1))).tolist()]
    assert hits(replace(rows, sent=rows.sent[order]), 2) < (len(TOKENS) - KNOWN) / 2


def test_another_models_rows_tell_nothing() -> None:
    rows = rows_of(TOKENS, 2, 1)
    mixed = torch.linalg.qr(torch.randn(48, 48, generator=torch.Generator().manual_seed(2)))[0]
    assert hits(replace(rows, sent=rows.sent @ mixed), 2) <= 3


def test_a_branch_is_searched_below_what_is_known_of_its_stem() -> None:
    stem, first, second = TOKENS[:10], random_tokens(5, 1), random_tokens(5, 2)
    one, two = rows_of(stem + first, 1, 1), rows_of(stem + second, 1, 1)
    both = HeldRows(
        format=one.format,
        first_layer=1,
        last_layer=4,
        parents=[*one.parents, 9, 15, 16, 17, 18],
        sent=torch.cat([one.sent, two.sent[10:]]),
        returned=torch.cat([one.returned, two.returned[10:]]),
        answered=[True] * 20,
        path=[*range(10), *range(15, 20)],
    )
    model = tiny_public_model()
    search, tail = ExactSearch(model, 1, RowReader(model, 1, texts=8, length=64)), TailCompletion(model, 1)
    known = dict(enumerate(stem[:KNOWN]))
    for leaf in both.leaves():
        path = both.ancestry(leaf)
        found = search.recover(both, path, tail.logits(both, path), known)
        known |= {row: it.token for row, it in found.items()}
    assert [known[row] for row in range(20)] == stem + first + second
    assert both.leaves() == [14, 19]


def test_the_reader_of_rows_ranks_the_right_token_high_without_any_context() -> None:
    model = tiny_public_model()
    scores = RowReader(model, 1, texts=8, length=64).scores(rows_of(TOKENS, 1, 1).sent)
    ranks = (scores > scores[torch.arange(len(TOKENS)), TOKENS][:, None]).sum(1)
    assert int(ranks[1:].median()) <= 5
