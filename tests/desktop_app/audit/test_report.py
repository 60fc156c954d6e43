"""The report tells the worst first, by the names that were agreed on."""

import msgspec

from desktop_app.audit.intervals import Share
from desktop_app.audit.report import Result, figures, lines, published, rows


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


def test_what_is_published_has_figures_machine_and_command() -> None:
    content = msgspec.json.decode(published(figures(RESULTS), "sotto audit --quick"))
    assert set(content) == {"figures", "machine", "command"}
    assert content["command"] == "sotto audit --quick"
    assert content["machine"]["cores"]
