"""The errors of the room have one base, so that one `except` catches whatever the archive raises."""

import inspect

from desktop_app.archive import errors


def test_every_error_is_an_archive_error_and_says_what_it_means() -> None:
    classes = [value for value in vars(errors).values() if inspect.isclass(value)]
    assert len(classes) == 13
    assert all(issubclass(kind, errors.ArchiveError) and kind.__doc__ for kind in classes)


def test_the_one_that_asks_for_a_passphrase_tells_whether_it_will_be_a_new_one() -> None:
    assert errors.PassphraseNeeded("Choose one.", new=True).new
    assert str(errors.PassphraseNeeded("Choose one.", new=True)) == "Choose one."
