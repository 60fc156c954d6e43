"""How a protected span looks: a quiet line below the word, a louder one where it is doubtful; and what is said of it."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtGui import QColor, QHelpEvent, QTextCharFormat, QTextFormat
from PySide6.QtWidgets import QToolTip, QWidget

from desktop_app.chat.events import Mark
from desktop_app.gui.kinds import kind_name
from desktop_app.gui.theme import Tone

MARK_PROPERTY = int(QTextFormat.Property.UserProperty) + 2
"""Character property: the sentence that tells what left instead of this word."""

translate = QCoreApplication.translate


def mark_format(mark: Mark, tone: Tone, sentence: str, around: QTextCharFormat | None = None) -> QTextCharFormat:
    """The format of a marked word inside text of the format `around`; `sentence` is what its tooltip says."""
    format_ = QTextCharFormat(around) if around is not None else QTextCharFormat()
    if mark.doubtful:
        format_.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        format_.setUnderlineColor(QColor(tone.warning))
        format_.setBackground(QColor(tone.warning_soft))
    else:
        format_.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
        format_.setUnderlineColor(QColor(tone.accent))
        format_.setBackground(QColor(tone.accent_soft))
    format_.setProperty(MARK_PROPERTY, sentence)
    return format_


def tell_of_mark(view: QWidget, event: QEvent, sentence_at: Callable[[QPoint], str]) -> bool:
    """Where a tooltip is due over a marked word, show the word's own; whether that was so."""
    if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
        return False
    sentence = sentence_at(event.pos())
    if sentence:
        QToolTip.showText(event.globalPos(), sentence, view)
    return bool(sentence)


def asked_sentence(mark: Mark) -> str:
    """What is said of a replaced word in a question or a document."""
    return translate("Marks", "{kind}: leaves as “{stand_in}”").format(kind=kind_name(mark.kind), stand_in=mark.stand_in)


def answered_sentence(mark: Mark) -> str:
    """What is said of a restored word in an answer."""
    said = translate("Marks", "{kind}: the model wrote “{stand_in}”").format(kind=kind_name(mark.kind), stand_in=mark.stand_in)
    if not mark.doubtful:
        return said
    return said + "\n" + translate("Marks", "Doubtful: it may have meant something else. Check this word.")
