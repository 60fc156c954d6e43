"""From a folder to an open archive: finds the key or makes it, then opens the database or makes it.

key          database, its log or a backup    what happens
found        one of them                      opened, or `ArchiveMissing` where the database itself is gone
found        none                             a new database under that key
not found    one of them                      `KeyGone`, and nothing is touched
not found    none                             a new key, a new database; a key file that leads nowhere is set aside
"""

from collections.abc import Sequence
from pathlib import Path

from desktop_app.archive import private_files
from desktop_app.archive.database import Archive
from desktop_app.archive.errors import KeyGone
from desktop_app.archive.keys import KeyFile
from desktop_app.archive.schema import Schema
from desktop_app.archive.system_keyring import SystemKeyring

DATABASE = "conversations.db"
KEY = "key.json"


def open_archive(folder: Path, schemas: Sequence[Schema], keyring: SystemKeyring, passphrase: str = "") -> Archive:
    """Open the archive in `folder`, or make it. A passphrase that is given for a new one protects it in place of the keyring.

    Raises `PassphraseNeeded` (`new` or to open), `WrongPassphrase`, `KeyGone`, `KeyringFailed` and what `Archive.open` raises.
    """
    database = folder.absolute() / DATABASE
    with private_files.errors_in_words(database):
        private_files.make_folder(database.parent)
        there = any(database.parent.glob(f"{database.stem}.*"))
    file = key_file(folder, keyring)
    try:
        key = file.read(passphrase)
    except KeyGone:
        if there:
            raise
        file.set_aside()
        key = file.make(passphrase)
    archive = Archive.open(database, key, schemas)
    with private_files.errors_in_words(database):
        private_files.remove_parts(folder.absolute() / KEY)  # now that no other process is making one
    return archive


def key_file(folder: Path, keyring: SystemKeyring) -> KeyFile:
    """The key file of the archive in `folder`: for a change of the passphrase, or a move to or from the keyring."""
    return KeyFile(folder.absolute() / KEY, keyring)
