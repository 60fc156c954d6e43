"""Scripts that no recogniser reads: a text in one leaves with its names, unless a list or a title tells them.

Told by Unicode's names of letters, so that no script is forgotten. English and Korean are read, and with English the other
alphabets that know capitals and are met often: Greek and Cyrillic.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

LEAST = 6  # letters; fewer are a word in passing
_READ = frozenset({"LATIN", "GREEK", "CYRILLIC", "HANGUL", "FULLWIDTH", "MODIFIER", "MICRO", "FEMININE", "MASCULINE", "KELVIN"})
_LETTER = re.compile(r"[^\W\d_\u0000-\u052f\u1100-\u11ff\u1e00-\u1fff\u2000-\u2bff\uac00-\ud7ff]")
_KANA = ("HIRAGANA", "KATAKANA", "HALFWIDTH")


def unread_scripts(texts: Iterable[str]) -> list[str]:
    """The scripts of these texts that are not read, by English names, the most frequent first: ["Chinese", "Arabic"]."""
    letters = Counter(letter for text in texts for letter in _LETTER.findall(text))
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        scripts[unicodedata.name(letter, "UNNAMED").split("-")[0].split()[0]] += count
    kana, han = sum(scripts.pop(name, 0) for name in _KANA), scripts.pop("CJK", 0) + scripts.pop("IDEOGRAPHIC", 0)
    scripts["JAPANESE" if kana else "CHINESE"] = kana + han
    return [name.capitalize() for name, count in scripts.most_common() if count >= LEAST and name not in _READ]


def unread_sentence(scripts: Sequence[str]) -> str:
    """What to say of texts in these scripts."""
    return f"Names in {', '.join(scripts)} writing are hardly found: put them on a list, or mark them."
