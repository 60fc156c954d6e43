"""What an observer of the network sees: the sizes and times of datagrams, never what is in them.

Everything is encrypted, so the observer groups what it sees. A *tick* is what one step looks like from outside: a burst of
datagrams up, and what comes down until the next burst. Each frame is one datagram; `OVERHEAD` is what IP, UDP, DTLS and SCTP add.
"""

from collections.abc import Sequence

from msgspec import Struct

from desktop_app.audit.recording import Frame

OVERHEAD = 93  # bytes a frame, IPv4; see link.channel
PAUSE = 0.002  # seconds between two bursts up, at least
SMALL = 100  # bytes; a frame this small is a ping or an acknowledgement, which goes its own way


class Tick(Struct, frozen=True, array_like=True):
    """One step from outside: `wait` seconds after the one before, so many bytes up and then down."""

    wait: float
    up: int
    down: int


def ticks(frames: Sequence[Frame]) -> list[Tick]:
    """The ticks of a recording, in order; the first is the prompt's, the greeting of the session left out."""
    found: list[list[float]] = []
    last_up = last_start = float("-inf")
    came_down = True
    for frame in frames:
        size = len(frame.data) + OVERHEAD
        if len(frame.data) < SMALL:
            continue
        if not frame.sent:
            came_down = True
            if found:
                found[-1][2] += size
            continue
        if came_down or frame.time - last_up > PAUSE:
            found.append([frame.time - last_start if found else 0.0, 0, 0])
            last_start = frame.time
        came_down, last_up = False, frame.time
        found[-1][1] += size
    return [Tick(wait, int(up), int(down)) for wait, up, down in found]
