"""The errors of this room; each is a sentence with a next step.

LinkError
+-- AgentUnreachable      no channel came about
|   +-- NotAllowed        the agent does not accept this token
+-- PortTaken             the agent cannot listen where it was told to
+-- LinkClosed            the channel ended, or is not open
"""


class LinkError(Exception):
    """Base of everything this room raises."""


class AgentUnreachable(LinkError):
    """No channel to the agent came about."""


class NotAllowed(AgentUnreachable):
    """The agent refused the token."""

    def __init__(self) -> None:
        super().__init__("The agent does not accept this computer's key. Pair with it again, or restart it.")


class PortTaken(LinkError):
    """The agent was told to listen on a port that is in use."""

    def __init__(self, port: int) -> None:
        super().__init__(f"Port {port} is in use by another program. Choose another one, or 0 for any free port.")
        self.port = port


class LinkClosed(LinkError):
    """The channel is closed."""
