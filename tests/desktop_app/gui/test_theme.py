"""Both tones can be read, and the window follows the system's."""

from itertools import product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QLabel

from desktop_app.gui.theme import DARK, LIGHT, Theme, Tone, code_font, palette_of, scale_font, style_sheet


def contrast(one: str, other: str) -> float:
    def luminance(colour: str) -> float:
        parts = [
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in QColor(colour).getRgbF()[:3]
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tone", [LIGHT, DARK], ids=["light", "dark"])
def test_what_is_read_together_has_contrast(tone: Tone) -> None:
    pairs = [
        *product([tone.text, tone.muted], [tone.window, tone.surface, tone.raised]),
        *product([tone.text], [tone.selection, tone.warning_soft, tone.code_surface]),
        (tone.accent, tone.window),
        (tone.accent, tone.accent_soft),
        (tone.on_accent, tone.accent),
        (tone.warning, tone.warning_soft),
        *product(
            [tone.code_keyword, tone.code_string, tone.code_number, tone.code_comment, tone.code_name, tone.code_type],
            [tone.code_surface],
        ),
    ]
    assert {pair: round(contrast(*pair), 2) for pair in pairs if contrast(*pair) < 4.5} == {}


def test_tone_follows_the_system_at_run_time(qapp: QApplication, theme: Theme) -> None:
    changes = []
    theme.changed.connect(lambda: changes.append(theme.tone))
    # The platform without a screen has no scheme of its own, so the signal is given by hand.
    hints = QGuiApplication.styleHints()
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert theme.tone is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert theme.tone is LIGHT
    assert changes == [DARK, LIGHT]


def test_style_sheet_is_complete(qapp: QApplication) -> None:
    for tone in (LIGHT, DARK):
        assert "$" not in style_sheet(tone)
        assert tone.accent in style_sheet(tone)
        assert palette_of(tone).color(QPalette.ColorRole.Text).name() == tone.text


def test_fonts_scale_with_the_application(qapp: QApplication) -> None:
    label = QLabel()
    scale_font(label, 2.0)
    assert label.font().pointSizeF() == pytest.approx(2 * qapp.font().pointSizeF())
    assert code_font().pointSizeF() >= 8
