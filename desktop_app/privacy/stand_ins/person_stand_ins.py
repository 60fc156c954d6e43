"""Names of persons that stand for others: of the same language and gender, word by word, so that all mentions agree.

A word of a name has one stand-in in a conversation, whoever bears it: two Parks have one family name then too, and two people two
names. Initials agree with the names they stand for. A Korean given name gets one whose last sound is of the same class, so that
the particles after it stay as they are; that tells an observer no more than those particles do.
"""

from collections.abc import Iterable
from functools import cache

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.korean import last_sound
from desktop_app.privacy.language.name_pools import Gender
from desktop_app.privacy.language.romanising import family_spellings, given_spellings, is_family, syllables_of
from desktop_app.privacy.language.tokens import TOKEN, compact, fold, recased
from desktop_app.privacy.matching.entries import Pair, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.stand_ins.choosing import Choice
from desktop_app.privacy.stand_ins.person_names import Part, PersonName, taken_apart

_ALPHABET = "ABCDEFGHIJKLMNOPRSTUVWYZ"


@cache
def _in_hangul() -> dict[str, str]:
    """Names of the Korean pools by their Latin spelling."""
    given = {"".join(given_spellings(name)[0]): name for name in name_pools.korean_given_names("")}
    return given | {family_spellings(name)[0]: name for name in name_pools.korean_surnames()}


class PersonStandIns:
    """Makes entries for names of persons. `forward` knows the words that have a stand-in already."""

    def __init__(self, choice: Choice, forward: Lexicon) -> None:
        self._choice = choice
        self._forward = forward

    def pairs(self, value: str, before: str = "") -> list[Pair]:
        """What each word of a name becomes; `before` is the text before it."""
        name = taken_apart(value, before)
        known = self._known(value, name.parts)
        pairs: dict[int, Pair] = {}
        # The family name first: the given name's initial must differ from those of its other bearers.
        for part in sorted(name.parts, key=lambda part: (part.role is not Role.FAMILY, part.role is Role.INITIAL, part.start)):
            stand_in = known.get(part.start)
            if stand_in is None and part.role is Role.INITIAL:
                stand_in = self._letter(part.text, pairs.values())
            if stand_in is None:
                stand_in = self._name(part, name, list(pairs.values()))
            pairs[part.start] = Pair(_usual_case(part.text), _usual_case(stand_in), part.role)
        return [pairs[start] for start in sorted(pairs)]

    def _known(self, value: str, parts: list[Part]) -> dict[int, str]:
        """The stand-ins of those parts that have one, by where they start."""
        scan = Scan(self._forward, value, forced=True)
        scan.run()
        known = {part.start: text for part in parts if (text := self._known_word(part)) is not None}
        for hit in scan.hits:
            inside = [part for part in parts if hit.start <= part.start and part.end <= hit.end]
            if hit.kind is None:
                continue
            if [(part.start, part.end) for part in inside] == [(hit.start, hit.end)]:
                known[hit.start] = hit.text
                continue
            counts = [len(TOKEN.findall(part.text)) for part in inside]
            tokens = [match.span() for match in TOKEN.finditer(hit.text)]
            if inside and sum(counts) == len(tokens):  # 박지영 was known, and this is Ji-young Park
                place = 0
                for part, count in zip(inside, counts, strict=True):
                    known[part.start] = hit.text[tokens[place][0] : tokens[place + count - 1][1]]
                    place += count
        return known

    def _known_word(self, part: Part) -> str | None:
        node = self._forward.root.children.get(fold(part.text)) if part.role is not Role.INITIAL else None
        target = node.target if node is not None else None
        return recased(part.text, target.source, target.text) if target is not None and not target.doubtful else None

    def _letter(self, initial: str, others: Iterable[Pair]) -> str:
        """What an initial becomes: that of the name it stands for, where one is known, otherwise one that stands for none."""
        taken: set[str] = set()
        for pair in others:
            letters = self._letters(pair)
            if initial.upper() in letters:
                return recased(initial, initial.upper(), letters[initial.upper()])
            taken |= set(letters.values())
        if initial.upper() == initial.lower() or not initial.isascii():
            return name_pools.made_up_in_script(initial, self._choice.draw, 3)[0]
        free = [letter for letter in _ALPHABET if letter not in taken and letter != initial.upper()]
        letter = free[self._choice.draw(len(free))] if free else initial.upper()
        return recased(initial, initial.upper(), letter)

    def _letters(self, pair: Pair) -> dict[str, str]:
        letters = self._forward.letters.get(" ".join(fold(word) for word in TOKEN.findall(pair.real)), {})
        return {initial: letter for initial, (letter, _) in letters.items()}

    def _name(self, part: Part, name: PersonName, others: list[Pair]) -> str:
        text = part.text
        if "가" <= text[0] <= "힣":
            return self._hangul(part, name.gender)
        if not any("a" <= letter <= "z" for letter in text.lower()):
            return self._choice.made(lambda: name_pools.made_up_in_script(text[0], self._choice.draw, len(text)))
        return self._romanised(part, name.gender) if name.korean else self._english(part, name.gender, others)

    def _english(self, part: Part, gender: Gender, others: list[Pair]) -> str:
        draw = self._choice.draw
        if part.role is Role.FAMILY:
            return self._choice.first_of((name_pools.english_surnames(),), lambda: name_pools.made_up_surname(draw))
        initial = part.text[0].upper()
        letters = {real: letter for pair in others for real, letter in self._letters(pair).items()}
        wanted, taken = letters.get(initial), {letter for real, letter in letters.items() if real != initial}
        pools = [name_pools.english_given_names(gender)] + ([name_pools.english_given_names("")] if not gender else [])
        for pool in pools:
            fits = self._choice.of(pool, lambda name: name[0] == wanted if wanted else name[0] not in taken)
            if fits is not None:
                return fits
        return self._choice.made(lambda: name_pools.made_up_given_name(gender, draw))

    def _hangul(self, part: Part, gender: Gender) -> str:
        choice, text = self._choice, part.text
        in_latin = self._from_latin(text, part.role)
        if in_latin is not None:
            return in_latin
        if part.role is Role.FAMILY:
            names = [name for name in name_pools.korean_surnames() if len(name) == len(text) and choice.is_free_family(name)]
            if names:
                return names[choice.draw(len(names))]
            return choice.made(lambda: name_pools.made_up_korean(None, choice.draw)[:2])
        sound = last_sound(text)
        pools = [name_pools.of_sound(name_pools.korean_given_names(gender), sound)]
        pools.append(name_pools.of_sound(name_pools.korean_given_names(""), sound) if not gender else ())
        return choice.first_of(pools if len(text) < 3 else (), lambda: name_pools.made_up_korean(sound, choice.draw, len(text)))

    def _from_latin(self, text: str, role: Role) -> str | None:
        """What stands for a name whose Latin spelling has a stand-in already."""
        if role is Role.FAMILY:
            spellings = list(family_spellings(text))
        else:
            spellings = ["".join(spelling) for spelling in given_spellings(text)]
        for spelling in spellings:
            node = self._forward.root.children.get(spelling)
            if node is not None and node.target is not None and node.target.role is role and len(spelling) > 1:
                return _in_hangul().get(compact(node.target.text))
        return None

    def _romanised(self, part: Part, gender: Gender) -> str:
        """A Korean name in Latin letters, with its syllables written as those of the real one: Min-jun, Minjun, Min Jun."""
        choice = self._choice
        if part.role is Role.FAMILY or (is_family(part.text) and not syllables_of(part.text)):
            spellings = [family_spellings(name)[0].capitalize() for name in name_pools.korean_surnames()]
            return choice.first_of((spellings,), lambda: name_pools.made_up_surname(choice.draw))
        names = name_pools.korean_given_names(gender) or name_pools.korean_given_names("")
        spelt = {"".join(spelling).capitalize(): spelling for name in names for spelling in given_spellings(name)[:1]}
        joined = choice.first_of((list(spelt),), lambda: name_pools.made_up_given_name(gender, choice.draw))
        syllables = spelt.get(joined, (joined,))
        between = next((sign for sign in "-‐ " if sign in part.text), None)
        if between is None or len(syllables) < 2:
            return joined
        second = syllables[1].capitalize() if part.text[part.text.index(between) + 1].isupper() else syllables[1]
        return f"{syllables[0].capitalize()}{between}{second}"


def _usual_case(word: str) -> str:
    """PARK and park as Park; a single letter, and what has capitals of its own, as it is."""
    return TOKEN.sub(lambda match: match[0].capitalize(), word) if word.isupper() or word.islower() else word
