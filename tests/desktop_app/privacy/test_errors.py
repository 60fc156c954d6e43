"""This room's errors: one base, each with a sentence of its own."""

from desktop_app.privacy import errors


def test_every_error_is_caught_by_the_base_and_carries_its_sentence() -> None:
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    assert len(kinds) > 1
    for kind in kinds:
        assert issubclass(kind, errors.PrivacyError)
        assert str(kind("No. Try again.")) == "No. Try again."
