"""What has left this computer, as a page for whoever has to vouch for it, and as JSON for whoever keeps records."""

import json
import math
from collections import Counter
from collections.abc import Sequence
from html import escape

import msgspec
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from desktop_app.chat.stored import SentRecord
from desktop_app.gui.figures import HERE, bytes_text, peer_name
from desktop_app.gui.kinds import kind_name, kind_rank
from desktop_app.gui.moments import moment_text
from desktop_app.gui.sent_noise import is_strict, noise_explained, noise_facts
from desktop_app.gui.traffic_shape import shape_name

translate = QCoreApplication.translate

STYLE = "body { font-size: 10pt; } th { text-align: left; font-weight: normal; } td, th { padding: 4px 9px; }"
SIZES = {1: 16, 2: 12, 3: 10}
"""Points of headings; Qt would have its own for h1 to h3 whatever a style says."""


def sent_json(title: str, records: Sequence[SentRecord], answer: tuple[int, int] | None = None) -> str:
    """The records with their times in ISO 8601 (UTC); nothing else of the chat than its title. `answer` as in `sent_html`."""
    answers = [_in_json(record) for record in records]
    content: dict[str, object] = {"title": title, "made": QDateTime.currentDateTimeUtc().toString(_ISO)}
    if answer is not None:
        content["only"] = {"answer": answer[0], "of": answer[1]}
    content["answers"] = answers
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def sent_html(title: str, records: Sequence[SentRecord], answer: tuple[int, int] | None = None) -> str:
    """One page: first whether anything left at all, then figures, what they are and are not, and answer by answer.

    `answer`: the records are those of one answer alone, by its number and how many the chat has.
    """
    parts = [_heading(1, translate("SentPage", "What left this computer")), *map(_paragraph, _about(title, answer))]
    parts.append(_verdict(_whether_left(records, answer is not None)))
    if not records:
        return _page(parts)
    explained = [_heading(2, translate("SentPage", "What that is")), *map(_paragraph, _explanation(records))]
    if answer is not None:
        parts += [table for record in records for table in (_heading(3, _when(record)), _rows(_facts(record)))]
        return _page([*parts, *explained])
    parts += [_heading(2, translate("SentPage", "In all")), _rows(_totals(records)), *explained]
    parts.append(_heading(2, translate("SentPage", "Answer by answer")))
    for number, record in enumerate(records, start=1):
        parts += [_heading(3, f"{number}. {_when(record)}"), _rows(_facts(record))]
    return _page(parts)


def replaced_text(replaced: dict[str, int], protect: bool, peer: str) -> str:
    """How many spans of each kind were replaced, in words; `peer` is who got what was sent."""
    if not protect:
        if is_elsewhere(peer):
            return translate("SentPage", "Nothing: replacing was off, names and numbers left as they were written.")
        if peer:
            return translate(
                "SentPage", "Nothing: replacing was off. The agent on this computer got names and numbers as they were written."
            )
        return translate("SentPage", "Nothing: replacing was off.")
    found = sorted((kind for kind, count in replaced.items() if count), key=kind_rank)
    if not found:
        return translate("SentPage", "Nothing was found to replace.")
    return ", ".join(f"{kind_name(kind)}: {replaced[kind]}" for kind in found)


def is_elsewhere(peer: str) -> bool:
    """Whether who got what was sent is not on this computer; nobody is not."""
    return peer not in ("", HERE)


def _about(title: str, answer: tuple[int, int] | None) -> list[str]:
    lines = [translate("SentPage", "Chat: {title}").format(title=title or "–")]
    if answer is not None:
        number, all_ = answer
        lines.append(translate("SentPage", "Only for answer {number} of {all} of this chat.").format(number=number, all=all_))
    made = moment_text(QDateTime.currentDateTime())
    return [*lines, translate("SentPage", "Made by Sotto on this computer, {time}").format(time=made)]


def _whether_left(records: Sequence[SentRecord], is_one: bool) -> str:
    """The answer to the page's own question."""
    gone = [record for record in records if is_elsewhere(record.peer)]
    if gone:
        peers = ", ".join(dict.fromkeys(record.peer for record in gone))
        left = translate("SentPage", "{size} left this computer, to {peers}.")
        sentence = left.format(size=_size(sum(record.bytes_up for record in gone)), peers=peers)
        if len(gone) < len(records):
            for_some = translate("SentPage", "That was for {count} of the {all} answers; for the others nothing left.")
            sentence += " " + for_some.format(count=len(gone), all=len(records))
        return sentence
    if not records and is_one:
        return translate("SentPage", "Nothing has been sent for this answer.")
    if not records:
        return translate("SentPage", "Nothing has been sent for this chat.")
    if any(record.peer for record in records):
        return translate("SentPage", "Nothing has left this computer: the agent ran on it, too.")
    if all(record.mode == "only here" for record in records):
        return translate("SentPage", "Nothing has left this computer: every layer of the model ran on it.")
    return translate("SentPage", "Nothing has left this computer.")


def _totals(records: Sequence[SentRecord]) -> list[tuple[str, str]]:
    replaced: Counter[str] = Counter()
    for record in records:
        replaced.update(record.replaced)
    open_ones = [record for record in records if not record.protect and not is_strict(record)]
    gone = [record for record in records if is_elsewhere(record.peer)]
    stayed = [record for record in records if record.peer == HERE]
    facts = [(translate("SentPage", "Answers"), str(len(records)))]
    if gone:
        facts += [
            (translate("SentPage", "Left this computer"), _size(sum(record.bytes_up for record in gone))),
            (translate("SentPage", "To"), ", ".join(dict.fromkeys(record.peer for record in gone))),
            (translate("SentPage", "Came back"), _size(sum(record.bytes_down for record in gone))),
        ]
    if stayed:
        facts += [
            (translate("SentPage", "Handed to the agent on this computer"), _size(sum(it.bytes_up for it in stayed))),
            (translate("SentPage", "Handed back by it"), _size(sum(record.bytes_down for record in stayed))),
        ]
    # Of those without replacing, one whose words left says more than one whose words did not.
    peer = max((record.peer for record in open_ones), key=lambda it: (is_elsewhere(it), it), default="")
    facts += [
        (translate("SentPage", "Rows"), QLocale().toString(sum(record.rows for record in records))),
    ]
    if not all(map(is_strict, records)):
        facts.append((translate("SentPage", "Replaced beforehand"), replaced_text(replaced, len(open_ones) < len(records), peer)))
    if open_ones:
        count = translate("SentPage", "{count} of the answers").format(count=len(open_ones))
        facts.append((translate("SentPage", "Without replacing"), count))
    return facts


def _facts(record: SentRecord) -> list[tuple[str, str]]:
    layers = translate("SentPage", "the first {head} and the last {tail}")
    facts = [(translate("SentPage", "To"), peer_name(record.peer))]
    if is_elsewhere(record.peer):
        facts += [
            (translate("SentPage", "Left this computer"), _size(record.bytes_up)),
            (translate("SentPage", "Came back"), _size(record.bytes_down)),
        ]
    elif record.peer:
        facts += [
            (translate("SentPage", "Handed to it"), _size(record.bytes_up)),
            (translate("SentPage", "Handed back by it"), _size(record.bytes_down)),
        ]
    facts += [
        (translate("SentPage", "Rows"), QLocale().toString(record.rows)),
        (translate("SentPage", "Mode"), _mode(record.mode)),
        (
            translate("SentPage", "Layers on this computer"),
            layers.format(head=record.head_layers, tail=record.tail_layers),
        ),
        (translate("SentPage", "Model"), record.model or "–"),
        (translate("SentPage", "Replaced beforehand"), _replaced(record)),
    ]
    if record.noise is not None:
        facts += noise_facts(record, record.noise)
    if record.shape not in ("", "off"):
        facts.append((translate("SentPage", "Traffic shape"), shape_name(record.shape)))
    return facts


def _in_json(record: SentRecord) -> dict[str, object]:
    """A record with plain values; JSON has no number for an infinite epsilon."""
    plain: dict[str, object] = msgspec.to_builtins(record) | {"time": _time(record.time).toUTC().toString(_ISO)}
    for name, unknown in (("noise", record.noise is None), ("codes", record.codes < 0), ("epsilon", record.epsilon < 0)):
        if unknown:
            del plain[name]
    return plain if math.isfinite(record.epsilon) else plain | {"epsilon": "infinite"}


def _replaced(record: SentRecord) -> str:
    if is_strict(record):
        return translate("SentPage", "Nothing by stand-ins: names and numbers left under strict noise.")
    return replaced_text(record.replaced, record.protect, record.peer)


def _explanation(records: Sequence[SentRecord]) -> list[str]:
    noisy = [record for record in records if record.mode == "dp" and record.peer]
    if noisy:
        return [*noise_explained(noisy), *(_exact_explained(records) if len(noisy) < len(records) else [_counted()])]
    return _exact_explained(records)


def _exact_explained(records: Sequence[SentRecord]) -> list[str]:
    sentences = [
        translate(
            "SentPage",
            "What an agent gets are rows of numbers that the model has computed between two of its layers, one row for each "
            "token: no text, no token numbers and no file.",
        ),
        translate(
            "SentPage",
            "That alone does not keep a text secret: whoever receives the rows and has the model's public weights can work out "
            "nearly all of the text from them, and read the answers.",
        ),
    ]
    return [*sentences, *_on_replacing(records), _counted()]


def _counted() -> str:
    return translate("SentPage", "Bytes are counted on the connection to the agent, with all that belongs to an answer.")


def _on_replacing(records: Sequence[SentRecord]) -> list[str]:
    """What replacing was worth, for the answers for which an agent got something."""
    records = [record for record in records if not is_strict(record)]
    if not any(record.protect for record in records if record.peer):
        return []
    replaced = translate("SentPage", "What was replaced was replaced before the model read it: the rows hold the stand-ins.")
    gone = [record.protect for record in records if is_elsewhere(record.peer)]
    if all(gone):
        missed = translate("SentPage", "What was not found, or was marked later, was not replaced.")
        kept = translate("SentPage", "What they stand for has not left with them.")
        return [" ".join([replaced, kept, missed] if gone else [replaced, missed])]
    if not any(gone):
        return [replaced]
    linked = translate(
        "SentPage",
        "But for some of the answers replacing was off: there names and numbers were sent as they were written. Each answer "
        "sends what came before it in the chat again, so both were sent, and whoever got both can link the stand-ins to what "
        "they stand for.",
    )
    return [f"{replaced} {linked}"]


def _mode(mode: str) -> str:
    names = {
        "exact": translate("SentPage", "exact split: the rows as the model computes them"),
        "dp": translate("SentPage", "split with noise"),
        "only here": translate("SentPage", "only here: all layers ran on this computer"),
    }
    return names.get(mode, mode)


def _size(count: int) -> str:
    return translate("SentPage", "{short} ({count} bytes)").format(short=bytes_text(count), count=QLocale().toString(count))


def _heading(level: int, text: str) -> str:
    above = 4 if level == 1 else 16
    return f"<p style='margin-top: {above}px; font-size: {SIZES[level]}pt; font-weight: 600'>{escape(text)}</p>"


def _verdict(text: str) -> str:
    return f"<p style='margin-top: 14px; font-size: {SIZES[2]}pt; font-weight: 600'>{escape(text)}</p>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _rows(facts: Sequence[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><th width='34%'>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table width='100%' border='0.5' cellspacing='0' style='border-collapse: collapse'>{lines}</table>"


def _page(parts: Sequence[str]) -> str:
    return f"<html><head><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>"


def _when(record: SentRecord) -> str:
    return moment_text(_time(record.time))


def _time(seconds: float) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(round(seconds))


_ISO = Qt.DateFormat.ISODate
