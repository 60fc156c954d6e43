"""Chats that carry canaries, as people chat: a document named after a person, a second turn that quotes the answer and writes
things in another way, a second try, a branch, an edit, a word that is marked when it has left already; and the hunt in them.

The chat is the window's own `Conversation`, so that its messages have identities and their answers are kept, and the engine's own
exchange surrounds each reply, as in the application: answers go back as the model wrote them. All is held in memory only.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from desktop_app.audit.canaries import LATE, Canary, Encoder, found_in_bytes, found_in_text, written_again
from desktop_app.audit.exact_search import ExactSearch, Found
from desktop_app.audit.held_rows import HeldRows, held_rows, messages
from desktop_app.audit.recording import Frame, Recorder
from desktop_app.audit.tail_completion import TailCompletion
from desktop_app.chat.conversation import Asking, Conversation
from desktop_app.chat.events import DocumentText, ReplyRequest
from desktop_app.model.tokenizer import ChatTokenizer

OPENINGS = (
    "File note. {0} called about the account {1} and left {2}; see also {3} and {4}. It was signed by {5}. Who called?",
    "Please check this entry by {5}: {0}, {1}, {2}, {3}, {4}. Is anything written twice?",
    "For the letter to {5} we need {0} with {1}, then {2}, and as references {3} and {4}. Draft the first line: Dear",
)
OF_DOCUMENT = "What does the document say of {5}?"
QUOTE = "You wrote “{answer}” about {0}, that is {6}. Does it go with {1} ({7})? Compare {8}, {9} and {10}."
BRANCH = "Forget that. Who is meant by {2}, and what is {3}?"
EDIT = "{0} Answer in five words."
OF_LATE = "Write the word {0} once more, and nothing else: {0}."
LATE_AGAIN = "{0} Is {1} the same as {2}?"


@dataclass(frozen=True, slots=True)
class Chatted:
    """The frames of a chat; so many of them had crossed when a word was marked late."""

    frames: list[Frame]
    marked: int = 0


@dataclass(frozen=True, slots=True)
class Sought:
    """What was found of these canaries: in the text that the attacks give back, and in the bytes."""

    canaries: Sequence[Canary]
    in_text: list[bool]
    in_bytes: list[bool]


@dataclass(frozen=True, slots=True)
class Hunted:
    """What was found in a chat of its own canaries, and of those of another one: that much is chance."""

    own: Sought
    others: Sought
    searched: int  # rows
    matched: int  # rows whose token is certain
    bytes_sent: int


async def chat(recorder: Recorder, request: ReplyRequest, canaries: Sequence[Canary], number: int) -> Chatted:
    """Chat about six canaries, and return all frames: a question, a quote, a second try, a branch, and an edited question.

    In every second chat the first five stand in a document, whose name has the first and the last of them. A seventh is a word
    that is marked after the first answer.
    """
    late = canaries[6:]
    values = [*(canary.value for canary in canaries[:6]), *map(written_again, canaries[:6])]
    first, documents = OPENINGS[number % len(OPENINGS)].format(*values), []
    if number % 2:
        documents = [DocumentText(name=f"{values[0]} {values[5]}.txt", text=first)]
        first = OF_DOCUMENT.format(*values)
    if late:
        first = f"{first} {OF_LATE.format(late[0].value)}"
    conversation = Conversation(protect=request.protect, incognito=request.incognito)
    asking = Asking(sampling=request.sampling, split=request.split, model=request.model)
    frames: list[Frame] = []

    async def answer() -> None:
        frames.extend((await recorder.ask(conversation.request(asking), conversation.receive)).frames)

    conversation.ask(first, documents)
    asked = conversation.request(asking)
    await answer()
    quote = QUOTE.format(*values, answer=conversation.messages[-1].text)
    marked = len(frames)
    for word in late:
        if asked.protect:
            await recorder.mark(asked, word.value)
        quote = LATE_AGAIN.format(quote, word.value, written_again(word))
    conversation.ask(quote)
    await answer()
    conversation.ask_again()
    await answer()
    conversation.take_back()
    conversation.ask(BRANCH.format(*values))
    await answer()
    conversation.take_back()
    conversation.take_back()
    conversation.ask(EDIT.format(first), documents)
    await answer()
    await recorder.leave(conversation.identity)
    return Chatted(frames, marked)


class Hunter:
    """Somebody with the public weights who wants the canaries, whole or in part."""

    def __init__(self, search: ExactSearch, tail: TailCompletion, tokenizer: ChatTokenizer, hidden_size: int) -> None:
        self._search = search
        self._tail = tail
        self._tokenizer = tokenizer
        self._hidden_size = hidden_size

    def hunt(self, chatted: Chatted, canaries: Sequence[Canary], others: Sequence[Canary] = ()) -> Hunted:
        """Attack every row on every branch, and look through every byte, both ways; `others` are those of another chat.

        Of a word that is marked late only what left after that counts.
        """
        texts: list[str] = []
        later: list[str] = []
        found: list[Found] = []
        before = [len(rows.parents) for rows in held_rows(chatted.frames[: chatted.marked], self._hidden_size)]
        for number, rows in enumerate(held_rows(chatted.frames, self._hidden_size)):
            first = before[number] if number < len(before) else 0
            for whole, new, of_rows in self._read(rows, first):
                texts += whole
                later += new
                found += of_rows
        after = Chatted(chatted.frames[chatted.marked :])
        places = {True: ("\n".join(later), _bytes(after)), False: ("\n".join(texts), _bytes(chatted))}
        encoder: Encoder = self._tokenizer

        def sought(wanted: Sequence[Canary]) -> Sought:
            where = [(canary, *places[canary.kind == LATE]) for canary in wanted]
            return Sought(
                wanted,
                [found_in_text(canary, text) for canary, text, _ in where],
                [found_in_bytes(canary, data, encoder) for canary, _, data in where],
            )

        return Hunted(
            sought(canaries),
            sought(others),
            len(found),
            sum(it.matched for it in found),
            sum(len(frame.data) for frame in chatted.frames if frame.sent),
        )

    def _read(self, rows: HeldRows, first: int) -> Iterator[tuple[list[str], list[str], list[Found]]]:
        """The texts of each branch, from the tokens that exact search finds and those that tail completion reads behind them.

        Then the same of the rows from `first` on, and what was found.
        """
        template = self._template(rows)
        known = dict(template)
        for leaf in rows.leaves():
            path = rows.ancestry(leaf)
            logits = self._tail.logits(rows, path)
            found = self._search.recover(rows, path, logits, known)
            known |= {row: it.token for row, it in found.items()}
            guessed = logits.argmax(-1).tolist()
            old = sum(row < first for row in path)
            tokens = [known[row] for row in path]
            yield self._decoded(tokens, guessed), self._decoded(tokens[old:], guessed[old:]), list(found.values())

    def _decoded(self, *tokens: list[int]) -> list[str]:
        return [self._tokenizer.decode(ids) for ids in tokens]

    def _template(self, rows: HeldRows) -> dict[int, int]:
        """The rows that every first question begins with: the public template up to the person's own text."""
        two = [self._tokenizer.prompt([{"role": "user", "content": text}]) for text in ("a", "7")]
        shared = next(place for place, (left, right) in enumerate(zip(*two, strict=False)) if left != right)
        first = min(rows.leaves(), key=lambda leaf: leaf)
        return dict(zip(rows.ancestry(first)[:shared], two[0], strict=False))


def _bytes(chatted: Chatted) -> bytes:
    """Every byte of every frame, and of every message put together again."""
    wholes = messages(chatted.frames)
    return b"".join(
        [
            *(frame.data for frame in chatted.frames),
            *(payload for sent, _, _, payload in wholes if sent),
            *(payload for sent, _, _, payload in wholes if not sent),
        ]
    )
