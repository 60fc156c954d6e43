"""What an observer of the network sees: the sizes and times of datagrams, never what is in them.

A *tick* is what one step looks like from outside: what goes up, and what comes down until the next step goes. Each frame is one
datagram; `OVERHEAD` is what IP, UDP, DTLS and SCTP add.

Which datagrams belong to one step, and which are pings, greetings and the opening of a session, is granted to the observer, who
knows the program: a step has a size that only steps have, the rest is a datagram or two. Here it is read from the frames, so that
no burst is ever taken for two or two for one: a patient observer would get there, and a clumsy one must not make traffic look
safer than it is. With padding all frames have one size, and guessing by size alone would count pings as ticks.
"""

from collections.abc import Sequence
from struct import Struct as Layout

from msgspec import Struct

from desktop_app.audit.recording import Frame
from remote_agent.wire.codec import decode
from remote_agent.wire.frames import Assembler
from remote_agent.wire.messages import Answer, Step

OVERHEAD = 93  # bytes a frame, IPv4; see link.channel

_stamp = Layout("<QI")  # number and length of the frame's message; see wire.frames
EMPTY = (0, 0)  # the stamp of a frame that is there for the count alone


class Tick(Struct, frozen=True, array_like=True):
    """One step from outside: `wait` seconds after the one before, so many bytes up and then down."""

    wait: float
    up: int
    down: int


def ticks(frames: Sequence[Frame]) -> list[Tick]:
    """The ticks of a recording, in order; the first is the prompt's. What is no step and no answer is left out."""
    wanted = {True: _numbers(frames, sent=True), False: _numbers(frames, sent=False)}
    found: list[list[float]] = []
    newest = -1
    last_start = 0.0
    for frame in frames:
        stamp = _stamp.unpack_from(frame.data)
        number = stamp[0]
        if stamp != EMPTY and number not in wanted[frame.sent]:
            continue
        if frame.sent and stamp != EMPTY and number > newest:
            found.append([frame.time - last_start if found else 0.0, 0, 0])
            newest, last_start = number, frame.time
        if found:
            found[-1][1 if frame.sent else 2] += len(frame.data) + OVERHEAD
    return [Tick(wait, int(up), int(down)) for wait, up, down in found]


def _numbers(frames: Sequence[Frame], *, sent: bool) -> set[int]:
    """The numbers of the steps (sent) or of the answers (received) that are whole in these frames."""
    assembler, numbers = Assembler(), set()
    for frame in frames:
        if frame.sent == sent and (whole := assembler.add(frame.data)) is not None:
            message, _ = decode(whole)
            if isinstance(message, Step | Answer):
                numbers.add(_stamp.unpack_from(frame.data)[0])
    return numbers
