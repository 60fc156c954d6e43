"""All sessions of all peers: their place in the KV caches, and which must go when there are too many."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from threading import Lock

from remote_agent.wire.messages import RowFormat
from remote_agent.wire.session import StepQueue


@dataclass(eq=False, slots=True)
class Session:
    """One session: its rules, and the layers and format it was opened with. `lock` guards `steps`: two threads use it.

    `key` names it in the segment's caches, where ids of different peers must not meet; `tell_gone` tells its peer that it had to
    make room for another one.
    """

    key: int
    first_layer: int
    last_layer: int
    rows: RowFormat
    steps: StepQueue
    tell_gone: Callable[[], None]
    lock: Lock = field(default_factory=Lock)
    evicted: bool = False


class Sessions:
    """Sessions by peer and id, bounded in number; least recently used first out. Only the peers' link threads call it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._keys = count()
        self._lock = Lock()
        self._sessions: OrderedDict[tuple[object, int], Session] = OrderedDict()

    def new_key(self) -> int:
        """Return a number that no session had before."""
        return next(self._keys)

    def add(self, owner: object, number: int, session: Session) -> Session | None:
        """Hold a session under the peer's own number; return the one that had to make room, marked as evicted."""
        with self._lock:
            evicted = None
            if len(self._sessions) >= self._limit:
                _, evicted = self._sessions.popitem(last=False)
                evicted.evicted = True
            self._sessions[owner, number] = session
            return evicted

    def use(self, owner: object, number: int) -> Session | None:
        """Return the session, now the most recently used; None where it is unknown or was evicted."""
        with self._lock:
            session = self._sessions.get((owner, number))
            if session is not None:
                self._sessions.move_to_end((owner, number))
            return session

    def remove(self, owner: object, number: int) -> Session | None:
        """Forget one session and return it."""
        with self._lock:
            session = self._sessions.pop((owner, number), None)
            if session is not None:
                session.evicted = True
            return session

    def remove_all(self, owner: object) -> list[Session]:
        """Forget all sessions of a peer and return them."""
        with self._lock:
            keys = [key for key in self._sessions if key[0] is owner]
            gone = [self._sessions.pop(key) for key in keys]
        for session in gone:
            session.evicted = True
        return gone
