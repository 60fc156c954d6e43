"""The layers that this agent has, and the sessions' rows in them. Runs in the scheduler's thread, except what only reads."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import torch

from remote_agent.segment.adapted_weights import AdaptedWeights
from remote_agent.segment.artefacts import Artefact, UnknownArtefact
from remote_agent.segment.batch import UnderWay
from remote_agent.segment.device import choose_device, memory_for_caches
from remote_agent.segment.payload import format_of, from_payload
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.preparation import prepare
from remote_agent.segment.segment import Segment
from remote_agent.service.code_readers import CodeReaders, adapter_digest
from remote_agent.service.config import AgentConfig
from remote_agent.service.errors import ServiceError
from remote_agent.service.pace import context_weight
from remote_agent.service.sessions import Session
from remote_agent.wire.messages import PROTOCOL_VERSION, Device, Step, Welcome


class Middle:
    """Layers [first_layer, last_layer) of a model; every session runs those of them that it was opened with."""

    def __init__(self, config: AgentConfig) -> None:
        """Load the model. Raises `SegmentError`, `ServiceError`."""
        self._config = config
        weights = prepare(config.model, config.models_directory, layers=lambda count: range(*offered(config, count)), ends=False)
        plan = ModelPlan.from_config(weights.config)
        self.first_layer, self.last_layer = offered(config, plan.layers)
        dtype = None if config.dtype is None else getattr(torch, config.dtype)
        self._segment = Segment(
            plan, weights, self.first_layer, self.last_layer, device=choose_device(config.device), dtype=dtype
        )
        self._weights = weights
        self._parts: dict[tuple[int, int, bytes], Segment] = {}
        self._levels: dict[int, int] = {}  # of sessions whose adapter is for one noise level
        self._readers: CodeReaders | None = None
        self._max_cache_bytes = config.max_cache_bytes or memory_for_caches(self._segment.device)
        self.manifest_digest = weights.manifest.digest()
        self.hidden_size = plan.hidden_size
        self.max_rows_per_step = config.max_rows_per_step
        self.cost_of_context = context_weight(plan.heads, plan.head_dim, plan.layer_parameters)
        self.max_peer_cache_bytes = config.max_peer_cache_bytes
        self.max_held_bytes = config.max_held_bytes
        self.max_context = min(config.max_context, plan.max_positions)

    def welcome(self) -> Welcome:
        """What a desktop is told of this agent."""
        return Welcome(
            version=PROTOCOL_VERSION,
            manifest=self.manifest_digest,
            first_layer=self.first_layer,
            last_layer=self.last_layer,
            hidden_size=self.hidden_size,
            device=Device[self._segment.device.type.upper()],
            computes_in=format_of(self._segment.dtype),
            max_rows_per_step=self.max_rows_per_step,
            max_context=self.max_context,
            max_sessions=self._config.max_sessions,
        )

    def open(self, session: Session) -> None:
        """Make an empty cache for the session; the first with codes loads what these need. Raises `UnknownArtefact`."""
        with self._all_or_nothing(session):
            if session.codes is not None:
                if self._readers is None:
                    self._readers = CodeReaders(self._config, self._segment, self.max_context)
                self._readers.open(session.key, session.codes)
                self._adapt(session, self._readers.adapter(session.codes))
            self._part(session).open(session.key, self.max_context)

    def fork(self, session: Session, source: Session, row: int) -> None:
        """Make a cache that shares the rows of `source` up to and including `row`."""
        with self._all_or_nothing(session):
            self._part(session).fork(session.key, source.key, row)
            if session.codes is not None and self._readers is not None:
                self._readers.fork(session.key, source.key, row)
                if source.key in self._levels:
                    self._levels[session.key] = self._levels[source.key]

    def close(self, session: Session) -> None:
        """Free the session's cache."""
        self._levels.pop(session.key, None)
        part = self._parts.get(_name(session))
        if part is not None:
            part.close(session.key)
        if self._readers is not None:
            self._readers.close(session.key)

    @property
    def is_full(self) -> bool:
        """Whether all caches together take more than they may."""
        return self.bytes_held > self._max_cache_bytes

    @property
    def bytes_held(self) -> int:
        """Bytes of all caches, and of what is remembered for codes."""
        of_codes = 0 if self._readers is None else self._readers.bytes_held
        return of_codes + sum(part.bytes_held for part in self._parts.values())

    def bytes_of(self, sessions: Iterable[Session]) -> int:
        """Bytes of these sessions' caches; memory that they share counts once."""
        shares: dict[int, int] = {}
        for session in sessions:
            part = self._parts.get(_name(session))
            if part is not None:
                shares |= part.share_of(session.key)
        return sum(shares.values())

    def begin(self, session: Session, step: Step, payload: memoryview, stale: Callable[[], bool]) -> UnderWay:
        """Admit a step, whose rows then go through the session's layers by `batch.advance`.

        Raises `BadRows` and what `Segment.begin` raises.
        """
        readers = self._readers if session.codes is not None else None
        if any(level not in (0, self._levels.get(session.key, level)) for level in step.levels):
            raise UnknownArtefact("This adapter was made for another noise level. Choose the one that goes with it.")
        if readers is not None and any(step.levels):
            hidden = readers.decoded(session.key, step, payload, session.rows, stale)
        else:
            hidden = from_payload(payload, session.rows, len(step.parents), self.hidden_size)
        begun = self._part(session).begin(session.key, step.epoch, step.commit, step.first_row, step.parents, hidden)
        if readers is not None:
            readers.noted(session.key, step, hidden)
        return begun

    @contextmanager
    def _all_or_nothing(self, session: Session) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close(session)
            raise

    def _part(self, session: Session) -> Segment:
        name = _name(session)
        if name not in self._parts:
            self._parts[name] = self._segment.part(*name[:2])
        return self._parts[name]

    def _adapt(self, session: Session, file: Artefact | None) -> None:
        """Load the session's layers with its adapter, if it has one and nobody has yet. Raises `UnknownArtefact`."""
        if file is None:
            return
        if file.level is not None:
            self._levels[session.key] = file.level
        name = _name(session)
        if name not in self._parts:
            adapted, segment = AdaptedWeights(self._weights, file.tensors), self._segment
            self._parts[name] = Segment(segment.plan, adapted, *name[:2], device=segment.device, dtype=segment.dtype)


def _name(session: Session) -> tuple[int, int, bytes]:
    """What a session's layers are shared by: the layers, and the digest of their adapter."""
    return session.first_layer, session.last_layer, adapter_digest(session.codes)


def offered(config: AgentConfig, count: int) -> tuple[int, int]:
    """Return the layers [first, last) that an agent with this configuration offers of a model with `count` layers."""
    last = count if config.last_layer is None else config.last_layer
    last = last if last >= 0 else count + last
    if not 0 <= config.first_layer < last <= count:
        wanted = f"{config.first_layer} to {last - 1}"
        raise ServiceError(f"The model has layers 0 to {count - 1}; {wanted} cannot be offered. Choose others.")
    return config.first_layer, last
