"""The wheel scrolls a page. What stands on the page (boxes, numbers, sliders) is not changed by it, focused or not."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QWidget


class PageWheel(QObject):
    """Leaves the wheel over `page` and every control on it, as far as they are there by now, to what scrolls them."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        for control in (page, *page.findChildren(QWidget)):
            if isinstance(control, QComboBox | QAbstractSpinBox | QAbstractSlider) and not isinstance(control, QScrollBar):
                control.installEventFilter(self)

    def eventFilter(self, control: QObject, event: QEvent) -> bool:
        """Taken away from the control and ignored, so that Qt offers it to what is around the control."""
        if event.type() != QEvent.Type.Wheel:
            return False
        event.ignore()
        return True
