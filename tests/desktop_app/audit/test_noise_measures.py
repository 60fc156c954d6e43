"""Attacks win where there is hardly any noise and fall to a guess where there is nothing else; so do answers."""

from pathlib import Path

import pytest
import torch
from msgspec.structs import replace

from desktop_app.audit import noise_measures
from desktop_app.audit.noise_measures import Clean, Measured
from tests.helpers.noisy_bench import HUGE, MINUTE, SMALL, tiny_batches, tiny_bench, tiny_system, tiny_texts

pytestmark = pytest.mark.slow

TOKENS = [24, 24, 24]


@pytest.fixture(scope="module")
def clean() -> Clean:
    return tiny_bench().clean()


@pytest.fixture(scope="module")
def bare(clean: Clean) -> Measured:
    """With hardly any noise."""
    return tiny_bench().measured(tiny_system(), HUGE, clean)


@pytest.fixture(scope="module")
def drowned(clean: Clean) -> Measured:
    """With nothing but noise."""
    return tiny_bench().measured(tiny_system(), MINUTE, clean)


def test_every_attack_wins_where_there_is_hardly_any_noise(bare: Measured) -> None:
    for attack in ("nearest_neighbour", "map", "map_with_model"):
        assert sum(bare.recovered[attack]) >= 0.95 * sum(TOKENS), attack


def test_every_attack_falls_to_a_guess_where_there_is_nothing_but_noise(drowned: Measured) -> None:
    for attack, hits in drowned.recovered.items():
        assert sum(hits) <= 0.15 * sum(TOKENS), attack
    assert sum(drowned.canaries) == 0


def test_the_answer_is_the_clean_models_where_the_text_is_read_right(bare: Measured, clean: Clean) -> None:
    whole = [number for number, hits in enumerate(bare.recovered["map_with_model"]) if hits == TOKENS[number]]
    assert whole
    for number in whole:
        assert bare.agreed[number] == len(clean.replies[number])
        assert bare.exact[number] == 1.0


def test_the_answer_is_another_where_there_is_nothing_but_noise(drowned: Measured, clean: Clean) -> None:
    assert sum(drowned.agreed) < 0.8 * sum(map(len, clean.replies))
    assert sum(drowned.exact) == 0
    assert max(drowned.alike) < 0.999


def test_exact_rows_agree_everywhere(clean: Clean, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = tiny_bench()
    monkeypatch.setattr(
        noise_measures.Bench, "_around", lambda self, system, prompt, decoded, mu16: self._clean_rows([prompt])[0]
    )
    found = bench.agreed(tiny_system(searches=False), MINUTE, clean)
    assert found.agreed == [float(len(reply)) for reply in clean.replies]
    assert found.exact == [1.0] * len(clean.replies)
    assert found.alike == pytest.approx([1.0] * SMALL.passages, abs=1e-5)


def test_what_is_left_without_the_prompt_is_what_the_template_alone_says(clean: Clean) -> None:
    bench = tiny_bench()
    answers = bench._answers([bench._bare(prompt) for prompt in bench._prompts], clean.replies, SMALL.reply_tokens)
    counted = [
        float(sum(a == b for a, b in zip(it.forced.first, reply, strict=True)))
        for it, reply in zip(answers, clean.replies, strict=True)
    ]
    assert clean.agreed == counted
    assert len({tuple(it.reply) for it in answers}) == 1  # nothing of the prompt is in it


def test_canaries_are_found_in_what_is_read_and_those_of_others_are_not(clean: Clean) -> None:
    bench = tiny_bench(tiny_texts())  # whole messages: canaries stand anywhere in them
    table = tiny_system()
    found = Measured({}, {}, [], [], [], [], [], None, {})
    bench._hunt(table, HUGE, found)
    assert sum(found.canaries) >= 9  # of twelve; a token or two is read wrong here and there
    assert sum(found.strangers) == 0
    assert len(found.canaries) == len(found.strangers) == SMALL.chats


def test_a_measurement_repeats(clean: Clean, bare: Measured) -> None:
    assert tiny_bench().measured(tiny_system(), HUGE, clean) == bare


def test_the_same_coins_fall_for_every_system_and_others_for_every_text_and_level() -> None:
    bench, table = tiny_bench(), tiny_system().table
    prompts = [bench._prompts[0]] * 2
    first, second = bench._drawn(table, prompts, 320, "documents")
    assert not torch.equal(first, second)
    assert torch.equal(second, bench._drawn(table, prompts[:1], 320, "documents", 1)[0])
    assert not torch.equal(first, bench._drawn(table, prompts, 320, "chats")[0])
    assert not torch.equal(first, bench._drawn(table, prompts, 336, "documents")[0])


def test_soft_prompts_and_adapters_are_in_the_answers_and_not_in_the_attacks(clean: Clean, drowned: Measured) -> None:
    generator = torch.Generator().manual_seed(3)
    layer = tiny_batches()._network.get_submodule("model.layers.1.mlp.down_proj").weight
    parts = {
        "soft_prompts": {MINUTE: torch.randn(4, 48, generator=generator)},
        "adapters": {
            None: {
                "model.layers.1.mlp.down_proj.a": torch.randn(2, layer.shape[1], generator=generator),
                "model.layers.1.mlp.down_proj.b": torch.randn(layer.shape[0], 2, generator=generator),
            }
        },
    }
    for name in parts:
        trained = tiny_bench().measured(tiny_system(**{name: parts[name]}), MINUTE, clean)
        assert trained.alike != drowned.alike, name
        assert trained.recovered["map"] == drowned.recovered["map"]
        assert trained.recovered["nearest_neighbour"] == drowned.recovered["nearest_neighbour"]
    other_level = tiny_bench().measured(tiny_system(soft_prompts={HUGE: torch.ones(4, 48)}), MINUTE, clean)
    assert other_level.alike == drowned.alike


def test_an_attacker_gets_the_better_of_hearing_the_answer_or_not(clean: Clean, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = tiny_bench().measured(tiny_system(), 16 * 8, clean)
    monkeypatch.setattr(noise_measures.CodeBeam, "heard", lambda self, texts, reply: [0] * texts.tokens.shape[1])
    alone = tiny_bench().measured(tiny_system(), 16 * 8, clean)
    monkeypatch.setattr(noise_measures.CodeBeam, "heard", lambda self, texts, reply: bench_own(texts.tokens.shape[1]))
    told = tiny_bench().measured(tiny_system(), 16 * 8, clean)
    assert sum(alone.recovered["map_with_model"]) <= sum(plain.recovered["map_with_model"])
    assert sum(told.recovered["map_with_model"]) >= 24


def bench_own(length: int) -> list[int]:
    """The first document's own tokens."""
    return tiny_bench()._prompts[0].own[:length]


def test_files_of_ones_own_are_measured_too(tmp_path: Path) -> None:
    (tmp_path / "wiki").write_text(" ".join(f"w{number}" for number in range(120)) + "\n", encoding="utf-8")
    (tmp_path / "sst").write_text("sentence\tlabel\ngood\t1\nbad\t0\n", encoding="utf-8")
    sizes = replace(SMALL, documents=1, passages=1)
    texts = tiny_texts(sizes, most=60, wikitext=tmp_path / "wiki", sst2=tmp_path / "sst")
    bench = tiny_bench(texts, sizes)
    clean = bench.clean()
    bare, drowned = (bench.agreed(tiny_system(), mu16, clean) for mu16 in (HUGE, MINUTE))
    assert bare.perplexity == pytest.approx(clean.perplexity["clean"], rel=0.2)
    assert drowned.perplexity is not None
    assert abs(drowned.perplexity - clean.perplexity["clean"]) > 0.01
    assert len(clean.tasks["sst2"]) == len(drowned.tasks["sst2"]) == 2
