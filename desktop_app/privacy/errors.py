"""What goes wrong in this room."""


class PrivacyError(Exception):
    """Base of this room's errors; its text is a sentence with a next step, fit to be shown."""


class RecogniserFailed(PrivacyError):
    """A recogniser could not be loaded or did not come to an end; nothing may be sent."""


class ListUnreadable(PrivacyError):
    """A list of names could not be read."""


class NoStandIn(PrivacyError):
    """Nothing is left that a value could become; nothing may be sent."""


class BadLevel(PrivacyError):
    """A noise level that is no level: not finite, not positive, or of codes that do not exist."""


class BadBudget(PrivacyError):
    """An epsilon, a delta or a chance that no budget can have."""
