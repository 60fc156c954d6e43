"""How an agent is run: which model, which layers, where it listens, how much it may hold."""

from dataclasses import dataclass
from pathlib import Path

from remote_agent.wire.messages import MAX_ROWS_PER_STEP

SHIPPED = Path(__file__).resolve().parents[2] / "resources" / "codes"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentConfig:
    """Values of one agent.

    `first_layer` and `last_layer` bound what it offers (a negative end counts from the last layer; None is the model's own end).
    Codes are read from the first layer on, and with the model's help only by an agent that has all layers. `max_sessions` counts
    all peers together, `max_cache_bytes` (None: a share of this machine's memory) all their KV caches; the session used longest
    ago makes room. `max_peer_sessions` and `max_peer_cache_bytes` (None: all) are for one peer, as are both rates (None: no
    bound), and `max_held_bytes` for what waits or is kept for it. Health and figures are served on `monitoring_port` (None:
    nowhere; 0: any free one). An agent that is stopped finishes what its peers are at for `drain_seconds` at most. A desktop
    whose connection is lost finds its sessions again for `keep_seconds`. `codes_folders` is where tables of codes and what was
    trained for them lie (None: those that are shipped, and the folder `codes` beside the models).
    """

    model: Path
    models_directory: Path
    first_layer: int = 1
    last_layer: int | None = None
    host: str = "127.0.0.1"
    port: int = 0
    token: str
    device: str | None = None
    dtype: str | None = None
    max_sessions: int = 64
    max_peer_sessions: int = 32
    max_peers: int = 32
    keep_seconds: float = 600.0
    max_cache_bytes: int | None = None
    max_peer_cache_bytes: int | None = None
    max_held_bytes: int = 256 * 1024 * 1024
    max_rows_per_step: int = MAX_ROWS_PER_STEP
    max_context: int = 32_768
    max_messages_per_second: float | None = 1000.0
    max_rows_per_second: float | None = None
    monitoring_host: str = "127.0.0.1"
    monitoring_port: int | None = None
    drain_seconds: float = 30.0
    codes_folders: tuple[Path, ...] | None = None

    @property
    def codes(self) -> tuple[Path, ...]:
        """The folders where artefacts for codes are looked for."""
        return (SHIPPED, self.models_directory.parent / "codes") if self.codes_folders is None else self.codes_folders

    @property
    def only_loopback(self) -> bool:
        """Whether the agent is for this machine alone."""
        return self.host in ("127.0.0.1", "localhost")
