"""What can go wrong with a model in one place, as sentences with a next step."""


class OpenWeightsError(Exception):
    """Base of this room's errors; its text is fit to be shown."""
