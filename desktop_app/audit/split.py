"""The exact split under attack: the same documents at each depth, answered greedily and once more with sampled tokens."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop_app.audit.exact_search import ExactSearch, RowReader
from desktop_app.audit.held_rows import HeldRows, held_rows
from desktop_app.audit.intervals import prior_only, share_of_matches
from desktop_app.audit.prompts import Document
from desktop_app.audit.recording import Recorded, Recorder, content_span
from desktop_app.audit.report import Result
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.events import ReplyRequest, Sampling, Split, Turn
from desktop_app.open_weights.public_model import PublicModel

REPLY_TOKENS = 24
PROMPT_GIVEN = "the search was given the true prompt; what it finds of that stands under prompt"

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Case:
    """A document's answer, what the agent held of it, and where the document's own tokens stand in the prompt."""

    recorded: Recorded
    rows: HeldRows
    start: int
    end: int

    @property
    def prompt(self) -> list[int]:
        """The document's own tokens: what stands around them is the model's public template."""
        return self.recorded.prompt[self.start : self.end]

    def guesses(self, tokens: Sequence[int]) -> tuple[list[int], list[int]]:
        """What an attack's tokens, one for each place of prompt and reply, say of (prompt, reply)."""
        length = len(self.recorded.prompt)
        return list(tokens[self.start : self.end]), list(tokens[length : length + len(self.recorded.reply)])


async def record(
    recorder: Recorder, documents: Sequence[Document], template: ReplyRequest, hidden_size: int, tell: Tell
) -> list[Case]:
    """Have these documents answered, each in a conversation of its own, as `template` says."""
    cases = []
    for document in documents:
        turns = [Turn(role="user", text=document.text)]
        request = ReplyRequest(
            conversation=f"audit {document.id}",
            turns=turns,
            protect=False,
            incognito=True,
            sampling=template.sampling,
            split=template.split,
            model=template.model,
            dtype=template.dtype,
        )
        loaded = await recorder.prepare(request)
        recorded = await recorder.ask(request)
        recorder.forget(request.conversation)
        rows = held_rows(recorded.frames, hidden_size)[0]
        cases.append(Case(recorded, rows, *content_span(loaded, turns)))
        tell(f"recorded {len(cases)} of {len(documents)} at head {template.split.head}")
    return cases


def request_at(model: str, split: Split, *, temperature: float = 0.0, tokens: int = REPLY_TOKENS) -> ReplyRequest:
    """What `record` asks with: a split, and greedy or sampled tokens."""
    sampling = Sampling(temperature=temperature, seed=7, max_tokens=tokens)
    return ReplyRequest(conversation="", turns=[], sampling=sampling, split=split, model=model)


class PublicAttack:
    """Tail completion and exact search at one split, by an attacker with the public weights."""

    def __init__(self, model: PublicModel, split: Split) -> None:
        self._split = split
        self._tail = TailCompletion(model, split.tail)
        self._search = ExactSearch(model, split.head, RowReader(model, split.head))

    def run(self, greedy: Sequence[Case], sampled: Sequence[Case], tell: Tell) -> list[Result]:
        """The shares recovered of prompts and of greedy and sampled replies; `sampled` are the same documents' answers."""
        results = []
        for case_kind, cases, of_reply in (("greedy", greedy, "reply"), ("sampled", sampled, "reply.sampled")):
            completed, searched = [], []
            for case in cases:
                completed.append(case.guesses(self.completed(case)))
                searched.append(case.guesses(self.searched(case, prompt_known=case_kind == "sampled")))
                tell(f"searched {len(searched)} of {len(cases)} {case_kind} at head {self._split.head}")
            truths = [case.prompt for case in cases], [case.recorded.reply for case in cases]
            for attack, guesses in (("tail_completion", completed), ("exact_search", searched)):
                if case_kind == "greedy":
                    results.append(self._result(attack, "prompt", [prompt for prompt, _ in guesses], truths[0]))
                note = PROMPT_GIVEN if attack == "exact_search" and case_kind == "sampled" else ""
                results.append(self._result(attack, of_reply, [reply for _, reply in guesses], truths[1], note))
        return results

    def completed(self, case: Case) -> list[int]:
        """What tail completion reads at each place of prompt and reply: the guess behind the row before it."""
        return [-1, *self._tail.read(case.rows)]

    def searched(self, case: Case, *, prompt_known: bool) -> list[int]:
        """What exact search finds at each place; the reply's last token was never sent as a row, so tail completion gives it."""
        rows, known = case.rows, len(case.recorded.prompt) if prompt_known else case.start
        logits = self._tail.logits(rows)
        template = dict(zip(rows.path, case.recorded.prompt[:known], strict=False))
        found = self._search.recover(rows, rows.path, logits, template)
        tokens = [template[row] if row in template else found[row].token for row in rows.path]
        return [*tokens, int(logits[-1].argmax())]

    def _result(self, attack: str, of: str, guesses: list[list[int]], truths: list[list[int]], note: str = "") -> Result:
        return Result(
            attack=attack,
            setting=f"exact_public.head{self._split.head}",
            of=of,
            share=share_of_matches(guesses, truths),
            prior=prior_only(truths),
            note=note,
        )
