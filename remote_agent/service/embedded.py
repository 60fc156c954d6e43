"""The agent as a child of the desktop's engine, on loopback.

Its orders come as one line of JSON over standard input, the token among them; it reports the port it chose, or a sentence why it
cannot serve, as one line over standard output. It ends when standard input closes: the desktop's end is its end.
"""

import logging
import os
import sys
from pathlib import Path
from typing import BinaryIO

import msgspec

from remote_agent.link.errors import LinkError
from remote_agent.segment.errors import SegmentError
from remote_agent.service.config import AgentConfig
from remote_agent.service.errors import ServiceError
from remote_agent.service.server import AgentServer

_log = logging.getLogger(__name__)


class Orders(msgspec.Struct, frozen=True):
    """What the engine tells its agent."""

    model: str
    models_directory: str
    token: str
    dtype: str | None = None


def main() -> int:
    """Serve until standard input closes."""
    # Nothing else may print where the report goes, and nothing may inherit the pipe of the orders.
    report = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    config = AgentConfig(
        model=Path(orders.model),
        models_directory=Path(orders.models_directory),
        token=orders.token,
        dtype=orders.dtype,
        first_layer=0,
    )
    try:
        server = AgentServer(config)
        server.start()
    except (SegmentError, LinkError, ServiceError) as error:
        _say(report, {"error": str(error)})
        return 1
    _say(report, {"port": str(server.port)})
    while sys.stdin.buffer.read(4096):
        pass
    server.close()
    return 0


def _say(report: BinaryIO, words: dict[str, str]) -> None:
    report.write(msgspec.json.encode(words) + b"\n")
    report.flush()
