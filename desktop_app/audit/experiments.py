"""The parts of an audit, each a recording of the engine's own pipeline and the attacks on it.

Every part gives results and may give further figures; `Audit.parts` names those that a choice of settings asks for.
"""

import random
from collections.abc import Awaitable, Callable, Sequence
from functools import cached_property, partial
from pathlib import Path

import torch
from msgspec import Struct
from msgspec.structs import replace

from desktop_app.audit.attributes import pooled, probed
from desktop_app.audit.canaries import KINDS, LATE, STRANGER, Canary, canaries
from desktop_app.audit.chats import Hunted, Hunter, Sought, chat
from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.intervals import Share, majority, prior_only, share, share_of_matches
from desktop_app.audit.inverters import SequenceInverter, paper_inverter
from desktop_app.audit.prompts import documents
from desktop_app.audit.recording import Recorder
from desktop_app.audit.report import Result
from desktop_app.audit.sizes import Sizes, possible
from desktop_app.audit.split import Case, PublicAttack, Tell, record, request_at
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.events import Split
from desktop_app.model.local import LocalModel
from desktop_app.open_weights import corpus
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.public_model import PublicModel, run_chain

PAPER_DOCUMENTS = 16  # as many texts as Cunningham 2026 had
PAPER_TRAINING = 0.8  # of all positions
CHAT_TOKENS = 8  # of a reply in a chat with canaries: enough for a name
PER_CHAT = 5  # canaries, and a stranger
LATE_EVERY = 5  # chats: one with a word that is marked late
RANDOM_LENGTH = 384  # tokens of a random text: the longer, the less goes into the template before it
CONTEXT_HELPED = "a linear discriminant, and a network for the rows around"
CONTEXT_DID_NOT_HELP = "a linear discriminant alone: on texts held back from training the network added nothing"
OF_THE_SAME_TEXTS = "training and test rows are positions of the same texts, as in the paper"


class Findings(Struct):
    """What a part has found."""

    results: list[Result]
    figures: dict[str, float]


Part = Callable[[], Awaitable[Findings]]


class Audit:
    """One audit of one model with one number of last layers."""

    def __init__(self, model: str, local: LocalModel, tail: int, sizes: Sizes, checkpoint: Checkpoint, tell: Tell) -> None:
        """`local` has all layers; `corpus_folder`, if set, holds text files to train attackers on."""
        self._name = model
        self._local = local
        self._tail = tail
        self._sizes = sizes
        self._checkpoint = checkpoint
        self._tell = tell
        self.seed = 7
        self.corpus_folder: Path | None = None

    def parts(self, recorder: Recorder, settings: Sequence[str]) -> dict[str, Part]:
        """The parts that these settings ask for, by name, in the order in which they are best run; traffic apart."""
        layers = self._local.plan.layers
        found: dict[str, Part] = {}
        heads = possible(self._sizes.heads, self._tail, layers)
        middle = min(heads, key=lambda head: abs(head - 4))
        if "exact_public" in settings:
            found |= {f"exact_public.head{head}": partial(self.exact, recorder, head) for head in heads}
            found["canaries.off"] = partial(self.canaries, recorder, middle, protect=False)
        if "protected_spans" in settings:
            found["canaries.on"] = partial(self.canaries, recorder, middle, protect=True)
        if "exact_private_ends" in settings:
            for head in possible(self._sizes.inverter_heads, self._tail, layers):
                found[f"inverters.head{head}"] = partial(self.inverters, recorder, head)
            for head in possible(self._sizes.attribute_heads, self._tail, layers):
                found[f"attributes.head{head}"] = partial(self.attributes, recorder, head)
        return found

    @cached_property
    def _model(self) -> PublicModel:
        return PublicModel(self._local.plan, self._local.weights)

    def _split(self, head: int) -> Split:
        return Split(head=head, tail=self._tail)

    async def _recorded(self, recorder: Recorder, head: int, count: int, *, temperature: float, tokens: int) -> list[Case]:
        request = request_at(self._name, self._split(head), temperature=temperature, tokens=tokens)
        return await record(recorder, documents()[:count], request, self._local.plan.hidden_size, self._tell)

    async def exact(self, recorder: Recorder, head: int) -> Findings:
        """Tail completion and exact search, by somebody with the public weights."""
        count = self._sizes.documents
        greedy = await self._recorded(recorder, head, count, temperature=0.0, tokens=24)
        sampled = await self._recorded(recorder, head, count, temperature=0.7, tokens=24)
        results = PublicAttack(self._model, self._split(head)).run(greedy, sampled, self._tell)
        tokens = sum(len(case.recorded.prompt) + len(case.recorded.reply) for case in greedy)
        sent = sum(case.recorded.statistics.bytes_up for case in greedy)
        return Findings(results, {f"bytes_per_token.exact_public.head{head}": sent / tokens})

    async def canaries(self, recorder: Recorder, head: int, *, protect: bool) -> Findings:
        """Made-up names and numbers in chats, hunted in everything that was sent."""
        sizes = self._sizes
        planted = canaries(sizes.canaries, self.seed)
        of_chats = self._of_chats(planted)
        await recorder.use_names([canary.value for canary in planted if canary.kind == KINDS[0]])
        reader = RowReader(self._model, head)
        hunter = Hunter(
            ExactSearch(self._model, head, reader),
            TailCompletion(self._model, self._tail),
            self._local.tokenizer,
            self._local.plan.hidden_size,
        )
        request = replace(request_at(self._name, self._split(head), tokens=CHAT_TOKENS), protect=protect, incognito=True)
        hunts = []
        for number, own in enumerate(of_chats):
            chatted = await chat(recorder, request, own, number)
            hunts.append(hunter.hunt(chatted, own, of_chats[number - 1]))
            self._tell(f"hunted {(number + 1) * PER_CHAT} canaries with protected spans {'on' if protect else 'off'}")
        return _hunted(hunts, f"exact_public.head{head}" if not protect else "protected_spans", protect)

    def _of_chats(self, planted: Sequence[Canary]) -> list[list[Canary]]:
        """The canaries of each chat: some that were planted, a stranger, and now and then a word that is marked late."""
        strangers = canaries(self._sizes.strangers, self.seed + 1, [STRANGER])
        chats = len(planted) // PER_CHAT
        words = canaries(-(-chats // LATE_EVERY), self.seed + 2, [LATE])
        return [
            [
                *planted[number * PER_CHAT :][:PER_CHAT],
                strangers[number % len(strangers)],
                *(words[number // LATE_EVERY :][:1] if number % LATE_EVERY == 0 else []),
            ]
            for number in range(chats)
        ]

    async def inverters(self, recorder: Recorder, head: int) -> Findings:
        """Learned inverters, by somebody who lacks the desktop's own layers but knows the texts of some chats."""
        count = max(self._sizes.documents, PAPER_DOCUMENTS)
        cases = await self._recorded(recorder, head, count, temperature=0.0, tokens=24)
        setting = f"exact_private_ends.head{head}"
        results = _paper(cases[:PAPER_DOCUMENTS], setting, self.seed)
        segment = self._model.head(head)
        start = corpus.opening(self._local.tokenizer)
        written = self._corpus(start)
        texts = [*written, *self._random_texts()]
        rows = [run_chain(segment, self._model.embedding([*start, *text]))[len(start) :] for text in texts]
        self._tell(f"training a sequence inverter on {sum(map(len, texts)):,} pairs at head {head}")
        inverter = SequenceInverter(rows, texts, len(written), epochs=self._sizes.epochs, seed=self.seed)
        note = CONTEXT_HELPED if inverter.uses_context else CONTEXT_DID_NOT_HELP
        said = [inverter.read(case.rows.inputs[case.start :]) for case in cases]
        guesses = [case.guesses([*[-1] * case.start, *tokens]) for case, tokens in zip(cases, said, strict=True)]
        for of, guess, truth in (
            ("prompt", [prompt for prompt, _ in guesses], [case.prompt for case in cases]),
            ("reply", [reply for _, reply in guesses], [case.recorded.reply for case in cases]),
        ):
            results.append(
                Result(
                    attack="sequence_inverter",
                    setting=setting,
                    of=of,
                    share=share_of_matches(guess, truth),
                    prior=prior_only(truth),
                    note=note,
                )
            )
        return Findings(results, {f"pairs.sequence_inverter.{setting}": float(sum(map(len, texts)))})

    async def attributes(self, recorder: Recorder, head: int) -> Findings:
        """Topic, language and mood from the means of rows, by somebody with texts whose attributes are known."""
        cases = await self._recorded(recorder, head, len(documents()), temperature=0.0, tokens=1)
        means = pooled([case.rows.inputs[case.start : case.end] for case in cases])
        results = []
        for kind in ("topic", "language", "mood"):
            labels = [getattr(document, kind) for document in documents()]
            results.append(
                Result(
                    attack="attributes",
                    setting=f"exact_private_ends.head{head}",
                    of=f"prompt.{kind}",
                    share=probed(means, labels, self.seed),
                    prior=majority(labels),
                )
            )
        return Findings(results, {})

    def _corpus(self, start: Sequence[int]) -> list[list[int]]:
        wanted = self._sizes.corpus_tokens
        if self.corpus_folder is not None:
            return corpus.given(self.corpus_folder, self._local.tokenizer, wanted)
        kept = self._checkpoint.get("corpus", list[list[int]])
        if kept is None:
            # In bfloat16 the model writes twice as fast, and what it writes need not be exact.
            writer = PublicModel(self._local.plan, self._local.weights, torch.bfloat16)
            kept = corpus.written(
                writer, start, wanted, self.seed, lambda done: self._tell(f"wrote {done:,} tokens of {wanted:,}")
            )
            self._checkpoint.put("corpus", kept)
        return kept

    def _random_texts(self) -> list[list[int]]:
        return corpus.random_texts(self._model, self._sizes.random_tokens // RANDOM_LENGTH, RANDOM_LENGTH, self.seed)


def _paper(cases: Sequence[Case], setting: str, seed: int) -> list[Result]:
    """Paper A's inverter by the paper's own protocol: random positions of the same texts, the public template's left out."""
    pairs = [
        (number, place, [*case.recorded.prompt, *case.recorded.reply][place])
        for number, case in enumerate(cases)
        for place in (*range(case.start, case.end), *range(len(case.recorded.prompt), len(case.rows.path)))
        if place < len(case.recorded.prompt) + len(case.recorded.reply)
    ]
    rows = torch.stack([cases[number].rows.inputs[place] for number, place, _ in pairs])
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    cut = int(PAPER_TRAINING * len(order))
    said = paper_inverter(rows, [token for _, _, token in pairs], order[:cut], seed)

    def result(of: str, wanted: Callable[[int, int], bool]) -> Result:
        guesses: list[list[int]] = [[] for _ in cases]
        truths: list[list[int]] = [[] for _ in cases]
        for at in order[cut:]:
            number, place, token = pairs[at]
            if wanted(number, place):
                guesses[number].append(said[at])
                truths[number].append(token)
        found, prior = share_of_matches(guesses, truths), prior_only(truths)
        return Result(attack="learned_inverter", setting=setting, of=of, share=found, prior=prior, note=OF_THE_SAME_TEXTS)

    return [
        result("prompt", lambda number, place: place < cases[number].end),
        result("reply", lambda number, place: place >= cases[number].end),
    ]


def _hunted(hunts: Sequence[Hunted], setting: str, protect: bool) -> Findings:
    """Results of a hunt: what the attacks give back, what stands in the bytes, and names on no list and late words apart.

    What another chat's canaries find is what an attacker gets by chance.
    """

    def result(of: str, found: Callable[[Sought], list[bool]], wanted: Callable[[Canary], bool]) -> Result:
        def counted(side: Callable[[Hunted], Sought]) -> Share:
            pairs = [
                [hit for hit, it in zip(found(side(hunt)), side(hunt).canaries, strict=True) if wanted(it)] for hunt in hunts
            ]
            return share([sum(hits) for hits in pairs], [len(hits) for hits in pairs])

        return Result(
            attack="canary",
            setting=setting,
            of=of,
            share=counted(lambda hunt: hunt.own),
            prior=counted(lambda hunt: hunt.others),
        )

    def known(canary: Canary) -> bool:
        return canary.kind not in (STRANGER, LATE)

    results = [
        result("prompt", lambda side: side.in_text, known),
        result("prompt.bytes", lambda side: side.in_bytes, known),
        result("prompt.names_on_no_list", lambda side: side.in_text, lambda canary: canary.kind == STRANGER),
        result("prompt.marked_late", lambda side: side.in_text, lambda canary: canary.kind == LATE),
    ]
    mode = "protected_spans" if protect else "exact_public"
    hits = [
        text or raw
        for hunt in hunts
        for text, raw, canary in zip(hunt.own.in_text, hunt.own.in_bytes, hunt.own.canaries, strict=True)
        if known(canary)
    ]
    sent, found = float(len(hits)), float(sum(hits))
    # Rows whose token is certain: with stand-ins, too, the attacker reads all that was sent.
    read = sum(hunt.matched for hunt in hunts) / max(1, sum(hunt.searched for hunt in hunts))
    figures = {f"canaries_sent.{mode}": sent, f"canaries_found.{mode}": found, f"rows_read.{mode}": read}
    if protect:
        figures |= {"canaries_sent": sent, "canaries_found": found}
    return Findings(results, figures)
