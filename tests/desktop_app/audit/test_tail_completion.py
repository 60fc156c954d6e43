"""Who finishes the model reads a greedy reply; a row that was never run tells nothing."""

from dataclasses import replace

import torch

from desktop_app.audit.tail_completion import TailCompletion
from tests.helpers.attacked_rows import greedy, random_tokens, rows_of, tiny_public_model

PROMPT = random_tokens(10)


def test_every_token_of_a_greedy_reply_is_read() -> None:
    reply = greedy(PROMPT, 8)
    rows = rows_of(PROMPT + reply[:-1], 2, 1)
    assert TailCompletion(tiny_public_model(), 1).read(rows)[len(PROMPT) - 1 :] == reply


def test_rows_that_are_noise_read_as_noise() -> None:
    reply = greedy(PROMPT, 8)
    rows = rows_of(PROMPT + reply[:-1], 2, 1)
    noise = torch.randn(rows.returned.shape, generator=torch.Generator().manual_seed(1))
    read = TailCompletion(tiny_public_model(), 1).read(replace(rows, returned=noise))[len(PROMPT) - 1 :]
    assert sum(a == b for a, b in zip(read, reply, strict=True)) <= 2


def test_behind_a_row_that_was_never_run_every_token_is_as_likely() -> None:
    rows = rows_of(PROMPT, 2, 1)
    logits = TailCompletion(tiny_public_model(), 1).logits(replace(rows, answered=[*[True] * 9, False]))
    assert logits[-1].unique().tolist() == [0.0]
    assert len(logits[0].unique()) > 100


def test_a_path_is_read_as_if_it_were_alone() -> None:
    rows = rows_of(PROMPT, 2, 1)
    tail = TailCompletion(tiny_public_model(), 1)
    torch.testing.assert_close(tail.logits(rows, [0, 1, 2]), tail.logits(rows)[:3])
