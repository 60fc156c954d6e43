"""The bar at the top of the window, and the veil that says where files may be dropped."""

from PySide6.QtCore import QMargins, QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.events import ModelLoaded
from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme


class Header(QFrame):
    """Name, model, and the buttons for a new chat and the settings."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._theme = theme
        name = QLabel("Sotto", self)
        name.setObjectName("wordmark")
        self.model = QLabel(self)
        self.model.setObjectName("model")
        self.new_chat = self._button(self.tr("New chat"), self.tr("New chat (Ctrl+N)"))
        self.new_chat.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.new_chat.setText(self.tr("New chat"))
        self.settings = self._button(self.tr("Settings"), self.tr("Settings (Ctrl+,)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins(20, 8, 12, 8))
        row.setSpacing(10)
        row.addWidget(name)
        row.addWidget(self.model)
        row.addStretch()
        row.addWidget(self.new_chat)
        row.addWidget(self.settings)
        theme.changed.connect(self._draw)
        self._draw()

    def show_model(self, model: ModelLoaded) -> None:
        """The model that is loaded."""
        self.model.setText(model.name)
        self.model.setToolTip(
            self.tr("{layers} layers, at most {context} tokens of context").format(layers=model.layers, context=model.context)
        )

    def _draw(self) -> None:
        self.new_chat.setIcon(icon("new_chat", self._theme.tone.text))
        self.settings.setIcon(icon("settings", self._theme.tone.text))

    def _button(self, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(name)
        button.setToolTip(tip)
        return button


class DropVeil(QFrame):
    """Covers the window while files hover over it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("drop_veil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        label = QLabel(self.tr("Drop documents to ask about them"), self)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        self.hide()

    def cover(self, window: QWidget) -> None:
        """Lie over the whole window."""
        self.setGeometry(window.rect().marginsRemoved(QMargins(14, 14, 14, 14)))
        self.raise_()
        self.show()
