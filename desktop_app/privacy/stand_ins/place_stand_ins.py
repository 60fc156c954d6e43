"""Organisations, places and addresses that stand for others: what kind of thing each is stays, what tells it apart does not."""

import re
from collections.abc import Callable
from typing import Literal

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.capitals import PARTICLES
from desktop_app.privacy.language.generic_words import ADDRESS_WORDS, ORGANISATION_WORDS, PLACE_WORDS, STATES
from desktop_app.privacy.language.hangul import INSTITUTIONS, ORGANISATION_ENDINGS, PLACE_ENDINGS
from desktop_app.privacy.language.korean import last_sound
from desktop_app.privacy.language.tokens import TOKEN, core, fold, recased
from desktop_app.privacy.matching.entries import Pair, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.stand_ins.choosing import Choice

_KOREAN_ENDINGS = sorted({*PLACE_ENDINGS, "특별자치시", "특별자치도", "북도", "남도", "번길"}, key=len, reverse=True)
_COMPANY_ENDINGS = sorted(ORGANISATION_ENDINGS, key=len, reverse=True)
LONGEST_ACRONYM = 4
_TOWN_BEFORE = re.compile(r"[,\n]\s*(?:[\w-]*\d[\w-]*\s+)?$")  # a town stands behind a comma, or a code behind one


class PlaceStandIns:
    """Makes the pairs for organisations, places and addresses. `forward` knows the words that have a stand-in already."""

    def __init__(self, choice: Choice, forward: Lexicon) -> None:
        self._choice = choice
        self._forward = forward

    def organisation(self, value: str) -> list[Pair]:
        """The words of a name between those that only tell what it is: “Müller & Söhne” of “Müller & Söhne GmbH”."""
        return self._phrase(value, ORGANISATION_WORDS, _COMPANY_ENDINGS, self.company)

    def place(self, value: str) -> list[Pair]:
        """A country for a country, with its adjective; a town for a town."""
        countries = name_pools.countries()
        for country in countries:
            if fold(value) in (fold(country.name), fold(country.adjective), country.korean):
                free = [it for it in countries if it.stands_in and it != country and self._choice.is_free(" ".join(it[:3]))]
                if free:
                    other = free[self._choice.draw(len(free))]
                    return [Pair(real, stand_in, Role.WORD) for real, stand_in in zip(country[:3], other[:3], strict=True)]
        return self._phrase(value, PLACE_WORDS, _KOREAN_ENDINGS, lambda text: self.town(text, "city"))

    def other(self, value: str) -> list[Pair]:
        """A neutral code name in the same script."""
        start, end = core(value)
        return [Pair(value[start:end], self.company(value[start:end]), Role.WORD)] if end else []

    def _phrase(self, value: str, generic: frozenset[str], endings: list[str], make: Callable[[str], str]) -> list[Pair]:
        words = list(TOKEN.finditer(value))
        telling = [match for match in words if fold(match[0]) not in generic and match[0] not in endings] or words
        if not telling:
            return []
        start, end = telling[0].start(), telling[-1].end()
        end = start + len(_without_ending(value[start:end], telling[-1], endings))
        text = value[start:end]
        known = self._known(value)
        ends = [match.start() + len(_without_ending(match[0], match, endings)) for match in telling]
        if all(any(a <= match.start() and end <= b for a, b in known) for match, end in zip(telling, ends, strict=True)):
            return []
        return [Pair(text, make(text), Role.WORD)]

    def _known(self, value: str) -> list[tuple[int, int]]:
        scan = Scan(self._forward, value, forced=True)
        scan.run()
        return [(hit.start, hit.end) for hit in scan.hits if hit.kind is not None]

    def company(self, text: str) -> str:
        """A name as a company or a project could have."""
        draw = self._choice.draw
        first = next((letter for letter in text if letter.isalpha()), "")
        if "가" <= first <= "힣":
            return self._choice.made(lambda: name_pools.made_up_korean(last_sound(text), draw))
        if first and not first.isascii() and name_pools.made_up_in_script(first, draw, 3)[0] > "\u024f":
            return self._choice.made(lambda: name_pools.made_up_in_script(first, draw, len(text)))
        if text.isupper() and text.isalpha() and len(text) <= LONGEST_ACRONYM:
            return self._choice.made(lambda: "".join("BDFGHKLMNPRTVZ"[draw(14)] for _ in range(max(3, len(text)))))
        return self._choice.first_of((name_pools.companies(),), lambda: name_pools.made_up_surname(draw))

    def town(self, text: str, pool_of: Literal["city", "en"] = "en") -> str:
        """A town or a street; a small model answers better about towns that it has heard of."""
        first = next((letter for letter in text if letter.isalpha()), "")
        if "가" <= first <= "힣":
            sound = last_sound(text)
            pool = name_pools.of_sound(name_pools.towns("ko"), sound)
            return self._choice.first_of((pool,), lambda: name_pools.made_up_korean(sound, self._choice.draw))
        if first and not first.isascii() and name_pools.made_up_in_script(first, self._choice.draw, 3)[0] > "\u024f":
            return self.company(text)
        return self._choice.first_of((name_pools.towns(pool_of),), lambda: name_pools.made_up_surname(self._choice.draw))

    # addresses

    def address(self, value: str) -> list[Pair]:
        """Numbers of as many digits, other names of streets and towns; all in the shape in which the address is written."""
        start, end = core(value)
        text = value[start:end]
        known = self._known_words(text)
        written, names, done = [], list[Pair](), 0
        for match in TOKEN.finditer(text):
            word = match[0]
            new, pairs = known.get(match.start(), ""), list[Pair]()
            if not new:
                new, pairs = self._address_word(text, match, {pair.real: pair.stand_in for pair in names})
            names += pairs
            written += [text[done : match.start()], new]
            done = match.start() + len(word)
        stand_in = "".join([*written, text[done:]])
        if len(TOKEN.findall(text)) == 1 and text.isdigit():
            return [Pair(text, stand_in, Role.NUMBER)]
        return [Pair(text, stand_in, Role.SEQUENCE), *names]

    def _known_words(self, text: str) -> dict[int, str]:
        """The stand-ins of words that have one, by where the words start."""
        scan = Scan(self._forward, text, forced=True)
        scan.run()
        words = {match.start(): match for match in TOKEN.finditer(text)}
        known = {}
        for hit in scan.hits:
            match = words.get(hit.start)
            if hit.kind is not None and match is not None and len(TOKEN.findall(hit.text)) == 1 and hit.end <= match.end():
                known[hit.start] = hit.text + text[hit.end : match.end()]
        return known

    def _address_word(self, text: str, match: re.Match[str], names: dict[str, str]) -> tuple[str, list[Pair]]:
        word, (start, end) = match[0], match.span()
        if word.isdigit():
            new = self._digits(word)
            return new, [Pair(word, new, Role.NUMBER)] if len(word) >= 5 else []
        beside_digit = text[start - 1 : start].isdigit() or text[end : end + 1].isdigit()
        if len(word) <= 2 and word.isascii() and beside_digit and fold(word) not in ("st", "nd", "rd", "th"):
            return "".join(recased(letter, letter.upper(), self._letter()) for letter in word), []
        if fold(word) in ADDRESS_WORDS or word in STATES or (fold(word) in PARTICLES and word.islower()) or len(word) == 1:
            return word, []
        base = _without_ending(word, match, _KOREAN_ENDINGS)
        if base in names:
            return names[base] + word[len(base) :], []
        new = self.town(base, "city" if _TOWN_BEFORE.search(text[:start]) and not _is_street(text[end:]) else "en")
        return recased(base, base.capitalize(), new) + word[len(base) :], [
            Pair(base.capitalize() if base.isupper() else base, new, Role.WORD)
        ]

    def _digits(self, number: str) -> str:
        draw = self._choice.draw
        while True:
            new = "".join(str(draw(10)) if index or letter == "0" else str(1 + draw(9)) for index, letter in enumerate(number))
            if new != number:
                return new

    def _letter(self) -> str:
        return "ABCDEFGHJKLMNPRSTUVWXYZ"[self._choice.draw(23)]


def _is_street(rest: str) -> bool:
    """Whether the word before `rest` tells a street apart: one of those that mean a street follows before the next comma."""
    return any(fold(word) in ADDRESS_WORDS for word in TOKEN.findall(re.split(r"[,\n]", rest)[0]))


def _without_ending(text: str, last: re.Match[str], endings: list[str]) -> str:
    """A Korean name without what only tells its kind: 한빛 of 한빛병원, 역삼 of 역삼동."""
    if not "가" <= text[-1:] <= "힣" or last[0] in INSTITUTIONS:
        return text
    for ending in endings:
        if last[0].endswith(ending) and len(last[0]) - len(ending) >= 2:
            return text[: len(text) - len(ending)]
    return text
