"""The system's keyring, called with a time limit and only where it encrypts what it is given.

A keyring call may wait for a bus or a dialog for ever, so each runs in a thread of its own that is left behind when its time is
up. The library picks its backend from an environment variable, a file or whatever is installed, among them ones that keep plain
text or nothing at all; so the backend must be one of those that belong to a system, and of a chain only such a link is used.
"""

import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import keyring
from keyring.backends.chainer import ChainerBackend

from desktop_app.archive.errors import KeyringFailed

T = TypeVar("T")

TRUSTED = frozenset(f"keyring.backends.{system}" for system in ("SecretService", "kwallet", "libsecret", "macOS", "Windows"))
SECONDS = 5.0
SERVICE = "sotto"


class SystemKeyring:
    """Keys in the system's keyring, each under an identity. Tests trust a backend of their own; everybody else the system's."""

    def __init__(self, trusted: frozenset[str] = TRUSTED, seconds: float = SECONDS) -> None:
        self._trusted = trusted
        self._seconds = seconds

    def read(self, identity: str) -> bytes | None:
        """The key of this identity, None where the keyring has none. Raises `KeyringFailed`."""
        found = self._ask(lambda backend: backend.get_password(SERVICE, identity))
        try:
            return None if found is None else bytes.fromhex(found)
        except ValueError:
            return None

    def write(self, identity: str, key: bytes) -> None:
        """Keep a key, and read it again to be sure. Raises `KeyringFailed`."""

        def keep(backend: Any) -> bool:
            backend.set_password(SERVICE, identity, key.hex())
            return bool(backend.get_password(SERVICE, identity) == key.hex())

        if not self._ask(keep):
            raise KeyringFailed("The system's keyring did not keep what it was given. Use a passphrase instead.")

    def delete(self, identity: str) -> None:
        """Forget a key. Raises `KeyringFailed`, also where there was none."""
        self._ask(lambda backend: backend.delete_password(SERVICE, identity))

    def _ask(self, question: Callable[[Any], T]) -> T:
        answers: queue.SimpleQueue[T | Exception] = queue.SimpleQueue()

        def answer() -> None:
            try:
                answers.put(question(self._backend()))
            except Exception as error:  # each backend raises what its system raises
                answers.put(error)

        threading.Thread(target=answer, name="keyring", daemon=True).start()
        try:
            found = answers.get(timeout=self._seconds)
        except queue.Empty:
            raise KeyringFailed(
                "The system's keyring did not answer in time. Unlock it, or log in to the desktop again, then start Sotto again."
            ) from None
        if isinstance(found, KeyringFailed):
            raise found
        if isinstance(found, Exception):
            raise KeyringFailed("The system's keyring refused. Unlock it, then start Sotto again.") from found
        return found

    def _backend(self) -> Any:
        chosen = keyring.get_keyring()
        for backend in chosen.backends if isinstance(chosen, ChainerBackend) else [chosen]:
            if type(backend).__module__ in self._trusted and keyring.core.recommended(backend):
                return backend
        raise KeyringFailed("This session has no keyring that encrypts. Log in to a desktop that has one, or use a passphrase.")
