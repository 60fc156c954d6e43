from desktop_app.decoding import errors


def test_every_error_of_the_room_has_one_base() -> None:
    assert issubclass(errors.NoRoom, errors.DecodingError)
    assert issubclass(errors.BrokenRule, errors.DecodingError)
