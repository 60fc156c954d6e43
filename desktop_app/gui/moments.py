"""Days and times that can be read in one way only: no locale's "3/12/26", which is December to some and March to others."""

from PySide6.QtCore import QDate, QDateTime, QLocale


def day_text(day: QDate, *, with_year: bool = True) -> str:
    """A day with its month in letters, in English and Korean; in any other language, and in none, all of it as in ISO 8601."""
    locale = QLocale()
    match locale.language():
        case QLocale.Language.English:
            return locale.toString(day, "d MMM yyyy" if with_year else "d MMM")
        case QLocale.Language.Korean:
            return locale.toString(day, "yyyy년 M월 d일" if with_year else "M월 d일")
    return day.toString("yyyy-MM-dd")


def time_text(moment: QDateTime) -> str:
    """The time of the day, as the locale writes it."""
    return QLocale().toString(moment.time(), QLocale.FormatType.ShortFormat)


def moment_text(moment: QDateTime) -> str:
    """Day and time."""
    return f"{day_text(moment.date())} {time_text(moment)}"
