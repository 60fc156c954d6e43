"""The report tells the worst first, by the names that were agreed on."""

import msgspec
import pytest

from desktop_app.audit.intervals import Share
from desktop_app.audit.report import Result, figures, lines, mu_of, noise_setting, published, rows


def result(attack: str, setting: str, of: str, value: float) -> Result:
    return Result(
        attack=attack,
        setting=setting,
        of=of,
        share=Share(value, value / 2, 1.0, 12),
        prior=Share(0.05, 0.0, 0.1, 12),
        note="Noted.",
    )


RESULTS = [
    result("tail_completion", "exact_public.head4", "prompt", 0.3),
    result("exact_search", "exact_public.head15", "prompt", 1.0),
    result("exact_search", "exact_public.head4", "reply.sampled", 0.9),
    result("sequence_inverter", "exact_private_ends.head2", "reply", 0.6),
    result("canary", "protected_spans", "prompt", 0.0),
    result("attributes", "exact_private_ends.head4", "prompt.topic", 0.4),
    result("traffic", "shaped", "prompt", 0.03),
    result("traffic", "shaped", "prompt.whole", 0.02),
]


def test_names_are_those_of_the_design() -> None:
    found = figures(RESULTS)
    assert found["recovered.exact_search.exact_public.head15.prompt"] == 1.0
    assert found["recovered.exact_search.exact_public.head15.prompt.low"] == 0.5
    assert found["prior_only.traffic.shaped.prompt"] == 0.05
    assert all(isinstance(value, int | float) for value in found.values())


def test_the_least_flattering_row_comes_first() -> None:
    table = lines(RESULTS)
    assert [line.split()[0] for line in table[1:4]] == [
        "exact_search.exact_public.head15.prompt",
        "exact_search.exact_public.head4.reply.sampled",
        "sequence_inverter.exact_private_ends.head2.reply",
    ]
    assert "100.0%" in table[1]
    assert "Noted." in table[1]


def test_the_application_keeps_what_it_can_look_up() -> None:
    kept = {(it.attack, it.of, it.detail, it.unit, it.weights, it.head, it.tail, it.protect) for it in rows(RESULTS, 5, 2)}
    assert kept == {
        ("tail_completion", "prompt", "", "tokens", "public", 4, 2, False),
        ("exact_search", "prompt", "", "tokens", "public", 15, 2, False),
        ("exact_search", "reply", "sampled", "tokens", "public", 4, 2, False),
        ("sequence_inverter", "reply", "", "tokens", "private ends", 2, 2, False),
        ("attributes", "prompt", "topic", "texts", "private ends", 4, 2, False),
        ("canary", "prompt", "", "values", "public", 5, 2, True),
        ("traffic", "prompt", "shaped", "texts", "public", 5, 2, False),
        ("traffic", "prompt", "shaped.whole", "texts", "public", 5, 2, False),
    }


def test_under_noise_the_application_keeps_its_own_system_by_level() -> None:
    results = [
        result("map_with_model", noise_setting(40), "prompt", 0.8),
        result("map_with_model", noise_setting(2.5), "prompt", 0.1),
        result("map_with_model", noise_setting(40, "del"), "prompt", 0.7),
        result("map_with_model", noise_setting(2.5, "untrained"), "prompt", 0.7),
        result("attributes", noise_setting(40), "prompt.topic", 0.4),
        result("attributes", noise_setting(40), "prompt.topic.with_answer", 0.4),
        result("agreement", noise_setting(40), "reply", 0.9),
        result("continuation", noise_setting(40), "reply", 0.9),
        result("canary", noise_setting(40), "prompt", 0.2),
    ]
    kept = [(it.attack, it.of, it.detail, it.unit, it.share) for it in rows(results, 4, 2)]
    assert kept == [
        ("map_with_model", "prompt", "mu 40", "tokens", 0.8),
        ("map_with_model", "prompt", "mu 2.5", "tokens", 0.1),
        ("attributes", "prompt", "mu 40.topic", "texts", 0.4),
        ("attributes", "prompt", "mu 40.topic.with_answer", "texts", 0.4),
        ("agreement", "reply", "mu 40", "tokens", 0.9),
        ("continuation", "reply", "mu 40", "texts", 0.9),
        ("canary", "prompt", "mu 40", "values", 0.2),
    ]
    assert {(it.mode, it.head, it.tail, it.weights, it.protect) for it in rows(results, 4, 2)} == {("dp", 0, 2, "public", False)}


@pytest.mark.parametrize("mu", [40.0, 2.5, 0.0625, 100.0])
def test_a_setting_names_its_level(mu: float) -> None:
    assert mu_of(noise_setting(mu)) == mu_of(noise_setting(mu, "del")) == mu
    assert mu_of("exact_public.head4") == 0


def test_what_is_published_has_figures_machine_and_command() -> None:
    content = msgspec.json.decode(published(figures(RESULTS), "sotto audit --quick"))
    assert set(content) == {"figures", "machine", "command"}
    assert content["command"] == "sotto audit --quick"
    assert content["machine"]["cores"]
