"""Memory that KV caches may take: all together, and those of one peer; sessions used longest ago make room."""

from remote_agent.segment.errors import OutOfMemory
from remote_agent.service.middle import Middle
from remote_agent.service.sessions import Session, Sessions


class Room:
    """Makes room for a session whose cache has grown; in the scheduler's thread."""

    def __init__(self, middle: Middle, sessions: Sessions, max_peer_bytes: int | None = None) -> None:
        """`max_peer_bytes` is what the caches of one peer may take (None: all that there is)."""
        self._middle, self._sessions, self._max_peer_bytes = middle, sessions, max_peer_bytes

    def make(self, owner: object, running: Session) -> None:
        """Close sessions until owner's and everybody's fit. Raises `OutOfMemory` where `running` alone is too much.

        For its own bound a peer makes room itself; for the common one the peer whose caches take most, so that nobody's large
        conversations push out the small ones of others.
        """
        most = self._max_peer_bytes
        while most is not None and self._held(owner) > most:
            self._evict(self._sessions.evict_another(running, {owner}))
        while self._middle.is_full:
            held = {peer: self._held(peer) for peer in self._sessions.owners()}
            greatest = max(held.values(), default=0)
            peers = {peer for peer, size in held.items() if size == greatest}
            self._evict(self._sessions.evict_another(running, peers) or self._sessions.evict_another(running))

    def _held(self, owner: object) -> int:
        return self._middle.bytes_of(self._sessions.of(owner))

    def _evict(self, evicted: Session | None) -> None:
        if evicted is None:
            raise OutOfMemory("One session alone takes all the memory that caches may have.")
        evicted.tell_gone()
        self._middle.close(evicted)
