"""Reads a text once and finds what a lexicon looks for: values, and all the forms in which they may be written.

How it works. The text is cut into words and numbers. Almost all of them begin nothing and are passed over; the others are looked
up, the longest match first. What can be told only from what follows (does “Emma” go on as “Emmanuel”? which particle comes after
민서?) is never guessed: where the text as it has come so far ends within such a question, the scan stops before it, and goes on
from there when there is more. So the result is the same however a text was cut, and only what could still matter is held back.

What stands in a text as it is, is looked up in `lookup`; here are the pass and the other forms of words.
"""

import re

from desktop_app.privacy.language.date_shift import may_become_date
from desktop_app.privacy.language.hangul import is_particles
from desktop_app.privacy.language.korean import CLOSING, HANGUL, begins_with_title, is_title, swapped_particle
from desktop_app.privacy.language.name_pools import sound
from desktop_app.privacy.language.tokens import SEGMENT, TOKEN, fold, key_of, recased
from desktop_app.privacy.matching.apart import NeedMore, stems
from desktop_app.privacy.matching.entries import Role
from desktop_app.privacy.matching.lexicon import Lexicon, Target
from desktop_app.privacy.matching.lookup import LOOK_BACK, NAMES, Hit, Lookup
from desktop_app.privacy.spans import Kind

_OPEN_QUOTE = re.compile(r"(?:^|\s)['‘][^'’\n]*$")
_INITIAL_GAP = re.compile(r"\.?[ \u00a0]?-?")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)$", re.IGNORECASE)


def _has_inner_capitals(word: str) -> bool:
    return not (word.islower() or word.istitle() or word.isupper())


class Scan(Lookup):
    """One pass over a text from `place` on."""

    def __init__(self, lexicon: Lexicon, text: str, final: bool = True, forced: bool = False, last: Hit | None = None) -> None:
        """`final`: no more will come. `forced`: all of it is a value, however it is written. `last`: the latest hit before."""
        super().__init__(lexicon, text, final, forced, last)
        self._begin = 0

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
        is_name = sum(target.role in NAMES for _, _, target in segments) > 1
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
        if last is not None and last.target is not None and last.target.role in NAMES:
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
            or target.role not in NAMES
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
