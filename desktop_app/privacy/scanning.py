"""Reads a text once and finds what a lexicon looks for: values, and all the forms in which they may be written.

How it works. The text is cut into words and numbers. Almost all of them begin nothing and are passed over; the others are looked
up, the longest match first. What can be told only from what follows (does “Emma” go on as “Emmanuel”? which particle comes after
민서?) is never guessed: where the text as it has come so far ends within such a question, the scan stops before it, and goes on
from there when there is more. So the result is the same however a text was cut, and only what could still matter is held back.

This module is longer because a scan is one machine: every form of a value is a branch of the same pass over the text.
"""

import re
from typing import NamedTuple

from desktop_app.privacy.apart import NeedMore, Sought, stems, together
from desktop_app.privacy.common_words import COMMON_WORDS
from desktop_app.privacy.date_shift import date_at, may_become_date, written
from desktop_app.privacy.entries import Role
from desktop_app.privacy.hangul import is_particles
from desktop_app.privacy.korean import CLOSING, HANGUL, begins_with_title, is_title, swapped_particle
from desktop_app.privacy.lexicon import Lexicon, Node, Target
from desktop_app.privacy.name_pools import sound
from desktop_app.privacy.spans import Kind
from desktop_app.privacy.tokens import NUMBER_GAP, READ_GAP, SEGMENT, TOKEN, fold, key_of, poured, recased, regrouped

SHORTEST_NUMBER = 4  # digits: shorter ones are replaced only where they are marked
LOOK_BACK = 64  # characters before a word that may matter

_NAMES = frozenset({Role.GIVEN, Role.FAMILY})
_SENTENCE_START = re.compile(r"(?:^|[.!?:\n“\"(•*-])\s*$")
# "Will you", "May I", "Mark the": a common word, not a name, at the start of a sentence.
_FUNCTION_WORD = re.compile(
    r" +(?:i|you|he|she|it|we|they|me|him|her|us|them|the|an?|this|that|these|those|there|my|your|his|its|our|their|not|be|all|any)\b"  # noqa: E501
)
_TAIL_BEFORE = re.compile(
    r"(?:[*xX•·…#.]{2,}[ -]?|(?:ending|ends) (?:in|with) |last (?:four|4)(?: digits)?(?: are| is|:)? "
    r"|(?:끝자리|뒷자리|뒤 (?:네|4) ?자리)(?:가|는|:)? ?)$"
)
_OPEN_QUOTE = re.compile(r"(?:^|\s)['‘][^'’\n]*$")
_INITIAL_GAP = re.compile(r"\.?[ \u00a0]?-?")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)


class Hit(NamedTuple):
    """[start, end) of the text becomes `text`. `kind` None: only the form of a word next to a value changes."""

    start: int
    end: int
    text: str
    kind: Kind | None
    doubtful: bool = False
    target: Target | None = None


def _has_inner_capitals(word: str) -> bool:
    return not (word.islower() or word.istitle() or word.isupper())


class Scan:
    """One pass over a text from `place` on. `final`: no more will come. `forced`: all of it is a value, however it is written."""

    def __init__(self, lexicon: Lexicon, text: str, final: bool = True, forced: bool = False, last: Hit | None = None) -> None:
        self.lexicon = lexicon
        self.text = text
        self.final = final
        self.forced = forced
        self.hits: list[Hit] = []
        self.unknown: list[tuple[int, int]] = []  # an initial, with the name beside it, that stands for nobody known
        self.dates: list[tuple[int, int, str]] = []  # dates that stay as they are: [start, end) and key
        self.last = last  # the latest hit, of an earlier scan at first
        self._begin = 0
        self._sought = Sought(lexicon.root.children, lexicon.beginnings.__contains__)

    def run(self, place: int = 0) -> int:
        """Read on; returns how far everything is certain."""
        done = self._begin = place
        beginnings, families, size = self.lexicon.beginnings, self.lexicon.root.children, len(self.text)
        for match in TOKEN.finditer(self.text, place):
            word, end = match[0], match.end()
            # Nearly all words are none of ours; what follows only finds that out early.
            if end < size:
                if word.islower():
                    if word not in beginnings and word[-1] != "s" and word.isascii():
                        continue
                elif (word[:2] not in beginnings and "가" <= word[0] <= "힣" and word[0] not in families) and (
                    not self._is_behind_hit(match.start())
                ):
                    continue
            if match.start() < done:
                continue
            try:
                done = max(done, self._read(match))
            except NeedMore:
                return match.start()
        return size

    def _read(self, match: re.Match[str]) -> int:
        """Look at one word; returns where to go on."""
        word, (start, end), lexicon = match[0], match.span(), self.lexicon
        first = word[0]
        if "가" <= first <= "힣":
            return self._read_hangul(match)
        if end == len(self.text) and not self.final:
            return self._read_open(match)
        if start == self._begin and self._goes_on(start):
            return end if word.islower() or first.isdigit() else self._read_segments(start, word, goes_on=True)
        if first.isdigit():
            if word not in lexicon.beginnings and not lexicon.tails and not lexicon.dates.days:
                return end
            return self._look_up(match)
        key = fold(word)
        if key in lexicon.beginnings:
            return self._look_up(match)
        if word.islower() and not key.endswith("s"):
            return end
        return self._read_other_form(match, key)

    def _goes_on(self, start: int) -> bool:
        """Whether this only continues a word whose beginning is gone already."""
        joined = TOKEN.match(self.text, start - 1, start + 1) if start else None
        return joined is not None and joined.end() > start

    def _read_open(self, match: re.Match[str]) -> int:
        """A word that may go on with the next piece of text."""
        word, (start, end) = match[0], match.span()
        if start == self._begin and self._goes_on(start):
            if not (word.islower() or word.isdigit()):
                raise NeedMore
            return end
        key, lexicon = fold(word), self.lexicon
        if key in lexicon.beginnings or (len(word) == 1 and word in lexicon.initials) or (lexicon.tails and word.isdigit()):
            raise NeedMore
        if key.endswith("s") and (key[:-1] in lexicon.root.children or key[:-2] in lexicon.root.children):
            raise NeedMore
        if key.endswith("e") and key[:-1] in lexicon.root.children and _SIBILANT.search(key[:-1]):
            raise NeedMore  # the Joneses
        if lexicon.dates.days and may_become_date(self.text, start):
            raise NeedMore
        if not (word.isdigit() or word[-1].islower()) or _has_inner_capitals(word):
            raise NeedMore  # a capital may begin a word within this one
        return end

    # words and phrases

    def _look_up(self, match: re.Match[str]) -> int:
        """The longest of what may begin with this word."""
        start = match.start()
        phrase = self._phrase(match)
        number = self._number(match)
        dated = self._date(start) if self.lexicon.dates.days else None
        hits = (phrase, self._apart(match), number, dated)
        best = max((hit for hit in hits if hit is not None), key=lambda hit: hit.end, default=None)
        word = match[0]
        if best is not None and best.end == match.end() and _has_inner_capitals(word) and self._segments(start, word, False):
            return self._read_segments(start, word)
        if best is not None:
            return self._add(best)
        if word[0].isdigit():
            return match.end()
        return self._read_other_form(match, fold(word))

    def _add(self, hit: Hit) -> int:
        possessive = self._possessive(hit) if hit.target is not None and hit.target.source[-1:] in "sS" else None
        self.hits += [hit] if possessive is None else [hit, possessive]
        self.last = hit
        return self.hits[-1].end

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
        if target.role not in _NAMES:
            return False
        last = self.last
        if last is not None and last.target is not None and last.target.role in _NAMES and 0 <= start - last.end <= 1:
            return True
        following = TOKEN.match(self.text, end + 1)
        if following is None or following.end() == len(self.text):
            if not self.final and len(self.text) - end < LOOK_BACK:
                raise NeedMore
            if following is None:
                return False
        node = self.lexicon.root.children.get(fold(following[0]))
        return node is not None and node.target is not None and node.target.role in _NAMES

    # other forms of a word in an alphabet

    def _read_other_form(self, match: re.Match[str], key: str) -> int:
        word, (start, end) = match[0], match.span()
        plural = self._plural(word, key, start, end)
        if plural is not None:
            return self._add(plural)
        if len(word) == 1 and word in self.lexicon.initials:
            return self._initials(start, end)
        for stem in stems(word):
            bare = TOKEN.match(self.text, start + stem)
            if bare is not None and fold(bare[0]) in self.lexicon.beginnings:
                known = len(self.hits)
                done = self._look_up(bare)
                if len(self.hits) > known:
                    return done
        return self._read_segments(start, word) if _has_inner_capitals(word) else end

    def _plural(self, word: str, key: str, start: int, end: int) -> Hit | None:
        """The Harrisons, the Joneses."""
        for ending in ("s", "es"):
            node = self.lexicon.root.children.get(key.removesuffix(ending)) if key.endswith(ending) and len(key) > 3 else None
            target = node.target if node is not None else None
            if target is None or target.role in (Role.EXACT, Role.SEQUENCE) or not target.text[-1:].isalpha():
                continue
            if ending == "es" and not _SIBILANT.search(target.source):
                continue
            if self._allowed(start, end, target):
                singular = recased(word[: -len(ending)], target.source, target.text)
                plural = "es" if _SIBILANT.search(target.text) else "s"
                plural = plural.upper() if word.isupper() else plural
                return Hit(start, end, singular + plural, target.kind, target.doubtful, target._replace(role=Role.WORD))
        return None

    def _possessive(self, hit: Hit) -> Hit | None:
        """Ellis' is Park's."""
        text, end = self.text, hit.end
        if not self.final and len(text) - end < 3 and text[end : end + 3] in ("", "'", "’", "' ", "’ "):
            raise NeedMore
        if re.match(r"['’] \w", text[end : end + 3]) is None or hit.text[-1:] in "sS":
            return None
        if _OPEN_QUOTE.search(text[max(0, hit.start - LOOK_BACK) : hit.start]):
            return None
        return Hit(end, end + 1, f"{text[end]}s", None)

    def _read_segments(self, start: int, word: str, goes_on: bool = False) -> int:
        """The words that an identifier is made of: emmaHarrison, isEmmaHarrisonHere."""
        segments = self._segments(start, word, goes_on)
        is_name = sum(target.role in _NAMES for _, _, target in segments) > 1
        for place, part, target in segments:
            if is_name or self._allowed(place, place + len(part), target):
                text = recased(part, target.source, target.text)
                self.last = Hit(place, place + len(part), text, target.kind, target.doubtful, target)
                self.hits.append(self.last)
        return start + len(word)

    def _segments(self, start: int, word: str, goes_on: bool) -> list[tuple[int, str, Target]]:
        """Those words of an identifier that are looked for, and where they start; none where it is looked for itself."""
        whole = None if goes_on else self.lexicon.root.children.get(fold(word))
        if whole is not None and whole.target is not None and whole.target.source == word:
            return []
        parts = [(start + match.start(), match[0]) for match in SEGMENT.finditer(word) if goes_on or match[0] != word]
        nodes = [(place, part, self.lexicon.root.children.get(fold(part))) for place, part in parts]
        return [(place, part, node.target) for place, part, node in nodes if node is not None and node.target is not None]

    # initials

    def _initials(self, start: int, end: int) -> int:
        """An initial beside a name: “E. Harrison”, “Harrison, E.”, “Emma L. Harrison”."""
        last, text = self.last, self.text
        if last is not None and last.target is not None and last.target.role in _NAMES:
            gap, after = text[last.end : start], text[end : end + 1]
            letters = self.lexicon.letters.get(" ".join(key_of(last.target.source)), {})
            if gap in (" ", ", ", "-") and text[start] in letters and (after == "." or (gap == " " and after == "")):
                return self._add_letter(start, letters[text[start]], last)
        places, place = [start], end
        while True:
            gap_match = _INITIAL_GAP.match(text, place)
            place = gap_match.end() if gap_match is not None else place
            following = TOKEN.match(text, place)
            if (following.end() if following is not None else place) == len(text) and not self.final:
                raise NeedMore
            if following is None:
                return end
            if len(following[0]) > 1:
                return self._before_name(places, following) or end
            if len(places) == 3:
                return end
            places.append(place)
            place = following.end()

    def _before_name(self, places: list[int], name: re.Match[str]) -> int:
        node = self.lexicon.root.children.get(fold(name[0]))
        target = node.target if node is not None else None
        text = self.text
        if (
            target is None
            or target.role not in _NAMES
            or not self._allowed(name.start(), name.end(), target._replace(strict=True))
        ):
            return 0
        dotted = text[places[0] + 1 : places[0] + 2] == "."
        if not dotted and text[places[0]] in "AI":
            return 0
        letters = self.lexicon.letters.get(" ".join(key_of(target.source)), {})
        if any(text[place] not in letters for place in places):
            if dotted:
                self.unknown.append((places[0], name.end()))
            return 0
        for place in places:
            self._add_letter(place, letters[text[place]], Hit(place, place, "", target.kind))
        return places[-1] + 1

    def _add_letter(self, start: int, letter: tuple[str, bool], name: Hit) -> int:
        target = Target(self.text[start], letter[0], name.kind or Kind.PERSON, Role.INITIAL, letter[1])
        # The name stays the last hit, so that more initials may follow it.
        self.hits.append(Hit(start, start + 1, letter[0], target.kind, letter[1], target))
        return start + 1

    # Hangul

    def _read_hangul(self, match: re.Match[str]) -> int:
        word, (start, end) = match[0], match.span()
        is_open = end == len(self.text) and not self.final
        root = self.lexicon.root
        if self.last is not None and self.last.target is not None and self._is_behind_hit(start):
            if is_open:
                raise NeedMore
            if is_particles(word):
                return self._particle(self.last, word, start)
        if "가" <= self.text[start - 1 : start] <= "힣":
            return end
        lengths = [length for length in range(min(len(word), root.longest), 0, -1) if word[:length] in root.children]
        if is_open and (lengths or word in self.lexicon.beginnings):
            raise NeedMore
        hit = next((hit for length in lengths if (hit := self._hangul_hit(match, length)) is not None), None)
        apart = self._apart(match)
        if apart is not None and (hit is None or apart.end > hit.end):
            hit = apart
        if hit is None:
            return end
        self._add(hit)
        behind = HANGUL.match(self.text, hit.end)
        return self._particle(hit, behind[0], hit.end) if behind is not None else hit.end

    def _is_behind_hit(self, start: int) -> bool:
        """Whether nothing but the end of quotes or of bold letters is between the latest hit and this place."""
        last = self.last
        return last is not None and CLOSING.fullmatch(self.text, last.end, start) is not None

    def _hangul_hit(self, match: re.Match[str], length: int) -> Hit | None:
        start, text = match.start(), self.text
        if length == len(match[0]):
            hit = self._phrase(match)
        else:
            target = self.lexicon.root.children[match[0][:length]].target
            hit = self._hit(start, start + length, target) if target is not None else None
        if hit is None or hit.target is None or hit.end > match.end():
            return hit
        rest = text[hit.end : match.end()]
        if hit.target.role is Role.FAMILY and hit.end - start == length:
            is_one = not rest or is_particles(rest) or begins_with_title(rest) if self.forced else self._is_addressed(hit, rest)
            return hit if is_one else None
        if self.forced:
            return hit
        if hit.target.role is Role.GIVEN or hit.end - start == 1 or (hit.end - start == 2 and hit.target.kind is Kind.PERSON):
            return hit if is_particles(rest) or begins_with_title(rest) else None
        return hit

    def _is_addressed(self, family: Hit, rest: str) -> bool:
        """Whether a family name alone is one: 심 과장, 심씨, 심 민서."""
        if rest:
            return begins_with_title(rest)
        text = self.text
        following = TOKEN.match(text, family.end + 1) if text[family.end : family.end + 1] in (" ", "\u00a0") else None
        if not self.final and (family.end + 1 >= len(text) or (following is not None and following.end() == len(text))):
            raise NeedMore
        if following is None:
            return False
        if is_title(following[0]):
            return True
        for length in range(len(following[0]), 0, -1):
            node = self.lexicon.root.children.get(following[0][:length])
            if node is not None and node.target is not None and node.target.role is Role.GIVEN:
                return is_particles(following[0][length:]) or begins_with_title(following[0][length:])
        return False

    def _particle(self, hit: Hit, rest: str, start: int) -> int:
        """What follows a value directly: its form depends on the value's last sound."""
        swapped = swapped_particle(rest, sound(self.text[hit.start : hit.end]), sound(hit.text))
        if swapped != rest:
            self.hits.append(Hit(start, start + len(rest), swapped, None))
        return start + len(rest)

    # numbers and dates

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
