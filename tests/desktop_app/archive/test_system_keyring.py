"""Only a keyring that encrypts, and never longer than its time."""

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import chainer, fail, null

from desktop_app.archive.errors import KeyringFailed
from desktop_app.archive.system_keyring import SERVICE, TRUSTED, SystemKeyring

KEY = bytes(range(32))


class InMemory(KeyringBackend):
    """What a system's keyring does."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Forgetful(InMemory):
    """Takes everything, keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class Refusing(InMemory):
    """Locked, and the person has closed the dialog."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("dismissed")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError("no bus")


class Hanging(InMemory):
    """Waits for a dialog that nobody sees."""

    def __init__(self) -> None:
        super().__init__()
        self.over = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.over.wait()
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.over.wait()


class Unviable(InMemory):
    """Of the right make, and not fit for this session."""

    priority = 0.5  # type: ignore[assignment]


class Plain(InMemory):
    """Keeps plain text, as the backends of keyrings.alt do."""

    priority = 9  # type: ignore[assignment]


Plain.__module__ = "keyrings.alt.file"

Use = Callable[[KeyringBackend], SystemKeyring]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Iterator[Use]:
    """Sets a backend as the library's; it is restored afterwards."""
    monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    hanging = []

    def set_backend(backend: KeyringBackend) -> SystemKeyring:
        if isinstance(backend, Hanging):
            hanging.append(backend)
        keyring.set_keyring(backend)
        return SystemKeyring(trusted=TRUSTED | {__name__}, seconds=0.2 if hanging else 20.0)

    yield set_backend
    for backend in hanging:
        backend.over.set()


def test_a_key_is_kept_read_and_forgotten(use: Use) -> None:
    backend = InMemory()
    system = use(backend)
    assert system.read("one") is None
    system.write("one", KEY)
    assert system.read("one") == KEY
    assert system.read("other") is None
    assert backend.kept == {(SERVICE, "one"): KEY.hex()}
    system.delete("one")
    assert system.read("one") is None


def test_what_is_no_key_is_none(use: Use) -> None:
    backend = InMemory()
    backend.kept[SERVICE, "one"] = "not hexadecimal"
    assert use(backend).read("one") is None


@pytest.mark.parametrize("backend", [Plain(), null.Keyring(), fail.Keyring(), Unviable()], ids=lambda one: type(one).__name__)
def test_a_backend_that_does_not_encrypt_is_never_used(use: Use, backend: KeyringBackend) -> None:
    system = use(backend)
    for call in (lambda: system.read("one"), lambda: system.write("one", KEY), lambda: system.delete("one")):
        with pytest.raises(KeyringFailed, match="use a passphrase"):
            call()
    assert getattr(backend, "kept", {}) == {}


def test_a_backend_that_nobody_knows_is_never_used(use: Use) -> None:
    backend = InMemory()
    use(backend)
    with pytest.raises(KeyringFailed):
        SystemKeyring().write("one", KEY)
    assert backend.kept == {}


def test_of_a_chain_the_first_link_that_encrypts_is_used(use: Use) -> None:
    class Chain(chainer.ChainerBackend):
        backends: Any = (Plain(), null.Keyring(), InMemory())

    system = use(Chain())
    system.write("one", KEY)
    plain, _, encrypting = Chain.backends
    assert (plain.kept, encrypting.kept) == ({}, {(SERVICE, "one"): KEY.hex()})
    assert system.read("one") == KEY


def test_a_chain_without_such_a_link_is_refused(use: Use) -> None:
    class Chain(chainer.ChainerBackend):
        backends: Any = (Plain(), null.Keyring())

    with pytest.raises(KeyringFailed):
        use(Chain()).write("one", KEY)


def test_a_call_that_hangs_is_left_behind(use: Use) -> None:
    system = use(Hanging())
    for call in (lambda: system.read("one"), lambda: system.write("one", KEY)):
        begin = time.monotonic()
        with pytest.raises(KeyringFailed, match="did not answer in time"):
            call()
        assert time.monotonic() - begin < 5.0


def test_a_keyring_that_refuses_is_a_sentence(use: Use) -> None:
    system = use(Refusing())
    for call in (lambda: system.read("one"), lambda: system.write("one", KEY), lambda: system.delete("one")):
        with pytest.raises(KeyringFailed, match=r"refused\. Unlock it"):
            call()


def test_a_keyring_that_does_not_keep_what_it_gets_is_found_out(use: Use) -> None:
    with pytest.raises(KeyringFailed, match="did not keep"):
        use(Forgetful()).write("one", KEY)
