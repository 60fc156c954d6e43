"""A tiny public model, and the rows that an agent would hold of a text that it ran."""

from collections.abc import Sequence
from functools import cache

import torch

from desktop_app.audit.held_rows import HeldRows
from desktop_app.open_weights.public_model import PublicModel, run_chain
from remote_agent.segment.plan import ModelPlan
from remote_agent.wire.messages import RowFormat
from tests.helpers.tiny_models import SIZES, tiny_model

LAYERS = SIZES["num_hidden_layers"]
VOCABULARY = SIZES["vocab_size"]


@cache
def tiny_public_model() -> PublicModel:
    """A random llama of five layers and 199 tokens."""
    tiny = tiny_model("llama")
    return PublicModel(ModelPlan.from_config(tiny.config), tiny, torch.float32)


def random_tokens(count: int, seed: int = 0) -> list[int]:
    """Tokens of no meaning."""
    tokens: list[int] = torch.randint(3, VOCABULARY, (count,), generator=torch.Generator().manual_seed(seed)).tolist()
    return tokens


def rows_of(tokens: Sequence[int], head: int, tail: int) -> HeldRows:
    """What an agent holds of a text of these tokens, in one chain."""
    model = tiny_public_model()
    sent = run_chain(model.head(head), model.embedding(tokens))
    returned = run_chain(model.middle(head, LAYERS - tail), sent)
    count = len(tokens)
    return HeldRows(
        format=RowFormat.FLOAT32,
        first_layer=head,
        last_layer=LAYERS - tail,
        parents=list(range(-1, count - 1)),
        sent=sent,
        returned=returned,
        answered=[True] * count,
        path=list(range(count)),
    )


def greedy(tokens: Sequence[int], count: int) -> list[int]:
    """The next `count` tokens of the unsplit model."""
    made = list(tokens)
    for _ in range(count):
        made.append(int(tiny_model("llama").logits(made)[-1].argmax()))
    return made[len(tokens) :]
