"""The errors of the link."""

import pytest

from remote_agent.link.errors import AgentUnreachable, LinkClosed, LinkError, NotAllowed, PortTaken


@pytest.mark.parametrize("error", [AgentUnreachable, NotAllowed, PortTaken, LinkClosed])
def test_every_error_of_the_room_has_its_base(error: type[Exception]) -> None:
    assert issubclass(error, LinkError)


def test_a_taken_port_is_named() -> None:
    assert "8123" in str(PortTaken(8123))
