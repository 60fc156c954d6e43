"""A day is never written so that it could be another day."""

import pytest
from PySide6.QtCore import QDate, QDateTime, QLocale, QTime
from PySide6.QtWidgets import QApplication

from desktop_app.gui.moments import day_text, moment_text, time_text


@pytest.mark.parametrize(
    ("locale", "day", "without_year"),
    [
        ("C", "2026-12-03", "2026-12-03"),
        ("en_US", "3 Dec 2026", "3 Dec"),
        ("en_GB", "3 Dec 2026", "3 Dec"),
        ("ko_KR", "2026년 12월 3일", "12월 3일"),
        ("de_DE", "2026-12-03", "2026-12-03"),
    ],
)
def test_a_day_is_written_in_one_way_in_each_language(qapp: QApplication, locale: str, day: str, without_year: str) -> None:
    QLocale.setDefault(QLocale.c() if locale == "C" else QLocale(locale))
    assert day_text(QDate(2026, 12, 3)) == day
    assert day_text(QDate(2026, 12, 3), with_year=False) == without_year
    moment = QDateTime(QDate(2026, 12, 3), QTime(0, 17))
    assert moment_text(moment) == f"{day} {time_text(moment)}"
    assert "17" in time_text(moment)
