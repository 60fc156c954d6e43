"""This room's error carries its sentence."""

from desktop_app.audit.errors import AuditError


def test_an_error_is_its_sentence() -> None:
    assert issubclass(AuditError, Exception)
    assert str(AuditError("No. Choose another head.")) == "No. Choose another head."
