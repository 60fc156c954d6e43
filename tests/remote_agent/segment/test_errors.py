"""One base class for the room."""

from remote_agent.segment import errors


def test_every_error_of_the_room_has_its_base_and_says_when_it_is_raised() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    assert len(classes) == 9
    for error in classes:
        assert issubclass(error, errors.SegmentError)
        assert error.__doc__
