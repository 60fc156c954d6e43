"""The errors of this room; the text of each is a sentence with a next step, fit to be shown. All name the document.

DocumentError
+-- DocumentGone          it is not where it was
+-- NotAFile              a folder, or something else that is no file
+-- DocumentUnreadable    the system does not let it be read
+-- DocumentEmpty         no bytes, or no text in it
+-- DocumentTooLarge      more than is read: bytes, text, or what a compressed file unpacks to
+-- DocumentEncrypted     it opens only with a password
+-- DocumentDamaged       it begins like a kind that is read, and goes on like none
+-- UnknownKind           a kind that is not read
"""


class DocumentError(Exception):
    """Base of everything this room raises."""


class DocumentGone(DocumentError):
    """The document is not where it was when it was chosen."""


class NotAFile(DocumentError):
    """A folder, a device or a pipe was given."""


class DocumentUnreadable(DocumentError):
    """The system refuses to read it, or its disk fails."""


class DocumentEmpty(DocumentError):
    """There is no text in it."""


class DocumentTooLarge(DocumentError):
    """It is beyond the limits of this room."""


class DocumentEncrypted(DocumentError):
    """A password is needed to open it."""


class DocumentDamaged(DocumentError):
    """It is of a kind that is read, but broken."""


class UnknownKind(DocumentError):
    """It is of a kind that is not read."""
