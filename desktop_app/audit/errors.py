"""What can go wrong in an audit, as sentences with a next step."""


class AuditError(Exception):
    """Base of this room's errors; its text is fit to be shown."""
