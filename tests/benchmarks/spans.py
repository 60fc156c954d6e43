"""What of marked texts is found: English sentences with identifiers (`pii_en.json`) and Korean ones with names (`ner_ko.tsv`).

A gold span is recalled when every letter and digit of it lies inside a span, whatever its kind. Each text is looked through as a
text of its own: what one tells helps no other. Figures are those of what the recognisers find; with `_replaced` behind their
names those of what is replaced then, and of finding and replacing together.
"""

import argparse
import json
import re
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from desktop_app.privacy.matching.entries import Replaced
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.recognition.recogniser import Recogniser
from desktop_app.privacy.spans import Span
from tests.benchmarks.report import add_arguments, publish

WARM_UP = 20  # texts before the clock runs: the models are loaded with the first


class Gold(NamedTuple):
    """The characters [start, end) of a text, marked by people as `type`."""

    start: int
    end: int
    type: str


Texts = list[tuple[str, list[Gold]]]
Places = Sequence[Span] | Sequence[Replaced]


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="spans", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--data", type=Path, required=True, metavar="FOLDER", help="where pii_en.json and ner_ko.tsv lie")
    parser.add_argument("--misses", type=Path, metavar="FILE", help="write the gold spans that were missed there")
    options = parser.parse_args(arguments)
    corpora = {"en": english(options.data / "pii_en.json"), "ko": korean(options.data / "ner_ko.tsv")}
    if options.quick:
        corpora = {language: texts[: len(texts) // 5] for language, texts in corpora.items()}
    publish(measure(corpora, options.misses), options)


def measure(corpora: dict[str, Texts], misses: Path | None) -> dict[str, float]:
    """Return the figures of all corpora; speeds are over all of them and of each."""
    recogniser = Recogniser()
    figures: dict[str, float] = {}
    missed: list[str] = []
    words = finding = replacing = 0.0
    for language, texts in corpora.items():
        recogniser.find_all([text for text, _ in texts[:WARM_UP]])
        started = time.perf_counter()
        found = recogniser.find_all([text for text, _ in texts])
        between = time.perf_counter()
        replaced = [Naming().protect(text, spans).replaced for (text, _), spans in zip(texts, found, strict=True)]
        ended = time.perf_counter()
        count = sum(len(text.split()) for text, _ in texts)
        figures[f"words_per_second.{language}"] = count / (between - started)
        figures[f"words_per_second_replaced.{language}"] = count / (ended - started)
        words, finding, replacing = words + count, finding + between - started, replacing + ended - between
        figures |= _shares(language, texts, found) | _shares(f"{language}_replaced", texts, replaced)
        missed += [f"{language} {line}" for line in _missed(texts, found)]
        missed += [f"{language}_replaced {line}" for line in _missed(texts, replaced)]
    if misses is not None:
        misses.write_text("\n".join(missed) + "\n", encoding="utf-8")
    speeds = {"words_per_second": words / finding, "words_per_second_replaced": words / (finding + replacing)}
    return figures | speeds


def _shares(language: str, texts: Texts, found: Sequence[Places]) -> dict[str, float]:
    gold_of: defaultdict[str, int] = defaultdict(int)
    missed_of: defaultdict[str, int] = defaultdict(int)
    replaced = touching = letters = outside = 0
    for (text, gold), spans in zip(texts, found, strict=True):
        covered, marked = _letters(text, spans), _letters(text, gold)
        for mark in gold:
            gold_of[mark.type] += 1
            missed_of[mark.type] += not _letters(text, [mark]) <= covered
        replaced += len(spans)
        touching += sum(1 for span in spans if any(span.start < mark.end and mark.start < span.end for mark in gold))
        letters += len(covered)
        outside += len(covered - marked)
    recall = {f"recall_{language}.{name}": 1 - missed_of[name] / count for name, count in sorted(gold_of.items())}
    missed = {f"missed_{language}.{name}": float(missed_of[name]) for name in sorted(gold_of)}
    return recall | missed | {f"precision_{language}": touching / replaced, f"outside_{language}": outside / letters}


def _letters(text: str, spans: Places | Sequence[Gold]) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end) if text[place].isalnum()}


def _missed(texts: Texts, found: Sequence[Places]) -> Iterator[str]:
    for (text, gold), spans in zip(texts, found, strict=True):
        covered = _letters(text, spans)
        for mark in gold:
            if not _letters(text, [mark]) <= covered:
                shown = "".join(f"[{letter}]" if place in covered else letter for place, letter in enumerate(text)).replace(
                    "][", ""
                )
                yield f"{mark.type}\t{text[mark.start : mark.end]!r}\t{shown!r}"


def english(path: Path) -> Texts:
    """Read the texts of presidio-research's format."""
    return [
        (entry["full_text"], [Gold(s["start_position"], s["end_position"], s["entity_type"]) for s in entry["spans"]])
        for entry in json.loads(path.read_text(encoding="utf-8"))
    ]


def korean(path: Path) -> Texts:
    """Read the sentences of KLUE's format: a letter and its tag on each line, a blank line between sentences."""
    texts: Texts = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if "\t" in line and not line.startswith("##")]
        text, tags = "".join(row[0] for row in rows), [row[1] for row in rows]
        # One sign for each letter's tag: where a span begins, goes on, or nothing is.
        signs = "".join(tag[0] for tag in tags)
        if text:
            texts.append((text, [Gold(m.start(), m.end(), tags[m.start()][2:]) for m in re.finditer("BI*", signs)]))
    return texts
