"""Which encoding a text file is stored in.

First what is certain: a byte order mark, then UTF-8, which other encodings hardly ever are by accident. Then the four families
of Chinese, Japanese and Korean encodings: their byte ranges overlap so much that "it decodes" proves nothing, and
charset-normalizer mistakes one for another in texts of a line or two. But each has its everyday letters in a range of its own
(Hangul, kana, the most frequent level of Chinese characters), and a text in the wrong one has few of those: so the share of
everyday letters decides. What is left are encodings of one byte per letter, in which everything decodes: the system's own
encoding is the best guess there, then charset-normalizer's.
"""

import codecs
import locale
from collections.abc import Callable
from dataclasses import dataclass

from charset_normalizer import from_bytes

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# In seven bits, so they would pass for UTF-8; what starts a run of Japanese or Korean letters in them.
ESCAPE_SEQUENCES = ((b"\x1b$B", "iso2022_jp"), (b"\x1b$@", "iso2022_jp"), (b"\x1b$)C", "iso2022_kr"))
# What charset-normalizer may choose from: the encodings that files of the last thirty years really have.
ONE_BYTE_ENCODINGS = [
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874", "koi8_r", "iso8859_2",
    "mac_roman", "cp850", "cp437", "cp866",
]  # fmt: skip
ENOUGH_EVERYDAY_LETTERS = 0.85
ENOUGH_KANA = 0.1
SAMPLE_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text and the encoding it was stored in; `certain` is False where the encoding is a guess from the letters."""

    text: str
    encoding: str
    certain: bool


def decode(data: bytes) -> Decoded | None:
    """The text that these bytes are; None when they are no text."""
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _strict(data, encoding, certain=True)
    guessed = _two_byte_unicode(data)
    if guessed is not None:
        return _strict(data, guessed, certain=False)
    if b"\x00" in data:
        return None
    for sequence, encoding in ESCAPE_SEQUENCES:
        if sequence in data:
            decoded = _strict(data, encoding, certain=True)
            if decoded is not None:
                return decoded
    return _strict(data, "utf-8", certain=True) or _east_asian(data) or _one_byte(data)


def _strict(data: bytes, encoding: str, certain: bool) -> Decoded | None:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None
    return Decoded(text, encoding.removesuffix("-sig"), certain) if looks_like_text(text) else None


def looks_like_text(text: str) -> bool:
    """Whether this is writing and not a program's data: next to no control characters."""
    sample = text[:SAMPLE_BYTES]
    controls = sum(1 for letter in sample if (letter < " " and letter not in "\t\n\r\f\v\b\x1b") or "\x7f" <= letter < "\xa0")
    return controls <= len(sample) // 100


def _two_byte_unicode(data: bytes) -> str | None:
    """UTF-16 without its mark: Latin text in it has a zero in every other byte, and nowhere else."""
    sample = data[:SAMPLE_BYTES]
    half = len(sample) // 2
    zeros_even, zeros_odd = sample[0::2].count(0), sample[1::2].count(0)
    if half >= 2 and len(data) % 2 == 0:
        if zeros_odd > half * 0.4 and zeros_even == 0:
            return "utf-16-le"
        if zeros_even > half * 0.4 and zeros_odd == 0:
            return "utf-16-be"
    return None


def _east_asian(data: bytes) -> Decoded | None:
    candidates = []
    for rank, (encoding, share) in enumerate(EAST_ASIAN):
        decoded = _strict(data, encoding, certain=False)
        if decoded is not None:
            letters = [letter for letter in decoded.text[:SAMPLE_BYTES] if letter > "\x7f"]
            candidates.append((share(letters), -rank, decoded))
    best = max(candidates, default=None, key=lambda candidate: candidate[:2])
    return best[2] if best is not None and best[0] >= ENOUGH_EVERYDAY_LETTERS else None


def _one_byte(data: bytes) -> Decoded | None:
    own = locale.getencoding().lower()
    if own not in ("utf-8", "utf8", "ascii", "ansi_x3.4-1968", "us-ascii"):
        decoded = _strict(data, own, certain=False)
        if decoded is not None:
            return decoded
    matches = from_bytes(data[:SAMPLE_BYTES], cp_isolation=ONE_BYTE_ENCODINGS)
    best = matches.best()
    if best is None:
        return None
    # Of several that fit equally well the most common one, not the first in the alphabet.
    usual = (match for match in matches if (match.chaos, -match.coherence) <= (best.chaos, -best.coherence))
    encoding = "cp1252" if any("cp1252" in match.could_be_from_charset for match in usual) else best.encoding
    return _strict(data, encoding, certain=False)


def _japanese(encoding: str, first: int, last: int) -> Callable[[list[str]], float]:
    def share(letters: list[str]) -> float:
        kana = _share(letters, lambda letter: "\u3041" <= letter <= "\u30ff")
        everyday = _share(letters, lambda letter: "\u3041" <= letter <= "\u30ff" or _in_rows(letter, encoding, first, last))
        return everyday if kana >= ENOUGH_KANA else 0.0

    return share


def _everyday(encoding: str, first: int, last: int) -> Callable[[list[str]], float]:
    return lambda letters: _share(letters, lambda letter: _in_rows(letter, encoding, first, last))


def _in_rows(letter: str, encoding: str, first: int, last: int) -> bool:
    """Whether this character's first byte lies in these rows of its encoding (or it is punctuation)."""
    if _is_punctuation(letter):
        return True
    stored = letter.encode(encoding, "ignore")
    return len(stored) == 2 and first <= stored[0] <= last


def _is_punctuation(letter: str) -> bool:
    return "\u2010" <= letter <= "\u2027" or "\u3000" <= letter <= "\u3011" or "\uff01" <= letter <= "\uff5e"


def _share(letters: list[str], everyday: Callable[[str], bool]) -> float:
    return sum(map(everyday, letters)) / len(letters) if letters else 0.0


# Each with its measure; where two measure the same, the earlier wins: Korean lies within the range of everyday Chinese letters,
# so Korean text measures well as both, Chinese text only as Chinese.
EAST_ASIAN: tuple[tuple[str, Callable[[list[str]], float]], ...] = (
    ("cp949", _everyday("euc_kr", 0xB0, 0xC8)),
    ("euc_jp", _japanese("euc_jp", 0xB0, 0xCF)),
    ("cp932", _japanese("cp932", 0x88, 0x98)),
    ("gb18030", _everyday("gb2312", 0xB0, 0xD7)),
    ("big5", _everyday("big5", 0xA4, 0xC6)),
)
