"""A text with its replacements made, and the proof that restoring it gives the text again."""

import sys
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from desktop_app.privacy.language.korean import CLOSING, HANGUL, swapped_particle
from desktop_app.privacy.language.name_pools import sound
from desktop_app.privacy.language.reading import Reading
from desktop_app.privacy.language.tokens import compact, fold
from desktop_app.privacy.matching.apart import is_apart
from desktop_app.privacy.matching.entries import Protected, Replaced
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.lookup import Hit
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.spans import Kind, Span


class Rendered(NamedTuple):
    """What a value becomes: `hits` are the places in `value` that were replaced."""

    value: str
    text: str
    hits: Sequence[Hit]


class Draft(NamedTuple):
    """A protected text. `copied` are its stretches of ordinary text: where each starts here, and where in the real text."""

    protected: Protected
    copied: list[tuple[int, int]]


class Misread(NamedTuple):
    """What restoring would get wrong: at [start, end) of the real text something is taken for a stand-in, or `region` is lost."""

    start: int
    end: int
    kind: Kind
    region: Replaced | None


def spelt(text: str) -> str:
    """A value in the one form in which all its spellings are alike."""
    return Reading(text).text


def drafted(text: str, regions: Sequence[Span], render: Callable[[str], Rendered]) -> Draft:
    """Replace regions, which are in order and apart from each other; particles after them change where they must."""
    parts: list[str] = []
    replaced: list[Replaced] = []
    copied = [(0, 0)]
    done = length = 0
    for span, following in zip_longest(regions, regions[1:]):
        rendered = render(text[span.start : span.end])
        length += span.start - done
        parts += [text[done : span.start], rendered.text]
        sent_end = length + len(rendered.text)
        replaced.append(Replaced(span.start, span.end, span.kind, span.source, rendered.text, length, sent_end))
        old, new = _particles(text, span.end, following.start if following is not None else len(text), rendered)
        parts.append(new)
        done, length = span.end + len(old), sent_end + len(new)
        copied.append((length, done))
    parts.append(text[done:])
    return Draft(Protected("".join(parts), replaced), copied)


def _particles(text: str, place: int, limit: int, rendered: Rendered) -> tuple[str, str]:
    """What follows a value directly, and what that becomes after its stand-in; nothing where another value follows."""
    closing = CLOSING.match(text, place)
    rest = HANGUL.match(text, closing.end() if closing is not None else place)
    if rest is None or rest.end() > limit or not rendered.hits or rendered.hits[-1].end != len(rendered.value):
        return "", ""
    last = rendered.hits[-1]
    between, particle = text[place : rest.start()], rest[0]
    swapped = swapped_particle(particle, sound(rendered.value[last.start : last.end]), sound(last.text))
    return between + particle, between + swapped


def misread(draft: Draft, text: str, backward: Lexicon) -> Iterator[Misread]:
    """Where restoring the draft does not give the text: a region with the particles after it, or ordinary text."""
    protected, copied = draft
    scan = Scan(backward, protected.text)
    scan.run()
    hits = iter([*scan.hits, None])
    hit = next(hits)
    before: Replaced | None = None
    for region, (sent_after, after) in zip(protected.replaced, copied[1:], strict=True):
        while hit is not None and hit.end <= region.sent_start:
            yield from _outside(hit, draft, text, before)
            hit = next(hits)
        written, done, broken = [], region.sent_start, False
        while hit is not None and hit.start < region.sent_end:
            broken = broken or hit.start < region.sent_start or hit.end > region.sent_end
            written += [protected.text[done : hit.start], hit.text]
            done = hit.end
            hit = next(hits)
        written.append(protected.text[done : region.sent_end])
        if broken or not _same("".join(written), text[region.start : region.end]):
            yield Misread(region.start, region.end, region.kind, region)
        else:
            particle = protected.text[region.sent_end : sent_after]
            if hit is not None and hit.kind is None and region.sent_end <= hit.start and hit.end <= sent_after:
                start, end = hit.start - region.sent_end, hit.end - region.sent_end
                particle = particle[:start] + hit.text + particle[end:]
                hit = next(hits)
            if not _same(particle, text[region.end : after]):
                yield Misread(region.start, after, region.kind, region)
        before = region
    while hit is not None:
        yield from _outside(hit, draft, text, before)
        hit = next(hits)


def _outside(hit: Hit, draft: Draft, text: str, before: Replaced | None) -> Iterator[Misread]:
    sent, real = draft.copied[bisect_right(draft.copied, (hit.start, sys.maxsize)) - 1]
    start, end = hit.start - sent + real, hit.end - sent + real
    if hit.kind is not None:
        yield Misread(start, end, hit.kind, None)
    elif before is not None and hit.text != text[start:end]:  # a particle that was not swapped
        yield Misread(before.start, end, before.kind, before)


def _same(one: str, other: str) -> bool:
    if one == other or fold(spelt(one)) == fold(spelt(other)):
        return True
    return compact(spelt(one)) == compact(spelt(other)) and is_apart(spelt(other))
