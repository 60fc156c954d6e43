"""Only this machine: candidates given, candidates taken."""

import asyncio

import pytest
from aioice import Candidate, Connection

from remote_agent.link.loopback import is_loopback, restrict


def candidate(host: str) -> Candidate:
    return Candidate.from_sdp(f"1 1 udp 2130706431 {host} 50000 typ host")


async def gathered(connection: Connection) -> list[str]:
    await connection.gather_candidates()
    hosts = [candidate.host for candidate in connection.local_candidates]
    await connection.close()
    return hosts


async def test_only_127_0_0_1_is_offered() -> None:
    connection = Connection(ice_controlling=True)
    restrict(connection, only_loopback=True)
    assert await gathered(connection) == ["127.0.0.1"]


async def test_other_connections_of_the_process_are_left_alone() -> None:
    restricted, other = Connection(ice_controlling=True), Connection(ice_controlling=True)
    restrict(restricted, only_loopback=True)
    assert "127.0.0.1" not in await gathered(other)
    await restricted.close()


@pytest.mark.parametrize(
    ("host", "alone", "taken"),
    [
        ("127.0.0.1", True, True),
        ("192.0.2.7", True, False),
        ("2001:db8::1", True, False),
        ("agent.local", True, False),
        ("192.0.2.7", False, True),
        ("agent.local", False, False),
    ],
)
async def test_which_candidates_of_the_peer_are_taken(host: str, alone: bool, taken: bool) -> None:
    connection = Connection(ice_controlling=True)
    restrict(connection, only_loopback=alone)
    await asyncio.wait_for(connection.add_remote_candidate(candidate(host)), 1)
    assert bool(connection.remote_candidates) is taken
    await connection.close()


def test_what_is_loopback() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("localhost")
    assert not is_loopback("192.0.2.7")
    assert not is_loopback("")
