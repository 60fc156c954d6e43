"""The name of a document that can be read: in a question, and on a chip above the composer."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme


class DocumentButton(QToolButton):
    """The name of a document; clicked, it shows what the model sees of it."""

    def __init__(self, name: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("document")
        self._theme = theme
        # A name with "&" is not to lose it for a key.
        self.setText(name.replace("&", "&&"))
        self.setIconSize(QSize(16, 16))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setToolTip(self.tr("Read this document"))
        self.setAccessibleName(self.tr("Read {name}").format(name=name))
        theme.changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        self.setIcon(icon("document", self._theme.tone.muted))
