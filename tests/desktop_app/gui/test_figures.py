"""Numbers and states in words."""

import pytest

from desktop_app.chat.events import AgentState, DocumentText, Noise, Progress, Statistics
from desktop_app.gui import figures


@pytest.mark.parametrize(("count", "text"), [(0, "0 bytes"), (999, "999 bytes"), (1500, "1.5 kB"), (2_000_000, "2.0 MB")])
def test_bytes_are_short(count: int, text: str) -> None:
    assert figures.bytes_text(count) == text


def test_round_trip_and_speed() -> None:
    assert figures.round_trip_text(0.0042) == "Round trip 4.2 ms"
    assert figures.round_trip_text(0.0804) == "Round trip 80 ms"
    statistics = Statistics(tokens_per_second=43.91, tokens_per_step=2.204, bytes_up=1000, bytes_down=2000)
    assert figures.speed_text(statistics) == "43.9 tokens/s"
    assert figures.step_text(statistics) == "2.20 tokens/step"
    assert figures.traffic_text(statistics) == "↑ 1.0 kB   ↓ 2.0 kB"


def test_document_tells_pages_characters_and_note() -> None:
    assert figures.document_detail(DocumentText(name="a", text="x" * 1200, pages=12, note="pages 3, 7 had no text")) == (
        "12 pages · 1,200 characters · pages 3, 7 had no text"
    )
    assert figures.document_detail(DocumentText(name="a", text="x", pages=1)) == "1 page · 1 character"
    assert figures.document_detail(DocumentText(name="a", text="x")) == "1 character"


def test_every_stage_has_a_sentence() -> None:
    assert figures.stage_sentence(Progress(stage="engine")).startswith("Starting")
    assert figures.stage_sentence(Progress(stage="model", done=1, total=4)).endswith("25 %")
    assert figures.stage_sentence(Progress(stage="prompt", done=9, total=4)).endswith("100 %")
    assert figures.stage_sentence(Progress(stage="agent"))
    assert figures.stage_sentence(Progress(stage="protect")) == "Looking for names …"


def test_agent_is_named_truly() -> None:
    remote = AgentState(connected=True, embedded=False, address="203.0.113.7")
    assert figures.agent_text(remote, only_here=False) == "Agent: 203.0.113.7"
    assert figures.agent_text(remote, only_here=True).startswith("Only here")
    assert figures.agent_text(AgentState(connected=True, embedded=True), only_here=False) == "Agent: on this computer"
    assert "not connected" in figures.agent_text(AgentState(connected=False, embedded=False), only_here=False)
    assert "not started" in figures.agent_text(None, only_here=False)


def test_privacy_line_never_promises_what_the_split_cannot_keep() -> None:
    remote = AgentState(connected=True, embedded=False, address="a")
    embedded = AgentState(connected=True, embedded=True)
    lost, gone = AgentState(connected=False, embedded=False, address="a"), AgentState(connected=False, embedded=True)
    for agent in (None, embedded, remote, lost, gone):
        for protect in (True, False):
            sentence = figures.privacy_sentence(agent, only_here=False, protect=protect, incognito=False)
            assert "public weights" in sentence
            assert "does not protect" in sentence
            assert ("No agent is paired" in sentence) == (agent is embedded)
            assert ("No agent is connected" in sentence) == (agent in (None, lost, gone))
            assert ("was not found is not replaced" in sentence) == protect
            assert ("leave as they are written" in sentence) != protect
            assert "disk" not in sentence
    for noise, said in (
        (Noise(mu=40.0, epsilon=1e6), ("can work out most of the text", "The agent can read the answer.")),
        (Noise(strict_mu=0.75, rest="exact", epsilon=9.0), ("can read everything else, and the answer",)),
    ):
        sentence = figures.privacy_sentence(remote, only_here=False, protect=True, incognito=False, noise=noise)
        assert all(words in sentence for words in said)
        assert "nothing is sent" in figures.privacy_sentence(remote, only_here=True, protect=True, incognito=False, noise=noise)
    here = figures.privacy_sentence(remote, only_here=True, protect=True, incognito=True)
    assert "nothing is sent" in here
    assert "stand-ins" not in here
    assert here.endswith("Nothing of this chat is written to disk.")


def test_answer_tells_where_its_layers_ran() -> None:
    assert figures.reply_figures(Statistics()) == ""
    assert figures.reply_figures(Statistics(reply_tokens=5, tokens_per_second=2.0)) == "5 tokens · 2.0 tokens/s"
    assert "24 at the agent" in figures.reply_layers(Statistics(head_layers=4, middle_layers=24, tail_layers=2))
    assert "All layers" in figures.reply_layers(Statistics(head_layers=30))
    shaped = Statistics(middle_layers=24, shape="padded", bytes_up=600, bytes_down=400, padding_bytes=500, padding_seconds=2.04)
    assert figures.shape_cost(Statistics(middle_layers=24)) == figures.shape_cost(Statistics(shape="padded")) == ""
    assert figures.shape_cost(shaped) == ("Padding: 500 bytes of 1.0 kB, and 2.0 s after the end of the answer.")


def test_who_got_it_is_named_truly() -> None:
    assert figures.peer_name("this computer") == "the agent on this computer"
    assert figures.peer_name("") == "nobody"
    assert figures.peer_name("203.0.113.7") == "203.0.113.7"
