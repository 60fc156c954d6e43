"""Text and conversations to tokens, tokens to text.

A prompt is rendered by the model's own chat template and then cut at the control tokens that *the template* wrote; what lies
between is encoded as plain text. For that to hold, control spellings inside a turn are replaced before rendering by marks that no
template knows, and put back afterwards: a document that says `<|im_end|>` is text. Everything else gets the ids that
transformers' `apply_chat_template` gives.
"""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

from tokenizers import Tokenizer

from desktop_app.model.chat_template import ChatTemplate, Message
from desktop_app.model.detokenizer import StreamingText
from desktop_app.model.errors import UnsupportedTokenizer
from desktop_app.model.tokenizer_files import ANCHOR, TEXT_FILE, ChatFacts, read_facts

MARK_START, MARK_END = "\ufdd0", "\ufdd1"
MARK = re.compile(f"{MARK_START}([0-9]+){MARK_END}")
OWN_START, OWN_END = "\ufdd2", "\ufdd3"  # no character either; around the number of a turn whose text stands there
OWN = re.compile(f"{OWN_START}([0-9]+){OWN_END}")
BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>")


class Part(NamedTuple):
    """Tokens of a prompt: those of a turn's own text, or, `turn` None, of what anybody can know."""

    turn: int | None
    ids: list[int]


class ChatTokenizer:
    """The tokenizer of one model, from the files that `tokenizer_files.make_ready` wrote."""

    def __init__(self, directory: Path) -> None:
        """Raises `UnsupportedTokenizer` where the files are missing or damaged."""
        facts = read_facts(directory)
        if facts is None:
            raise UnsupportedTokenizer(f"{directory} holds no tokenizer. Delete that folder and start again.")
        try:
            self._text = Tokenizer.from_file(str(directory / TEXT_FILE))
        except Exception as error:  # tokenizers raises a bare Exception
            raise UnsupportedTokenizer(f"The tokenizer in {directory} is damaged. Delete that folder and start again.") from error
        self._facts: ChatFacts = facts
        self._added = {token.id: token for token in facts.added}
        self._control = {token.content: token for token in facts.added if token.control}
        self._control_ids = {token.id for token in self._control.values()}
        self.token_bytes = lru_cache(maxsize=None)(self._token_bytes)

    @property
    def stop_ids(self) -> frozenset[int]:
        """The tokens that end a reply."""
        return frozenset(self._facts.stop_ids)

    @property
    def vocabulary_size(self) -> int:
        """How many ids the tokenizer has; the model may have some more rows than that."""
        return self._facts.size

    @property
    def strips_leading_space(self) -> bool:
        """Whether one space at the beginning of a text is the tokenizer's own."""
        return self._facts.strips_leading_space

    def encode(self, text: str) -> list[int]:
        """The ids of plain text, as it is within a prompt; nothing in it becomes a control token."""
        return self._encoded(text, first=False)

    def decode(self, ids: Iterable[int]) -> str:
        """The text of these tokens, control tokens left out, an incomplete last character too."""
        text = StreamingText(self)
        return text.add(ids) + text.finish()

    def prompt(self, turns: Sequence[Message]) -> list[int]:
        """The ids of a conversation up to where the model's next turn begins. Raises `UnsupportedTokenizer`."""
        masked: list[str] = []
        rendered = self._template.render([{"role": turn["role"], "content": self._masked(turn, masked)} for turn in turns])
        return self._with_control_tokens(rendered, masked)

    def prompt_parts(self, turns: Sequence[Message]) -> list[Part]:
        """The same conversation with the text of each turn tokenised on its own, so that its tokens never change with the rest.

        What the template adds belongs to no turn. Raises `UnsupportedTokenizer`.
        """
        marked = [{"role": turn["role"], "content": f"{OWN_START}{number}{OWN_END}"} for number, turn in enumerate(turns)]
        parts: list[Part] = []
        for place, piece in enumerate(OWN.split(self._template.render(marked))):
            if place % 2:
                parts.append(Part(int(piece), self.encode(turns[int(piece)]["content"])))
            else:
                parts.append(Part(None, self._with_control_tokens(piece, [], first=place == 0)))
        return [part for part in parts if part.ids]

    def _with_control_tokens(self, rendered: str, masked: list[str], first: bool = True) -> list[int]:
        ids: list[int] = []
        start = 0
        for found in self._template_tokens.finditer(rendered):
            token = self._control[found[0]]
            text = rendered[start : found.start()]
            ids += self._between(text.rstrip() if token.lstrip else text, masked, first and start == 0)
            ids.append(token.id)
            start = found.end()
            if token.rstrip:
                start += len(rendered[start:]) - len(rendered[start:].lstrip())
        return ids + self._between(rendered[start:], masked, first and start == 0)

    @cached_property
    def _template(self) -> ChatTemplate:
        if not self._facts.template:
            raise UnsupportedTokenizer(
                "This model has no chat template, so it cannot chat. Choose a model made for chat ('Instruct')."
            )
        return ChatTemplate(self._facts.template, self._facts.names)

    @cached_property
    def _template_tokens(self) -> re.Pattern[str]:
        """Any control token; of two that begin alike the longer one."""
        longest_first = sorted(self._control, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")

    def _masked(self, turn: Message, masked: list[str]) -> str:
        """The turn with marks for control spellings; the model's own turns keep `<think>` and the like for the template."""
        spellings = [token.content for token in self._control.values() if token.special or turn["role"] != "assistant"]
        if not spellings:
            return turn["content"]
        pattern = "|".join(map(re.escape, sorted([*spellings, MARK_START, MARK_END], key=len, reverse=True)))

        def mark(found: re.Match[str]) -> str:
            masked.append(found[0])
            return f"{MARK_START}{len(masked) - 1}{MARK_END}"

        return re.sub(pattern, mark, turn["content"])

    def _between(self, text: str, masked: list[str], first: bool) -> list[int]:
        """Ids of what the template wrote between two control tokens, the marks in it put back."""
        text = MARK.sub(lambda found: masked[int(found[1])], text)
        return self._encoded(text, first) if text else []

    def _encoded(self, text: str, first: bool) -> list[int]:
        """Ids of plain text. Some tokenizers put a space before the first piece of a prompt; the anchor tells them of others."""
        text = text.replace(ANCHOR, "")
        if first:
            ids = self._text.encode(text, add_special_tokens=False).ids
        else:
            ids = self._text.encode(ANCHOR + text, add_special_tokens=False).ids[1:]
        if self._control_ids.isdisjoint(ids):
            return ids
        return [piece for token in ids for piece in (self._spelled(token) if token in self._control_ids else [token])]

    def _spelled(self, token: int) -> list[int]:
        """A control token that plain text was merged into (some vocabularies allow it), letter by letter instead."""
        ids: list[int] = []
        for letter in self._added[token].content:
            whole = self._text.token_to_id(letter)
            parts = [whole] if whole is not None else [self._text.token_to_id(f"<0x{byte:02X}>") for byte in letter.encode()]
            ids += [part for part in parts if part is not None]
        return ids

    def _token_bytes(self, token: int) -> bytes:
        """The bytes that a token adds to a text; none for a special token, or for an id that is no token."""
        added = self._added.get(token)
        if added is not None and added.special:
            return b""
        piece = added.content if added is not None else self._text.id_to_token(token)
        if piece is None or token >= self._facts.size:
            return b""
        if self._facts.byte_level:
            alphabet = byte_alphabet()
            return bytes(alphabet[letter] for letter in piece) if alphabet.keys() >= set(piece) else piece.encode()
        byte = BYTE_TOKEN.fullmatch(piece)
        return bytes([int(byte[1], 16)]) if byte else piece.replace("▁", " ").encode()


@lru_cache(maxsize=1)
def byte_alphabet() -> dict[str, int]:
    """The letters in which byte-level tokenizers spell bytes: printable ones stand for themselves, the others for 256 and on."""
    printable = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in set(printable)]
    return {chr(byte): byte for byte in printable} | {chr(256 + count): byte for count, byte in enumerate(others)}
