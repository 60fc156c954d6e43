"""The key of the database, and where it is kept.

Beside the database lies `key.json`. It names an entry of the system's keyring, or holds the key wrapped by a passphrase; never
the key itself. The key is kept before the file that tells where, and that file before the database, so a process that is killed
in between leaves at worst an entry that nobody uses. Nothing here deletes or overwrites what may still open a database.
"""

import hashlib
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from desktop_app.archive import private_files
from desktop_app.archive.database import KEY_BYTES
from desktop_app.archive.errors import ArchiveTooNew, ArchiveUnwritable, KeyGone, KeyringFailed, PassphraseNeeded
from desktop_app.archive.passphrase import Wrapped, unwrap, wrap
from desktop_app.archive.system_keyring import SystemKeyring

VERSION = 1
"""Of the key file; rises when a field changes its meaning."""


class InKeyring(Struct, frozen=True, kw_only=True, tag="keyring", tag_field="kept"):
    """The key lies in the system's keyring, under `identity`; `digest` (SHA-256 of the key) tells another key from this one."""

    identity: Annotated[str, Meta(min_length=1, max_length=100)]
    digest: Annotated[bytes, Meta(min_length=32, max_length=32)]


class _Contents(Struct, frozen=True, kw_only=True):
    version: Annotated[int, Meta(ge=1)] = VERSION
    key: InKeyring | Wrapped


class _Version(Struct, frozen=True):
    version: int


class KeyFile:
    """`key.json`; every method raises subclasses of `ArchiveError`."""

    def __init__(self, path: Path, keyring: SystemKeyring) -> None:
        self._path = path
        self._keyring = keyring

    @property
    def kept(self) -> Literal["nowhere", "keyring", "passphrase", "damaged"]:
        """Where the key is; "damaged": there is a file, and it does not tell."""
        try:
            where = self._where()
        except KeyGone:
            return "damaged"
        return "nowhere" if where is None else "keyring" if isinstance(where, InKeyring) else "passphrase"

    def make(self, passphrase: str = "") -> bytes:
        """A new key, kept under `passphrase` or, without one, in the keyring; where another process was faster, its key.

        Raises `PassphraseNeeded` where there is no keyring to be used, and `PassphraseRefused`.
        """
        key = secrets.token_bytes(KEY_BYTES)
        try:
            where = wrap(key, passphrase) if passphrase else self._put_in_keyring(key)
        except KeyringFailed as error:
            raise PassphraseNeeded(
                "Your conversations are kept encrypted, and this session has no keyring to hold the key. Choose a passphrase; "
                "without it nobody can read them again.",
                new=True,
            ) from error
        with private_files.errors_in_words(self._path):
            made = private_files.create(self._path, _encoded(where))
        if not made:
            self._drop(where)
            return self.read(passphrase)
        return key

    def read(self, passphrase: str = "") -> bytes:
        """The key. Raises `PassphraseNeeded`, `WrongPassphrase`, `KeyringFailed`, and `KeyGone` where nothing opens it."""
        where = self._where()
        if where is None:
            raise KeyGone(
                f"The key of your conversations, {self._path}, is gone. Put it back, or move the folder {self._path.parent} "
                "elsewhere to begin anew; then start Sotto again."
            )
        if isinstance(where, Wrapped):
            if not passphrase:
                raise PassphraseNeeded("Your conversations are locked. Type the passphrase to open them.", new=False)
            return unwrap(where, passphrase)
        key = self._keyring.read(where.identity)
        if key is None or _digest(key) != where.digest:
            raise KeyGone(
                f"The system's keyring no longer has the key of your conversations (entry sotto, {where.identity}). Restore the "
                f"keyring from a backup, or move the folder {self._path.parent} elsewhere to begin anew; then start Sotto again."
            )
        return key

    def protect(self, key: bytes, passphrase: str) -> None:
        """Wrap the key by a passphrase from now on: the first, or another one. Raises `PassphraseRefused`."""
        before = self._where()
        self._replace(wrap(key, passphrase))
        self._drop(before)

    def move_to_keyring(self, key: bytes) -> None:
        """Keep the key in the keyring from now on, without a passphrase. Raises `KeyringFailed`, and nothing has changed."""
        before = self._where()
        self._replace(self._put_in_keyring(key))
        self._drop(before)

    def set_aside(self) -> None:
        """Give a file that leads to no key another name, so that a new one can be made. For where there is no database."""
        with private_files.errors_in_words(self._path), suppress(FileNotFoundError):
            self._path.rename(self._path.with_name(f"{self._path.name}.damaged-{secrets.token_hex(4)}"))

    def _where(self) -> InKeyring | Wrapped | None:
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ArchiveUnwritable(
                f"The key of your conversations, {self._path}, cannot be read. Check that it is yours, then start Sotto again."
            ) from error
        try:
            if msgspec.json.decode(content, type=_Version).version > VERSION:
                raise ArchiveTooNew(
                    "The key of your conversations was last kept by a newer version of Sotto. Nothing has been changed. "
                    "Install that version or a newer one, then start again."
                )
            return msgspec.json.decode(content, type=_Contents).key
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise KeyGone(
                f"The key of your conversations, {self._path}, is damaged. It was left as it is. Put a copy in its place, or "
                f"move the folder {self._path.parent} elsewhere to begin anew; then start Sotto again."
            ) from error

    def _put_in_keyring(self, key: bytes) -> InKeyring:
        where = InKeyring(identity=f"archive-{secrets.token_hex(8)}", digest=_digest(key))
        self._keyring.write(where.identity, key)
        return where

    def _replace(self, where: InKeyring | Wrapped) -> None:
        with private_files.errors_in_words(self._path):
            private_files.replace(self._path, _encoded(where))

    def _drop(self, where: InKeyring | Wrapped | None) -> None:
        """Take a key that is kept elsewhere by now out of the keyring; one that cannot be reached stays, and does no harm."""
        if isinstance(where, InKeyring):
            with suppress(KeyringFailed):
                self._keyring.delete(where.identity)


def _digest(key: bytes) -> bytes:
    return hashlib.sha256(b"sotto archive key" + key).digest()


def _encoded(where: InKeyring | Wrapped) -> bytes:
    return msgspec.json.encode(_Contents(key=where))
