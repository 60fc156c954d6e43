"""What a lexicon knows of a place in a text: the longest phrase, number or date that begins with the word there.

This is the half of a scan that looks up what stands there as it is; `scanning` goes through the text and knows the other forms.
"""

import re
from typing import NamedTuple

from desktop_app.privacy.language.common_words import COMMON_WORDS
from desktop_app.privacy.language.date_shift import date_at, may_become_date, written
from desktop_app.privacy.language.hangul import is_particles
from desktop_app.privacy.language.tokens import NUMBER_GAP, READ_GAP, TOKEN, fold, poured, recased, regrouped
from desktop_app.privacy.matching.apart import NeedMore, Sought, together
from desktop_app.privacy.matching.entries import Role
from desktop_app.privacy.matching.lexicon import Lexicon, Node, Target
from desktop_app.privacy.spans import Kind

SHORTEST_NUMBER = 4  # digits: shorter ones are replaced only where they are marked
LOOK_BACK = 64  # characters before a word that may matter
NAMES = frozenset({Role.GIVEN, Role.FAMILY})

_SENTENCE_START = re.compile(r"(?:^|[.!?:\n“\"(•*-])\s*$")
# "Will you", "May I", "Mark the": a common word, not a name, at the start of a sentence.
_FUNCTION_WORD = re.compile(
    r" +(?:i|you|he|she|it|we|they|me|him|her|us|them|the|an?|this|that|these|those|there|my|your|his|its|our|their|not|be|all|any)\b"  # noqa: E501
)
_TAIL_BEFORE = re.compile(
    r"(?:[*xX•·…#.]{2,}[ -]?|(?:ending|ends) (?:in|with) |last (?:four|4)(?: digits)?(?: are| is|:)? "
    r"|(?:끝자리|뒷자리|뒤 (?:네|4) ?자리)(?:가|는|:)? ?)$"
)


class Hit(NamedTuple):
    """[start, end) of the text becomes `text`. `kind` None: only the form of a word next to a value changes."""

    start: int
    end: int
    text: str
    kind: Kind | None
    doubtful: bool = False
    target: Target | None = None


class Lookup:
    """A text and what is looked for in it. `final`: no more will come. `forced`: all of it is a value, however it is written."""

    def __init__(self, lexicon: Lexicon, text: str, final: bool = True, forced: bool = False, last: Hit | None = None) -> None:
        self.lexicon = lexicon
        self.text = text
        self.final = final
        self.forced = forced
        self.hits: list[Hit] = []
        self.unknown: list[tuple[int, int]] = []  # an initial, with the name beside it, that stands for nobody known
        self.dates: list[tuple[int, int, str]] = []  # dates that stay as they are: [start, end) and key
        self.last = last  # the latest hit, of an earlier scan at first
        self._sought = Sought(lexicon.root.children, lexicon.beginnings.__contains__)

    def _phrase(self, match: re.Match[str]) -> Hit | None:
        node = self.lexicon.root.children.get(fold(match[0]))
        return self._phrase_from(match.start(), match.end(), node) if node is not None else None

    def _apart(self, match: re.Match[str]) -> Hit | None:
        """The longest of what begins with this word as a piece of one that is written apart."""
        root, best = self.lexicon.root, None
        for letters, end in together(self.text, match, self._sought, self.final):
            if letters in self.lexicon.unspaced:
                continue
            node = root.children[letters]
            role = node.target.role if node.target is not None else None
            if len(letters) == 2 and role is Role.GIVEN and self.text[match.end()] == " " and not self.forced:
                continue  # 서 연 could be two words; 이 서 연 is a name
            best = self._phrase_from(match.start(), end, node) or best
        return best

    def _phrase_from(self, start: int, end: int, begun: Node) -> Hit | None:
        """The longest of what stands at `start`, of which the first word ends at `end` and leads to `begun`."""
        text, best = self.text, None
        node: Node | None = begun
        while node is not None:
            if node.target is not None and self._allowed(start, end, node.target):
                best = self._hit(start, end, node.target)
            if not node.children:
                break
            gap = READ_GAP.match(text, end)
            after = gap.end() if gap is not None else end
            following = TOKEN.match(text, after)
            open_end = len(text) if following is None else following.end()
            comes_more = not self.final and open_end == len(text)
            if comes_more and (after == len(text) or (following is not None and self._could_follow(node, following[0]))):
                raise NeedMore
            if following is None:
                break
            node, end = self._next(node, following)
        return best

    @staticmethod
    def _could_follow(node: Node, word: str) -> bool:
        key = fold(word)
        return any(child.startswith(key) or key.startswith(child) for child in node.children)

    def _next(self, node: Node, following: re.Match[str]) -> tuple[Node | None, int]:
        """The place that the next word leads to; one in Hangul may have particles behind it."""
        word = fold(following[0])
        if word in node.children:
            return node.children[word], following.end()
        for length in range(min(len(word) - 1, node.longest), 0, -1):
            child = node.children.get(word[:length])
            if child is not None and "가" <= word[0] <= "힣" and is_particles(word[length:]):
                return child, following.start() + length
        inner = Sought(node.children, lambda letters: any(child.startswith(letters) for child in node.children))
        for letters, end in together(self.text, following, inner, self.final):
            return node.children[letters], end
        return None, following.end()

    def _hit(self, start: int, end: int, target: Target) -> Hit:
        literal = self.text[start:end]
        if target.role is Role.EXACT:
            written_so = recased(literal, target.source, target.text)
        else:
            written_so = poured(literal, target.source, target.text)
            if " " in written_so and " " not in literal and "_" in (self.text[start - 1 : start], self.text[end : end + 1]):
                written_so = re.sub(r"\W+", "_", written_so)  # a phrase within an identifier
        return Hit(start, end, written_so, target.kind, target.doubtful, target)

    def _allowed(self, start: int, end: int, target: Target) -> bool:
        """Whether what stands there is written, and stands, as `target` must."""
        literal = self.text[start:end]
        if target.role is Role.EXACT:
            if literal.isdigit() and len(literal) < SHORTEST_NUMBER and not self.forced and not self.lexicon.backward:
                return False
            return literal == target.source if target.kind is Kind.SECRET else fold(literal) == fold(target.source)
        if not target.strict or self.forced:
            return True
        if self._beside_name(start, end, target):
            return True
        if not literal[:1].isupper():
            return False
        if fold(literal) not in COMMON_WORDS or not _SENTENCE_START.search(self.text[max(0, start - LOOK_BACK) : start]):
            return True
        if len(self.text) - end < 8 and not self.final:
            raise NeedMore
        return _FUNCTION_WORD.match(self.text, end) is None

    def _beside_name(self, start: int, end: int, target: Target) -> bool:
        """Whether another name is next to this one, as in jane_park."""
        if target.role not in NAMES:
            return False
        last = self.last
        if last is not None and last.target is not None and last.target.role in NAMES and 0 <= start - last.end <= 1:
            return True
        following = TOKEN.match(self.text, end + 1)
        if following is None or following.end() == len(self.text):
            if not self.final and len(self.text) - end < LOOK_BACK:
                raise NeedMore
            if following is None:
                return False
        node = self.lexicon.root.children.get(fold(following[0]))
        return node is not None and node.target is not None and node.target.role in NAMES

    def _number(self, match: re.Match[str]) -> Hit | None:
        text, start, end = self.text, match.start(), match.end()
        lexicon, letters, best = self.lexicon, fold(match[0]), None
        while letters in lexicon.beginnings:
            if letters in lexicon.numbers:
                target = lexicon.numbers[letters]
                best = Hit(start, end, regrouped(text[start:end], target.text), target.kind, target.doubtful, target)
            gap = NUMBER_GAP.match(text, end)
            place = gap.end() if gap is not None else end
            following = TOKEN.match(text, place)
            if (place if following is None else following.end()) == len(text) and not self.final:
                partial = letters + (fold(following[0]) if following is not None else "")
                if partial in lexicon.beginnings:
                    raise NeedMore
            if following is None:
                break
            letters, end = letters + fold(following[0]), following.end()
        if best is None and match[0] in lexicon.tails and _TAIL_BEFORE.search(text[max(0, start - LOOK_BACK) : start]):
            target = lexicon.tails[match[0]]
            best = Hit(start, match.end(), target.text, target.kind, target.doubtful, target)
        if best is None and match[0] in lexicon.dates.years:
            # The year of a date by itself; in an answer it could be another year of the text, too.
            target = Target(match[0], lexicon.dates.years[match[0]], Kind.DATE, Role.DATE, doubtful=True)
            best = Hit(start, match.end(), target.text, target.kind, True, target)
        return best

    def _date(self, start: int) -> Hit | None:
        text = self.text
        if not self.final and may_become_date(text, start):
            raise NeedMore
        found = date_at(text, start)
        if found is None or text[max(0, start - 2) : start].rstrip(".,-/") != text[max(0, start - 2) : start]:
            return None
        dates, literal = self.lexicon.dates, text[found.start : found.end]
        known = dates.target_of(found.key)
        if known is None or (known[1] and not self.lexicon.backward):
            self.dates.append((found.start, found.end, found.key))
            return None
        key, doubtful = known
        text_of_it = dates.literals.get(literal) or written(found, key)
        target = Target(literal, text_of_it, Kind.DATE, Role.DATE, doubtful)
        return Hit(found.start, found.end, text_of_it, Kind.DATE, doubtful, target)
