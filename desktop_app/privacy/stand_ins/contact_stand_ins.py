"""E-mail addresses, sites, hosts and passwords that stand for others.

Domains end in .example, which nobody can register (RFC 2606); example.com itself is written by models too often to mean anybody.
"""

import re

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.language.generic_words import HOST_ENDINGS, SITE_WORDS
from desktop_app.privacy.language.name_pools import is_english_given_name
from desktop_app.privacy.language.tokens import TOKEN, compact, core, fold
from desktop_app.privacy.language.word_sets import words
from desktop_app.privacy.matching.entries import Pair, Role
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.lookup import Hit
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.stand_ins.choosing import Choice
from desktop_app.privacy.stand_ins.number_stand_ins import ip_candidate

_HOST = re.compile(
    r"(?P<before>(?:[a-z][a-z0-9+.-]*:)?(?://)?(?:[^/@\s]*@)?)(?P<host>[^/:?#\s]+)(?P<after>.*)$", re.IGNORECASE | re.DOTALL
)
_SECOND_LEVEL = frozenset({"co", "com", "ac", "or", "go", "ne", "re", "gov", "org", "net", "edu", "pe"})
_SUFFIX = re.compile(r"(?P<host>.*?)(?P<suffix>(?:%\w+)?(?:/\d{1,3})?(?::\d{1,5})?)$", re.DOTALL)
_FILE_WORDS = SITE_WORDS | words("documents desktop downloads public share shared data txt rtf odt xls ppt pptx")
_SYMBOLS = "!#$%&*+-=?@^_"


class ContactStandIns:
    """Makes the pairs for these. `forward` knows what has a stand-in already."""

    def __init__(self, choice: Choice, forward: Lexicon) -> None:
        self._choice = choice
        self._forward = forward

    def email(self, value: str) -> list[Pair]:
        """An address whose name is made of the stand-ins of the names in it."""
        local, sign, host = value.rpartition("@")
        if not sign:
            return self.site(value)
        pairs: list[Pair] = []
        new_host = self._domain(host.strip(), pairs)
        new = self._choice.made(
            lambda: f"{self._user(local)}{sign}{host.replace(host.strip(), new_host)}", self._choice.is_free_number
        )
        return [*_exact(value, new), *pairs]

    def site(self, value: str) -> list[Pair]:
        """A site's address: its host, and all words of its path that could tell who it is about. Or a user's name."""
        start, end = core(value)
        text = value[start:end]
        match = _HOST.match(text)
        if match is None or "." not in match["host"] or "\\" in text:
            if self._whole(text) is not None:
                return []  # a person's name in one word, which has a stand-in
            generic = _FILE_WORDS if "\\" in text else frozenset()
            return _exact(text, self._choice.made(lambda: self._path(text, generic), self._choice.is_free_number))
        pairs: list[Pair] = []
        host = self._domain(match["host"], pairs)
        before, after = self._path(match["before"]), self._path(match["after"])
        return [*_exact(text, f"{before}{host}{after}"), *pairs]

    def host(self, value: str) -> list[Pair]:
        """An IP address of those for documentation, or a host's name."""
        match = _SUFFIX.match(value)
        assert match is not None  # it matches everything
        name, suffix = match["host"], match["suffix"]
        for wide in (False, True):
            for _ in range(60):
                address = ip_candidate(name, self._choice.draw, wide)
                if address is not None and self._choice.is_free_number(address):
                    hardware = "-" not in name and ":" in name and len(compact(name)) == 12 and name.count(":") == 5
                    return [Pair(name, address, Role.NUMBER if hardware else Role.EXACT)]
        pairs: list[Pair] = []
        if "." in name:
            return [*_exact(value, self._domain(name, pairs) + suffix), *pairs]
        return _exact(name, self._choice.made(lambda: self._label(name), self._choice.is_free_number))

    def secret(self, value: str) -> list[Pair]:
        """A password of the same length, with letters, digits and signs in the same places."""
        start, end = core(value)
        return _exact(value[start:end], self._choice.made(lambda: self._scrambled(value[start:end]), self._choice.is_free_number))

    def _scrambled(self, text: str) -> str:
        draw, written = self._choice.draw, []
        for letter in text:
            if "a" <= letter <= "z":
                written.append(chr(ord("a") + draw(26)))
            elif "A" <= letter <= "Z":
                written.append(chr(ord("A") + draw(26)))
            elif letter.isdecimal():
                written.append(str(draw(10)))
            elif letter.isalpha():
                written.append(name_pools.made_up_in_script(letter, draw, 3)[1])
            else:
                written.append(_SYMBOLS[draw(len(_SYMBOLS))] if letter in _SYMBOLS else letter)
        return "".join(written)

    def _domain(self, host: str, pairs: list[Pair]) -> str:
        """A host's name; the pair for what its owner registered is added to `pairs`."""
        labels = host.split(".")
        if labels[-1].lower() in HOST_ENDINGS:
            own = 1
        else:
            own = 2 + (len(labels) > 2 and labels[-2].lower() in _SECOND_LEVEL and len(labels[-1]) == 2)
        registered = ".".join(labels[-own - (own == 1) :])
        known = self._known(registered)
        if known is None:
            known = self._choice.made(lambda: f"{name_pools.made_up_word(self._choice.draw).lower()}.example", self._free_domain)
            pairs += _exact(registered, known)
        rest = labels[: len(labels) - registered.count(".") - 1]
        return ".".join([*(label if label.lower() in SITE_WORDS else self._label(label) for label in rest), known])

    def _free_domain(self, domain: str) -> bool:
        return self._choice.is_free_number(domain) and self._choice.is_free(domain.removesuffix(".example"))

    def _known(self, text: str) -> str | None:
        hit = self._whole(text)
        return hit.text if hit is not None and hit.target is not None and hit.target.role is Role.EXACT else None

    def _whole(self, text: str) -> Hit | None:
        """What all of a text together becomes."""
        scan = Scan(self._forward, text, forced=True)
        scan.run()
        return next((hit for hit in scan.hits if (hit.start, hit.end) == (0, len(text)) and hit.target is not None), None)

    def _user(self, local: str) -> str:
        """The name before the @: names of persons in it become theirs, other words are made up, numbers keep their length."""
        return self._path(local, frozenset())

    def _path(self, text: str, generic: frozenset[str] = SITE_WORDS) -> str:
        """Words and numbers of an address, but for those that are `generic`."""
        scan = Scan(self._forward, text, forced=True)
        scan.run()
        written, done = [], 0
        for hit in [*scan.hits, None]:
            between = text[done : hit.start if hit is not None else len(text)]
            written.append(TOKEN.sub(lambda it: it[0] if fold(it[0]) in generic else self._label(it[0]), between))
            if hit is not None:
                written.append(re.sub(r"\s+", "", hit.text.lower() if text.islower() else hit.text))
                done = hit.end
        return "".join(written)

    def _label(self, label: str) -> str:
        """A word as it could stand in an address, in place of another."""
        draw = self._choice.draw

        def other(match: re.Match[str]) -> str:
            word = match[0]
            if word.isdecimal():
                return "".join(str(draw(10)) for _ in word)
            if len(word) <= 2:
                return self._scrambled(word)
            made = name_pools.made_up_given_name("", draw) if is_english_given_name(word) else name_pools.made_up_word(draw)
            return made if word[0].isupper() else made.lower()

        return TOKEN.sub(other, label)


def _exact(value: str, stand_in: str) -> list[Pair]:
    """The pair for what stands as it stands, without the signs around it."""
    (start, end), (new_start, new_end) = core(value), core(stand_in)
    return [Pair(value[start:end], stand_in[new_start:new_end], Role.EXACT)] if end else []
