"""Health and figures of an agent over HTTP, on a port of their own that is not for desktops: `/health` and `/metrics`.

Figures are totals over all peers; none names a peer, an address or a conversation. The format is Prometheus' text (exposition
format 0.0.4).
"""

from collections.abc import Callable, Iterable

from aiohttp import web
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from remote_agent.link.listening import listening
from remote_agent.service.doorkeeper import Doorkeeper
from remote_agent.service.middle import Middle
from remote_agent.service.scheduler import Passed, Scheduler
from remote_agent.service.sessions import Sessions

STUCK_SECONDS = 60.0
_PASS_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Figures:
    """What is counted as it happens; `passed` is for the scheduler's thread."""

    def __init__(self, middle: Middle) -> None:
        self.registry = CollectorRegistry()
        self._middle = middle
        self._rows = Counter("sotto_rows", "Rows that went through the layers.", registry=self.registry)
        self._steps = Histogram(
            "sotto_pass_steps", "Steps that shared one pass.", buckets=(1, 2, 4, 8, 16, 32, 64), registry=self.registry
        )
        self._seconds = Histogram("sotto_pass_seconds", "Seconds of a pass.", buckets=_PASS_SECONDS, registry=self.registry)
        self._cache = Gauge("sotto_cache_bytes", "Bytes of all KV caches after the last pass.", registry=self.registry)

    def passed(self, what: Passed) -> None:
        """One pass has been."""
        self._rows.inc(what.rows)
        self._steps.observe(what.steps)
        self._seconds.observe(what.seconds)
        self._cache.set(self._middle.bytes_held)


class State:
    """What is looked at when it is asked for, and whether that is a healthy agent."""

    def __init__(self, doorkeeper: Doorkeeper, scheduler: Scheduler, sessions: Sessions, connected: Callable[[], int]) -> None:
        self._doorkeeper, self._scheduler, self._sessions, self._connected = doorkeeper, scheduler, sessions, connected

    def collect(self) -> Iterable[Metric]:
        """See `prometheus_client.registry.Collector`."""
        yield GaugeMetricFamily("sotto_peers", "Desktops that are connected.", value=self._connected())
        yield GaugeMetricFamily("sotto_sessions", "Sessions that are held.", value=len(self._sessions))
        yield GaugeMetricFamily("sotto_waiting", "Jobs and steps that wait or run.", value=self._scheduler.waiting)
        refused = CounterMetricFamily("sotto_refusals", "What was refused, by reason.", labels=["reason"])
        for code, count in list(self._doorkeeper.refused.items()):
            refused.add_metric([code.name.lower()], count)
        yield refused

    def health(self) -> str:
        """`serving`, or what is wrong: `stopping`, `stuck`."""
        if not self._scheduler.is_alive or self._scheduler.busy_seconds > STUCK_SECONDS:
            return "stuck"
        return "stopping" if self._doorkeeper.stopping else "serving"


async def serve_monitoring(host: str, port: int, figures: Figures, state: State) -> tuple[web.AppRunner, int]:
    """Listen on host and port (0: any free one); the runner ends it. Raises `PortTaken`, `LinkError`."""
    figures.registry.register(state)

    async def health(_: web.Request) -> web.Response:
        word = state.health()
        return web.json_response({"status": word}, status=200 if word == "serving" else 503)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(figures.registry), headers={"Content-Type": "text/plain; version=0.0.4"})

    app = web.Application(client_max_size=1024)
    app.router.add_get("/health", health)
    app.router.add_get("/metrics", metrics)
    return await listening(app, host, port)
