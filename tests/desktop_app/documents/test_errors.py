"""The errors of the room have one base, so that one `except` catches whatever reading raises."""

import inspect

from desktop_app.documents import errors


def test_every_error_is_a_document_error_and_says_what_it_means() -> None:
    classes = [value for value in vars(errors).values() if inspect.isclass(value)]
    assert len(classes) == 9
    assert all(issubclass(kind, errors.DocumentError) and kind.__doc__ for kind in classes)
