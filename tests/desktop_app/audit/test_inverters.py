"""Learned inverters learn what lies in rows, say nothing they have not seen, and learn nothing from noise."""

import pytest
import torch

from desktop_app.audit import inverters
from desktop_app.audit.inverters import FOLDS, SequenceInverter, paper_inverter
from tests.helpers.attacked_rows import random_tokens, rows_of

TEXTS = [[token % 20 for token in random_tokens(32, seed)] for seed in range(40)]
ROWS = [rows_of(text, 1, 1).sent[4:] for text in TEXTS]
TOKENS = [text[4:] for text in TEXTS]


def share(said: list[list[int]], truth: list[list[int]]) -> float:
    pairs = [(a, b) for one, other in zip(said, truth, strict=True) for a, b in zip(one, other, strict=True)]
    return sum(a == b for a, b in pairs) / len(pairs)


def test_the_sequence_inverter_reads_texts_that_it_has_never_seen() -> None:
    inverter = SequenceInverter(ROWS[:36], TOKENS[:36], 36, epochs=4)
    assert share([inverter.read(rows) for rows in ROWS[36:]], TOKENS[36:]) > 0.8


@pytest.mark.slow
def test_it_learns_nothing_from_rows_that_belong_to_other_texts() -> None:
    inverter = SequenceInverter(ROWS[:36], [*TOKENS[1:36], TOKENS[0]], 36, epochs=4)
    assert share([inverter.read(rows) for rows in ROWS[36:]], TOKENS[36:]) < 0.25


@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_on_texts_held_back_it_is_never_below_the_closed_form_alone(noise: float) -> None:
    chance = torch.Generator().manual_seed(3)
    rows = [text + noise * text.std() * torch.randn(text.shape, generator=chance) for text in ROWS]
    inverter = SequenceInverter(rows, TOKENS, 36, epochs=2)
    read = [inverter.read(text) for text in rows[:36:FOLDS]]
    right = sum(a == b for said, own in zip(read, TOKENS[:36:FOLDS], strict=True) for a, b in zip(said, own, strict=True))
    assert right == max(inverter.right_alone, inverter.right_with_context)
    assert inverter.uses_context == (inverter.right_with_context > inverter.right_alone)


def test_it_starts_from_the_closed_form_and_so_needs_no_epoch() -> None:
    inverter = SequenceInverter(ROWS[:36], TOKENS[:36], 36, epochs=0)
    assert inverter.right_with_context == inverter.right_alone
    assert not inverter.uses_context
    assert share([inverter.read(rows) for rows in ROWS[36:]], TOKENS[36:]) > 0.8


def test_it_knows_rare_tokens_from_texts_that_are_like_no_other() -> None:
    rare = list(range(100, 120))
    rows = rows_of(rare, 1, 1).sent
    with_rare = SequenceInverter([*ROWS[:8], rows], [*TOKENS[:8], rare], 8, epochs=0)
    assert share([with_rare.read(rows)], [rare]) > 0.9


def test_a_text_longer_than_any_in_training_is_read_to_its_end() -> None:
    inverter = SequenceInverter([rows[:10] for rows in ROWS[:8]], [tokens[:10] for tokens in TOKENS[:8]], 8, epochs=1)
    assert len(inverter.read(ROWS[0])) == len(TOKENS[0])


@pytest.fixture
def few_epochs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverters, "PAPER_EPOCHS", 25)  # of the paper's many: enough for layers this small


@pytest.mark.slow
@pytest.mark.usefixtures("few_epochs")
def test_the_papers_inverter_reads_rows_between_those_it_was_trained_on() -> None:
    rows, tokens = torch.cat(ROWS), [token for text in TOKENS for token in text]
    order = torch.randperm(len(tokens), generator=torch.Generator().manual_seed(2)).tolist()
    said = paper_inverter(rows, tokens, order[200:])
    assert share([[said[place] for place in order[:200]]], [[tokens[place] for place in order[:200]]]) > 0.8


@pytest.mark.slow
@pytest.mark.usefixtures("few_epochs")
def test_it_says_only_what_it_has_seen() -> None:
    rows, tokens = torch.cat(ROWS), [token for text in TOKENS for token in text]
    places = [place for place, token in enumerate(tokens) if token < 10][:100]
    assert set(paper_inverter(rows, tokens, places)) <= set(range(10))
