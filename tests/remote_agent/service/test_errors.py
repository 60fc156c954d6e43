"""The room's errors."""

from remote_agent.service.errors import ServiceError


def test_an_error_says_what_it_was_made_with() -> None:
    assert str(ServiceError("Choose others.")) == "Choose others."
