"""What is trained on: chats that the model writes itself, cut as they are sent: a prompt that will be noisy, an exact answer.

Each text goes on from where a person's words begin (`open_weights.corpus`). Where the model ends the person's turn by itself,
the prompt ends there; elsewhere the text is cut at a place drawn at random, as DEL cuts its texts (arXiv 2602.11513: a prefix,
and the loss on what follows).
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.open_weights import corpus
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.public_model import PublicModel

FEWEST, MOST = 8, 64  # tokens of a prompt
LEAST_REPLY = 16


@dataclass(frozen=True, slots=True)
class Sample:
    """Token ids: `before` and `between` are the template's, `prompt` the person's words, `reply` what follows."""

    before: tuple[int, ...]
    prompt: tuple[int, ...]
    between: tuple[int, ...]
    reply: tuple[int, ...]

    @property
    def ids(self) -> list[int]:
        """All of it, as the model reads it."""
        return [*self.before, *self.prompt, *self.between, *self.reply]

    @property
    def reply_start(self) -> int:
        """The place of the first token of the reply."""
        return len(self.before) + len(self.prompt) + len(self.between)


def samples(
    model: PublicModel,
    tokenizer: ChatTokenizer,
    tokens: int,
    seed: int,
    tell: Callable[[int], None] = lambda done: None,
    kept: Checkpoint | None = None,
) -> list[Sample]:
    """Samples of at least `tokens` tokens in all, the same for the same seed; the model writes them, `tell` is told how many.

    With `kept` writing that was cut off goes on where it was. Raises `OSError` where that is written.
    """
    start = corpus.opening(tokenizer)
    texts = corpus.written(model, start, tokens, seed, tell, kept)
    return cut(texts, start, between(tokenizer), tokenizer.stop_ids, seed)


def between(tokenizer: ChatTokenizer) -> list[int]:
    """What the template has between a person's words and the answer."""
    parts = tokenizer.prompt_parts([{"role": "user", "content": "a"}])
    return [token for part in parts[-1:] if part.turn is None for token in part.ids]


def cut(
    texts: Sequence[Sequence[int]], before: Sequence[int], middle: Sequence[int], stop_ids: frozenset[int], seed: int
) -> list[Sample]:
    """One sample of each text that is long enough."""
    randomness = random.Random(seed)
    found = []
    for text in texts:
        end = next((place for place, token in enumerate(text) if token in stop_ids), None)
        if end is not None and FEWEST <= end <= MOST:
            prompt, rest = text[:end], text[end:]
            reply = rest[len(middle) :] if list(rest[: len(middle)]) == list(middle) else ()
        else:
            place = randomness.randint(FEWEST, MOST)
            prompt, reply = text[:place], text[place:]
        reply = _until(reply, stop_ids)
        if len(reply) >= LEAST_REPLY:
            found.append(Sample(tuple(before), tuple(prompt), tuple(middle), tuple(reply)))
    return found


def _until(tokens: Sequence[int], stop_ids: frozenset[int]) -> Sequence[int]:
    """The tokens up to the first that ends a turn, that one with them."""
    end = next((place for place, token in enumerate(tokens) if token in stop_ids), len(tokens) - 1)
    return tokens[: end + 1]
