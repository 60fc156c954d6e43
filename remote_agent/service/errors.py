"""The errors of this room.

ServiceError        the agent cannot serve; its text is a sentence with a next step
"""


class ServiceError(Exception):
    """Base of this room's errors; its text is a sentence with a next step for the person who runs the agent."""
