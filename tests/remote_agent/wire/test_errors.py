"""The errors of the wire."""

import pytest

from remote_agent.wire.errors import BrokenRule, ErrorCode, MalformedFrame, MalformedMessage, WireError


@pytest.mark.parametrize("error", [MalformedMessage, MalformedFrame, BrokenRule])
def test_every_error_of_the_room_has_its_base(error: type[Exception]) -> None:
    assert issubclass(error, WireError)


def test_a_broken_rule_carries_the_code_that_the_peer_is_told() -> None:
    assert BrokenRule(ErrorCode.ROW_UNKNOWN, "detail").code is ErrorCode.ROW_UNKNOWN


def test_reasons_cross_the_line_as_numbers() -> None:
    assert all(isinstance(code.value, int) for code in ErrorCode)
