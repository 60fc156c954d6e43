"""An agent whose thread is gone, or at one thing for too long, is not healthy."""

import threading
from pathlib import Path

import pytest

from remote_agent.service import monitoring
from remote_agent.service.doorkeeper import Doorkeeper
from remote_agent.service.monitoring import State
from remote_agent.service.scheduler import Scheduler
from remote_agent.service.sessions import Sessions


def test_health_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    scheduler, keeper = Scheduler(), Doorkeeper()
    state = State(keeper, scheduler, Sessions(1), lambda: 0)
    assert state.health() == "serving"
    begun, release = threading.Event(), threading.Event()
    scheduler.submit("a", lambda: (begun.set(), release.wait())[0])
    begun.wait()
    assert state.health() == "serving"
    monkeypatch.setattr(monitoring, "STUCK_SECONDS", 0.0)
    assert state.health() == "stuck"
    release.set()
    scheduler.close()
    monkeypatch.undo()
    assert state.health() == "stuck"  # its thread has ended


def test_an_agent_that_stops_says_so() -> None:
    scheduler, keeper = Scheduler(), Doorkeeper()
    keeper.stopping = True
    assert State(keeper, scheduler, Sessions(1), lambda: 0).health() == "stopping"
    scheduler.close()
