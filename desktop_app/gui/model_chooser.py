"""Which model answers: the starter model, a GGUF file, a folder, or an id on the Hugging Face Hub."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMargins, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from desktop_app.gui.file_dialog import FileDialog

STARTER, FILE, FOLDER, HUB = range(4)


def kind_of(model: str) -> int:
    """What sort of model the text names; a path that is not there any more is told by its looks."""
    if not model:
        return STARTER
    if model.lower().endswith(".gguf"):
        return FILE
    return FOLDER if Path(model).is_absolute() or _is_there(model, Path.is_dir) else HUB


def _is_there(model: str, check: Callable[[Path], bool]) -> bool:
    """Whether there is such a file or folder; a name that the system cannot look for (over 255 bytes, say) is none."""
    try:
        return check(Path(model).expanduser())
    except (OSError, RuntimeError, ValueError):
        return False


class ModelChooser(QWidget):
    """`model` is what the settings keep: "" for the starter model, a path, or an id."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._dialog: QFileDialog | None = None
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(self.tr("Kind of model"))
        self.kind.addItems(
            [
                self.tr("Starter model (SmolLM2 135M)"),
                self.tr("GGUF file"),
                self.tr("Model folder"),
                self.tr("Hugging Face Hub"),
            ]
        )
        self.name = QLineEdit(self)
        self._browse = QPushButton(self.tr("Choose …"), self)
        self._browse.setAutoDefault(False)
        self._note = QLabel(self)
        self._note.setObjectName("muted")
        self._note.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.name, 1)
        row.addWidget(self._browse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(QMargins())
        layout.setSpacing(8)
        layout.addWidget(self.kind)
        layout.addLayout(row)
        layout.addWidget(self._note)
        self.kind.currentIndexChanged.connect(self._settle)
        self.name.textChanged.connect(self.changed)
        self._browse.clicked.connect(self._choose)
        self._settle()

    @property
    def model(self) -> str:
        """What is chosen, as the settings keep it."""
        return "" if self.kind.currentIndex() == STARTER else self.name.text().strip()

    @model.setter
    def model(self, model: str) -> None:
        self.kind.setCurrentIndex(kind_of(model))
        self.name.setText(model)

    @property
    def complaint(self) -> str:
        """Why this choice cannot be used, as a sentence; "" where it can."""
        kind, model = self.kind.currentIndex(), self.model
        if kind == STARTER:
            return ""
        if not model:
            return self.tr("Choose a model, or take the starter model.")
        if kind == FILE and not _is_there(model, Path.is_file):
            return self.tr("There is no file of this name. Choose another one.")
        if kind == FOLDER and not _is_there(model, Path.is_dir):
            return self.tr("There is no folder of this name. Choose another one.")
        if kind == HUB and (model.count("/") != 1 or " " in model or model.startswith("/") or model.endswith("/")):
            return self.tr("A Hub id looks like owner/name. Correct it, then save.")
        return ""

    def _settle(self) -> None:
        kind = self.kind.currentIndex()
        self.name.setVisible(kind != STARTER)
        self._browse.setVisible(kind in (FILE, FOLDER))
        self.name.setPlaceholderText(self.tr("owner/name") if kind == HUB else self.tr("Path"))
        self.name.setAccessibleName(self.tr("Hub id") if kind == HUB else self.tr("Path of the model"))
        notes = {
            STARTER: self.tr("Small and quick, good for a first try; larger models answer better."),
            HUB: self.tr("It is downloaded from huggingface.co with your next question, and once only."),
        }
        self._note.setText(notes.get(kind, self.tr("Llama-, Mistral-, Qwen- and Gemma-like models can be split.")))
        self.changed.emit()

    def _choose(self) -> None:
        dialog = FileDialog(self, self.tr("Choose a model"), str(Path(self.name.text()).parent))
        if self.kind.currentIndex() == FOLDER:
            dialog.setFileMode(QFileDialog.FileMode.Directory)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            dialog.setNameFilters([self.tr("GGUF models (*.gguf)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self.name.setText)
        dialog.open()
