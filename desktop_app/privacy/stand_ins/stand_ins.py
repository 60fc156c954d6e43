"""Makes the stand-in of a new value: of the same kind, natural in its place, and nobody's.

What each kind becomes is told in the modules for persons, places, contacts and numbers; dates are moved by the conversation's
secret shift. Everything random comes from `draw`, the operating system's generator.
"""

import re

from desktop_app.privacy.language.date_shift import FEWEST_WEEKS, MOST_WEEKS, date_at, dates_in, moved, written
from desktop_app.privacy.language.tokens import TOKEN, compact, core
from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.matching.lexicon import TAIL, Lexicon
from desktop_app.privacy.recognition.hidden_numbers import hidden
from desktop_app.privacy.spans import Kind
from desktop_app.privacy.stand_ins import number_stand_ins, phone_stand_ins
from desktop_app.privacy.stand_ins.choosing import Choice, Draw
from desktop_app.privacy.stand_ins.contact_stand_ins import ContactStandIns
from desktop_app.privacy.stand_ins.person_stand_ins import PersonStandIns
from desktop_app.privacy.stand_ins.place_stand_ins import PlaceStandIns

NUMBERS = frozenset({Kind.CARD, Kind.IBAN, Kind.NATIONAL_ID, Kind.PASSPORT, Kind.PLATE, Kind.RECORD, Kind.PHONE})
SHORTEST_NUMBER = 4  # digits: what is shorter could mean anything in a reply, and gets a longer one
_COMPACT_DATE = re.compile(r"(\d\d)?(\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$")
_PLAIN = re.compile(r"[a-z0-9가-힣]+")
_WORD = re.compile(r"[^\W\d_]{3}")


class StandIns:
    """Makes entries. `forward` is what has a stand-in already; whoever adds an entry to it also tells `take`."""

    def __init__(self, draw: Draw, forward: Lexicon) -> None:
        self.choice = Choice(draw)
        self._forward = forward
        self._persons = PersonStandIns(self.choice, forward)
        self._places = PlaceStandIns(self.choice, forward)
        self._contacts = ContactStandIns(self.choice, forward)
        self._days = 0
        self._year = 0

    def take(self, entry: Entry) -> None:
        """Keep in mind that an entry's value and stand-in are taken."""
        self.choice.take(entry)
        for pair in entry.pairs:
            date = date_at(pair.real, 0) if pair.role is Role.DATE else None
            if date is not None:
                self._days = entry.days
                self._year = date.year or self._year

    def pairs(self, value: str, kind: Kind, before: str = "") -> list[Pair]:
        """What the parts of a value that has no stand-in yet become; `before` is the text before it."""
        if kind is Kind.PERSON:
            return self._persons.pairs(value, before)
        if kind is Kind.ORGANISATION:
            return self._places.organisation(value)
        if kind is Kind.PLACE:
            return self._places.place(value)
        if kind is Kind.ADDRESS:
            return self._places.address(value)
        if kind is Kind.DATE:
            return self._date(value)
        if kind is Kind.EMAIL:
            return self._contacts.email(value)
        if kind is Kind.SITE:
            return self._contacts.site(value)
        if kind is Kind.HOST:
            return self._contacts.host(value)
        if kind is Kind.SECRET:
            return self._contacts.secret(value)
        if kind in NUMBERS or not _WORD.search(value):
            return self._number(value, kind)
        return self._places.other(value)

    @property
    def days(self) -> int:
        """The secret shift of this conversation's dates."""
        if not self._days:
            draw = self.choice.draw
            weeks = FEWEST_WEEKS + draw(MOST_WEEKS - FEWEST_WEEKS + 1)
            self._days = 7 * (weeks if draw(2) else -weeks)
        return self._days

    def chosen(self, value: str, kind: Kind, stand_in: str) -> list[Pair]:
        """The pairs for a stand-in that the person chose."""
        (start, end), (new_start, new_end) = core(value), core(stand_in)
        text, new = value[start:end], stand_in[new_start:new_end]
        if not end or not new_end:
            return []
        if kind is Kind.PERSON:
            return _word_by_word(text, new, self._persons.pairs(text))
        if kind in NUMBERS and len(compact(text)) == len(compact(new)) and _PLAIN.fullmatch(compact(text + new)):
            return [Pair(text, new, Role.NUMBER)]
        exact = kind in (Kind.EMAIL, Kind.SITE, Kind.HOST, Kind.SECRET) or kind in NUMBERS
        return [Pair(text, new, Role.EXACT if exact else Role.WORD)]

    def code_name(self, value: str) -> list[Pair]:
        """A code name for whatever this is: for what no other way brings back as it was."""
        return self._places.other(value)

    def _number(self, value: str, kind: Kind) -> list[Pair]:
        start, end = core(value)
        text = value[start:end]
        if not end:
            return []
        tail = self._forward.tails.get(text[-TAIL:]) if hidden(text) else None
        if tail is not None:  # of a number that has a stand-in
            return [Pair(text, text[:-TAIL] + tail.text, Role.EXACT)]
        if len(compact(text)) < SHORTEST_NUMBER:
            return [
                Pair(text, self.choice.made(lambda: f"{1000 + self.choice.draw(9000)}", self.choice.is_free_number), Role.EXACT)
            ]
        for _ in range(60):
            if kind is Kind.PHONE:
                new = phone_stand_ins.candidate(value[:end], self.choice.draw)[start:]  # its + tells the country
            else:
                new = number_stand_ins.candidate(text, kind, self.choice.draw)
            if self.choice.is_free_number(new) and compact(new) != compact(text):
                pairs = [Pair(text, new, Role.NUMBER if _PLAIN.fullmatch(compact(text)) else Role.EXACT)]
                if kind is Kind.PHONE:
                    pairs += [
                        Pair(real, other, Role.NUMBER)
                        for real, other in phone_stand_ins.other_forms(value[:end], value[:start] + new)
                    ]
                return pairs
        longer = self.choice.made(lambda: f"{10**8 + self.choice.draw(9 * 10**8)}", self.choice.is_free_number)
        return [Pair(text, longer, Role.EXACT)]

    def _date(self, value: str) -> list[Pair]:
        pairs = []
        for date in dates_in(value):
            self._year = date.year or self._year
            literal = value[date.start : date.end]
            pairs.append(Pair(literal, written(date, moved(date.key, self.days, self._year or 2025)), Role.DATE))
        if pairs:
            return pairs
        start, end = core(value)
        text = value[start:end]
        digits = _COMPACT_DATE.match(text)
        if digits is not None:
            century = digits[1] or ("19" if int(digits[2]) > 40 else "20")
            try:
                later = moved(f"{century}{digits[2]}-{digits[3]}-{digits[4]}", self.days, 0).replace("-", "")
                return [Pair(text, later[-len(text) :], Role.NUMBER)]
            except ValueError:
                pass  # 31 February
        if re.fullmatch(r"(?:1[6-9]|20|21)\d\d", text):
            year = int(text) + round(self.days / 365.25)
            while not self.choice.is_free_number(str(year)):
                year += 1 if self.days > 0 else -1
            return [Pair(text, str(year), Role.NUMBER)]
        if any(letter.isdigit() for letter in text):
            return self._same_shape(text)
        return self._places.other(value)

    def _same_shape(self, text: str) -> list[Pair]:
        draw = self.choice.draw

        def other() -> str:
            return "".join(str(draw(10)) if letter.isdecimal() else letter for letter in text)

        return [Pair(text, self.choice.made(other, self.choice.is_free_number), Role.EXACT)]


def _word_by_word(text: str, new: str, pairs: list[Pair]) -> list[Pair]:
    """A person's name and the one chosen for it, word by word where both have as many words in the same roles."""
    words = new.split()
    if "가" <= new[0] <= "힣" and len(pairs) == 2 and pairs[0].role is Role.FAMILY and len(new) > len(pairs[0].real):
        cut = len(pairs[0].real)
        return [Pair(pairs[0].real, new[:cut], Role.FAMILY), Pair(pairs[1].real, new[cut:].strip(), Role.GIVEN)]
    if len(words) != len(pairs) or any(len(TOKEN.findall(word)) != 1 for word in words):
        return [Pair(text, new, pairs[0].role if len(pairs) == 1 else Role.WORD)]
    return [Pair(pair.real, word, pair.role) for pair, word in zip(pairs, words, strict=True)]
