"""What attackers recover at a setting, as the audit has measured it: the worst first, each beside guessing without traffic."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QMargins, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from desktop_app.chat.stored import Recovered
from desktop_app.gui.theme import Theme, scale_font

translate = QCoreApplication.translate


# What tells rows of an attack apart that are figures in their own right; other details are finer.
_OWN = frozenset({"", "unshaped", "shaped", "steady", "topic", "language", "mood"})


def attack_name(attack: str) -> str:
    """An attack in words; one that this window does not know is called by its own word."""
    names = {
        "tail_completion": translate("Recovered", "Finishing the model"),
        "exact_search": translate("Recovered", "Exact search"),
        "learned_inverter": translate("Recovered", "Learned inverter, little data"),
        "sequence_inverter": translate("Recovered", "Learned inverter, much data"),
        "nearest_neighbour": translate("Recovered", "Nearest neighbour"),
        "map": translate("Recovered", "Likeliest word"),
        "map_with_model": translate("Recovered", "Likeliest word, with a language model"),
        "attributes": translate("Recovered", "Topic, language and mood"),
        "canary": translate("Recovered", "Planted names and numbers"),
        "traffic": translate("Recovered", "Sizes and times on the network"),
        "agreement": translate("Recovered", "Next word as without noise"),
        "gain": translate("Recovered", "Gain over no question at all"),
        "continuation": translate("Recovered", "Likeness of continuations"),
        "similarity": translate("Recovered", "Likeness of continuations"),
        "exact_match": translate("Recovered", "Answers word for word as without noise"),
        "perplexity": translate("Recovered", "Perplexity"),
        "mrpc": translate("Recovered", "Task: paraphrases (MRPC); beside it without noise"),
        "sst2": translate("Recovered", "Task: mood (SST-2); beside it without noise"),
    }
    return names.get(attack, attack.replace("_", " "))


def detail_name(detail: str) -> str:
    """What of several things an attack found, in words; one that this window does not know is called by its own word."""
    names = {
        "sampled": translate("Recovered", "words drawn by chance"),
        "bytes": translate("Recovered", "in the raw bytes"),
        "names_on_no_list": translate("Recovered", "names on no list"),
        "marked_late": translate("Recovered", "words marked late"),
        "topic": translate("Recovered", "topic"),
        "language": translate("Recovered", "language"),
        "mood": translate("Recovered", "mood"),
        "unshaped": translate("Recovered", "not shaped"),
        "shaped": translate("Recovered", "padded"),
        "steady": translate("Recovered", "padded, on a clock"),
        "prefill": translate("Recovered", "step of the question alone"),
        "whole": translate("Recovered", "whole answer"),
        "whole_unpadded": translate("Recovered", "whole answer, its length not padded"),
        "untrained": translate("Recovered", "nothing trained"),
        "del": translate("Recovered", "recipe of the paper"),
        "ours": translate("Recovered", "Sotto's"),
    }
    return ", ".join(names.get(part, part.replace("_", " ")) for part in detail.split("."))


def row_name(row: Recovered) -> str:
    """What was attacked and how, with replacing or without where that matters, and what the share is of where not of tokens."""
    of = translate("Recovered", "question") if row.of == "prompt" else translate("Recovered", "answer")
    parts = [attack_name(row.attack)] if row.utility else [attack_name(row.attack), of]
    if row.detail:
        parts.append(detail_name(row.detail))
    if row.protect:
        parts.append(translate("Recovered", "with replacing"))
    elif row.attack == "canary":
        parts.append(translate("Recovered", "without replacing"))
    if row.utility:
        return " · ".join(parts)
    if row.unit == "values":
        parts.append(translate("Recovered", "share of the planted values"))
    elif row.unit == "texts":
        parts.append(translate("Recovered", "share of the messages"))
    return " · ".join(parts)


def first_rows(rows: Sequence[Recovered]) -> list[Recovered]:
    """The rows that say it all: each attack's own, and those finer ones that are worse: nothing bad is folded away."""
    shares: dict[tuple[str, ...], float] = {}
    for row in rows:
        if row.detail in _OWN:
            shares[_attack(row)] = row.share
    return [row for row in rows if row.detail in _OWN or row.share > shares.get(_attack(row), 0.0)]


def _attack(row: Recovered) -> tuple[str, ...]:
    """What finer figures are held against."""
    own = row.detail.partition(".")[0]
    return row.attack, row.of, row.weights, str(row.protect), own if own in _OWN else ""


def percent(share: float) -> str:
    """A share in whole per cent; what is not quite all or nothing does not look so. What is no share (perplexity) is a number."""
    if share > 1:
        return f"{share:,.1f}"
    if 0 < share < 0.01:
        return "< 1 %"
    return "> 99 %" if 0.99 < share < 1 else f"{100 * share:.0f} %"


def share_text(row: Recovered) -> str:
    """The share with its interval."""
    return f"{percent(row.share)} ({percent(row.low)} – {percent(row.high)})"


def _at(measured: float, asked: float) -> str:
    """At which noise the rows were measured."""
    if abs(measured - asked) < 1e-9:
        return translate("Recovered", "Measured under noise of mu {mu}.").format(mu=f"{measured:g}")
    return translate(
        "Recovered", "Measured under noise of mu {mu}, the nearest to mu {asked}; at that itself nothing is measured."
    ).format(mu=f"{measured:g}", asked=f"{asked:g}")


class RecoveredPanel(QWidget):
    """Rows for two attackers: who has the model's public weights, and who has everything but this computer's layers.

    Under noise, what is left of the answer comes beside them.
    """

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._heading = QLabel(self.tr("What an attacker recovers at this setting"), self)
        self._heading.setObjectName("section")
        self.note = QLabel(self)
        self.note.setObjectName("muted")
        self.note.setWordWrap(True)
        self.note.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._rows = QWidget(self)
        self._measured: list[Recovered] = []
        self.all = QCheckBox(self.tr("All figures"), self)
        self.all.toggled.connect(self._show_measured)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(QMargins())
        self._layout.setSpacing(8)
        for widget in (self._heading, self._rows, self.all, self.note):
            self._layout.addWidget(widget)
        self.show_sentence(self.tr("Looking it up …"))

    @property
    def lines(self) -> list[str]:
        """All that the rows say, for tests and screen readers."""
        return [label.text() for label in self._rows.findChildren(QLabel)]

    def show_sentence(self, sentence: str) -> None:
        """No rows, but a sentence."""
        self._measured = []
        self._show_measured()
        self.note.setText(sentence)

    def show_recovered(self, rows: Sequence[Recovered], mu: float = 0.0) -> None:
        """Show the measured rows as they come, the worst first; what is not measured yet is said with the way to measure it.

        `mu`: the noise that was asked about, 0 for exact rows; the rows may be those of another one near it.
        """
        self._measured = measured = [row for row in rows if row.measured]
        self._show_measured()
        missing = [row for row in rows if not row.measured]
        sentences = []
        if mu and measured:
            sentences.append(_at(measured[0].mu, mu))
        if measured:
            sentences.append(
                self.tr(
                    "Shares of the tokens unless a row says of what else, with 95 % intervals; beside them what guessing without "
                    "any traffic gets."
                )
            )
        if missing or not rows:
            names = ", ".join(dict.fromkeys(attack_name(row.attack) for row in missing))
            some, all_ = self.tr("Not measured yet for this setting: {names}."), self.tr("Not measured yet for this setting.")
            sentences.append(some.format(names=names) if names else all_)
            sentences.append(self.tr("Do not take that for protection."))
        for command in dict.fromkeys(row.command for row in missing if row.command):
            sentences.append(self.tr("To measure it, run: {command}").format(command=command))
        self.note.setText("\n".join(sentences))

    def _show_measured(self) -> None:
        first = first_rows(self._measured)
        self.all.setVisible(len(first) < len(self._measured))
        self._show_rows(self._measured if self.all.isChecked() else first)

    def _show_rows(self, rows: Sequence[Recovered]) -> None:
        old = self._rows
        self._rows = QWidget(self)
        grid = QGridLayout(self._rows)
        grid.setContentsMargins(QMargins())
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        recovered, guessing = self.tr("recovered"), self.tr("by guessing")
        for weights, utility, title, heads in (
            ("public", False, self.tr("Whoever has the model's public weights"), (recovered, guessing)),
            ("private ends", False, self.tr("Whoever has all of the model but this computer's layers"), (recovered, guessing)),
            ("public", True, self.tr("What is left of the answer"), (self.tr("left"), self.tr("without question"))),
        ):
            chosen = [row for row in rows if (row.weights, row.utility) == (weights, utility)]
            if chosen:
                self._add_heads(grid, title, heads)
            for row in chosen:
                self._add_row(grid, row)
        self._rows.setVisible(bool(rows))
        self._layout.replaceWidget(old, self._rows)
        old.hide()
        old.deleteLater()

    def _add_heads(self, grid: QGridLayout, title: str, heads: tuple[str, str]) -> None:
        number = grid.rowCount()
        label = QLabel(title, self._rows)
        label.setWordWrap(True)
        label.setContentsMargins(QMargins(0, 6, 0, 0))
        grid.addWidget(label, number, 0, 1, 2)
        for column, text in enumerate(heads, start=2):
            head = self._small(text)
            head.setObjectName("muted")
            grid.addWidget(head, number, column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)

    def _add_row(self, grid: QGridLayout, row: Recovered) -> None:
        number = grid.rowCount()
        name = self._small(row_name(row))
        name.setWordWrap(True)
        share, guess = self._small(share_text(row)), self._small(percent(row.prior_only))
        bar = ShareBar(row, self._theme, self._rows)
        guessing = self.tr("without question") if row.utility else self.tr("by guessing")
        bar.setAccessibleName(f"{name.text()}: {share.text()}, {guessing} {guess.text()}")
        grid.addWidget(name, number, 0)
        grid.addWidget(bar, number, 1)
        grid.addWidget(share, number, 2, Qt.AlignmentFlag.AlignRight)
        grid.addWidget(guess, number, 3, Qt.AlignmentFlag.AlignRight)

    def _small(self, text: str) -> QLabel:
        label = QLabel(text, self._rows)
        scale_font(label, 0.9)
        return label


def _within(share: float) -> float:
    """A share as far as a bar can show it: a gain may be negative, a perplexity beyond all bars."""
    return max(0.0, min(1.0, share))


class ShareBar(QWidget):
    """A share as a bar, its interval as a line with ends, and what guessing gets as a thin line across."""

    def __init__(self, row: Recovered, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = row
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """A strip."""
        return QSize(110, 14)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Ground, bar, interval, and guessing as a line across."""
        tone, row, width = self._theme.tone, self._row, self.width() - 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tone.raised))
        painter.drawRoundedRect(QRectF(1, 3, width, 8), 3, 3)
        painter.setBrush(QColor(tone.accent if row.utility else tone.warning))
        painter.setOpacity(0.55)
        painter.drawRoundedRect(QRectF(1, 3, max(3.0, width * _within(row.share)), 8), 3, 3)
        painter.setOpacity(1)
        painter.setPen(QPen(QColor(tone.text), 1.4))
        low, high = 1 + width * _within(row.low), 1 + width * _within(row.high)
        painter.drawLine(round(low), 7, round(high), 7)
        painter.setPen(QPen(QColor(tone.muted), 1.2, Qt.PenStyle.SolidLine))
        guess = round(1 + width * _within(row.prior_only))
        painter.drawLine(guess, 0, guess, 14)
        painter.end()
