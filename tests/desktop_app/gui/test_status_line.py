"""The status line says what is known and leaves out what is not."""

from pytestqt.qtbot import QtBot

from desktop_app.chat.events import AgentState, Progress, Statistics
from desktop_app.gui.status_line import Banner, StatusLine
from desktop_app.gui.theme import Theme
from tests.helpers.scripted_responder import EMBEDDED, FIGURES


def test_agent_and_figures(qtbot: QtBot, theme: Theme) -> None:
    status = StatusLine()
    qtbot.addWidget(status)
    assert status.agent.text() == "Agent: not started yet"
    status.show_agent(EMBEDDED)
    assert status.agent.text() == "Agent: on this computer"
    assert status.round_trip.text() == "Round trip 4.2 ms"
    status.show_statistics(FIGURES)
    assert status.speed.text() == "43.9 tokens/s"
    assert status.step.text() == "2.20 tokens/step"
    assert status.traffic.text() == "↑ 421.0 kB   ↓ 1.3 MB"
    status.show_agent(AgentState(connected=True, embedded=False, address="203.0.113.7", round_trip=0.08))
    assert status.agent.text() == "Agent: 203.0.113.7"
    assert status.round_trip.text() == "Round trip 80 ms"
    status.show_statistics(Statistics())
    assert status.speed.text() == status.step.text() == status.traffic.text() == ""


def test_only_here_shows_no_distance(qtbot: QtBot, theme: Theme) -> None:
    status = StatusLine()
    qtbot.addWidget(status)
    status.show_agent(EMBEDDED)
    status.set_only_here(True)
    assert status.agent.text().startswith("Only here")
    assert status.round_trip.text() == ""


def test_progress_shows_a_bar_only_where_the_end_is_known(qtbot: QtBot, theme: Theme) -> None:
    status = StatusLine()
    qtbot.addWidget(status)
    status.show()
    status.show_progress(Progress(stage="engine"))
    assert status.progress.text() == "Starting the engine …"
    assert not status._bar.isVisible()
    status.show_progress(Progress(stage="model", done=3, total=4))
    assert status._bar.isVisible()
    assert status._bar.value() == 750
    status.show_progress(None)
    assert status.progress.text() == ""
    assert not status._bar.isVisible()


def test_banner_is_there_only_with_a_sentence(qtbot: QtBot, theme: Theme) -> None:
    banner = Banner()
    qtbot.addWidget(banner)
    banner.show_sentence("Something happened. Do this.")
    assert banner.isVisibleTo(None)
    banner.close_button.click()
    assert banner.isHidden()


def test_a_quiet_sentence_goes_by_itself(qtbot: QtBot, theme: Theme) -> None:
    status = StatusLine()
    qtbot.addWidget(status)
    status._moment.setInterval(1)
    status.say("Copied with the real names.")
    assert status.quiet.text() == "Copied with the real names."
    qtbot.waitUntil(lambda: status.quiet.text() == "")
