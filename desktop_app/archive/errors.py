"""The errors of this room; the text of each is a sentence with a next step, fit to be shown. None holds a word of a conversation.

ArchiveError
+-- ArchiveBusy           another Sotto has it open
+-- ArchiveTooNew         a newer Sotto has written it
+-- ArchiveDamaged        the file is no database, or a broken one
+-- ArchiveMissing        the file is gone, though its backups or its key tell that there was one
+-- ArchiveUnwritable     the system refuses to open or write it
+-- DiskFull              there is no room for what was to be kept
+-- TextRefused           a text that no file can hold
+-- PassphraseNeeded      to make the archive, or to open it
+-- WrongPassphrase       another one opens it
+-- PassphraseRefused     too short, or not text
+-- KeyringFailed         the system's keyring did not answer, or refused
+-- KeyGone               the database is there, its key is not
"""

HALF_A_CHARACTER = "This text has half a character in it, which no file can hold. Remove it, then try again."


class ArchiveError(Exception):
    """Base of everything this room raises."""


class ArchiveBusy(ArchiveError):
    """Another process has the archive open."""


class ArchiveTooNew(ArchiveError):
    """The archive was written by a newer Sotto; it has not been touched."""


class ArchiveDamaged(ArchiveError):
    """The file is not a database, or a broken one; it is left as it is."""


class ArchiveMissing(ArchiveError):
    """The database's file is gone, though something tells that there was one."""


class ArchiveUnwritable(ArchiveError):
    """The system refuses to open, read or write the archive's files."""


class DiskFull(ArchiveError):
    """What was to be kept found no room; what was kept before is still there."""


class TextRefused(ArchiveError):
    """The text cannot be kept: it has half a character in it (a lone surrogate), or is beyond a gigabyte."""


class PassphraseNeeded(ArchiveError):
    """The key is, or shall be, wrapped by a passphrase. `new`: there is no archive yet, and the passphrase will be its own."""

    def __init__(self, sentence: str, new: bool) -> None:
        super().__init__(sentence)
        self.new = new


class WrongPassphrase(ArchiveError):
    """The passphrase does not open the archive."""


class PassphraseRefused(ArchiveError):
    """The passphrase is too short to protect anything, or not a text."""


class KeyringFailed(ArchiveError):
    """The system's keyring did not answer in time, or refused."""


class KeyGone(ArchiveError):
    """The database is there, and nothing that opens it."""
