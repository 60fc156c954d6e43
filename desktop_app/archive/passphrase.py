"""The database's key, wrapped by a passphrase: Argon2id (RFC 9106) makes a key of the passphrase, ChaCha20-Poly1305 (RFC 8439)
encrypts the database's key under it. The passphrase can change without a byte of the database being written anew.

The parameters stand in the file, so that later ones can be stronger. They are bound into the encryption, and within limits, so
that a changed file can neither weaken a passphrase nor use up the memory.
"""

import secrets
import unicodedata
from typing import Annotated

from argon2.exceptions import HashingError
from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Meta, Struct
from msgspec.structs import replace

from desktop_app.archive.errors import ArchiveError, PassphraseRefused, WrongPassphrase

FEWEST_LETTERS = 8

PASSES = 3
MEMORY = 128 * 1024
"""KiB."""
LANES = 4
"""These costs take half a second on two cores, and as much memory as a guesser must have for each guess at a time."""

Sixteen = Annotated[bytes, Meta(min_length=16, max_length=16)]


class Wrapped(Struct, frozen=True, kw_only=True, tag="passphrase", tag_field="kept"):
    """A wrapped key, as it is kept, with Argon2id's salt and costs; `memory` is KiB."""

    salt: Sixteen
    passes: Annotated[int, Meta(ge=1, le=64)]
    memory: Annotated[int, Meta(ge=8 * 1024, le=2 * 1024 * 1024)]
    lanes: Annotated[int, Meta(ge=1, le=16)]
    nonce: Annotated[bytes, Meta(min_length=12, max_length=12)]
    key: Annotated[bytes, Meta(min_length=48, max_length=48)]


def wrap(key: bytes, passphrase: str) -> Wrapped:
    """Encrypt the 32 bytes of `key` under a new passphrase. Raises `PassphraseRefused`."""
    if len(passphrase.strip()) < FEWEST_LETTERS:
        raise PassphraseRefused(f"A passphrase needs {FEWEST_LETTERS} letters or more, best four words. Choose a longer one.")
    blank = Wrapped(
        salt=secrets.token_bytes(16),
        passes=PASSES,
        memory=MEMORY,
        lanes=LANES,
        nonce=secrets.token_bytes(12),
        key=bytes(48),
    )
    return replace(blank, key=_cipher(blank, passphrase).encrypt(blank.nonce, key, _bound(blank)))


def unwrap(wrapped: Wrapped, passphrase: str) -> bytes:
    """The key. Raises `WrongPassphrase`, also where the wrapped key itself has been changed: nothing can tell the two apart."""
    try:
        return _cipher(wrapped, passphrase).decrypt(wrapped.nonce, wrapped.key, _bound(wrapped))
    except (InvalidTag, PassphraseRefused) as error:
        raise WrongPassphrase(
            "This passphrase does not open your conversations. Check the keyboard, then type it again."
        ) from error


def _cipher(wrapped: Wrapped, passphrase: str) -> ChaCha20Poly1305:
    """The cipher that a passphrase opens; however a system composes its letters, they are the same passphrase (NFC)."""
    try:
        secret = unicodedata.normalize("NFC", passphrase).encode()
    except UnicodeEncodeError as error:
        raise PassphraseRefused("This passphrase has half a character in it. Type it again, or choose another one.") from error
    costs = {"time_cost": wrapped.passes, "memory_cost": wrapped.memory, "parallelism": wrapped.lanes}
    try:
        return ChaCha20Poly1305(hash_secret_raw(secret, wrapped.salt, **costs, hash_len=32, type=Type.ID))
    except (HashingError, MemoryError) as error:
        raise ArchiveError(
            f"There is not enough memory to try the passphrase, which takes {wrapped.memory // 1024} MiB. Close other programs, "
            "then try again."
        ) from error


def _bound(wrapped: Wrapped) -> bytes:
    return f"sotto archive key, argon2id {wrapped.passes} {wrapped.memory} {wrapped.lanes}".encode()
