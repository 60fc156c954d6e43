"""The bar at the top of the window, and the veil that says where files may be dropped."""

from typing import cast

from PySide6.QtCore import QEvent, QMargins, QObject, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop_app.chat.events import ModelLoaded
from desktop_app.gui.composer import local_files
from desktop_app.gui.icons import icon
from desktop_app.gui.theme import Theme


class Header(QFrame):
    """The list's switch, name, model, whether the chat is kept, and the buttons for chats and settings."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("header")
        self._theme = theme
        name = QLabel("Sotto", self)
        name.setObjectName("wordmark")
        self.model = QLabel(self)
        self.model.setObjectName("model")
        self.model.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.badge = QLabel(self)
        self.badge.setObjectName("badge")
        self.badge.hide()
        self.unlock = QPushButton(self.tr("Unlock …"), self)
        self.unlock.setObjectName("link")
        self.unlock.hide()
        self.side = self._button(self.tr("Past chats"), self.tr("Show or hide past chats (Ctrl+B)"))
        self.side.setCheckable(True)
        self.new_chat = self._button(self.tr("New chat"), self.tr("New chat (Ctrl+N)"))
        self.new_chat.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.new_chat.setText(self.tr("New chat"))
        self.incognito = self._button(
            self.tr("New incognito chat"), self.tr("New incognito chat: nothing of it is written to disk (Ctrl+Shift+N)")
        )
        self.more = self._button(self.tr("This chat"), self.tr("Rename, save or delete this chat, and what left this computer"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.settings = self._button(self.tr("Settings"), self.tr("Settings (Ctrl+,)"))
        row = QHBoxLayout(self)
        row.setContentsMargins(QMargins(10, 8, 12, 8))
        row.setSpacing(8)
        row.addWidget(self.side)
        row.addWidget(name)
        row.addWidget(self.model, 1)
        for widget in (self.badge, self.unlock, self.new_chat, self.incognito, self.more, self.settings):
            row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._draw)
        self._draw()

    def show_model(self, model: ModelLoaded) -> None:
        """The model that is loaded."""
        self.model.setText(model.name)
        self.model.setToolTip(
            self.tr("{layers} layers, at most {context} tokens of context").format(layers=model.layers, context=model.context)
        )

    def show_keeping(self, incognito: bool, keeping: bool, can_unlock: bool) -> None:
        """Whether the chat on screen is kept, and if none can be, whether a passphrase would change that."""
        self.badge.setVisible(incognito or not keeping)
        if keeping:
            self.badge.setText(self.tr("Incognito"))
            self.badge.setToolTip(self.tr("Nothing of this chat is written to disk. It is gone when you leave it."))
        else:
            self.badge.setText(self.tr("Nothing is kept"))
            self.badge.setToolTip(self.tr("Chats cannot be kept at the moment: every chat is gone when you leave it."))
        self.unlock.setVisible(can_unlock)

    def set_chatting(self, chatting: bool) -> None:
        """Whether there is a chat on screen to begin, list or change."""
        for widget in (self.side, self.new_chat, self.incognito, self.more):
            widget.setEnabled(chatting)

    def _draw(self) -> None:
        colour = self._theme.tone.text
        for button, picture in (
            (self.side, "side"),
            (self.new_chat, "new_chat"),
            (self.incognito, "incognito"),
            (self.more, "more"),
            (self.settings, "settings"),
        ):
            button.setIcon(icon(picture, colour))

    def _button(self, name: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(20, 20))
        button.setAccessibleName(name)
        button.setToolTip(tip)
        return button


class DropVeil(QFrame):
    """Covers its window while files hover over it; `dropped` gives those that were let go."""

    dropped = Signal(list)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("drop_veil")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        label = QLabel(self.tr("Drop documents to ask about them"), self)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """Files may be dropped anywhere in the window."""
        match event.type():
            case QEvent.Type.DragEnter if local_files(cast(QDragEnterEvent, event).mimeData()):
                cast(QDragEnterEvent, event).acceptProposedAction()
                self._cover()
            case QEvent.Type.DragLeave:
                self.hide()
            case QEvent.Type.Drop:
                self.hide()
                if files := local_files(cast(QDropEvent, event).mimeData()):
                    cast(QDropEvent, event).acceptProposedAction()
                    self.dropped.emit(files)
            case _:
                return super().eventFilter(window, event)
        return True

    def _cover(self) -> None:
        self.setGeometry(self.window().rect().marginsRemoved(QMargins(14, 14, 14, 14)))
        self.raise_()
        self.show()
