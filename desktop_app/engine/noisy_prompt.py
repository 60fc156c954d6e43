"""A prompt under noise: which of its tokens anybody may know, which are drawn and charged, and the numbers that stand for them.

Each message is tokenised on its own and is one revision for ever, so its codes are those that were drawn when it was first sent
(`privacy.noise.occurrences`). What the template adds is public. Everything is charged before the prompt exists.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from desktop_app.chat.events import Noise, ReplyRequest, Turn
from desktop_app.engine import prompt
from desktop_app.engine.enough_noise import within
from desktop_app.engine.errors import BudgetSpent, RequestRefused
from desktop_app.engine.exchange import Exchange
from desktop_app.engine.keeper import Kept
from desktop_app.engine.models import Loaded
from desktop_app.engine.noisy_rows import CODES, PUBLIC, SOFT, DrawAnswer, NoisyRows, RowUncharged
from desktop_app.engine.strict_words import DROPPED, Place, StrictWords, sent_as
from desktop_app.model.codes import ModelCodes
from desktop_app.model.tokenizer import Part
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.noise.budget import LEAST_MU, MOST_MU, Budget
from desktop_app.privacy.noise.draws import Draw, Unit
from desktop_app.privacy.noise.ledger import BudgetExceeded, Kind, Row, Terms, Way
from desktop_app.privacy.noise.occurrences import Limits, Notes, Occurrences
from desktop_app.privacy.noise.quantiser import Level, Thresholds, thresholds
from desktop_app.privacy.noise.vocabulary import WorstPair, contradicted, worst_pair

MOST_ANSWER = 4096  # tokens that are asked for together whether they can be paid

T = TypeVar("T")


class Compute(Protocol):
    """Runs a job in the torch thread and waits for its result."""

    def __call__(self, job: Callable[[], T]) -> Awaitable[T]:
        """The job's result; what it raises is raised here."""


def mu16(mu: float) -> int:
    """A noise level as it is written on the wire and in the ledger, in sixteenths. Raises `RequestRefused`."""
    if not LEAST_MU <= mu <= MOST_MU:
        raise RequestRefused(f"A noise of mu {mu:g} a token cannot be had. Choose one from 1/16 to {MOST_MU:,}, 30 for example.")
    return round(mu * 16)


def terms_of(noise: Noise, codes: ModelCodes) -> Terms:
    """What a conversation with this noise agrees to. Raises `RequestRefused`."""
    levels = {0 if noise.rest == "exact" else mu16(noise.mu)} | ({mu16(noise.strict_mu)} if noise.strict_mu else set())
    if noise.answers == "codes":
        levels.add(mu16(noise.mu))
    way = Way.POST_PROCESSED if noise.answers == "exact" else Way.CHARGED_REPLY
    unit = Unit.CONVERSATION if noise.per == "conversation" else Unit.SPAN
    try:
        budget = Budget(noise.epsilon, noise.delta)
        return Terms(way, budget, codes.digest.hex(), noise.bits, codes.table.dimensions, tuple(sorted(levels)), unit)
    except PrivacyError as error:
        raise RequestRefused(str(error)) from error


@dataclass(frozen=True, slots=True)
class Said:
    """A turn with its tokens, and those of them that belong to a protected value, by place: once drawn, those drawn strictly.

    `given_up` are those of values that were protected once in this conversation, and are not any more.
    """

    turn: Turn
    ids: list[int]
    places: dict[int, Place]
    given_up: dict[int, Place] = field(default_factory=dict)


class Drawn(NamedTuple):
    """A turn, and what was drawn for each of its tokens."""

    said: Said
    draws: list[Draw]


class Word(NamedTuple):
    """What was drawn for a token, and the token whose exact row leaves instead of the codes (`CODES`: they do)."""

    draw: Draw
    sent: int


class Answer(NamedTuple):
    """How an answer leaves as codes: what draws its last token, in the torch thread, and how many can be paid."""

    draw: DrawAnswer
    room: int


class NoisyPrompt:
    """Makes the prompts of one model under one table. Its slow parts run where `compute` has them run."""

    def __init__(self, loaded: Loaded, codes: ModelCodes, compute: Compute) -> None:
        self._tokenizer = loaded.model.tokenizer
        self._codes = codes
        self._strict = StrictWords(self._tokenizer, codes)
        self._compute = compute

    async def charged(self, exchange: Exchange, noise: Noise) -> "Charged":
        """Draw, charge and keep what is new in the prompt, all of it or nothing. Raises `RequestRefused`."""
        request = exchange.request
        carried = await exchange.kept(lambda kept: kept.draws.spans(request.conversation))
        given_up = dict.fromkeys(set(carried) - exchange.values.keys(), "other")
        parts, said = await self._compute(lambda: self._read(request, noise, exchange.values, given_up))
        noise = await self._with_level(exchange, noise, said)
        await self._prove(exchange, noise)
        try:
            drawn = await exchange.kept(lambda kept: self._drawn(kept, request, noise, said))
            answer = await self._answer(exchange, noise) if noise.answers == "codes" else None
        except BudgetExceeded as error:
            raise BudgetSpent(str(error), error.after) from error
        except PrivacyError as error:
            raise RequestRefused(str(error)) from error
        words, stand_ins = await self._compute(lambda: self._words(drawn))
        exchange.restore(stand_ins)
        return Charged(parts, words, answer)

    async def _answer(self, exchange: Exchange, noise: Noise) -> "Answer":
        """How the answer's tokens leave as codes. Raises `BudgetExceeded` where not one more can be paid."""
        request, loop = exchange.request, asyncio.get_running_loop()
        conversation, name = request.conversation, request.answer or f"{request.conversation}/answer"

        def room(kept: Kept) -> tuple[int, int]:
            level = max(kept.ledger.terms(conversation).levels)  # type: ignore[union-attr]
            if not (room := kept.ledger.room(conversation, level, MOST_ANSWER)):
                kept.ledger.reserve(conversation, Kind.REPLY, [(level, ())])
            return level, room

        level, most = await exchange.kept(room)

        def drawn(kept: Kept, tokens: Sequence[int]) -> Draw:
            occurrences = Occurrences(kept.archive, kept.ledger, self._codes.digest.hex(), limits_of(self._codes))
            return occurrences.of(conversation, name, tokens, [level] * len(tokens), notes=Notes(reply=True))[-1]

        def draw(tokens: Sequence[int]) -> Draw:
            given = list(tokens)
            try:
                return asyncio.run_coroutine_threadsafe(exchange.kept(lambda kept: drawn(kept, given)), loop).result()
            except PrivacyError as error:
                raise RowUncharged(str(error)) from error

        return Answer(draw, most)

    async def _with_level(self, exchange: Exchange, noise: Noise, said: Mapping[int, Said]) -> Noise:
        """The noise with its level: the one that the conversation agreed to, or the least noise that keeps the budget."""
        if noise.mu or noise.rest == noise.answers == "exact":
            return noise

        def agreed(kept: Kept) -> tuple[int, int]:
            terms = kept.ledger.terms(exchange.request.conversation)
            private = _private(kept, exchange.request, noise, said)
            return max(terms.levels) if terms else 0, sum(len(it.ids) for it in private.values())

        level, tokens = await exchange.kept(agreed)
        if level:
            return replace(noise, mu=level / 16)
        loop = asyncio.get_running_loop()

        def prove(level: Level) -> WorstPair:
            return asyncio.run_coroutine_threadsafe(self._proof(exchange, level), loop).result()

        return replace(noise, mu=await asyncio.to_thread(within, noise, tokens, self._codes.codes, prove))

    async def _prove(self, exchange: Exchange, noise: Noise) -> None:
        """Find out what the real vocabulary gives away at the levels of the noise, where nobody has yet."""
        terms = terms_of(noise, self._codes)
        for level in terms.levels:
            if level:
                await self._proof(exchange, Level(level / 16, terms.bits, terms.dimensions))

    async def _proof(self, exchange: Exchange, level: Level) -> WorstPair:
        """What is proven at a level; proven now where it is not, or where what is kept is less than the codes give."""
        table = self._codes.digest.hex()
        proven = await exchange.kept(partial(_proven, table, level))
        if proven is None or await asyncio.to_thread(contradicted, self._codes.codes, level, proven):
            proven = await asyncio.to_thread(_farthest, self._codes, level)
            await exchange.kept(partial(_keep_proof, table, level, proven))
        return proven

    def _read(self, request: ReplyRequest, noise: Noise, *values: Mapping[str, str]) -> tuple[list[Part], dict[int, Said]]:
        """The prompt in parts, and what is said in it, by turn; `values` are those that are protected, then those that were."""
        turns = prompt.spoken(request.turns)
        parts = self._tokenizer.prompt_parts(prompt.messages(request.turns))
        said = {}
        for part in parts:
            if part.turn is not None:
                places = [self._strict.places(part.ids, of) if noise.strict_mu else {} for of in values]
                said[part.turn] = Said(turns[part.turn], part.ids, *places)
        return parts, said

    def _drawn(self, kept: Kept, request: ReplyRequest, noise: Noise, said: Mapping[int, Said]) -> dict[int, Drawn]:
        """All turns but those that the model has made under the same noise, drawn; in the archive's thread."""
        conversation = request.conversation
        if any(record.mode == "exact" and record.peer for record in kept.history.sent(conversation)):
            kept.ledger.begin_exact(conversation, told=True)  # from before there was a ledger
        private = _private(kept, request, noise, said)
        terms = terms_of(noise, self._codes)
        occurrences = Occurrences(kept.archive, kept.ledger, terms.table, limits_of(self._codes))
        kept.ledger.begin(conversation, terms)  # also of what is refused: its budget is what the person may raise
        with kept.archive.transaction():
            drawn = {place: self._draws_of(kept, occurrences, (request, noise, place), it) for place, it in private.items()}
            kept.ledger.check(conversation, [row for it in drawn.values() for row in _rows(it, terms.way)])
        return drawn

    def _draws_of(self, kept: Kept, occurrences: Occurrences, asked: tuple[ReplyRequest, Noise, int], said: Said) -> Drawn:
        request, noise, place = asked
        name = revision_of(request.conversation, place, said.turn, said.ids)
        if said.turn.role == "assistant" and noise.answers == "codes":
            ids = self._as_made(kept, name, said.ids)
            levels = [mu16(noise.mu)] * len(ids)
            draws = occurrences.of(request.conversation, name, ids, levels, notes=Notes(reply=True))
            return Drawn(Said(said.turn, ids, {}), draws)
        strict, rest = mu16(noise.strict_mu) if noise.strict_mu else 0, 0 if noise.rest == "exact" else mu16(noise.mu)
        levels = [strict if token in said.places else rest for token in range(len(said.ids))]
        stored = kept.draws.of_message(name)
        if [row.token for row in stored] == said.ids:
            # What has left cannot be called back: marking a word, or no longer, is for messages that come.
            levels = [row.draw.mu16 for row in stored]
        spans = {token: it.values for token, it in said.places.items() if levels[token]}
        places = {token: it for token, it in said.places.items() if levels[token] == strict}
        notes = Notes(spans=spans, shared={token: it.key for token, it in places.items()})
        like = _edited(kept, request.conversation, said.turn.identity)
        draws = occurrences.of(request.conversation, name, said.ids, levels, like, notes)
        # What left in clear before it was marked, or is no longer protected, was the person's to send: counted, and not asked.
        unasked = said.given_up | {token: it for token, it in said.places.items() if not levels[token]}
        kept.draws.carry({(value, draws[token].number) for token, it in unasked.items() for value in it.values})
        return Drawn(Said(said.turn, said.ids, places), draws)

    def _as_made(self, kept: Kept, message: str, ids: list[int]) -> list[int]:
        """The tokens of an answer as they were made and drawn, where both are the same text, and what was never sent of it."""
        bytes_of = self._tokenizer.token_bytes
        made = [row.token for row in kept.draws.of_message(message)]
        whole, begun = b"".join(map(bytes_of, ids)), b"".join(map(bytes_of, made))
        if not whole.startswith(begun):
            return ids
        return [*made, *self._tokenizer.encode(whole[len(begun) :].decode("utf-8", "ignore"))]

    def _words(self, drawn: Mapping[int, Drawn]) -> tuple[dict[int, list[Word]], dict[str, str]]:
        """What leaves for each token, and what stands for each protected value then."""
        words: dict[int, list[Word]] = {}
        stand_ins: dict[str, str] = {}
        for place, (it, draws) in drawn.items():
            sent = [CODES] * len(draws)
            strict = self._strict.sent(it.ids, draws, it.places)
            for index, (draw, token) in enumerate(zip(draws, it.ids, strict=True)):
                if not draw.mu16:
                    sent[index] = token
                sent[index] = strict.get(index, sent[index])
            words[place] = [Word(*pair) for pair in zip(draws, sent, strict=True) if pair[1] != DROPPED]
            for value, stand_in in sent_as(self._tokenizer, strict, it.places, it.ids).items():
                stand_ins.setdefault(value, stand_in)
        return words, stand_ins


class Charged:
    """A prompt whose private tokens are drawn, charged and kept."""

    def __init__(self, parts: Sequence[Part], words: Mapping[int, Sequence[Word]], answer: Answer | None = None) -> None:
        self._parts = parts
        self._words = words
        self.answer = answer

    def fits(self, rows: NoisyRows) -> bool:
        """Whether these draws have the numbers that a session knows them by."""
        return not any(rows.knows_otherwise(words) for words in self._words.values())

    def numbers(self, rows: NoisyRows) -> list[int]:
        """The prompt as numbers, which `rows` knows from now on."""
        numbers = [] if rows.soft_prompt is None else [SOFT + place for place in range(len(rows.soft_prompt))]
        for part in self._parts:
            if part.turn is None:
                numbers += [PUBLIC + token for token in part.ids]
            else:
                numbers += rows.add(self._words[part.turn]) if part.turn in self._words else part.ids
        return numbers


def _farthest(codes: ModelCodes, level: Level) -> WorstPair:
    return worst_pair(thresholds(codes.codes, level), level)


def _proven(table: str, level: Level, kept: Kept) -> WorstPair | None:
    return kept.proofs.pair(table, level)


def _keep_proof(table: str, level: Level, pair: WorstPair, kept: Kept) -> None:
    kept.proofs.add(table, level, pair)


def _private(kept: Kept, request: ReplyRequest, noise: Noise, said: Mapping[int, Said]) -> dict[int, Said]:
    """All turns but those that the model has made under the same noise."""
    own = _own_answers(kept, request) if noise.answers == "exact" else {}
    return {place: it for place, it in said.items() if own.get(it.turn.identity) != it.turn.text}


def _rows(drawn: Drawn, way: Way) -> list[Row]:
    """What leaves for a turn, as the ledger is asked about it: an answer that goes back exact is as private as what is typed."""
    kind = Kind.REPLY if drawn.said.turn.role == "assistant" and way is Way.CHARGED_REPLY else Kind.PRIVATE
    return [Row(kind, draw.mu16, draw.number) for draw in drawn.draws]


def _own_answers(kept: Kept, request: ReplyRequest) -> dict[str, str]:
    """The answers of this conversation that the model made of noisy codes, as it wrote them: what an agent has read anyway."""
    noisy = {record.message for record in kept.history.sent(request.conversation) if record.mode == "dp"}
    if not noisy:  # or it is kept nowhere
        return {}
    messages = kept.history.load(request.conversation).messages
    return {it.identity: it.sent for it in messages if it.identity in noisy and it.sent}


def _edited(kept: Kept, conversation: str, identity: str) -> str:
    """The revision that a new one is an edit of: the newest before it that answers the same message; "" where there is none."""
    if not identity or kept.draws.of_message(identity) or not kept.history.holds(conversation, identity):
        return ""
    messages = kept.history.load(conversation).messages
    own = next((it for it in messages if it.identity == identity), None)
    before = [it.identity for it in messages if own is not None and it.parent == own.parent and it.role == own.role]
    earlier = before[: before.index(identity)] if identity in before else []
    return next((name for name in reversed(earlier) if kept.draws.of_message(name)), "")


def revision_of(conversation: str, place: int, turn: Turn, tokens: Sequence[int]) -> str:
    """The identity of a message revision; one that is not kept by name is known by its place and what it says."""
    if turn.identity:
        return turn.identity
    said = hashlib.sha256(repr(list(tokens)).encode()).hexdigest()
    return f"{conversation}/{place}/{said}"


def limits_of(codes: ModelCodes) -> Limits:
    """The thresholds [d'] of a token at a level; its code is clipped in the table, last thing before this."""
    table = codes.codes

    def limits(token: int, level: Level) -> Thresholds:
        return thresholds(table[token], level)

    return limits
