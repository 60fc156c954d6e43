"""How what is sent looks from outside: unshaped, padded, or at a steady beat; what each hides, and what it costs."""

from PySide6.QtCore import QCoreApplication, QMargins, Qt
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from desktop_app.chat.events import OFF, PADDED, STEADY, Shape

translate = QCoreApplication.translate

SHAPES: dict[str, Shape] = {shape.name: shape for shape in (OFF, PADDED, STEADY)}


def shape_name(shape: str) -> str:
    """A shape in words; one that this window does not know is called by its own word."""
    names = {
        "off": translate("TrafficShape", "as it comes"),
        "padded": translate("TrafficShape", "padded"),
        "steady": translate("TrafficShape", "padded, at a steady beat"),
    }
    return names.get(shape, shape)


def shape_sentence(shape: str) -> str:
    """What a shape hides from somebody on the network, and its price."""
    sentences = {
        "off": translate(
            "TrafficShape",
            "Whoever watches the network sees sizes and times, and can tell from them which of some known questions was asked.",
        ),
        "padded": translate(
            "TrafficShape",
            "Does nothing against whoever runs the agent. Whoever only watches the network still sees when you ask, when each "
            "step goes, and in how many slices of one size the question goes, so about how long it is. All other steps have one "
            "size, too, and answers look as long as 64, 128 or a multiple of 256 steps. Costs bytes, and the connection stays "
            "busy after an answer: the line below each answer says how much.",
        ),
        "steady": translate(
            "TrafficShape",
            "Does nothing against whoever runs the agent. As padded; and from the first word of an answer to the end of its "
            "padding, and only then, a step leaves at every beat of a clock, ten a second. When you ask and in how many slices "
            "the question goes stays visible. Costs most bytes, and an answer comes no faster than the beat: the line below "
            "each answer says how much.",
        ),
    }
    return sentences.get(shape, "")


class TrafficShapeControls(QWidget):
    """The choice, and what it means."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = QComboBox(self)
        self.choice.setAccessibleName(self.tr("Traffic shape"))
        for shape in SHAPES:
            self.choice.addItem(shape_name(shape), shape)
        self.sentence = QLabel(self)
        self.sentence.setObjectName("muted")
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        form = QFormLayout()
        form.setHorizontalSpacing(18)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.addRow(self.tr("Traffic shape"), self.choice)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(8)
        layout.addLayout(form)
        layout.addWidget(self.sentence)
        self.choice.currentIndexChanged.connect(self._settle)
        self._settle()

    @property
    def shape(self) -> str:
        """The short name of the chosen shape."""
        return str(self.choice.currentData())

    @shape.setter
    def shape(self, shape: str) -> None:
        self.choice.setCurrentIndex(max(0, self.choice.findData(shape)))

    def _settle(self) -> None:
        self.sentence.setText(shape_sentence(self.shape))
