"""Which agent runs the middle layers: today the embedded one, started when first needed and again when it is gone."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from desktop_app.chat.events import AgentState
from desktop_app.engine.agent_client import AgentClient
from desktop_app.engine.embedded_agent import EmbeddedAgent
from desktop_app.engine.errors import EngineError
from remote_agent.link.errors import LinkError
from remote_agent.link.signalling import connect
from remote_agent.link.thread import LinkThread, into

STATE_EVERY = 5.0  # seconds between two looks at the round trip, while connected

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ModelFile:
    """The model an agent is to hold: where it lies, the digest of its manifest, and the dtype to compute in, if it is set."""

    path: Path
    models_directory: Path
    digest: bytes
    dtype: str | None


class Agents:
    """Holds at most one agent and the channel to it. All methods belong to the engine's event loop."""

    def __init__(self, tell: Callable[[AgentState], None], log: Path | None) -> None:
        self._tell = tell
        self._log = log
        self._link: LinkThread | None = None
        self._agent: EmbeddedAgent | None = None
        self._client: AgentClient | None = None
        self._model: ModelFile | None = None
        self._lock = asyncio.Lock()
        self._watching: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        """The process id of the agent on this computer, while there is one."""
        return self._agent.pid if self._agent is not None else None

    @property
    def model(self) -> ModelFile | None:
        """The model that the agent holds, while there is one."""
        return self._model

    async def get(self, model: ModelFile) -> AgentClient:
        """Return a greeted agent that holds this model. Raises `EngineError` with a sentence."""
        async with self._lock:
            if self._client is not None and not self._client.lost and self._model == model:
                return self._client
            await self._drop()
            try:
                return await self._connect(model)
            except LinkError as error:
                await self._drop()
                raise EngineError(str(error)) from error
            except BaseException:
                await self._drop()
                raise

    async def close(self) -> None:
        """End the channel, the agent and the link's thread."""
        async with self._lock:
            await self._drop()
        for task in self._watching:
            task.cancel()
        if self._link is not None:
            await asyncio.to_thread(self._link.stop)

    async def _connect(self, model: ModelFile) -> AgentClient:
        self._agent = await EmbeddedAgent.start(model.path, model.models_directory, dtype=model.dtype, log=self._log)
        if self._link is None:
            self._link = LinkThread()
        reach = partial(connect, self._agent.url, self._agent.token, only_loopback=True)
        client = AgentClient(await self._link.run(reach()), self._link, connect=reach)
        client.on_away(into(asyncio.get_running_loop(), partial(self._tell_away, client, self._agent)))
        self._client, self._model = client, model
        await client.greet(model.digest)
        self._watch(self._tell_state(client, self._agent))
        self._watch(self._tell_end(self._agent, client))
        return client

    async def _drop(self) -> None:
        client, agent = self._client, self._agent
        self._client = self._agent = self._model = None
        if client is not None and not client.lost:
            await client.close()
        if agent is not None:
            await asyncio.to_thread(agent.close)

    def _watch(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._watching.add(task)
        task.add_done_callback(self._watching.discard)

    def _tell_away(self, client: AgentClient, agent: EmbeddedAgent, away: bool) -> None:
        if not client.lost:
            self._tell(AgentState(connected=False, embedded=True) if away else _state(client, agent))

    async def _tell_state(self, client: AgentClient, agent: EmbeddedAgent) -> None:
        while not client.lost:
            if not client.away:
                self._tell(_state(client, agent))
            await asyncio.sleep(STATE_EVERY)
        self._tell(AgentState(connected=False, embedded=True))

    async def _tell_end(self, agent: EmbeddedAgent, client: AgentClient) -> None:
        """The end of the process is certain and seen at once; the channel would need a while to be sure."""
        await agent.ended()
        if self._agent is agent:
            _log.warning("The agent on this computer has ended.")
            await client.close()


def _state(client: AgentClient, agent: EmbeddedAgent) -> AgentState:
    device = client.welcome.device.name.lower()
    return AgentState(True, True, agent.url.removeprefix("http://"), client.round_trip, device)
