"""What has left this computer, as a page for whoever has to vouch for it, and as JSON for whoever keeps records."""

import json
from collections import Counter
from collections.abc import Sequence
from html import escape

import msgspec
from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt

from desktop_app.chat.stored import SentRecord
from desktop_app.gui.figures import HERE, bytes_text, peer_name
from desktop_app.gui.kinds import kind_name, kind_rank
from desktop_app.gui.traffic_shape import shape_name

translate = QCoreApplication.translate

STYLE = "body { font-size: 10pt; } th { text-align: left; font-weight: normal; } td, th { padding: 4px 9px; }"
SIZES = {1: 16, 2: 12, 3: 10}
"""Points of headings; Qt would have its own for h1 to h3 whatever a style says."""


def sent_json(title: str, records: Sequence[SentRecord]) -> str:
    """The records with their times in ISO 8601 (UTC); nothing else of the chat than its title."""
    answers = [msgspec.to_builtins(record) | {"time": _time(record.time).toUTC().toString(_ISO)} for record in records]
    content = {"title": title, "made": QDateTime.currentDateTimeUtc().toString(_ISO), "answers": answers}
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def sent_html(title: str, records: Sequence[SentRecord]) -> str:
    """One page: what was sent in all, what that is and is not, and answer by answer."""
    parts = [_heading(1, translate("SentPage", "What left this computer")), *map(_paragraph, _about(title))]
    if not records:
        return _page([*parts, _paragraph(translate("SentPage", "Nothing has been sent for this chat."))])
    parts += [_heading(2, translate("SentPage", "In all")), _rows(_totals(records))]
    parts += [_heading(2, translate("SentPage", "What that is")), *map(_paragraph, _explanation(records))]
    parts.append(_heading(2, translate("SentPage", "Answer by answer")))
    for number, record in enumerate(records, start=1):
        when = QLocale().toString(_time(record.time), QLocale.FormatType.ShortFormat)
        parts += [_heading(3, f"{number}. {when}"), _rows(_facts(record))]
    return _page(parts)


def replaced_text(replaced: dict[str, int], protect: bool) -> str:
    """How many spans of each kind were replaced, in words."""
    if not protect:
        return translate("SentPage", "Nothing: replacing was off, names and numbers left as they were written.")
    found = sorted((kind for kind, count in replaced.items() if count), key=kind_rank)
    if not found:
        return translate("SentPage", "Nothing was found to replace.")
    return ", ".join(f"{kind_name(kind)}: {replaced[kind]}" for kind in found)


def _about(title: str) -> list[str]:
    made = QLocale().toString(QDateTime.currentDateTime(), QLocale.FormatType.ShortFormat)
    return [
        translate("SentPage", "Chat: {title}").format(title=title or "–"),
        translate("SentPage", "Made by Sotto on this computer, {time}").format(time=made),
    ]


def _totals(records: Sequence[SentRecord]) -> list[tuple[str, str]]:
    replaced: Counter[str] = Counter()
    for record in records:
        replaced.update(record.replaced)
    open_ones = sum(not record.protect for record in records)
    facts = [
        (translate("SentPage", "Answers"), str(len(records))),
        (translate("SentPage", "Sent"), _size(sum(record.bytes_up for record in records))),
        (translate("SentPage", "Received"), _size(sum(record.bytes_down for record in records))),
        (translate("SentPage", "Rows"), QLocale().toString(sum(record.rows for record in records))),
        (translate("SentPage", "To"), ", ".join(dict.fromkeys(peer_name(record.peer) for record in records))),
        (translate("SentPage", "Replaced before sending"), replaced_text(replaced, protect=open_ones < len(records))),
    ]
    if open_ones:
        count = translate("SentPage", "{count} of the answers").format(count=open_ones)
        facts.append((translate("SentPage", "Without replacing"), count))
    return facts


def _facts(record: SentRecord) -> list[tuple[str, str]]:
    layers = translate("SentPage", "the first {head} and the last {tail}")
    facts = [
        (translate("SentPage", "To"), peer_name(record.peer)),
        (translate("SentPage", "Sent"), _size(record.bytes_up)),
        (translate("SentPage", "Received"), _size(record.bytes_down)),
        (translate("SentPage", "Rows"), QLocale().toString(record.rows)),
        (translate("SentPage", "Mode"), _mode(record.mode)),
        (
            translate("SentPage", "Layers on this computer"),
            layers.format(head=record.head_layers, tail=record.tail_layers),
        ),
        (translate("SentPage", "Model"), record.model or "–"),
        (translate("SentPage", "Replaced before sending"), replaced_text(record.replaced, record.protect)),
    ]
    if record.shape not in ("", "off"):
        facts.append((translate("SentPage", "Traffic shape"), shape_name(record.shape)))
    return facts


def _explanation(records: Sequence[SentRecord]) -> list[str]:
    sentences = [
        translate(
            "SentPage",
            "What is sent are rows of numbers that the model has computed between two of its layers, one row for each token. No "
            "text, no token numbers and no file are sent.",
        ),
        translate(
            "SentPage",
            "That alone does not keep a text secret: whoever receives the rows and has the model's public weights can work out "
            "nearly all of the text from them, and read the answers.",
        ),
    ]
    sentences += _on_replacing([record.protect for record in records if record.peer])
    if all(record.peer in ("", HERE) for record in records):
        sentences.append(translate("SentPage", "Here the agent ran on this computer, so none of this has left it."))
    counted = translate("SentPage", "Bytes are counted on the connection to the agent, with all that belongs to an answer.")
    return [*sentences, counted]


def _on_replacing(protected: Sequence[bool]) -> list[str]:
    """What replacing was worth, for the answers for which something was sent."""
    if not any(protected):
        return []
    replaced = translate("SentPage", "What was replaced was replaced before the model read it: the rows hold the stand-ins.")
    if all(protected):
        kept = translate(
            "SentPage",
            "What they stand for has not left with them. What was not found, or was marked later, was not replaced.",
        )
        return [f"{replaced} {kept}"]
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


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _rows(facts: Sequence[tuple[str, str]]) -> str:
    lines = "".join(f"<tr><th width='34%'>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table width='100%' border='0.5' cellspacing='0' style='border-collapse: collapse'>{lines}</table>"


def _page(parts: Sequence[str]) -> str:
    return f"<html><head><style>{STYLE}</style></head><body>{''.join(parts)}</body></html>"


def _time(seconds: float) -> QDateTime:
    return QDateTime.fromSecsSinceEpoch(round(seconds))


_ISO = Qt.DateFormat.ISODate
