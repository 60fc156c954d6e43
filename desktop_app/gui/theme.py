"""Colours, type and the style sheet: one calm look in two tones, light and dark, following the system while it runs.

Every colour has a name that says what it is for. Pairs that are read together keep a contrast of at least 4.5 : 1 (tested).
"""

from dataclasses import dataclass, fields
from pathlib import Path
from string import Template

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory, QWidget

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
COLUMN_WIDTH = 760
"""Pixels: the widest a line of conversation gets; longer lines are hard to read."""


@dataclass(frozen=True, slots=True)
class Tone:
    """The colours of one tone, as #rrggbb, and its name."""

    name: str
    window: str
    surface: str
    raised: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    accent_soft: str
    selection: str
    warning: str
    warning_soft: str
    code_surface: str
    code_keyword: str
    code_string: str
    code_number: str
    code_comment: str
    code_name: str
    code_type: str


LIGHT = Tone(
    name="light",
    window="#faf9f7",
    surface="#ffffff",
    raised="#f1efeb",
    border="#dfdbd4",
    text="#1e2124",
    muted="#656a70",
    accent="#1f6a64",
    on_accent="#ffffff",
    accent_soft="#e3efed",
    selection="#bcdcd8",
    warning="#8a4b08",
    warning_soft="#fbf1e2",
    code_surface="#f4f2ee",
    code_keyword="#8b3a8f",
    code_string="#33691e",
    code_number="#9a4a00",
    code_comment="#696d72",
    code_name="#1b5fa8",
    code_type="#1f6a64",
)
DARK = Tone(
    name="dark",
    window="#17191b",
    surface="#1e2123",
    raised="#272a2d",
    border="#363a3e",
    text="#e7e6e3",
    muted="#a0a4a9",
    accent="#7cc4bb",
    on_accent="#0f2321",
    accent_soft="#20302f",
    selection="#2f5551",
    warning="#f0b86a",
    warning_soft="#322a1e",
    code_surface="#1f2225",
    code_keyword="#d39bd6",
    code_string="#a8c98b",
    code_number="#e5ae7c",
    code_comment="#969ba1",
    code_name="#88b8ea",
    code_type="#7cc4bb",
)


class Theme(QObject):
    """The tone in use; `changed` tells when it becomes another one."""

    changed = Signal()

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self._application = application
        self.tone = LIGHT
        self._shown: Tone | None = None
        application.setStyle(QStyleFactory.create("Fusion"))
        _set_font(application)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow)
        self._follow(hints.colorScheme())

    def _follow(self, scheme: Qt.ColorScheme) -> None:
        self.use(DARK if scheme == Qt.ColorScheme.Dark else LIGHT)

    def use(self, tone: Tone) -> None:
        """Show everything in `tone`, at once; nothing is done where it is shown already."""
        if self._shown is tone:
            return
        self.tone = self._shown = tone
        self._application.setPalette(palette_of(tone))
        self._application.setStyleSheet(style_sheet(tone))
        self.changed.emit()


def palette_of(tone: Tone) -> QPalette:
    """The palette that Fusion paints with."""
    palette = QPalette()
    role = QPalette.ColorRole
    pairs = {
        role.Window: tone.window,
        role.WindowText: tone.text,
        role.Base: tone.surface,
        role.AlternateBase: tone.raised,
        role.Text: tone.text,
        role.PlaceholderText: tone.muted,
        role.Button: tone.raised,
        role.ButtonText: tone.text,
        role.BrightText: tone.warning,
        role.ToolTipBase: tone.raised,
        role.ToolTipText: tone.text,
        role.Highlight: tone.selection,
        role.HighlightedText: tone.text,
        role.Accent: tone.accent,
        role.Link: tone.accent,
        role.LinkVisited: tone.accent,
        role.Light: tone.surface,
        role.Midlight: tone.raised,
        role.Mid: tone.border,
        role.Dark: tone.border,
        role.Shadow: tone.border,
    }
    for name, colour in pairs.items():
        palette.setColor(name, QColor(colour))
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(tone.muted))
    return palette


def style_sheet(tone: Tone) -> str:
    """The style sheet of `resources/styles` with this tone's colours put in."""
    template = Template((RESOURCES / "styles" / "sotto.qss").read_text(encoding="utf-8"))
    icons = (RESOURCES / "icons").as_posix()
    return template.substitute({field.name: getattr(tone, field.name) for field in fields(tone)}, icons=icons)


def code_font() -> QFont:
    """The system's own fixed-width font, a little smaller than the text."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(max(8.0, QApplication.font().pointSizeF() * 0.94))
    return font


def scale_font(widget: QWidget, factor: float) -> None:
    """Give the widget the application's font, larger or smaller."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * factor)
    widget.setFont(font)


def _set_font(application: QApplication) -> None:
    # Chat is read for long: one step above the system's size, never below 10.5 points.
    font = application.font()
    font.setPointSizeF(max(10.5, font.pointSizeF() * 1.08))
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    application.setFont(font)
