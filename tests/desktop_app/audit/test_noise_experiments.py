"""An audit of noise goes on where it was, measures each system at each level, and says what it could not measure."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from msgspec.structs import replace

from desktop_app.audit import noise_experiments, noise_systems
from desktop_app.audit.errors import AuditError
from desktop_app.audit.noise_experiments import Evidence, NoiseAudit
from desktop_app.audit.noise_measures import Bench, Measured
from desktop_app.audit.noise_systems import DEL, LINEAR, OURS, UNTRAINED
from desktop_app.audit.sizes import NoiseSizes
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.training.denoiser import Denoiser
from remote_agent.segment.artefacts import Artefact
from tests.helpers.noisy_bench import HUGE, SMALL, VOCABULARY, LetterTokenizer, tiny_batches, tiny_system, tiny_texts

pytestmark = pytest.mark.slow

TINY = replace(SMALL, documents=3, passages=1, reply_tokens=4, continued_tokens=3)


def audit(checkpoint: Checkpoint, told: list[str] | None = None, sizes: NoiseSizes = TINY) -> NoiseAudit:
    tokenizer: Any = LetterTokenizer(24)
    local: Any = SimpleNamespace(tokenizer=tokenizer, plan=None, weights=None)
    tell = told.append if told is not None else lambda sentence: None
    return NoiseAudit(local, tiny_batches(), tiny_texts(sizes, most=20), sizes, (checkpoint, tell))


@pytest.fixture(autouse=True)
def no_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems made here instead of those that are found by files; texts that nobody wrote."""

    class Found:
        def __init__(self, *args: object) -> None: ...

        def find(self, names: list[str]) -> tuple[list[noise_systems.System], list[str]]:
            untrained = tiny_system()
            soft = {HUGE: torch.zeros(1, 48)}
            rebuilt = tiny_system(DEL, untrained.table, searches=False, soft_prompts=soft, files=("file",))
            known = {"untrained": [untrained, tiny_system(LINEAR, untrained.table, searches=False)], "del": [rebuilt]}
            return [it for name in names for it in known.get(name, [])], [f"{name}: none" for name in names if name not in known]

    monkeypatch.setattr(noise_experiments, "Systems", Found)
    monkeypatch.setattr(noise_experiments, "PublicModel", lambda *args: None)
    monkeypatch.setattr(noise_experiments.corpus, "written", lambda *args: [[30, 40, 50], [30, 60]])


def seen(checkpoint: Checkpoint, names: list[str], told: list[str] | None = None) -> Evidence:
    return audit(checkpoint, told).seen(names, [], [20.0, HUGE / 16])


def test_each_system_is_measured_at_each_level_it_is_trained_for() -> None:
    found = seen(Checkpoint(None, ""), ["untrained", "del", "ours"])
    assert [(it.system, it.mu) for it in found.entries] == [
        (UNTRAINED, 20.0), (LINEAR, 20.0), (UNTRAINED, 4000.0), (LINEAR, 4000.0), (DEL, 4000.0),
    ]  # fmt: skip
    assert found.soft_prompts == {DEL: [1]}
    assert found.missing[0] == "ours: none"
    assert "no soft prompt was trained for mu 20" in found.missing[1]
    by_name = {(it.system, it.mu): it.measured for it in found.entries}
    # The same codes give the same away, whatever is made of them.
    assert by_name[LINEAR, 20.0].recovered == by_name[UNTRAINED, 20.0].recovered
    assert (found.code_bytes, found.row_bytes) == (20, 96)


@pytest.mark.parametrize(
    ("halfway", "levels"),
    [
        (30.0, [10.0, 20.0, 25.0, 30.0, 40.0]),  # what is above or below tells nothing
        (1000.0, [20.0, 25.0, 30.0, 40.0, 60.0]),  # there is nothing above
        (15.0, [6.0, 8.0, 10.0, 20.0]),  # down to where hardly anything is got back
        (3.0, [4.0, 6.0, 8.0, 10.0, 20.0]),  # as far as the ladder reaches
    ],
)
def test_a_system_climbs_the_ladder_as_far_as_it_tells_something(
    halfway: float, levels: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(self: Bench, system: Any, mu16: int, clean: Any) -> Measured:
        share = min(1.0, (mu16 / 16 / halfway) ** 2 / 2)
        found = Measured({}, {}, [], [], [0.0] * 3, [0.0] * 3, [0.0], None, {})
        found.recovered = {"map_with_model": [20 * share] * 3} if system.name != LINEAR else {}
        return found

    monkeypatch.setattr(Bench, "measured", measured)
    monkeypatch.setattr(Bench, "agreed", measured)
    monkeypatch.setattr(noise_experiments, "prior_hits", lambda own: [0] * len(own))
    ladder = replace(TINY, mus=(4.0, 6.0, 8.0, 10.0, 20.0, 25.0, 30.0, 40.0, 60.0))
    found = audit(Checkpoint(None, ""), sizes=ladder).seen(["untrained", "del"], [])
    of = {name: sorted(it.mu for it in found.entries if it.system == name) for name in (UNTRAINED, LINEAR, DEL)}
    assert of == {UNTRAINED: levels, LINEAR: levels, DEL: [HUGE / 16]}  # DEL's has the levels it was trained for


def test_an_interrupted_audit_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "part.json"
    whole = seen(Checkpoint(None, ""), ["untrained"])
    measure = Bench.measured
    calls: list[int] = []

    def broken(self: Bench, system: Any, mu16: int, clean: Any) -> Any:
        if calls:
            raise KeyboardInterrupt
        calls.append(mu16)
        return measure(self, system, mu16, clean)

    monkeypatch.setattr(Bench, "measured", broken)
    with pytest.raises(KeyboardInterrupt):
        seen(Checkpoint(path, "one"), ["untrained"])

    def counted(self: Bench, system: Any, mu16: int, clean: Any) -> Any:
        calls.append(mu16)
        return measure(self, system, mu16, clean)

    monkeypatch.setattr(Bench, "measured", counted)
    monkeypatch.setattr(Bench, "clean", lambda self: pytest.fail("it is known"))
    assert seen(Checkpoint(path, "one"), ["untrained"]) == whole
    assert calls == [320, HUGE]


def test_a_system_that_was_trained_anew_is_measured_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, told = tmp_path / "part.json", []  # type: ignore[var-annotated]
    seen(Checkpoint(path, "one"), ["del"], told)
    find = noise_experiments.Systems.find  # type: ignore[attr-defined]

    def trained_anew(self: Any, names: list[str]) -> Any:
        found, missing = find(self, names)
        return [
            tiny_system(it.name, it.table, searches=False, soft_prompts=it.soft_prompts, files=("other",)) for it in found
        ], missing

    monkeypatch.setattr(noise_experiments.Systems, "find", trained_anew)
    measured: list[str] = []
    measure = Bench.measured
    monkeypatch.setattr(Bench, "measured", lambda *args: (measured.append(args[1].name), measure(*args))[1])
    seen(Checkpoint(path, "one"), ["del"], told)
    assert measured == [DEL]


def test_without_any_system_there_is_a_sentence() -> None:
    with pytest.raises(AuditError, match=r"Nothing can be audited\. ours: none"):
        seen(Checkpoint(None, ""), ["ours"])


def test_what_attackers_expect_is_a_distribution_that_the_model_tells() -> None:
    prior = audit(Checkpoint(None, ""))._prior()
    assert prior.shape == (VOCABULARY,)
    assert float(prior.exp().sum()) == pytest.approx(1, abs=1e-5)
    start = LetterTokenizer(24).prompt_parts([{"role": "user", "content": ""}])[0].ids
    texts = [[*start, 30, 40, 50], [*start, 30, 60]]
    expected = sum(
        torch.softmax(tiny_batches().logits(states), -1)[len(start) - 1 : -1].double().sum(0)
        for states in tiny_batches().states([tiny_batches().rows(text) for text in texts])
    )
    expected = (expected + noise_experiments.SMOOTHING) / (expected + noise_experiments.SMOOTHING).sum()
    torch.testing.assert_close(prior.exp().double(), expected, rtol=1e-3, atol=1e-7)


def test_ways_for_answers_to_go_back_are_measured_where_a_denoiser_is_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    table = tiny_system().table
    tensors = {name: tensor.detach() for name, tensor in Denoiser(48).state_dict().items()}
    denoiser = Artefact("denoiser", b"m", b"t", HUGE, b"d" * 32, tensors)
    with_one = tiny_system(OURS, table, denoisers={HUGE: denoiser}, files=("file",))

    class Found:
        def __init__(self, *args: object) -> None: ...

        def find(self, names: list[str]) -> tuple[list[noise_systems.System], list[str]]:
            return [with_one if names == ["with"] else tiny_system(OURS, table, files=("file",))], []

    monkeypatch.setattr(noise_experiments, "Systems", Found)
    found = seen(Checkpoint(None, ""), ["with"])
    (back,) = found.back
    assert (back.mu, set(back.agreed)) == (HUGE / 16, {"exact", "codes", "denoised", "map", "mean", "sharp_mean"})
    without = seen(Checkpoint(None, ""), ["without"])
    assert (without.back, ["no denoiser" in it for it in without.missing]) == ([], [True])
