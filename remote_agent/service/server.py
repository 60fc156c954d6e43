"""The agent: listens for desktops and gives each channel a peer."""

import logging
import signal
import threading

from aiohttp import web

from remote_agent.link.channel import Channel
from remote_agent.link.errors import LinkError
from remote_agent.link.outbox import Outbox
from remote_agent.link.signalling import serve_signalling
from remote_agent.link.thread import LinkThread
from remote_agent.service.config import AgentConfig
from remote_agent.service.middle import Middle
from remote_agent.service.pace import Cost, Pace
from remote_agent.service.peer import Peer
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Sessions
from remote_agent.service.turns import run_together

_log = logging.getLogger(__name__)


class AgentServer:
    """A running agent; `port` is where it listens. The model is loaded when it is made."""

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self._middle = Middle(config)
        self._scheduler = Scheduler(run_together, Pace(Cost(self._middle.cost_of_context)))
        self._sessions = Sessions(config.max_sessions)
        self._link = LinkThread()
        self._runner: web.AppRunner | None = None
        self._peers = 0
        self.port = 0

    def start(self) -> None:
        """Listen. Raises `LinkError` where the port is taken."""
        config = self._config
        listening = serve_signalling(config.host, config.port, config.token, self._accept, only_loopback=config.only_loopback)
        self._runner, self.port = self._link.submit(listening).result()

    def close(self) -> None:
        """End all channels, the link and the thread that computes."""
        if self._runner is not None:
            self._link.submit(self._runner.cleanup()).result()
        self._link.stop()
        self._scheduler.close()

    def _accept(self, channel: Channel) -> None:
        if self._peers >= self._config.max_peers:
            _log.warning("A desktop was turned away: %d are connected.", self._peers)
            self._link.loop.create_task(channel.close())
            return
        self._peers += 1
        peer = Peer(Outbox(channel, self._link), self._middle, self._sessions, self._scheduler)

        def closed(_: LinkError) -> None:
            self._peers -= 1
            peer.closed()

        channel.on_closed(closed)
        channel.on_message(peer.received)


def serve_until_interrupted(server: AgentServer) -> None:
    """Serve until Ctrl+C or SIGTERM, then close. Call it in the main thread."""
    ended = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: ended.set())
    # With a time limit, since on Windows nothing else lets Python see a signal.
    while not ended.wait(1.0):
        pass
    server.close()
