"""The agent's log: one line of JSON for each event, without content, and without addresses unless they are asked for.

Our own messages never hold what a peer sent. Those of libraries may (a request's line, a packet's address), and tracebacks quote
values: of an exception only its type and where it was raised are kept, and whatever looks like an address is taken out.
"""

import contextlib
import ipaddress
import json
import logging
import re
import sys
import time
import traceback
from typing import TextIO

_PERHAPS_ADDRESS = re.compile(r"(?<![\w.])\[?[0-9a-fA-F]*[.:][0-9a-fA-F.:]+(?:%\w+)?\]?(?::\d+)?(?![\w])")


class JsonLines(logging.Formatter):
    """Formats records as JSON lines: time (UTC), level, logger, event, and, of an exception, its type and place."""

    def __init__(self, addresses: bool = False) -> None:
        """With `addresses` they stay in."""
        super().__init__()
        self._addresses = addresses

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._cleared(record.getMessage()),
        }
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])
            if frames:
                line["at"] = f"{frames[-1].filename}:{frames[-1].lineno}"
        return json.dumps(line, ensure_ascii=False)

    def _cleared(self, text: str) -> str:
        return text if self._addresses else _PERHAPS_ADDRESS.sub(_without_address, text)


def _without_address(found: re.Match[str]) -> str:
    whole = found[0]
    for part in (whole, whole.rstrip(".:"), whole.rpartition(":")[0]):
        with contextlib.suppress(ValueError):
            ipaddress.ip_address(part.strip("[]"))
            return "(address)"
    return found[0]


def log_as_json(level: int = logging.WARNING, addresses: bool = False, stream: TextIO | None = None) -> None:
    """Have everything that is logged written to `stream` (None: standard error) so, and nothing else."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(addresses))
    logging.basicConfig(level=level, handlers=[handler], force=True)
