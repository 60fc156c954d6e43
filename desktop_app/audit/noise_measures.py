"""One system at one noise level: what attackers get of what was said, and what the answers are worth.

Theory of operation. The message's tokens are drawn as codes by the quantiser that the application draws with, from a seed instead
of the operating system, so that an audit repeats, and with the same coins for every system. The agent decodes them, puts the
template's exact rows around them, and answers; the answer's rows go back exact, as post-processing allows, so an attacker has
codes, template and answer. All know the tables, the model and its weights:

    nearest_neighbour   the token whose embedding has the greatest cosine with what a matrix makes of the codes (DEL's own attack)
    map                 the likeliest token by the table and a unigram prior
    map_with_model      the likeliest text by the table and the model, by beam search; template and answer are heard too
    attributes          topic, language, mood from the mean of the codes, with and without the mean row of the answer
    canary              made-up names and numbers, looked for in all texts that the attacks give, and in the answer

The answer depends on the message through the codes alone, so by Bayes' rule it can teach an attacker nothing that the codes do
not say; the search hears it all the same, and is reported by what is better for the attacker. The first two read token by token,
where there is no place for it.

What an answer is worth is measured against the clean model's own greedy answer: `agreed` counts the places at which the noisy
split, given the same answer so far, puts the same token first; `exact` whether its own greedy answer is the same; `alike` the
cosine of the clean model's mean states over the two continuations of a fifty-word prompt.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from msgspec import Struct
from torch import Tensor

from desktop_app.audit.attributes import probed
from desktop_app.audit.batches import Answered, Batches
from desktop_app.audit.canaries import found_in_text
from desktop_app.audit.code_beam import CodeBeam, Prompt, Texts
from desktop_app.audit.intervals import Share
from desktop_app.audit.noise_systems import System
from desktop_app.audit.noise_texts import Example, NoiseTexts
from desktop_app.audit.prompts import documents
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training.noising import drawn
from remote_agent.segment.code_decoders import MapDecoder
from remote_agent.segment.code_table import CodeTable

AT_ONCE = 8  # prompts whose texts are held together
CHAT_TOKENS = 16  # of an answer to canaries
KINDS = ("topic", "language", "mood")


class Clean(Struct):
    """What the clean model says, and what is left of it without the prompt: the message left out, the template alone."""

    replies: list[list[int]]
    continuations: list[list[int]]
    agreed: list[float]
    exact: list[float]
    alike: list[float]
    perplexity: dict[str, float]  # of "clean" and "without"
    tasks: dict[str, list[float]]


class Measured(Struct):
    """A system at a level, one number a document (chat, passage, example): tokens recovered, and what answers are worth.

    `canaries` and `strangers` count those found of a chat's own, and of another chat's, which is what chance finds.
    """

    recovered: dict[str, list[float]]
    attributes: dict[str, Share]
    canaries: list[float]
    strangers: list[float]
    agreed: list[float]
    exact: list[float]
    alike: list[float]
    perplexity: float | None
    tasks: dict[str, list[float]]


class Read(NamedTuple):
    """A prompt under noise: the counts [n, d'] that left, the texts that a search is left with, the rows that an agent runs."""

    counts: Tensor
    texts: Texts | None
    rows: Tensor


class Bench:
    """Measures systems over the same texts with one model."""

    def __init__(self, model: Batches, tokenizer: ChatTokenizer, texts: NoiseTexts, sizes: NoiseSizes, seed: int) -> None:
        self._model, self._tokenizer, self._texts, self._sizes, self._seed = model, tokenizer, texts, sizes, seed
        self._beam = CodeBeam(model)
        self._prompts = texts.documents[: texts.attacked]
        self._words = [tokenizer.encode(word)[0] for word in ("Yes", "No")]

    def clean(self) -> Clean:
        """What the model says without noise, and without the prompt."""
        sizes, texts = self._sizes, self._texts
        replies = [it.reply for it in self._answers(self._clean_rows(self._prompts), tokens=sizes.reply_tokens)]
        continued = [it.reply for it in self._answers(self._clean_rows(texts.passages), tokens=sizes.continued_tokens)]
        without = [self._bare(prompt) for prompt in self._prompts]
        answers = self._answers(without, replies, sizes.reply_tokens)
        other = self._answers([self._bare(prompt) for prompt in texts.passages], tokens=sizes.continued_tokens)
        running = [it.prompt for it in texts.wikitext]
        found = Clean(replies, continued, [], [], [], {}, {})
        found.agreed, found.exact = _agreement(answers, replies)
        found.alike = self._alike([it.reply for it in other], found)
        if running:
            found.perplexity["clean"] = self._perplexity(self._clean_rows(running))
            found.perplexity["without"] = self._perplexity([self._bare(prompt) for prompt in running])
        for name, examples in texts.tasks.items():
            found.tasks[name] = self._right(examples, self._clean_rows([it.prompt for it in examples]))
        return found

    def measured(self, system: System, mu16: int, clean: Clean) -> Measured:
        """Everything about a system at a level."""
        found = Measured({}, {}, [], [], [], [], [], None, {})
        answers = self._attack(system, mu16, clean, found)
        found.agreed, found.exact = _agreement(answers, clean.replies)
        self._attributes(system, mu16, [it.reply for it in answers], found)
        self._hunt(system, mu16, found)
        self._use(system, mu16, clean, found)
        return found

    def agreed(self, system: System, mu16: int, clean: Clean) -> Measured:
        """Only what answers are worth: for a system whose codes are those of another one."""
        found = Measured({}, {}, [], [], [], [], [], None, {})
        reads = self._reads(system, self._prompts, mu16, "documents", search=False)
        with self._model.adapted(system.adapter(mu16)):
            answers = self._answers([it.rows for it in reads], clean.replies, self._sizes.reply_tokens)
        found.agreed, found.exact = _agreement(answers, clean.replies)
        self._use(system, mu16, clean, found)
        return found

    def _attack(self, system: System, mu16: int, clean: Clean, found: Measured) -> list[Answered]:
        """Every document answered by the noisy split, and read by those who see codes and answer."""
        heard: dict[str, list[float]] = {"nearest_neighbour": [], "map": [], "codes alone": [], "with the answer": []}
        answers: list[Answered] = []
        for start in range(0, len(self._prompts), AT_ONCE):
            some = self._prompts[start : start + AT_ONCE]
            reads = self._reads(system, some, mu16, "documents", start)
            with self._model.adapted(system.adapter(mu16)):
                answers += self._answers([it.rows for it in reads], clean.replies[start:][:AT_ONCE], self._sizes.reply_tokens)
            for prompt, read, answer in zip(some, reads, answers[start:], strict=True):
                assert read.texts is not None  # it was searched for
                for attack, tokens in {
                    "nearest_neighbour": nearest(system, read.counts, mu16),
                    "map": likeliest(system.table, read.counts, mu16),
                    "codes alone": read.texts.best,
                    "with the answer": self._beam.heard(read.texts, answer.reply),
                }.items():
                    heard[attack].append(float(sum(map(int.__eq__, tokens, prompt.own))))
        alone, with_answer = heard.pop("codes alone"), heard.pop("with the answer")
        found.recovered = heard | {"map_with_model": max(alone, with_answer, key=sum)}
        return answers

    def _attributes(self, system: System, mu16: int, replies: Sequence[Sequence[int]], found: Measured) -> None:
        counts = self._drawn(system.table, self._texts.documents, mu16, "documents")
        means = torch.stack([system.table.meant(it, mu16).mean(0) for it in counts])
        answers = torch.stack([self._model.rows(reply).mean(0) for reply in replies])
        both = torch.cat([means[: len(answers)], answers], dim=1)
        for kind in KINDS:
            labels = [str(getattr(document, kind)) for document in documents()]
            found.attributes[kind] = probed(means, labels[: len(means)], self._seed)
            found.attributes[f"{kind}.with_answer"] = probed(both, labels[: len(both)], self._seed)

    def _hunt(self, system: System, mu16: int, found: Measured) -> None:
        """Canaries, and those of another chat, in all that the attacks say of each chat and in its answer."""
        chats = self._texts.chats
        for start in range(0, len(chats), AT_ONCE):
            some = [chat.prompt for chat in chats[start : start + AT_ONCE]]
            reads = self._reads(system, some, mu16, "chats", start)
            with self._model.adapted(system.adapter(mu16)):
                answers = self._answers([it.rows for it in reads], tokens=CHAT_TOKENS)
            for number, (read, answer) in enumerate(zip(reads, answers, strict=True), start):
                assert read.texts is not None  # it was searched for
                said = (
                    read.texts.best,
                    self._beam.heard(read.texts, answer.reply),
                    likeliest(system.table, read.counts, mu16),
                    nearest(system, read.counts, mu16),
                    answer.reply,
                )
                text = "\n".join(map(self._tokenizer.decode, said))
                for counted, whose in ((found.canaries, number), (found.strangers, number - 1)):
                    counted.append(float(sum(found_in_text(canary, text) for canary in chats[whose].canaries)))

    def _use(self, system: System, mu16: int, clean: Clean, found: Measured) -> None:
        """Continuations, running text and tasks."""
        passages, running = self._texts.passages, [it.prompt for it in self._texts.wikitext]
        with self._model.adapted(system.adapter(mu16)):
            rows = [it.rows for it in self._reads(system, passages, mu16, "passages", search=False)]
            continued = [it.reply for it in self._answers(rows, tokens=self._sizes.continued_tokens)]
            if running:
                reads = self._reads(system, running, mu16, "running text", search=False)
                found.perplexity = self._perplexity([it.rows for it in reads])
            for name, examples in self._texts.tasks.items():
                reads = self._reads(system, [it.prompt for it in examples], mu16, name, search=False)
                found.tasks[name] = self._right(examples, [it.rows for it in reads])
        found.alike = self._alike(continued, clean)

    def _reads(
        self, system: System, prompts: Sequence[Prompt], mu16: int, of: str, start: int = 0, *, search: bool = True
    ) -> list[Read]:
        """Prompts drawn and decoded; without `search` the model looks for texts only where the system's agent does."""
        reads: list[Read] = []
        for first in range(0, len(prompts), AT_ONCE):
            some = prompts[first : first + AT_ONCE]
            counts = self._drawn(system.table, some, mu16, of, start + first)
            texts: Sequence[Texts | None] = [None] * len(some)
            if search or system.searches:
                # The agent's own weights may be others; what it searches with is the public model.
                texts = self._beam.search(system.table, some, counts, mu16)
            for prompt, own, text in zip(some, counts, texts, strict=True):
                rows = self._around(system, prompt, self._decoded(system, own, text, mu16), mu16)
                reads.append(Read(own, text if search else None, rows))  # what is not asked for is large
        return reads

    def _decoded(self, system: System, counts: Tensor, texts: Texts | None, mu16: int) -> Tensor:
        if system.searches and texts is not None:
            return self._model.rows(texts.best)
        return system.linear(counts, mu16)

    def _drawn(self, table: CodeTable, prompts: Sequence[Prompt], mu16: int, of: str, start: int = 0) -> list[Tensor]:
        """Counts [n, d'] uint8 of each prompt's own tokens, from coins of its own."""
        level = Level(mu16 / 16, table.bits, table.dimensions)
        return [
            drawn(table, prompt.own, level, [self._seed, mu16, number, *of.encode()])
            for number, prompt in enumerate(prompts, start)
        ]

    def _around(self, system: System, prompt: Prompt, decoded: Tensor, mu16: int) -> Tensor:
        soft = system.soft_prompt(mu16)
        parts = [self._model.rows(prompt.before), decoded, self._model.rows(prompt.after)]
        return torch.cat(parts if soft is None else [soft, *parts])

    def _clean_rows(self, prompts: Sequence[Prompt]) -> list[Tensor]:
        return [self._model.rows([*it.before, *it.own, *it.after]) for it in prompts]

    def _bare(self, prompt: Prompt) -> Tensor:
        return self._model.rows([*prompt.before, *prompt.after])

    def _answers(self, rows: Sequence[Tensor], given: Sequence[Sequence[int]] | None = None, tokens: int = 0) -> list[Answered]:
        return self._model.answered(rows, given or [[]] * len(rows), tokens, self._tokenizer.stop_ids)

    def _alike(self, continued: Sequence[Sequence[int]], clean: Clean) -> list[float]:
        """Cosines of the clean model's mean states over continuations and over its own ones, each behind the bare template."""
        bare = self._bare(self._texts.passages[0]) if self._texts.passages else torch.empty(0, 0)

        def pooled(replies: Sequence[Sequence[int]]) -> Tensor:
            states = self._model.states([torch.cat([bare, self._model.rows(reply)]) for reply in replies])
            return torch.stack([it[len(bare) :].mean(0) for it in states])

        if not continued:
            return []
        cosines: list[float] = torch.cosine_similarity(pooled(continued), pooled(clean.continuations)).tolist()
        return cosines

    def _perplexity(self, rows: Sequence[Tensor]) -> float:
        """Of the text that really follows the prompts with these rows."""
        answers = self._answers(rows, [it.following for it in self._texts.wikitext])
        return float(torch.cat([it.forced.log_chances for it in answers]).double().mean().neg().exp())

    def _right(self, examples: Sequence[Example], rows: Sequence[Tensor]) -> list[float]:
        """Whether yes is likelier than no where yes is right, and no likelier where it is not."""
        yes, no = torch.stack([self._model.logits(states[-1])[self._words] for states in self._model.states(rows)]).T
        return [float(said == it.yes) for said, it in zip((yes > no).tolist(), examples, strict=True)]


def likeliest(table: CodeTable, counts: Tensor, mu16: int) -> list[int]:
    """The likeliest token behind each row of counts [n, d'], by the table's prior."""
    decoded = MapDecoder(table)(counts, torch.full((len(counts),), mu16))
    assert decoded.tokens is not None  # it is made of tokens
    tokens: list[int] = decoded.tokens.tolist()
    return tokens


def nearest(system: System, counts: Tensor, mu16: int) -> list[int]:
    """The token whose embedding has the greatest cosine with what the system's matrix makes of each row of counts [n, d']."""
    embeddings = torch.nn.functional.normalize(system.table.embeddings, dim=1)
    tokens: list[int] = (system.linear(counts, mu16) @ embeddings.T).argmax(1).tolist()
    return tokens


def _agreement(answers: Sequence[Answered], replies: Sequence[Sequence[int]]) -> tuple[list[float], list[float]]:
    """How many tokens of each reply are the first choice, and whether the whole greedy answer is the same."""
    agreed = [float(sum(map(int.__eq__, answer.forced.first, reply))) for answer, reply in zip(answers, replies, strict=True)]
    return agreed, [float(answer.reply == list(reply)) for answer, reply in zip(answers, replies, strict=True)]
