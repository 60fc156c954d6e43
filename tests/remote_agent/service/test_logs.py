"""Every line of the log is JSON, holds no address unless asked, and of an exception no word that it quotes."""

import io
import json
import logging

import pytest

from remote_agent.service.logs import JsonLines


def line(message: str, addresses: bool = False, error: BaseException | None = None) -> dict[str, str]:
    record = logging.LogRecord("a.b", logging.WARNING, __file__, 1, message, (), None)
    if error is not None:
        try:
            raise error
        except BaseException as raised:
            record.exc_info = (type(raised), raised, raised.__traceback__)
    found: dict[str, str] = json.loads(JsonLines(addresses).format(record))
    return found


@pytest.mark.parametrize(
    "address",
    [
        "192.0.2.7",
        "198.51.100.3:50514",
        "::1",
        "[2001:db8::17]",
        "fe80::1%eth0",
        "2001:db8:0:0:0:0:2:1",
        "[::1]:443",
        "2001:db8::",
    ],
)
def test_addresses_are_taken_out_unless_they_are_asked_for(address: str) -> None:
    assert line(f"path to {address} lost")["event"] == "path to (address) lost"
    assert address in line(f"path to {address} lost", addresses=True)["event"]


@pytest.mark.parametrize("text", ["version 1.16.0", "took 12:30:05", "rows 3.5 of 4"])
def test_what_only_looks_a_little_like_one_stays(text: str) -> None:
    assert line(text)["event"] == text


def test_of_an_exception_its_type_and_place_are_kept_and_not_its_words() -> None:
    found = line("failed", error=ValueError("Kim Min-jun, 880101"))
    assert found["error"] == "ValueError"
    assert "test_logs.py" in found["at"]
    assert "Kim" not in json.dumps(found)


def test_a_record_is_one_line_with_its_time_level_and_logger() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.Logger("remote_agent.x")
    logger.addHandler(handler)
    logger.warning("two\nlines %d", 3)
    written = stream.getvalue()
    assert written.count("\n") == 1
    assert json.loads(written).keys() == {"time", "level", "logger", "event"}
    assert json.loads(written)["event"] == "two\nlines 3"
