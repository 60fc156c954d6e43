"""The agent: listens for desktops and gives each channel a peer."""

import asyncio
import contextlib
import logging
import signal
import threading
import time

from aiohttp import web

from remote_agent.link.channel import GOODBYE_SECONDS, Channel
from remote_agent.link.errors import LinkError
from remote_agent.link.outbox import Outbox
from remote_agent.link.signalling import serve_signalling
from remote_agent.link.thread import LinkThread
from remote_agent.service.config import AgentConfig
from remote_agent.service.doorkeeper import Doorkeeper
from remote_agent.service.middle import Middle
from remote_agent.service.monitoring import Figures, State, serve_monitoring
from remote_agent.service.pace import Cost, Pace
from remote_agent.service.peer import Peer, Sender
from remote_agent.service.peers import Peers
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Sessions
from remote_agent.service.turns import run_together
from remote_agent.wire.errors import ErrorCode
from remote_agent.wire.messages import Refused

QUIET_SECONDS = 1.0

_log = logging.getLogger(__name__)


class AgentServer:
    """A running agent; `port` is where it listens. The model is loaded when it is made."""

    def __init__(self, config: AgentConfig) -> None:
        self._config = config
        self._middle = Middle(config)
        self._figures = Figures(self._middle)
        self._doorkeeper = Doorkeeper(config.max_messages_per_second, config.max_rows_per_second)
        self._scheduler = Scheduler(run_together, Pace(Cost(self._middle.cost_of_context)), self._figures.passed)
        self._sessions = Sessions(config.max_sessions, config.max_peer_sessions)
        self._link = LinkThread()
        self._peers = Peers(self._peer, self._link.loop, config.max_peers, config.keep_seconds)
        self._runner: web.AppRunner | None = None
        self._monitoring: web.AppRunner | None = None
        self.port = 0
        self.monitoring_port = 0

    def start(self) -> None:
        """Listen. Raises `LinkError` where the port is taken."""
        config = self._config
        listening = serve_signalling(config.host, config.port, config.token, self._accept, only_loopback=config.only_loopback)
        self._runner, self.port = self._link.submit(listening).result()
        if config.monitoring_port is not None:
            state = State(self._doorkeeper, self._scheduler, self._sessions, lambda: self._peers.connected)
            monitoring = serve_monitoring(config.monitoring_host, config.monitoring_port, self._figures, state)
            self._monitoring, self.monitoring_port = self._link.submit(monitoring).result()

    def drain(self, at_once: threading.Event | None = None) -> None:
        """Take nothing new, and wait until the answers that are on their way are whole: at most `drain_seconds`.

        Returns when no desktop is there, when none has sent a step for a moment, or when `at_once` is set.
        """
        self._doorkeeper.stopping = True
        give_up, at_once = time.monotonic() + self._config.drain_seconds, at_once or threading.Event()
        while self._peers.connected and self._scheduler.quiet_seconds < QUIET_SECONDS and time.monotonic() < give_up:
            if at_once.wait(0.05):
                return

    def close(self) -> None:
        """End all channels, the link and the thread that computes."""
        for runner in (self._runner, self._monitoring):
            if runner is not None:
                self._link.submit(runner.cleanup()).result()
        self._link.post(self._peers.close)
        self._link.stop()
        self._scheduler.close()

    def _accept(self, channel: Channel) -> None:
        def hang_up() -> None:
            self._link.loop.create_task(channel.close())

        stopping = self._doorkeeper.stopping
        seat = None if stopping else self._peers.seat(Outbox(channel, self._link), hang_up)
        if seat is None:
            _log.warning("A desktop was turned away: %d are connected.", self._peers.connected)
            self._turn_away(channel, ErrorCode.AGENT_STOPPING if stopping else ErrorCode.AGENT_FULL)
            return
        channel.on_closed(lambda _: seat.closed())
        channel.on_message(seat.received)

    def _peer(self, sender: Sender) -> Peer:
        return Peer(sender, self._middle, self._sessions, self._scheduler, self._doorkeeper)

    def _turn_away(self, channel: Channel, code: ErrorCode) -> None:
        """Say why, and end the channel."""
        self._doorkeeper.refused[code] += 1

        async def say() -> None:
            with contextlib.suppress(LinkError):
                await channel.send(Refused(code, 0, 0, 0))
                await asyncio.sleep(GOODBYE_SECONDS)  # what SCTP has taken needs a moment to leave
            await channel.close()

        self._link.loop.create_task(say())


def serve_until_interrupted(server: AgentServer) -> None:
    """Serve until Ctrl+C or SIGTERM, finish what is under way, then close; a second one ends that. Call it in the main thread."""
    ended, at_once = threading.Event(), threading.Event()

    def interrupted(*_: object) -> None:
        (at_once if ended.is_set() else ended).set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    # With a time limit, since on Windows nothing else lets Python see a signal.
    while not ended.wait(1.0):
        pass
    server.drain(at_once)
    server.close()
