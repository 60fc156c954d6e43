"""This room's errors are one family."""

from desktop_app.audit.errors import AuditError


def test_its_text_is_what_is_shown() -> None:
    assert str(AuditError("Choose a split.")) == "Choose a split."
