"""A bench of a tiny model over a few tiny texts, whose tokens are letters."""

from functools import cache
from pathlib import Path
from typing import Any

import torch

from desktop_app.audit.batches import Batches
from desktop_app.audit.noise_measures import Bench
from desktop_app.audit.noise_systems import System
from desktop_app.audit.noise_texts import Given, NoiseTexts
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.model.tokenizer import Part
from desktop_app.open_weights.trainable import Trainable
from desktop_app.training.projection import principal
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.tiny_models import SIZES, tiny_model

FIRST = 20  # what comes before are the template's
HUGE, MINUTE = 16 * 4000, 1
SMALL = NoiseSizes(
    mus=(0.0625, 4000.0),
    documents=3,
    passages=2,
    chats=2,
    reply_tokens=6,
    continued_tokens=5,
    wikitext=2,
    examples=3,
    prior_tokens=40,
)


class LetterTokenizer:
    """One token a letter; letters that are not ASCII share what is left. A document is cut to its first letters."""

    stop_ids: frozenset[int] = frozenset()

    def __init__(self, most: int = 500) -> None:
        self._most = most

    def encode(self, text: str) -> list[int]:
        return [FIRST + (ord(letter) % 179) for letter in text][: self._most]

    def decode(self, ids: list[int]) -> str:
        return "".join(chr(token - FIRST) for token in ids if token >= FIRST)

    def prompt_parts(self, turns: list[dict[str, str]]) -> list[Part]:
        return [Part(None, [1, 5, 6]), Part(0, self.encode(turns[0]["content"])), Part(None, [7, 8])]

    def prompt(self, turns: list[dict[str, str]]) -> list[int]:
        return [token for part in self.prompt_parts(turns) for token in part.ids]


@cache
def tiny_batches() -> Batches:
    """The tiny llama."""
    tiny = tiny_model("llama")
    return Batches(Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config))


def tiny_table(dimensions: int = 40) -> CodeTable:
    """A table on principal components, whose prior is that all tokens are alike."""
    embeddings = tiny_batches().table
    return CodeTable(principal(embeddings, dimensions), embeddings, 4)


def tiny_system(name: str = "untrained", table: CodeTable | None = None, **parts: Any) -> System:
    """A system over it."""
    return System(name, table or tiny_table(), **parts)


def tiny_texts(sizes: NoiseSizes = SMALL, most: int = 500, **files: Path) -> NoiseTexts:
    """Texts of these sizes, each message cut to so many letters."""
    tokenizer: Any = LetterTokenizer(most)
    return NoiseTexts.of(tokenizer, sizes, Given(**files), 7)


def tiny_bench(texts: NoiseTexts | None = None, sizes: NoiseSizes = SMALL) -> Bench:
    """A bench over short messages where no others are given."""
    tokenizer: Any = LetterTokenizer()
    return Bench(tiny_batches(), tokenizer, texts or tiny_texts(sizes, most=24), sizes, 7)


def with_prior(table: CodeTable, log_prior: torch.Tensor) -> CodeTable:
    """The same table where tokens are expected so."""
    projection = Projection(table.projection.matrix, table.projection.clip, log_prior)
    return CodeTable(projection, table.embeddings, table.bits)


VOCABULARY = SIZES["vocab_size"]
