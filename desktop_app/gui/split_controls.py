"""Which layers run where: two sliders with their numbers, a picture of the split, and the box that keeps everything here."""

from PySide6.QtCore import QMargins, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSizePolicy, QSlider, QSpinBox, QVBoxLayout, QWidget

from desktop_app.chat.events import ModelLoaded
from desktop_app.gui.theme import Theme

UNKNOWN_MOST = 64
"""Layers offered for each end as long as no model has told its own number."""


def split_limits(model: ModelLoaded | None) -> tuple[int, int, int]:
    """(least head, least tail, most head + tail): what the agent can run, with one layer left to it at least."""
    if model is None:
        return 1, 1, 2 * UNKNOWN_MOST
    return model.first_layer, max(0, model.layers - model.last_layer), max(0, model.layers - 1)


class SplitPicture(QWidget):
    """One small bar a layer: those that run here in the accent, those at the agent pale."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._layers = (0, 0, 0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Picture of the split"))

    def show_split(self, head: int, middle: int, tail: int) -> None:
        """Layers of the head, the middle and the tail."""
        self._layers = (head, middle, tail)
        self.setAccessibleDescription(f"{head} + {middle} + {tail}")
        self.update()

    def sizeHint(self) -> QSize:
        """A strip."""
        return QSize(320, 26)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The bars."""
        total = sum(self._layers)
        if not total:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        step = self.width() / total
        gap = min(3.0, step * 0.3)
        head, middle, _tail = self._layers
        for layer in range(total):
            here = not head <= layer < head + middle
            painter.setBrush(QColor(self._theme.tone.accent if here else self._theme.tone.border))
            painter.drawRoundedRect(QRectF(layer * step, 0, step - gap, self.height()), 2.5, 2.5)
        painter.end()


class SplitControls(QWidget):
    """Head, tail and "Only here", within what the model and the agent allow."""

    changed = Signal()

    def __init__(self, model: ModelLoaded | None, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._least_head, self._least_tail, self._most = split_limits(model)
        self.only_here = QCheckBox(self.tr("Only here: run every layer on this computer"), self)
        self.head, self._head_slider = self._pair(self._least_head, self.tr("Layers of the head"))
        self.tail, self._tail_slider = self._pair(self._least_tail, self.tr("Layers of the tail"))
        self._picture = SplitPicture(theme, self)
        self.explanation = QLabel(self)
        self.explanation.setObjectName("muted")
        self.explanation.setWordWrap(True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        for row, (text, slider, box) in enumerate(
            ((self.tr("&Head"), self._head_slider, self.head), (self.tr("&Tail"), self._tail_slider, self.tail))
        ):
            label = QLabel(text, self)
            label.setBuddy(box)
            grid.addWidget(label, row, 0)
            grid.addWidget(slider, row, 1)
            grid.addWidget(box, row, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(10)
        layout.addWidget(self._picture)
        layout.addWidget(self.explanation)
        layout.addLayout(grid)
        layout.addWidget(self.only_here)
        self.head.valueChanged.connect(lambda: self._keep_within(self.tail, self.head))
        self.tail.valueChanged.connect(lambda: self._keep_within(self.head, self.tail))
        self.only_here.toggled.connect(self._settle)

    def set_split(self, head: int, tail: int, only_here: bool) -> None:
        """Show a split; numbers out of range move to the nearest that is allowed."""
        self.head.setValue(head)
        self.tail.setValue(tail)
        self.only_here.setChecked(only_here)
        self._settle()

    def _pair(self, least: int, name: str) -> tuple[QSpinBox, QSlider]:
        box, slider = QSpinBox(self), QSlider(Qt.Orientation.Horizontal, self)
        box.lineEdit().setTextMargins(7, 0, 0, 0)
        other = self._least_tail if least == self._least_head else self._least_head
        most = UNKNOWN_MOST if self._model is None else max(least, self._most - other)
        for control in (box, slider):
            control.setRange(least, most)
            control.setAccessibleName(name)
        box.valueChanged.connect(slider.setValue)
        slider.valueChanged.connect(box.setValue)
        return box, slider

    def _keep_within(self, other: QSpinBox, moved: QSpinBox) -> None:
        # The one that is moved pushes the other, so that a layer is left to the agent.
        if self._model is not None and self.head.value() + self.tail.value() > self._most:
            other.setValue(max(other.minimum(), self._most - moved.value()))
            if self.head.value() + self.tail.value() > self._most:
                moved.setValue(max(moved.minimum(), self._most - other.value()))
        self._settle()

    def _settle(self) -> None:
        only_here, head, tail = self.only_here.isChecked(), self.head.value(), self.tail.value()
        for control in (self.head, self.tail, self._head_slider, self._tail_slider):
            control.setEnabled(not only_here)
        if self._model is None:
            self._picture.show_split(head, 0 if only_here else 24, tail)
            self.explanation.setText(self.tr("How many layers there are is known as soon as the model is loaded."))
        elif only_here:
            self._picture.show_split(self._model.layers, 0, 0)
            self.explanation.setText(self.tr("All {layers} layers run here.").format(layers=self._model.layers))
        else:
            middle = self._model.layers - head - tail
            self._picture.show_split(head, middle, tail)
            self.explanation.setText(
                self.tr("Of {layers} layers the first {head} and the last {tail} run here, {middle} at the agent.").format(
                    layers=self._model.layers, head=head, tail=tail, middle=middle
                )
            )
        self.changed.emit()
