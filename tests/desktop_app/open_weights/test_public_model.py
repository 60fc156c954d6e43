"""The attacker's model is the model: head, middle and tail in a row give the unsplit model's logits."""

import torch

from desktop_app.open_weights.public_model import run_chain
from tests.helpers.attacked_rows import LAYERS, random_tokens, tiny_public_model
from tests.helpers.tiny_models import tiny_model

TOKENS = random_tokens(12)


def test_its_parts_in_a_row_are_the_whole() -> None:
    model = tiny_public_model()
    rows = run_chain(model.head(2), model.embedding(TOKENS))
    rows = run_chain(model.middle(2, LAYERS - 1), rows)
    logits = model.output(run_chain(model.tail(1), rows))
    torch.testing.assert_close(logits, tiny_model("llama").logits(TOKENS), rtol=1e-4, atol=1e-3)


def test_a_chain_leaves_no_session_behind() -> None:
    head = tiny_public_model().head(1)
    run_chain(head, tiny_public_model().embedding(TOKENS))
    assert head.sessions == []


def test_the_table_holds_what_the_embedding_gives() -> None:
    model = tiny_public_model()
    assert torch.equal(model.table[TOKENS], model.embedding(TOKENS).float())
