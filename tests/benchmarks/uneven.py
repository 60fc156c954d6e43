"""What noise costs a reply where only the words that matter are strict: beside stand-ins, and beside even noise.

Greedy runs over the questions of `quality`, those that are answered rightly as they are:

plain     the document as it is
stand_in  protected words replaced by stand-ins, the rest exact
strict    protected words at the strict level, the rest exact
mild      protected words at the strict level, the rest at the mild one
even      every word at one level, with at least the sum of mu squared that `mild` has for the same text: a whole mu, so that few
          levels have to be proven

The questions about a document are edits of one message, so that its words are drawn once. The attack on the strict words has more
than an agent gets: the very codes, which words are protected, the shape of each token, and all other words in clear, before and
behind. It follows the likeliest texts under the model (`ATTACK_WIDTH` of them); `prior` is the same attacker without the codes.
Tokens of strict words are counted, those of a word once.
"""

import argparse
import asyncio
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, cast

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import DynamicCache

from desktop_app.chat.events import DocumentText, Noise, ReplyEvent, ReplyFailed, ReplyRequest, Sampling, TextAdded, Turn
from desktop_app.engine.keeper import Keeper, Kept
from desktop_app.engine.replies import Replies
from desktop_app.engine.strict_words import FEWEST_OF_SHAPE, StrictWords
from desktop_app.model.codes import ModelCodes, find_codes
from desktop_app.model.store import ModelStore
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.ledger import Cost
from desktop_app.settings.paths import user_paths
from remote_agent.segment.code_rows import unpacked
from tests.benchmarks.quality import DOCUMENTS, INSTRUCTION, TOKENS, Document, Question, chosen, engine, is_right, load
from tests.benchmarks.report import Checkpoint, add_arguments, publish

Floats = NDArray[np.float64]

ANY = 1e15  # an epsilon that no conversation reaches
RESAMPLES = 10_000

Run = Literal["plain", "stand_in", "strict", "mild", "even"]
RUNS: tuple[Run, ...] = ("plain", "stand_in", "strict", "mild", "even")
ATTACK_WIDTH = 8
NOISY = ("strict", "mild", "even")


@dataclass
class Bench:
    """The engine, and what it keeps."""

    replies: Replies
    keeper: Keeper
    strict: float
    mild: float


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="uneven", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--limit", type=int, metavar="N", help="the first N documents")
    parser.add_argument("--strict", type=float, default=1.5, metavar="MU", help="of protected words (default 1.5)")
    parser.add_argument("--mild", type=float, default=60.0, metavar="MU", help="of the rest (default 60)")
    parser.add_argument(
        "--every", type=int, default=1, metavar="N", help="mild and even on each Nth document only: they take longest"
    )
    options = parser.parse_args(arguments)
    # The starter model answers none of the Korean questions as they are.
    documents = chosen(load(DOCUMENTS), "en", 10 if options.quick else options.limit)
    kept = Checkpoint(options.checkpoint)
    asyncio.run(measure(documents, (options.strict, options.mild), options.every, kept))
    publish(figures(documents, options.every, kept), options)


def runs_of(number: int, every: int) -> Sequence[Run]:
    """The runs that a document, by its number from 1 on, takes part in."""
    return RUNS if number % every == 1 % every else RUNS[:3]


async def measure(documents: Sequence[Document], levels: tuple[float, float], every: int, kept: Checkpoint) -> None:
    """Answer in all runs, and attack what was drawn; keep every answer. `levels`: of strict words, and of the rest."""
    attacker: Attacker | None = None
    async with engine() as (replies, keeper):
        it = Bench(replies, keeper, *levels)
        for number, document in enumerate(documents, start=1):
            name = f"{document.id} attack"
            whole = name in kept  # what was drawn is gone with the process, so noisy runs begin anew where one was cut off
            runs = runs_of(number, every)
            for run in runs:
                for question in document.questions if run == "plain" else right_in_plain(document, kept):
                    if _key(document, run, question) not in kept or (run in NOISY and not whole):
                        kept[_key(document, run, question)] = await _ask(it, document, question, run)
                it.replies.forget(_conversation(document, run))
            if not whole and right_in_plain(document, kept):
                attacker = attacker or Attacker()
                drawn = await it.keeper.run(partial(_drawn, _conversation(document, "strict")), _conversation(document, "strict"))
                kept[name] = attacker.attack(drawn) | {"bound": max((cost.success for cost in drawn.costs), default=0.0)}
            told = " ".join(f"{run} {right(document, run, kept):g}" for run in runs)
            attacked = kept[name] if right_in_plain(document, kept) else "not attacked"
            print(f"{number} of {len(documents)}: {document.id}: {told}; {attacked}", flush=True)


async def _ask(it: Bench, document: Document, question: Question, run: Run) -> str:
    noise = await _noise(it, document, run)
    number = document.questions.index(question)
    conversation = _conversation(document, run)
    text = f"Read the document above.\n\nQuestion: {question.question}\nAnswer in a few words."
    request = ReplyRequest(
        conversation=conversation,
        turns=[
            Turn(role="system", text=INSTRUCTION, identity=f"{conversation} system"),
            Turn(
                role="user",
                text=text,
                documents=[DocumentText(name=document.name, text=document.text)],
                identity=f"{conversation} {number}",
            ),
        ],
        parent=f"{conversation} system",
        answer=f"{conversation} {number} answer",
        protect=run in ("stand_in", "strict", "mild"),
        sampling=Sampling(temperature=0.0, max_tokens=TOKENS),
        noise=noise,
    )
    events: list[ReplyEvent] = []
    await it.replies.make(request, events.append)
    if isinstance(events[-1], ReplyFailed):
        raise RuntimeError(events[-1].sentence)
    return "".join(event.text for event in events if isinstance(event, TextAdded))


async def _noise(it: Bench, document: Document, run: Run) -> Noise | None:
    if run in ("plain", "stand_in"):
        return None
    if run == "strict":
        return Noise(strict_mu=it.strict, rest="exact", per="value", epsilon=ANY)
    if run == "mild":
        return Noise(mu=it.mild, strict_mu=it.strict, epsilon=ANY)
    mild = _conversation(document, "mild")
    counts = await it.keeper.run(lambda kept: kept.draws.counts(mild), mild)
    squares = sum((mu16 / 16) ** 2 * count for mu16, count in counts.items())
    # The strict words of all mentions have one draw; spread evenly, each token has one.
    tokens = await it.keeper.run(lambda kept: _tokens(kept, mild), mild)
    return Noise(mu=float(math.ceil((squares / tokens) ** 0.5)), epsilon=ANY)


def _tokens(kept: Kept, conversation: str) -> int:
    """The tokens of a conversation, of each message those that are not an earlier one's."""
    seen: set[tuple[int, int]] = set()
    for message in kept.history.load(conversation).messages:
        seen |= {(place, row.draw.number) for place, row in enumerate(kept.draws.of_message(message.identity))}
    return len(seen)


@dataclass
class Drawn:
    """The first question of a conversation: its tokens, what was drawn for each, and what each protected value cost."""

    tokens: list[int]
    codes: list[tuple[int, bytes]]
    numbers: list[int]
    costs: list[Cost]


def _drawn(conversation: str, kept: Kept) -> Drawn:
    message = next(it for it in kept.history.load(conversation).messages if it.role == "user")
    rows = kept.draws.of_message(message.identity)
    costs = [kept.ledger.spent(conversation, span=span) for span in kept.draws.spans(conversation)]
    return Drawn(
        [row.token for row in rows], [(row.draw.mu16, row.draw.codes) for row in rows], [row.draw.number for row in rows], costs
    )


class Attacker:
    """Guesses strict words from their codes, with the model as prior and all that stands around them: a beam search."""

    def __init__(self) -> None:
        paths = user_paths()
        model = ModelStore(paths.models).prepare("", 2**16, 0)
        self._codes: ModelCodes = find_codes(model, paths.codes, 4)
        self._words = StrictWords(model.tokenizer, self._codes)
        self._model = Trainable.of(model)

    def attack(self, drawn: Drawn) -> dict[str, int]:
        """How many tokens of protected words there are, and how many are guessed with the codes and without them."""
        found = {name: self._guessed(drawn, codes=name == "codes") for name in ("codes", "prior")}
        return {name: sum(hits.values()) for name, hits in found.items()} | {"tokens": len(found["codes"])}

    @torch.inference_mode()
    def _guessed(self, drawn: Drawn, codes: bool) -> dict[int, bool]:
        """Whether each draw's token is guessed in the likeliest text."""
        beam = _Beam(self._model)
        true: dict[int, int] = {}
        for token, (mu16, sent), number in zip(drawn.tokens, drawn.codes, drawn.numbers, strict=True):
            if not mu16:
                beam.hear(token)
            elif number in true:
                beam.again(number)
            else:
                true[number] = token
                beam.guess(number, self._candidates(token), self._likelihood(sent, mu16) if codes else None)
        return {number: guess == true[number] for number, guess in beam.best().items()}

    def _candidates(self, token: int) -> torch.Tensor:
        """What may stand there: tokens of the same shape, which is public; where it has few, any."""
        same = self._words.of_shape(token)
        return same if len(same) >= FEWEST_OF_SHAPE else torch.arange(self._codes.table.tokens)

    def _likelihood(self, sent: bytes, mu16: int) -> torch.Tensor:
        table = self._codes.table
        return table.log_likelihood(unpacked(sent, 1, table.bits, table.dimensions), mu16)[0]


class _Beam:
    """The texts that are followed, each with what it takes the drawn words for."""

    def __init__(self, model: Trainable) -> None:
        self._model = model
        self._cache: Any = DynamicCache()
        self._scores = torch.zeros(1)
        self._guesses: list[dict[int, int]] = [{}]
        self._behind: torch.Tensor | None = None  # ln P(token) [texts, V]
        self._heard: list[int] = []

    def hear(self, token: int) -> None:
        """A token is there for all to see."""
        self._heard.append(token)

    def again(self, number: int) -> None:
        """The token of an earlier draw stands here too."""
        self._settle()
        self._run([[guess[number]] for guess in self._guesses])

    def guess(self, number: int, candidates: torch.Tensor, likelihood: torch.Tensor | None) -> None:
        """Follow each text with the likeliest of these tokens."""
        self._settle()
        scores = self._scores[:, None].expand(-1, len(candidates))
        if self._behind is not None:
            scores = scores + self._behind[:, candidates]
        if likelihood is not None:
            scores = scores + likelihood[candidates]
        best = scores.flatten().topk(min(ATTACK_WIDTH, scores.numel()))
        texts, places = best.indices // len(candidates), best.indices % len(candidates)
        self._guesses = [
            self._guesses[text] | {number: int(candidates[place])}
            for text, place in zip(texts.tolist(), places.tolist(), strict=True)
        ]
        self._scores = best.values
        if self._cache.get_seq_length():
            self._cache.batch_select_indices(texts)
        self._behind = None  # the score holds it already
        self._run([[guess[number]] for guess in self._guesses])

    def best(self) -> dict[int, int]:
        """What the likeliest text takes each draw for, all heard."""
        self._settle()
        return self._guesses[int(self._scores.argmax())]

    def _settle(self) -> None:
        if self._heard:
            heard, self._heard = self._heard, []
            self._run([heard] * len(self._guesses))

    def _run(self, tokens: list[list[int]]) -> None:
        """Go on with these, and weigh each text by how likely they are in it."""
        ids = torch.tensor(tokens)
        mask = torch.ones(len(ids), self._cache.get_seq_length() + ids.shape[1], dtype=torch.int64)
        output = self._model.network(ids, attention_mask=mask, cache=self._cache, use_cache=True)
        self._cache = output.cache
        chances = torch.log_softmax(output.logits, -1)
        if self._behind is not None:
            self._scores = self._scores + self._behind.gather(1, ids[:, :1])[:, 0]
        self._scores = self._scores + chances[:, :-1].gather(2, ids[:, 1:, None])[..., 0].sum(1)
        self._behind = chances[:, -1]


def _conversation(document: Document, run: Run) -> str:
    return f"{document.id} {run}"


def _key(document: Document, run: Run, question: Question) -> str:
    return f"{_conversation(document, run)} {question.question}"


def _right(kept: Checkpoint, document: Document, run: Run, question: Question) -> bool:
    return is_right(cast(str, kept[_key(document, run, question)]), question.answers)


def right_in_plain(document: Document, kept: Checkpoint) -> list[Question]:
    """The questions that are answered rightly as they are."""
    return [question for question in document.questions if _right(kept, document, "plain", question)]


def right(document: Document, run: Run, kept: Checkpoint) -> int:
    """How many of these are answered rightly in a run."""
    return sum(_right(kept, document, run, question) for question in right_in_plain(document, kept))


def figures(documents: Sequence[Document], every: int, kept: Checkpoint) -> dict[str, float]:
    """Shares in percent with 95 % intervals by documents (percentile bootstrap)."""

    def counts(which: Sequence[Document], *runs: Run) -> list[Floats]:
        return [np.array([right(document, run, kept) for document in which], dtype=float) for run in runs]

    both = [document for number, document in enumerate(documents, start=1) if "mild" in runs_of(number, every)]
    plain, stand_in, strict = counts(documents, "plain", "stand_in", "strict")
    beside, mild, even = counts(both, "stand_in", "mild", "even")
    attacks = [cast(Mapping[str, float], kept[f"{it.id} attack"]) for it in documents if f"{it.id} attack" in kept]
    guessed = np.array([[attack[name] for name in ("codes", "prior", "tokens")] for attack in attacks], dtype=float)
    return {
        "documents": len(documents),
        "documents.mild_and_even": len(both),
        "plain_right": plain.sum(),
        "kept_percent.stand_in": 100 * stand_in.sum() / plain.sum(),
        "kept_percent.strict": 100 * strict.sum() / plain.sum(),
        **dict(_interval("kept_of_stand_ins.strict", strict, stand_in)),
        **dict(_interval("kept_of_stand_ins.mild", mild, beside)),
        **dict(_interval("kept_of_stand_ins.even", even, beside)),
        **dict(_interval("mild_minus_even", mild - even, beside)),
        **dict(_interval("recovered_percent.strict", guessed[:, 0], guessed[:, 2])),
        **dict(_interval("recovered_percent.prior", guessed[:, 1], guessed[:, 2])),
        **dict(_interval("recovered_minus_prior", guessed[:, 0] - guessed[:, 1], guessed[:, 2])),
        "posterior_bound.worst_value_percent": 100 * max(attack["bound"] for attack in attacks),
    }


def _interval(name: str, hits: Floats, of: Floats) -> Iterator[tuple[str, float]]:
    draws = np.random.default_rng(0).integers(0, len(hits), size=(RESAMPLES, len(hits)))
    shares = 100 * hits[draws].sum(1) / np.maximum(1, of[draws].sum(1))
    yield name, 100 * hits.sum() / max(1.0, of.sum())
    low, high = np.percentile(shares, (2.5, 97.5))
    yield f"{name}.low", low
    yield f"{name}.high", high
