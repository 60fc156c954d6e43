"""The language of the window: the system's, or `SOTTO_LANGUAGE` where that is set.

Catalogues lie in `resources/translations` as sotto_LANGUAGE.ts, with the compiled .qm beside each. After a change of texts:

    pyside6-lupdate desktop_app/gui/*.py -ts resources/translations/sotto_ko.ts -no-obsolete -locations none
    pyside6-lrelease resources/translations/sotto_ko.ts
"""

import os

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from desktop_app.gui.theme import RESOURCES

LANGUAGE_VARIABLE = "SOTTO_LANGUAGE"


def window_locale() -> QLocale:
    """The locale whose language the window speaks."""
    name = os.environ.get(LANGUAGE_VARIABLE, "").strip()
    return QLocale(name) if name else QLocale.system()


def install_translation(application: QApplication) -> QLocale:
    """Translate the window and Qt's own texts, as far as there are catalogues; English stays where there is none."""
    locale = window_locale()
    QLocale.setDefault(locale)
    for folder, prefix in (
        (QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "qtbase"),
        (str(RESOURCES / "translations"), "sotto"),
    ):
        translator = QTranslator(application)
        if locale.language() != QLocale.Language.English and translator.load(locale, prefix, "_", folder):
            application.installTranslator(translator)
    return locale
