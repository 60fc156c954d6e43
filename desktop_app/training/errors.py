"""What can go wrong in training, as sentences with a next step."""


class TrainingError(Exception):
    """Base of this room's errors; its text is fit to be shown."""
