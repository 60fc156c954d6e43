"""Icons are drawn in the colour that was asked for."""

import pytest
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from desktop_app.gui.icons import application_icon, icon
from desktop_app.gui.theme import RESOURCES


def colours(picture: QIcon, mode: QIcon.Mode = QIcon.Mode.Normal) -> set[str]:
    image = picture.pixmap(20, 20, mode).toImage()
    pixels = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {pixel.name() for pixel in pixels if pixel.alpha() > 60}


def test_icon_takes_its_colours(qapp: QApplication) -> None:
    picture = icon("stop", "#ff0000", disabled="#0000ff")
    assert "#ff0000" in colours(picture)
    assert "#0000ff" in colours(picture, QIcon.Mode.Disabled)


def test_every_icon_can_be_drawn(qapp: QApplication) -> None:
    names = [path.stem for path in (RESOURCES / "icons").glob("*.svg") if "currentColor" in path.read_text()]
    assert len(names) > 10
    for name in names:
        assert colours(icon(name, "#ff0000")), name
    assert not application_icon().isNull()


def test_unknown_icon_is_an_error(qapp: QApplication) -> None:
    with pytest.raises(FileNotFoundError):
        icon("no such icon", "#000000")
