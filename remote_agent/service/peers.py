"""Which channel is which desktop: one that comes back in time finds its sessions as it left them.

Theory of operation. A desktop chooses 256 random bits, its resume token, and says them in its greeting. Whoever says them again
takes over that desktop's peer, with its sessions, waiting steps and kept answers; a channel that still held it is closed, since
the desktop has given it up. When a channel ends its peer is kept for `keep_seconds`, and then freed. A desktop asks again what
was not answered, and steps are idempotent (`wire.session`), so nothing runs twice and nothing is missing.

Who knows a token gets the numbers that its desktop is sent. Tokens are never logged, and compared as keys of a dictionary: to
guess one takes 2^255 tries, and the time of one comparison tells nothing that shortens it, since the hash is keyed.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Protocol

from remote_agent.service.peer import Peer, Sender
from remote_agent.wire.messages import NO_RESUME, Hello, Message

MakePeer = Callable[[Sender], Peer]


class Clock(Protocol):
    """What calls back later; an event loop does."""

    def call_later(self, delay: float, callback: Callable[[], object]) -> asyncio.TimerHandle:
        """Call `callback` in so many seconds, unless it is cancelled."""


class Peers:
    """All desktops of an agent, those that are away too. Belongs to the link's thread."""

    def __init__(self, make: MakePeer, clock: Clock, limit: int, keep_seconds: float) -> None:
        """`limit` is the most desktops that are connected, and the most that are kept while away."""
        self._make, self._clock, self._limit, self._keep_seconds = make, clock, limit, keep_seconds
        self._seats: set[Seat] = set()
        self._by_token: dict[bytes, Seat] = {}
        self._away: OrderedDict[bytes, tuple[Peer, asyncio.TimerHandle]] = OrderedDict()

    @property
    def connected(self) -> int:
        """How many desktops have a channel."""
        return len(self._seats)

    def seat(self, sender: Sender, hang_up: Callable[[], object]) -> "Seat | None":
        """A place for a channel that has opened, `hang_up` ends it; None where all are taken."""
        if len(self._seats) >= self._limit:
            return None
        seat = Seat(self, sender, hang_up)
        self._seats.add(seat)
        return seat

    def close(self) -> None:
        """Free what is kept for desktops that are away."""
        for token in list(self._away):
            self._forget(token)

    def greeted(self, seat: "Seat", token: bytes) -> Peer:
        """The peer of a channel whose greeting holds this token: one that was there before, or a new one."""
        peer = self._take(token)
        if peer is None:
            peer = self._make(seat.sender)
        else:
            peer.attach(seat.sender)
        if token != NO_RESUME:
            self._by_token[token] = seat
        return peer

    def left(self, seat: "Seat") -> None:
        """A channel has ended."""
        self._seats.discard(seat)
        peer, token = seat.peer, seat.token
        if peer is None:
            return
        if token == NO_RESUME:
            peer.closed()
            return
        del self._by_token[token]
        peer.detach()
        if len(self._away) >= self._limit:
            self._forget(next(iter(self._away)))
        self._away[token] = peer, self._clock.call_later(self._keep_seconds, lambda: self._forget(token))

    def _take(self, token: bytes) -> Peer | None:
        if token == NO_RESUME:
            return None
        if token in self._away:
            peer, timer = self._away.pop(token)
            timer.cancel()
            return peer
        before = self._by_token.pop(token, None)
        return None if before is None else before.give_up()

    def _forget(self, token: bytes) -> None:
        peer, timer = self._away.pop(token)
        timer.cancel()
        peer.closed()


class Seat:
    """One channel, and the peer that it belongs to once it has been greeted."""

    def __init__(self, peers: Peers, sender: Sender, hang_up: Callable[[], object]) -> None:
        self.sender = sender
        self.peer: Peer | None = None
        self.token = NO_RESUME
        self._peers = peers
        self._hang_up = hang_up
        self._given_up = False

    def received(self, message: Message, payload: memoryview) -> None:
        """Take one message from the channel."""
        if self._given_up:
            return
        if self.peer is None:
            # Whatever else comes first, a peer that was never greeted refuses it.
            self.token = message.resume if isinstance(message, Hello) else NO_RESUME
            self.peer = self._peers.greeted(self, self.token)
        self.peer.received(message, payload)

    def closed(self) -> None:
        """The channel is gone."""
        self._peers.left(self)

    def give_up(self) -> Peer | None:
        """Let another channel have the peer, and end this one."""
        peer, self.peer, self._given_up = self.peer, None, True
        self._hang_up()
        return peer
