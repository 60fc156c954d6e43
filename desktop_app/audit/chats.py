"""Chats that carry canaries, as people chat: a document named after a person, a second turn that quotes and writes things in
another way, an edit, a second try, a branch; and the hunt in them.

With protected spans the engine's own exchange surrounds each reply, as in the application; it is held in memory only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from desktop_app.audit.canaries import Canary, Encoder, found_in_bytes, found_in_text, written_again
from desktop_app.audit.exact_search import ExactSearch, Found
from desktop_app.audit.held_rows import HeldRows, held_rows, messages
from desktop_app.audit.recording import Frame, Recorder
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.events import DocumentText, ReplyRequest, Turn
from desktop_app.model.tokenizer import ChatTokenizer

OPENINGS = (
    "File note. {0} called about the account {1} and left {2}; see also {3} and {4}. It was signed by {5}. What is missing?",
    "Please check this entry by {5}: {0}, {1}, {2}, {3}, {4}. Is anything written twice?",
    "For the letter to {5} we need {0} with {1}, then {2}, and as references {3} and {4}. Draft one line.",
)
OF_DOCUMENT = "What does the document say of {5}?"
QUOTE = "You wrote about {0}, that is {6}. Does it go with {1} ({7})? Compare {8}, {9} and {10}."
EDIT = "{0} Answer in five words."
BRANCH = "Forget that. Who is meant by {2}, and what is {3}?"


@dataclass(frozen=True, slots=True)
class Hunted:
    """What was found of a chat's canaries: in the text that the attacks give back, and in the bytes."""

    canaries: Sequence[Canary]
    in_text: list[bool]
    in_bytes: list[bool]
    searched: int  # rows
    matched: int  # rows whose token is certain
    bytes_sent: int


async def chat(recorder: Recorder, request: ReplyRequest, canaries: Sequence[Canary], number: int) -> list[Frame]:
    """Chat about six canaries, and return all frames: a question, a quote, an edit, a regeneration, and a branch.

    In every second chat the first five stand in a document, whose name has the first and the last of them.
    """
    values = [*(canary.value for canary in canaries), *map(written_again, canaries)]
    first, documents = OPENINGS[number % len(OPENINGS)].format(*values), []
    if number % 2:
        documents = [DocumentText(name=f"{values[0]} {values[5]}.txt", text=first)]
        first = OF_DOCUMENT.format(*values)
    frames: list[Frame] = []

    async def ask(*texts: str) -> str:
        turns = [Turn(role="assistant" if place % 2 else "user", text=text) for place, text in enumerate(texts)]
        turns[0] = replace(turns[0], documents=documents)
        recorded = await recorder.ask(replace(request, conversation=f"canaries {number}", turns=turns))
        frames.extend(recorded.frames)
        return recorded.text

    answer = await ask(first) or "…"
    await ask(first, answer, QUOTE.format(*values))
    await ask(first, answer, QUOTE.format(*values))
    await ask(EDIT.format(first))
    await ask(first, answer, BRANCH.format(*values))
    recorder.forget(f"canaries {number}")
    return frames


class Hunter:
    """Somebody with the public weights who wants the canaries, whole or in part."""

    def __init__(self, search: ExactSearch, tail: TailCompletion, tokenizer: ChatTokenizer, hidden_size: int) -> None:
        self._search = search
        self._tail = tail
        self._tokenizer = tokenizer
        self._hidden_size = hidden_size

    def hunt(self, frames: Sequence[Frame], canaries: Sequence[Canary]) -> Hunted:
        """Attack every row on every branch, and look through every byte, both ways."""
        texts: list[str] = []
        found: list[Found] = []
        for rows in held_rows(frames, self._hidden_size):
            read, of_rows = self._read(rows)
            texts += read
            found += of_rows
        text = "\n".join(texts)
        haystack = b"".join(frame.data for frame in frames)
        wholes = messages(frames)
        haystack += b"".join(payload for sent, _, _, payload in wholes if sent)
        haystack += b"".join(payload for sent, _, _, payload in wholes if not sent)
        encoder: Encoder = self._tokenizer
        return Hunted(
            canaries,
            [found_in_text(canary, text) for canary in canaries],
            [found_in_bytes(canary, haystack, encoder) for canary in canaries],
            len(found),
            sum(it.matched for it in found),
            sum(len(frame.data) for frame in frames if frame.sent),
        )

    def _read(self, rows: HeldRows) -> tuple[list[str], list[Found]]:
        """The texts of all branches, from the tokens that exact search finds and those that tail completion reads behind them."""
        template = self._template(rows)
        known = dict(template)
        texts, matches = [], []
        for leaf in rows.leaves():
            path = rows.ancestry(leaf)
            logits = self._tail.logits(rows, path)
            found = self._search.recover(rows, path, logits, known)
            matches += list(found.values())
            known |= {row: it.token for row, it in found.items()}
            texts.append(self._tokenizer.decode([known[row] for row in path]))
            texts.append(self._tokenizer.decode(logits.argmax(-1).tolist()))
        return texts, matches

    def _template(self, rows: HeldRows) -> dict[int, int]:
        """The rows that every first question begins with: the public template up to the person's own text."""
        two = [self._tokenizer.prompt([{"role": "user", "content": text}]) for text in ("a", "7")]
        shared = next(place for place, (left, right) in enumerate(zip(*two, strict=False)) if left != right)
        first = min(rows.leaves(), key=lambda leaf: leaf)
        return dict(zip(rows.ancestry(first)[:shared], two[0], strict=False))
