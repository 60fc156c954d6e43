"""The key is found again wherever it is kept, and nothing that may open a database is lost on the way."""

import json
import secrets
from pathlib import Path

import pytest

from desktop_app.archive import passphrase
from desktop_app.archive.errors import (
    ArchiveTooNew,
    ArchiveUnwritable,
    KeyGone,
    KeyringFailed,
    PassphraseNeeded,
    PassphraseRefused,
    WrongPassphrase,
)
from desktop_app.archive.keys import KeyFile
from desktop_app.archive.system_keyring import SystemKeyring

WORDS = "correct horse battery"


class FakeKeyring(SystemKeyring):
    """A keyring in memory, or none; the real one has its own tests."""

    def __init__(self, works: bool = True) -> None:
        super().__init__()
        self.works = works
        self.kept: dict[str, bytes] = {}

    def read(self, identity: str) -> bytes | None:
        self._check()
        return self.kept.get(identity)

    def write(self, identity: str, key: bytes) -> None:
        self._check()
        self.kept[identity] = key

    def delete(self, identity: str) -> None:
        self._check()
        del self.kept[identity]

    def _check(self) -> None:
        if not self.works:
            raise KeyringFailed("There is none. Use a passphrase.")


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passphrase, "MEMORY", 8 * 1024)
    monkeypatch.setattr(passphrase, "PASSES", 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "key.json"


@pytest.fixture
def keyring() -> FakeKeyring:
    return FakeKeyring()


@pytest.fixture
def file(path: Path, keyring: FakeKeyring) -> KeyFile:
    return KeyFile(path, keyring)


def holds(path: Path, key: bytes) -> bool:
    content = path.read_bytes()
    return key in content or key.hex().encode() in content


def test_with_a_keyring_the_key_is_there_and_the_file_only_names_it(file: KeyFile, path: Path, keyring: FakeKeyring) -> None:
    assert file.kept == "nowhere"
    key = file.make()
    assert len(key) == 32
    assert file.kept == "keyring"
    assert list(keyring.kept.values()) == [key]
    assert KeyFile(path, keyring).read() == key
    assert not holds(path, key)


def test_without_a_keyring_a_passphrase_is_asked_for_and_wraps_it(path: Path) -> None:
    file = KeyFile(path, FakeKeyring(works=False))
    with pytest.raises(PassphraseNeeded, match="Choose a passphrase") as caught:
        file.make()
    assert caught.value.new
    assert not path.exists()
    key = file.make(WORDS)
    assert file.kept == "passphrase"
    assert not holds(path, key)
    with pytest.raises(PassphraseNeeded, match="locked") as caught:
        file.read()
    assert not caught.value.new
    with pytest.raises(WrongPassphrase):
        file.read("wrong horse battery")
    assert file.read(WORDS) == key


def test_a_passphrase_is_taken_where_one_is_given_although_there_is_a_keyring(file: KeyFile, keyring: FakeKeyring) -> None:
    file.make(WORDS)
    assert file.kept == "passphrase"
    assert keyring.kept == {}


def test_a_passphrase_that_is_refused_makes_nothing(file: KeyFile, path: Path) -> None:
    with pytest.raises(PassphraseRefused):
        file.make("short")
    assert not path.exists()


def test_two_archives_share_a_keyring(tmp_path: Path, keyring: FakeKeyring) -> None:
    one, other = KeyFile(tmp_path / "one.json", keyring), KeyFile(tmp_path / "other.json", keyring)
    assert one.make() != other.make()
    assert one.read() != other.read()


@pytest.mark.parametrize("words", ["", WORDS])
def test_of_two_that_make_a_key_at_once_both_get_the_first(
    file: KeyFile, path: Path, keyring: FakeKeyring, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[bytes] = []
    token = secrets.token_bytes

    def other_first(count: int) -> bytes:
        if not made:  # between this one's decision to make a key, and its file
            made.append(b"")
            made[0] = KeyFile(path, keyring).make(words)
        return token(count)

    monkeypatch.setattr(secrets, "token_bytes", other_first)
    assert file.make(words) == made[0]
    assert file.read(words) == made[0]
    assert set(keyring.kept.values()) <= {made[0]}


def test_the_passphrase_changes_and_the_key_does_not(file: KeyFile) -> None:
    key = file.make(WORDS)
    file.protect(key, "another horse battery")
    assert file.read("another horse battery") == key
    with pytest.raises(WrongPassphrase):
        file.read(WORDS)


def test_from_a_passphrase_to_the_keyring_and_back(file: KeyFile, keyring: FakeKeyring) -> None:
    key = file.make(WORDS)
    file.move_to_keyring(key)
    assert file.kept == "keyring"
    assert file.read() == key
    file.protect(key, WORDS)
    assert file.kept == "passphrase"
    assert file.read(WORDS) == key
    assert keyring.kept == {}


def test_a_move_that_fails_changes_nothing(file: KeyFile, path: Path, keyring: FakeKeyring) -> None:
    key = file.make(WORDS)
    before = path.read_bytes()
    keyring.works = False
    with pytest.raises(KeyringFailed):
        file.move_to_keyring(key)
    with pytest.raises(PassphraseRefused):
        file.protect(key, "short")
    assert path.read_bytes() == before


def test_a_keyring_that_does_not_answer_does_not_hinder_a_change_to_a_passphrase(file: KeyFile, keyring: FakeKeyring) -> None:
    key = file.make()
    keyring.works = False
    file.protect(key, WORDS)
    assert file.read(WORDS) == key


@pytest.mark.parametrize("lost", ["entry", "other key"])
def test_a_keyring_that_was_reset_is_told_and_nothing_is_touched(
    file: KeyFile, path: Path, keyring: FakeKeyring, lost: str
) -> None:
    file.make()
    before = path.read_bytes()
    (identity,) = keyring.kept
    keyring.kept = {} if lost == "entry" else {identity: bytes(32)}
    with pytest.raises(KeyGone, match=r"no longer has the key.*Restore the keyring") as caught:
        file.read()
    assert identity in str(caught.value)
    assert path.read_bytes() == before


def test_a_keyring_that_does_not_answer_is_not_taken_for_one_without_the_key(file: KeyFile, keyring: FakeKeyring) -> None:
    file.make()
    keyring.works = False
    with pytest.raises(KeyringFailed):
        file.read()


def test_a_file_that_is_gone_is_told(file: KeyFile) -> None:
    with pytest.raises(KeyGone, match=r"key\.json, is gone\. Put it back"):
        file.read()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b'{"version": 1}',
        b'{"version": 1, "key": {"kept": "keyring"}}',
        b'{"version": 1, "key": {"kept": "elsewhere"}}',
        b'{"version": "1"}',
    ],
)
def test_a_broken_file_is_told_and_left(file: KeyFile, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert file.kept == "damaged"
    with pytest.raises(KeyGone, match=r"is damaged\. It was left as it is"):
        file.read()
    assert path.read_bytes() == content


def test_a_broken_file_is_set_aside_whole(file: KeyFile, path: Path) -> None:
    path.write_bytes(b"broken")
    file.set_aside()
    (aside,) = path.parent.iterdir()
    assert aside.name.startswith("key.json.damaged-")
    assert aside.read_bytes() == b"broken"


def test_a_newer_file_is_refused_in_words(file: KeyFile, path: Path) -> None:
    file.make(WORDS)
    newer = {**json.loads(path.read_bytes()), "version": 2, "key": {"kept": "smart card"}}
    path.write_text(json.dumps(newer))
    with pytest.raises(ArchiveTooNew, match="newer version"):
        file.read(WORDS)


def test_a_field_that_is_not_known_does_not_hinder(file: KeyFile, path: Path) -> None:
    key = file.make(WORDS)
    path.write_text(json.dumps({**json.loads(path.read_bytes()), "hint": "battery"}))
    assert file.read(WORDS) == key


def test_a_file_that_cannot_be_read_is_told(file: KeyFile, path: Path) -> None:
    path.mkdir()
    with pytest.raises(ArchiveUnwritable, match=r"cannot be read\. Check"):
        file.read()
