"""From a request to a session with rows of its own, and the prompt that it begins with: exact, or under noise."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from desktop_app.chat.events import Noise, ReplyRequest
from desktop_app.engine import prompt
from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.conversations import Conversations, Held
from desktop_app.engine.exchange import Exchange
from desktop_app.engine.middle import Middle, NoMiddle, RemoteMiddle, Submit
from desktop_app.engine.models import Loaded
from desktop_app.engine.noisy_prompt import Compute, NoisyPrompt, mu16
from desktop_app.engine.noisy_rows import OCCURRENCE, PUBLIC, NoisyRows
from desktop_app.model.codes import ModelCodes, find_adapter, find_codes, find_soft_prompt
from remote_agent.segment.payload import format_of
from remote_agent.wire.messages import NO_ARTEFACT, Bits, Codes, Welcome
from remote_agent.wire.messages import Decoder as CodeDecoder


class Opening:
    """Opens sessions and makes prompts. Belongs to the engine's event loop."""

    def __init__(self, conversations: Conversations, compute: Compute, submit: Submit, codes_folders: Sequence[Path]) -> None:
        """`codes_folders` is where projections are looked for."""
        self._conversations = conversations
        self._compute = compute
        self._submit = submit
        self._codes_folders = tuple(codes_folders)
        self._noisy_prompt: tuple[Loaded, int, ModelCodes, NoisyPrompt] | None = None

    async def begin(self, exchange: Exchange, loaded: Loaded, client: AgentClient | None) -> tuple[Held, list[int], int]:
        """Return the session, busy, its prompt's ids (under noise: numbers), and the room for the answer in tokens.

        Raises `RequestRefused`, `EngineError`, `ModelError`, `SegmentError`; the session is idle then.
        """
        request = exchange.request
        make: Callable[[], list[int]]
        most = context_of(loaded, client)
        if request.noise is not None and client is not None:
            held, make, most = await self._noisy(exchange, request.noise, loaded, client)
        else:
            held = await self._held(request.conversation, loaded, client)
            make = partial(_exact_ids, request, loaded, held)
        try:
            ids = await self._compute(make)
            documents = "".join(document.text for document in prompt.documents_of(request.turns))
            tokens = await self._compute(lambda: len(loaded.model.tokenizer.encode(documents)) if documents else 0)
            return held, ids, min(most, prompt.check_context(len(ids), tokens, context_of(loaded, client)))
        except BaseException:
            held.busy = False
            raise

    async def _noisy(
        self, exchange: Exchange, noise: Noise, loaded: Loaded, client: AgentClient
    ) -> tuple[Held, Callable[[], list[int]], int]:
        """The session, what makes its prompt, of which everything is charged by then, and how long an answer can be paid."""
        codes, noisy_prompt = await self._noisy_prompt_of(loaded, noise.bits)
        charged = await noisy_prompt.charged(exchange, noise)

        def known(held: Held) -> bool:
            return held.noisy is not None and charged.fits(held.noisy)

        held = await self._held(exchange.request.conversation, loaded, client, (noise, codes), known)
        rows, tokenizer = held.noisy or NoisyRows(noise.answers == "exact"), loaded.model.tokenizer
        if charged.answer is not None:
            rows.begin_answer(charged.answer.draw)
        stop_ids = {PUBLIC + token for token in tokenizer.stop_ids}

        def bytes_of(number: int) -> bytes:
            return f"\0{number}\0".encode() if number >= OCCURRENCE else tokenizer.token_bytes(rows.token(number))

        most = context_of(loaded, client) if charged.answer is None else charged.answer.room
        return held, lambda: prompt.with_tokens_as_made(charged.numbers(rows), held.tokens, bytes_of, stop_ids), most

    async def _held(
        self,
        conversation: str,
        loaded: Loaded,
        client: AgentClient | None,
        noise: tuple[Noise, ModelCodes] | None = None,
        known: Callable[[Held], bool] = lambda held: True,
    ) -> Held:
        """The session of a conversation; a new one where there is none, or none that is `known`."""
        noisy = await self._rows_of(loaded, *noise) if noise is not None else None
        held = await self._compute(lambda: self._conversations.find(conversation, loaded.head, loaded.tail, noisy is not None))
        if held is not None and known(held):
            return held
        middle: Middle
        if client is None:
            middle = NoMiddle(self._submit)
        else:
            rows = format_of(loaded.head.dtype)
            codes = await self._codes_of(loaded, client, *noise) if noise is not None else None
            number = await client.open(loaded.first_layer, loaded.last_layer, rows, codes)
            middle = RemoteMiddle(client, number, rows, self._submit, noisy)
        return await self._compute(
            lambda: self._conversations.open(conversation, loaded.head, loaded.tail, middle, loaded.context, noisy)
        )

    async def _rows_of(self, loaded: Loaded, noise: Noise, codes: ModelCodes) -> NoisyRows:
        soft = await self._compute(lambda: find_soft_prompt(loaded.model, self._codes_folders, codes.digest, _level(noise)))
        return NoisyRows(noise.answers == "exact", soft)

    async def _codes_of(self, loaded: Loaded, client: AgentClient, noise: Noise, codes: ModelCodes) -> Codes:
        """What the agent is asked to decode by, and the adapter that its layers are to run with, if one was trained."""
        adapter = await self._compute(lambda: find_adapter(loaded.model, self._codes_folders, codes.digest, _level(noise)))
        bits, dimensions = Bits(noise.bits), codes.table.dimensions
        return Codes(codes.digest, bits, dimensions, decoder_for(client.welcome, loaded.layers), adapter or NO_ARTEFACT)

    async def _noisy_prompt_of(self, loaded: Loaded, bits: int) -> tuple[ModelCodes, NoisyPrompt]:
        made = self._noisy_prompt
        if made is None or made[:2] != (loaded, bits):
            codes = await self._compute(lambda: find_codes(loaded.model, self._codes_folders, bits))
            made = self._noisy_prompt = loaded, bits, codes, NoisyPrompt(loaded, codes, self._compute)
        return made[2:]


def context_of(loaded: Loaded, client: AgentClient | None) -> int:
    """The most tokens of a conversation, answer included: what the model reads and the agent has room for."""
    return loaded.context if client is None else min(loaded.context, client.welcome.max_context)


def decoder_for(welcome: Welcome, layers: int) -> CodeDecoder:
    """The best decoder that an agent can read codes by: to ask the model for what is likely it needs all of its `layers`."""
    whole = (welcome.first_layer, welcome.last_layer) == (0, layers)
    return CodeDecoder.MAP_WITH_MODEL if whole else CodeDecoder.MAP


def _level(noise: Noise) -> int:
    """The level, in sixteenths, that most words of a conversation have; 0: they are exact, or it is not known beforehand."""
    return mu16(noise.mu) if noise.mu and noise.rest == "noisy" else 0


def _exact_ids(request: ReplyRequest, loaded: Loaded, held: Held) -> list[int]:
    tokenizer = loaded.model.tokenizer
    ids = tokenizer.prompt(prompt.messages(request.turns))
    return prompt.with_tokens_as_made(ids, held.tokens, tokenizer.token_bytes, tokenizer.stop_ids)
