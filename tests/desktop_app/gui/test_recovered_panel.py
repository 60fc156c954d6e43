"""Figures of attacks: the worst first, beside guessing, and nothing that looks like protection where nothing was measured."""

import pytest
from msgspec.structs import replace
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import Recovered
from desktop_app.gui.recovered_panel import RecoveredPanel, ShareBar, attack_name, detail_name, first_rows, percent
from desktop_app.gui.theme import Theme

PUBLIC = Recovered(attack="tail_completion", of="reply", weights="public", share=1.0, low=0.99, high=1.0, prior_only=0.31)
ENDS = Recovered(attack="sequence_inverter", of="prompt", weights="private ends", share=0.44, low=0.38, high=0.5, prior_only=0.12)
MISSING = Recovered(attack="traffic", of="prompt", weights="public", measured=False, command="sotto audit --head 4")


@pytest.fixture
def panel(qtbot: QtBot, theme: Theme) -> RecoveredPanel:
    made = RecoveredPanel(theme)
    qtbot.addWidget(made)
    made.show()
    return made


def test_both_attackers_are_told_with_interval_and_guess(panel: RecoveredPanel) -> None:
    panel.show_recovered([PUBLIC, ENDS])
    lines = panel.lines
    assert lines[0] == "Whoever has the model's public weights"
    assert lines[3:6] == ["Finishing the model · answer", "100 % (99 % – 100 %)", "31 %"]
    assert "Learned inverter, much data · question" in lines
    assert "44 % (38 % – 50 %)" in lines
    assert "95 % intervals" in panel.note.text()
    assert panel.findChildren(ShareBar)[0].accessibleName().startswith("Finishing the model · answer: 100 %")


def test_what_is_not_measured_is_said_with_the_way_to_measure_it(panel: RecoveredPanel) -> None:
    panel.show_recovered([PUBLIC, MISSING])
    assert "Not measured yet for this setting: Sizes and times on the network." in panel.note.text()
    assert "Do not take that for protection." in panel.note.text()
    assert "To measure it, run: sotto audit --head 4" in panel.note.text()
    panel.show_recovered([])
    assert panel.lines == []
    assert panel.note.text().startswith("Not measured yet for this setting.")


def test_planted_values_are_told_with_and_without_replacing_and_what_the_share_is_of(panel: RecoveredPanel) -> None:
    off = Recovered(attack="canary", of="prompt", weights="public", share=0.96, unit="values")
    on = Recovered(attack="canary", of="prompt", weights="public", share=0.0, unit="values", protect=True)
    panel.show_recovered([off, on])
    assert "Planted names and numbers · question · without replacing · share of the planted values" in panel.lines
    assert "Planted names and numbers · question · with replacing · share of the planted values" in panel.lines
    assert "unless a row says of what else" in panel.note.text()


def test_parts_of_an_attack_are_told_apart_in_words(panel: RecoveredPanel) -> None:
    traffic = Recovered(attack="traffic", of="prompt", weights="public", detail="shaped.whole", unit="texts", share=0.02)
    topic = Recovered(attack="attributes", of="prompt", weights="private ends", detail="topic", unit="texts", share=0.9)
    sampled = Recovered(attack="exact_search", of="reply", weights="public", detail="sampled", share=0.9)
    panel.show_recovered([traffic, topic, sampled])
    panel.all.click()
    assert "Sizes and times on the network · question · padded, whole answer · share of the messages" in panel.lines
    assert "Topic, language and mood · question · topic · share of the messages" in panel.lines
    assert "Exact search · answer · words drawn by chance" in panel.lines
    assert detail_name("some_newer.part") == "some newer, part"


def test_finer_figures_are_folded_away_unless_they_are_worse(panel: RecoveredPanel) -> None:
    own = Recovered(attack="traffic", of="prompt", weights="public", detail="shaped", unit="texts", share=0.05)
    finer, worse = replace(own, detail="shaped.prefill", share=0.03), replace(own, detail="shaped.whole", share=0.2)
    assert first_rows([worse, own, finer]) == [worse, own]
    panel.show_recovered([worse, own, finer])
    assert not any("step of the question alone" in line for line in panel.lines)
    assert any("whole answer" in line for line in panel.lines)
    panel.all.click()
    assert any("step of the question alone" in line for line in panel.lines)
    panel.show_recovered([own])
    assert panel.all.isHidden()


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.004, "< 1 %"), (0.01, "1 %"), (0.445, "44 %"), (0.997, "> 99 %"), (1, "100 %")]
)
def test_nearly_all_does_not_look_like_all_nor_a_little_like_nothing(share: float, text: str) -> None:
    assert percent(share) == text


def test_an_attack_of_a_newer_audit_is_called_by_its_word() -> None:
    assert attack_name("map_with_model") == "Likeliest word, with a language model"
    assert attack_name("some_newer_attack") == "some newer attack"


def test_under_noise_what_is_left_of_the_answer_stands_apart_and_the_level_is_named(panel: RecoveredPanel) -> None:
    attack = Recovered(attack="map_with_model", of="prompt", weights="public", share=0.83, mu=40.0)
    kept = Recovered(attack="agreement", of="reply", weights="public", share=0.81, prior_only=0.64, mu=40.0, utility=True)
    panel.show_recovered([attack, kept], 40.0)
    lines = panel.lines
    left = lines.index("What is left of the answer")
    assert lines.index("Likeliest word, with a language model · question") < left < lines.index("Next word as without noise")
    assert "left" in lines
    assert "without question" in lines
    assert panel.note.text().startswith("Measured under noise of mu 40.")
    panel.show_recovered([attack], 35.0)
    assert "mu 40, the nearest to mu 35; at that itself nothing is measured" in panel.note.text()
    panel.show_recovered([], 35.0)
    assert panel.note.text().startswith("Not measured yet for this setting.")


def test_what_is_no_share_is_a_number(panel: RecoveredPanel) -> None:
    panel.show_recovered(
        [Recovered(attack="perplexity", of="reply", weights="public", share=23.4, low=22.0, high=25.0, utility=True)]
    )
    assert "23.4 (22.0 – 25.0)" in panel.lines
    panel.findChildren(ShareBar)[0].grab()
    alike = Recovered(
        attack="continuation", of="reply", weights="public", share=-0.2, low=-0.4, high=0.1, unit="texts", utility=True
    )
    panel.show_recovered([alike])
    assert "Likeness of continuations" in panel.lines
    panel.findChildren(ShareBar)[0].grab()
