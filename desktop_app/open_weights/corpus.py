"""Texts to train attackers on, which nobody has to bring: the public model writes them itself.

Placed behind the opening of its own chat template a chat model writes what people ask it, and then the answer; sampled at
temperature 1 that is as close to a stranger's chats as an attacker gets without reading any (compare Xu et al., "Magpie",
arXiv 2406.08464). Many texts grow at once, as branches of one session. Texts of one's own can be given in their place.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from msgspec import Struct

from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.errors import OpenWeightsError
from desktop_app.open_weights.public_model import SESSION, PublicModel

AT_ONCE = 32
LENGTH = 96  # tokens of a text; a session holds at most 4,096 rows on branches
MOST_BYTES = 64 * 1024 * 1024  # of a file that is given


def opening(tokenizer: ChatTokenizer) -> list[int]:
    """What every chat with this model begins with, up to where the person's own words begin."""
    one, other = (tokenizer.prompt([{"role": "user", "content": text}]) for text in ("a", "7"))
    return one[: next(place for place, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)]


class Begun(Struct):
    """Texts so far, and the state of the generator that goes on with them."""

    texts: list[list[int]]
    generator: bytes


def written(
    model: PublicModel,
    start: Sequence[int],
    tokens: int,
    seed: int,
    tell: Callable[[int], None] = lambda done: None,
    kept: Checkpoint | None = None,
) -> list[list[int]]:
    """Texts of `LENGTH` tokens each, at least `tokens` in all, that the model writes behind `start` (which is not in them).

    With `kept` one that was cut off goes on where it was, and ends with the same texts. Raises `OSError` where that is written.
    """
    generator = torch.Generator().manual_seed(seed)
    texts: list[list[int]] = []
    if kept is not None and (begun := kept.get("texts", Begun)) is not None:
        texts = begun.texts
        generator.set_state(torch.frombuffer(bytearray(begun.generator), dtype=torch.uint8))
    while len(texts) * LENGTH < tokens:
        texts += _grown(model, start, generator)
        if kept is not None:
            kept.put("texts", Begun(texts, generator.get_state().numpy().tobytes()))
        tell(len(texts) * LENGTH)
    return texts


def _grown(model: PublicModel, start: Sequence[int], generator: torch.Generator) -> list[list[int]]:
    """`AT_ONCE` texts side by side."""
    layers = model.head(model.plan.layers)
    layers.open(SESSION, model.plan.max_positions)
    count = len(start)
    rows = layers.run(SESSION, 0, -1, 0, range(-1, count - 1), model.embedding(start))
    parents = [count - 1] * AT_ONCE
    tokens = _drawn(model.output(rows[-1:]).expand(AT_ONCE, -1), generator)
    texts = [[token] for token in tokens]
    first = count
    for _ in range(LENGTH - 1):
        rows = layers.run(SESSION, 0, count - 1, first, parents, model.embedding(tokens))
        parents = list(range(first, first + AT_ONCE))
        first += AT_ONCE
        tokens = _drawn(model.output(rows), generator)
        for text, token in zip(texts, tokens, strict=True):
            text.append(token)
    layers.close(SESSION)
    return texts


def _drawn(logits: torch.Tensor, generator: torch.Generator) -> list[int]:
    """A token for each row, by a race of exponential clocks: many times faster than `torch.multinomial`."""
    clocks = torch.empty_like(logits).exponential_(generator=generator)
    drawn: list[int] = (torch.softmax(logits, -1) / clocks).argmax(-1).tolist()
    return drawn


def given(folder: Path, tokenizer: ChatTokenizer, tokens: int) -> list[list[int]]:
    """Texts of `LENGTH` tokens from the text files of a folder, `tokens` in all if there are. Raises `OpenWeightsError`."""
    texts: list[list[int]] = []
    try:
        for path in sorted(folder.rglob("*.txt")):
            if path.stat().st_size > MOST_BYTES:
                raise OpenWeightsError(f"{path} is larger than 64 MB. Cut it into smaller files.")
            ids = tokenizer.encode(path.read_text(encoding="utf-8", errors="replace"))
            texts += [ids[place : place + LENGTH] for place in range(0, len(ids) - LENGTH + 1, LENGTH)]
            if len(texts) * LENGTH >= tokens:
                return texts
    except OSError as error:
        raise OpenWeightsError(f"The texts in {folder} could not be read ({error.strerror}). Choose another folder.") from error
    if not texts:
        raise OpenWeightsError(
            f"{folder} holds no text file (*.txt) with {LENGTH} tokens or more. Choose another, or leave it out."
        )
    return texts


def random_texts(model: PublicModel, count: int, length: int, seed: int) -> list[list[int]]:
    """Texts of random tokens: they say nothing, but have the rare tokens in them that texts lack.

    No token comes twice before each has come once: whoever may chat as they like would not leave that to chance.
    """
    generator = torch.Generator().manual_seed(seed)
    rounds = -(-count * length // model.plan.vocab_size)
    ids = torch.cat([torch.randperm(model.plan.vocab_size, generator=generator) for _ in range(rounds)] or [torch.empty(0)])
    texts: list[list[int]] = ids[: count * length].view(count, length).tolist()
    return texts
