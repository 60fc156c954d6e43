"""Where a connection may be reached: its ICE candidates.

aioice gathers the addresses of all interfaces, never 127.0.0.1, and so finds nothing at all on a machine whose only
interface is `lo`. The embedded agent must be reachable from this machine only. `restrict` therefore replaces, on one
connection and not globally, the two methods through which addresses come in: gathering, and the peer's candidates.
Whatever the mode, names (`.local`, asked for by multicast) are never looked up.
"""

import ipaddress
import logging
from typing import Any

from aioice import Candidate, Connection

LOOPBACK = "127.0.0.1"

_log = logging.getLogger(__name__)


def restrict(connection: Connection, only_loopback: bool) -> None:
    """Makes this ICE connection take addresses alone, no names; with `only_loopback` offer and take 127.0.0.1 alone."""
    gather_from = connection.get_component_candidates
    add = connection.add_remote_candidate

    async def gather(component: int, addresses: list[str], timeout: int = 5) -> Any:
        return await gather_from(component, [LOOPBACK] if only_loopback else addresses, timeout)

    async def add_remote_candidate(candidate: Candidate | None) -> None:
        if candidate is None or (is_loopback(candidate.host) if only_loopback else _is_address(candidate.host)):
            await add(candidate)
        else:
            _log.warning("ignored a candidate of the peer: %s", "not on this machine" if only_loopback else "a name")

    connection.get_component_candidates = gather
    connection.add_remote_candidate = add_remote_candidate


def is_loopback(host: str) -> bool:
    """Whether this is an address, not a name, that never leaves this machine."""
    return _is_address(host) and ipaddress.ip_address(host).is_loopback


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
