"""Icons drawn from the strokes in `resources/icons`, in the colour of the tone that is in use."""

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop_app.gui.theme import RESOURCES

SIZE = 20
"""Pixels of a side, before the screen's scale."""


def icon(name: str, colour: str, disabled: str = "") -> QIcon:
    """The icon `name` in `colour`, and in `disabled` where its button is off. Raises FileNotFoundError for an unknown name."""
    source = (RESOURCES / "icons" / f"{name}.svg").read_text(encoding="utf-8")
    drawn = QIcon(_draw(source, colour))
    if disabled:
        drawn.addPixmap(_draw(source, disabled), QIcon.Mode.Disabled)
    return drawn


def application_icon() -> QIcon:
    """The icon of the program itself."""
    return QIcon(str(RESOURCES / "icons" / "sotto.svg"))


def _draw(source: str, colour: str) -> QPixmap:
    screen = QGuiApplication.primaryScreen()
    scale = max(2.0, screen.devicePixelRatio() if screen is not None else 1.0)
    pixmap = QPixmap(round(SIZE * scale), round(SIZE * scale))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(source.replace("currentColor", colour).encode())).render(
        painter, QRectF(0, 0, pixmap.width(), pixmap.height())
    )
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap
