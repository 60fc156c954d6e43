"""That names in some scripts are hardly found, in words."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

translate = QCoreApplication.translate


def unread_words(scripts: Sequence[str]) -> str:
    """What is said where a question holds words in these scripts, called as in `Review.unread`; "" for none."""
    if not scripts:
        return ""
    known = {
        "Chinese": translate("UnreadWords", "Chinese"),
        "Japanese": translate("UnreadWords", "Japanese"),
        "Arabic": translate("UnreadWords", "Arabic"),
        "Hebrew": translate("UnreadWords", "Hebrew"),
        "Thai": translate("UnreadWords", "Thai"),
        "Devanagari": translate("UnreadWords", "Devanagari"),
        "Armenian": translate("UnreadWords", "Armenian"),
        "Georgian": translate("UnreadWords", "Georgian"),
    }
    return translate(
        "UnreadWords",
        "Names in {scripts} writing are hardly found: put them on a list, or go back, select them and choose “Always "
        "replace this”.",
    ).format(scripts=", ".join(known.get(script, script) for script in scripts))
