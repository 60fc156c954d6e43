"""A passphrase opens what it has wrapped, and no other does."""

import secrets
import unicodedata

import msgspec
import pytest
from argon2.exceptions import HashingError
from msgspec.structs import replace

from desktop_app.archive import passphrase
from desktop_app.archive.errors import ArchiveError, PassphraseRefused, WrongPassphrase
from desktop_app.archive.passphrase import Wrapped, unwrap, wrap

KEY = secrets.token_bytes(32)


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Costs for tests that are not about costs."""
    monkeypatch.setattr(passphrase, "MEMORY", 8 * 1024)
    monkeypatch.setattr(passphrase, "PASSES", 1)


def test_the_costs_are_those_that_the_standard_asks_for_and_more() -> None:
    wrapped = wrap(KEY, "correct horse")
    assert (wrapped.passes, wrapped.memory, wrapped.lanes) >= (3, 64 * 1024, 4)  # RFC 9106, section 4, second choice
    assert unwrap(wrapped, "correct horse") == KEY


@pytest.mark.usefixtures("cheap")
class TestWithCheapCosts:
    def test_another_passphrase_does_not_open_it(self) -> None:
        wrapped = wrap(KEY, "correct horse")
        for wrong in ("correct hors", "Correct horse", "correct horse ", "", "\ud800"):
            with pytest.raises(WrongPassphrase, match="type it again"):
                unwrap(wrapped, wrong)

    def test_letters_are_the_same_however_they_are_composed(self) -> None:
        composed = unicodedata.normalize("NFC", "가을바람이 분다 é")
        apart = unicodedata.normalize("NFD", composed)
        assert composed != apart
        assert unwrap(wrap(KEY, composed), apart) == KEY
        assert unwrap(wrap(KEY, apart), composed) == KEY

    def test_the_same_passphrase_never_wraps_the_same_way_twice(self) -> None:
        one, other = wrap(KEY, "correct horse"), wrap(KEY, "correct horse")
        assert one.salt != other.salt
        assert one.key != other.key
        assert KEY not in one.key

    @pytest.mark.parametrize("weak", ["", "short", "        ", "1234567 "])
    def test_a_passphrase_that_is_too_short_is_refused(self, weak: str) -> None:
        with pytest.raises(PassphraseRefused, match="Choose a longer one"):
            wrap(KEY, weak)

    def test_half_a_character_is_refused(self) -> None:
        with pytest.raises(PassphraseRefused, match="half a character"):
            wrap(KEY, "long enough \ud800")

    def test_whatever_is_changed_in_it_it_opens_no_more(self) -> None:
        wrapped = wrap(KEY, "correct horse")
        changed = [
            replace(wrapped, passes=2),
            replace(wrapped, memory=wrapped.memory + 1024),
            replace(wrapped, lanes=2),
            replace(wrapped, salt=bytes(16)),
            replace(wrapped, nonce=bytes(12)),
            replace(wrapped, key=bytes([wrapped.key[0] ^ 1]) + wrapped.key[1:]),
        ]
        for other in changed:
            with pytest.raises(WrongPassphrase):
                unwrap(other, "correct horse")

    def test_costs_and_lengths_beyond_the_limits_are_not_even_read(self) -> None:
        good = msgspec.to_builtins(wrap(KEY, "correct horse"))
        assert msgspec.convert(good, Wrapped)
        for field, value in {
            "memory": 2**40,
            "passes": 0,
            "lanes": 10_000,
            "salt": "AAAA",
            "nonce": "",
            "key": "AAAA",
        }.items():
            with pytest.raises(msgspec.ValidationError):
                msgspec.convert({**good, field: value}, Wrapped)

    def test_too_little_memory_is_a_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def out_of_memory(*_: object, **__: object) -> bytes:
            raise HashingError("Memory allocation error")

        wrapped = wrap(KEY, "correct horse")
        monkeypatch.setattr(passphrase, "hash_secret_raw", out_of_memory)
        with pytest.raises(ArchiveError, match=r"8 MiB\. Close other programs"):
            unwrap(wrapped, "correct horse")
