"""All sessions of all peers: their place in the KV caches, and which must go when there are too many."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from itertools import count
from threading import Lock

from remote_agent.wire.messages import Codes, Fork, Open, RowFormat
from remote_agent.wire.session import StepQueue


@dataclass(eq=False, slots=True)
class Session:
    """One session: its rules, and the layers, format and codes it was opened with. `lock` guards `steps`: two threads use it.

    `begun` is the message that it was opened with. `key` names it in the segment's caches, where ids of different peers must not
    meet; `tell_gone` tells its peer that it had to make room for another one.
    """

    key: int
    first_layer: int
    last_layer: int
    rows: RowFormat
    steps: StepQueue
    tell_gone: Callable[[], None]
    codes: Codes | None = None
    begun: Open | Fork | None = None
    lock: Lock = field(default_factory=Lock)
    evicted: bool = False


class Sessions:
    """Sessions by peer and id, bounded in number; least recently used first out. For any thread."""

    def __init__(self, limit: int, limit_of_one: int | None = None) -> None:
        """`limit` sessions in all, `limit_of_one` of one peer (None: no bound of its own)."""
        self._limit, self._limit_of_one = limit, limit_of_one
        self._keys = count()
        self._lock = Lock()
        self._sessions: OrderedDict[tuple[object, int], Session] = OrderedDict()

    def new_key(self) -> int:
        """Return a number that no session had before."""
        return next(self._keys)

    def add(self, owner: object, number: int, session: Session) -> Session | None:
        """Hold a session under the peer's own number; return the one that had to make room, marked as evicted.

        Room is made by the peer that holds the most, so that one with many sessions pushes out its own and not another's.
        """
        with self._lock:
            evicted, held = None, Counter(peer for peer, _ in self._sessions)
            if self._limit_of_one is not None and held[owner] >= self._limit_of_one:
                evicted = self._evict(next(key for key in self._sessions if key[0] is owner))
            elif len(self._sessions) >= self._limit:
                most = max(held, key=lambda peer: (held[peer], peer is owner))
                evicted = self._evict(next(key for key in self._sessions if key[0] is most))
            self._sessions[owner, number] = session
            return evicted

    def evict_another(self, running: Session, owners: Container[object] | None = None) -> Session | None:
        """Take the session used longest ago of these owners (None: of all), but not the running one; None for no other."""
        with self._lock:
            candidates = (
                key for key, session in self._sessions.items() if session is not running and (owners is None or key[0] in owners)
            )
            key = next(candidates, None)
            return None if key is None else self._evict(key)

    def owners(self) -> set[object]:
        """Who holds sessions."""
        with self._lock:
            return {peer for peer, _ in self._sessions}

    def of(self, owner: object) -> list[Session]:
        """The sessions of a peer, the one used longest ago first."""
        with self._lock:
            return [session for (peer, _), session in self._sessions.items() if peer is owner]

    def __len__(self) -> int:
        """How many are held."""
        return len(self._sessions)

    def held_bytes(self, owner: object) -> int:
        """Return the bytes of rows and answers that wait or are kept for a peer."""
        with self._lock:
            return sum(session.steps.held_bytes for (peer, _), session in self._sessions.items() if peer is owner)

    def _evict(self, key: tuple[object, int]) -> Session:
        session = self._sessions.pop(key)
        session.evicted = True
        return session

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
            return self._evict((owner, number)) if (owner, number) in self._sessions else None

    def remove_all(self, owner: object) -> list[Session]:
        """Forget all sessions of a peer and return them."""
        with self._lock:
            return [self._evict(key) for key in list(self._sessions) if key[0] is owner]
