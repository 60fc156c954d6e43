"""What is said of an audit of noise: names as agreed on, the worst not left out, and nothing said that was not seen."""

import math
from functools import partial
from typing import Any

import pytest

from desktop_app.audit import noise_report
from desktop_app.audit.intervals import Share
from desktop_app.audit.noise_experiments import Entry, Evidence
from desktop_app.audit.noise_measures import Clean, Measured
from desktop_app.audit.noise_report import curves, findings, sentences, table
from desktop_app.audit.recovery_curves import Ground, compared
from desktop_app.audit.report import rows

pytestmark = pytest.mark.slow

DOCUMENTS, TOKENS, REPLY = 12, 20.0, 10.0
LEVELS = (20.0, 40.0, 60.0)


def measured(recovered: float, agreed: float, **changes: Any) -> Measured:
    """The same shares of every document."""
    hits = [TOKENS * recovered] * DOCUMENTS
    found = Measured(
        recovered={"nearest_neighbour": [it / 2 for it in hits], "map": [it / 1.5 for it in hits], "map_with_model": hits},
        attributes={"topic": Share(0.5, 0.4, 0.6, DOCUMENTS), "topic.with_answer": Share(0.6, 0.5, 0.7, DOCUMENTS)},
        canaries=[3.0, 2.0], strangers=[0.0, 1.0],
        agreed=[REPLY * agreed] * DOCUMENTS, exact=[1.0, *[0.0] * (DOCUMENTS - 1)], alike=[agreed] * 5,
        perplexity=30.0, tasks={"sst2": [1.0, 0.0]},
    )  # fmt: skip
    for name, value in changes.items():
        setattr(found, name, value)
    return found


def evidence(**systems: list[tuple[float, float]]) -> Evidence:
    """Systems with a (recovered, agreed) for each level."""
    clean = Clean(
        [[1] * int(REPLY)] * DOCUMENTS, [[1]] * 5, [5.0] * DOCUMENTS, [0.0] * DOCUMENTS, [0.4] * 5,
        {"clean": 20.0, "without": 60.0}, {"sst2": [1.0, 1.0]},
    )  # fmt: skip
    ground = Ground([TOKENS] * DOCUMENTS, [1.0] * DOCUMENTS, [REPLY] * DOCUMENTS, clean.agreed)
    entries = [
        Entry(name, mu, measured(*level)) for name, levels in systems.items() for mu, level in zip(LEVELS, levels, strict=True)
    ]
    return Evidence(clean, ground, [[7] * int(TOKENS)] * DOCUMENTS, entries, ["Something was not there."], 64, 1152)


BEST = [(0.05, 0.5), (0.45, 0.8), (0.95, 1.0)]
MIDDLE = [(0.05, 0.5), (0.45, 0.7), (0.95, 0.9)]
LEAST = [(0.05, 0.5), (0.45, 0.6), (0.95, 0.8)]


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(noise_report, "compared", partial(compared, resamples=100))


@pytest.fixture
def seen() -> Evidence:
    return evidence(**{"untrained": LEAST, "del": MIDDLE, "ours": BEST})


def test_figures_have_the_names_that_were_agreed_on(seen: Evidence) -> None:
    found = findings(seen).figures
    assert found["recovered.map_with_model.dp_mu40.prompt"] == pytest.approx(0.45)
    assert found["recovered.map_with_model.dp_mu40.del.prompt"] == pytest.approx(0.45)
    assert found["prior_only.map_with_model.dp_mu40.prompt"] == pytest.approx(0.05)
    assert found["recovered.canary.dp_mu40.prompt"] == pytest.approx(5 / 12)
    assert found["prior_only.canary.dp_mu40.prompt"] == pytest.approx(1 / 12)
    assert found["agreement.dp_mu40"] == pytest.approx(0.8)
    assert found["agreement.without_prompt"] == pytest.approx(0.5)
    assert found["gain.dp_mu40"] == pytest.approx(0.6)
    assert found["continuation.without_prompt"] == pytest.approx(0.4)
    assert found["perplexity.dp_mu60.untrained"] == 30
    assert (found["perplexity.clean"], found["perplexity.without"]) == (20, 60)
    assert (found["bytes_per_token.codes"], found["bytes_per_token.rows"]) == (64, 1152)
    # A guess + 0.3 is 0.35: three quarters of the way from 0.05 to 0.45.
    assert found["gain.ours.at_prior_plus_0.3"] == pytest.approx(0.45)
    assert found["gain.del.at_prior_plus_0.3"] == pytest.approx(0.3)
    assert found["difference.at_prior_plus_0.3"] == pytest.approx(0.15)
    assert found["difference_low.at_prior_plus_0.3"] == pytest.approx(0.15)
    assert found["del_minus_untrained.at_prior_plus_0.3"] == pytest.approx(0.15)
    assert all(isinstance(value, int | float) and math.isfinite(value) for value in found.values())


def test_the_curve_is_that_of_the_best_attack(seen: Evidence) -> None:
    found = curves(seen)
    assert found["ours"].mus == list(LEVELS)
    assert [level[0] for level in found["ours"].recovered] == pytest.approx([1, 9, 19])


def test_people_see_every_system_at_every_level_and_at_equal_recovery(seen: Evidence) -> None:
    said = table(seen, findings(seen).figures)
    for who in ("untrained", "del", "ours"):
        assert len([line for line in said if line.startswith(f"{who} ")]) == len(LEVELS)
    line = next(line for line in said if line.startswith("difference "))
    assert line.split()[1] == "0.050"
    assert "Something was not there." in said
    seen.soft_prompts = {"del": [100]}
    assert "del: a soft prompt of 100 rows before all others" in table(seen, findings(seen).figures)


def test_a_rebuilt_recipe_that_is_less_than_nothing_trained_is_said() -> None:
    weak = evidence(**{"untrained": MIDDLE, "untrained_linear": MIDDLE, "del": LEAST})
    said = sentences(weak, findings(weak).figures)
    places = "at a guess + 0.1 and + 0.3 and + 0.6"
    assert any(f"its own way with nothing trained, {places}: what was rebuilt is less" in sentence for sentence in said)
    assert any(f"the model itself decodes, {places}" in sentence for sentence in said)
    strong = evidence(**{"untrained": LEAST, "untrained_linear": LEAST, "del": MIDDLE})
    assert not any("below" in sentence for sentence in sentences(strong, findings(strong).figures))


def test_a_curve_that_ends_before_is_said() -> None:
    short = evidence(ours=[(0.05, 0.5), (0.2, 0.6), (0.4, 0.7)])
    said = sentences(short, findings(short).figures)
    assert any(sentence.startswith("ours: no figure at a guess + 0.6:") for sentence in said)
    assert "-" in next(line for line in table(short, findings(short).figures) if line.startswith("gain.ours")).split()


def test_the_application_keeps_ours_alone(seen: Evidence) -> None:
    found = findings(seen)
    kept = rows([*found.attacks, *found.uses], 0, 2)
    assert {row.detail.partition(".")[0] for row in kept} == {"mu 20", "mu 40", "mu 60"}
    assert {row.attack for row in kept} >= {"map_with_model", "canary", "attributes", "agreement", "gain", "continuation"}
    by_name = {(row.attack, row.detail): row for row in kept}
    assert by_name["agreement", "mu 40"].prior_only == pytest.approx(0.5)
    assert by_name["sst2", "mu 40"].prior_only == 1.0
    assert by_name["gain", "mu 40"].share == pytest.approx(0.6)
