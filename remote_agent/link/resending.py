"""Which steps are sent again because no answer has come: an agent runs each step once and answers each time.

SCTP sends again what is lost, and spare frames make that rare. What is left is a message that SCTP is slow about: with an aiortc
that is left as it is (`sctp`) it waits a second, and all data behind a hole can wait for one packet. A step may also simply take
long, so that the time to wait is that of answers lately, never less than a round trip and a quarter; it doubles with each try. A
step that is repeated while it waits or runs costs its bytes and nothing else (`wire.session`).

Only what is small is kept for this, and no more than `MOST_KEPT_BYTES`; bulk is not.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

from remote_agent.link.round_trip import RoundTrip
from remote_agent.wire.messages import Answer, Close, Message, Refused, Step

TRIES = 3
MOST_KEPT_BYTES = 4 * 1024 * 1024
SHARE_OF_ROUND_TRIP, LEAST_WAIT = 1.25, 0.030

Key = tuple[int, int, int]


@dataclass(slots=True)
class _Waiting:
    step: Step
    payload: bytes
    sent: float
    due: float
    tries: int = 0


class Resending:
    """The steps of one channel that wait for an answer; times in seconds of any one steady clock. No I/O."""

    def __init__(self) -> None:
        self._waiting: dict[Key, _Waiting] = {}
        self._answers = RoundTrip()
        self._bytes = 0

    @property
    def kept_bytes(self) -> int:
        """Bytes of rows that are kept."""
        return self._bytes

    @property
    def next(self) -> float | None:
        """When the next step may be due to be sent again."""
        return min((it.due for it in self._waiting.values() if it.tries < TRIES), default=None)

    def sent(self, step: Step, payload: bytes, now: float, round_trip: float | None) -> None:
        """A step leaves now. Steps of its session's older epochs want no answer any more."""
        for key in [key for key in self._waiting if key[0] == step.session and key[1] < step.epoch]:
            self._forget(key)
        key = (step.session, step.epoch, step.sequence)
        self._forget(key)
        while self._waiting and self._bytes + len(payload) > MOST_KEPT_BYTES:
            self._forget(next(iter(self._waiting)))
        self._waiting[key] = _Waiting(step, payload, now, now + self._wait(step, round_trip))
        self._bytes += len(payload)

    def came(self, message: Answer | Refused, now: float) -> None:
        """An answer or a refusal came."""
        found = self._forget((message.session, message.epoch, message.sequence))
        if found is not None and not found.tries:
            self._answers.add(max(0.0, now - found.sent - found.step.hold / 1e6), now)

    def closed(self, session: int) -> None:
        """A session was given up."""
        for key in [key for key in self._waiting if key[0] == session]:
            self._forget(key)

    def due(self, now: float, round_trip: float | None) -> list[tuple[Step, bytes]]:
        """The steps to send again now."""
        found = [it for it in self._waiting.values() if it.tries < TRIES and it.due <= now]
        for it in found:
            it.tries += 1
            it.due = now + 2**it.tries * self._wait(it.step, round_trip)
        return [(it.step, it.payload) for it in found]

    def _wait(self, step: Step, round_trip: float | None) -> float:
        least = SHARE_OF_ROUND_TRIP * (round_trip or 0.0) + LEAST_WAIT
        return max(least, self._answers.timeout) + step.hold / 1e6

    def _forget(self, key: Key) -> _Waiting | None:
        found = self._waiting.pop(key, None)
        if found is not None:
            self._bytes -= len(found.payload)
        return found


class ResendTimer:
    """Has `send(step, payload)` called in this loop for each step that is due, as its channel tells it of what goes and comes."""

    def __init__(self, send: Callable[[Step, bytes], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._resending = Resending()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self.round_trip: float | None = None

    @property
    def kept_bytes(self) -> int:
        """Bytes of rows that are kept."""
        return self._resending.kept_bytes

    def sent(self, message: Message, payload: memoryview) -> None:
        """This message leaves now; only steps, and the end of their session, matter here."""
        if isinstance(message, Close):
            self._resending.closed(message.session)
        elif isinstance(message, Step):
            self._resending.sent(message, bytes(payload), time.monotonic(), self.round_trip)
            self._set_timer()

    def came(self, message: Message) -> None:
        """This message came."""
        if isinstance(message, Answer | Refused):
            self._resending.came(message, time.monotonic())

    def stop(self) -> None:
        """Nothing is sent any more."""
        self._stopped = True
        self._set_timer()

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        due = self._resending.next
        if due is not None and not self._stopped:
            self._timer = self._loop.call_later(max(0.0, due - time.monotonic()), self._is_due)

    def _is_due(self) -> None:
        for step, payload in self._resending.due(time.monotonic(), self.round_trip):
            self._send(step, payload)
        self._set_timer()
