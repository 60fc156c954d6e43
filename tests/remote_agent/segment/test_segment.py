"""Split models against transformers' unsplit ones: chains and trees, rows in flight and dropped, forks, both attentions."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from remote_agent.segment.ends import Embedding, Output
from remote_agent.segment.errors import ContextFull, OutOfMemory, RowUnknown, SegmentError, StepDropped
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Attention, Segment, enough_memory
from tests.helpers.tiny_models import KINDS, TinyModel, tiny_model

TOLERANCE = 1e-4


class Split:
    """Head, middle and tail of a tiny model in one process, stepped by token ids; remembers each row's token and parent."""

    def __init__(self, model: TinyModel, attention: Attention = "sdpa", dtype: torch.dtype = torch.float32) -> None:
        self.plan = ModelPlan.from_config(model.config)
        borders = (0, 1, self.plan.layers - 1, self.plan.layers)
        self.parts = [
            Segment(self.plan, model, first, last, device="cpu", dtype=dtype, attention=attention)
            for first, last in pairwise(borders)
        ]
        self.embedding, self.output = Embedding(self.plan, model, dtype), Output(self.plan, model, device="cpu", dtype=dtype)
        self.rows: dict[tuple[int, int], tuple[int, int]] = {}
        self.open(0)

    def open(self, session: int) -> None:
        for part in self.parts:
            part.open(session, 200)

    def fork(self, session: int, source: int, row: int) -> None:
        for part in self.parts:
            part.fork(session, source, row)
        self.rows |= {(session, old): value for (owner, old), value in list(self.rows.items()) if owner == source}

    def step(
        self, epoch: int, commit: int, first: int, tokens: Sequence[int], parents: Sequence[int], session: int = 0
    ) -> torch.Tensor:
        """Logits [n, vocab_size] of the step's rows."""
        self.rows |= {
            (session, first + i): (token, parent) for i, (token, parent) in enumerate(zip(tokens, parents, strict=True))
        }
        hidden = self.embedding(tokens)
        for part in self.parts:
            hidden = part.run(session, epoch, commit, first, parents, hidden)
        return self.output(hidden)

    def path(self, row: int, session: int = 0) -> list[int]:
        """The tokens from the beginning to that row."""
        tokens: list[int] = []
        while row != -1:
            token, row = self.rows[session, row]
            tokens.append(token)
        return tokens[::-1]


def tokens_of(count: int, seed: int) -> list[int]:
    draw = random.Random(seed)
    return [draw.randrange(3, 199) for _ in range(count)]


@pytest.fixture(scope="module")
def models() -> dict[str, TinyModel]:
    return {kind: tiny_model(kind) for kind in KINDS}


def assert_rows_equal_their_paths(split: Split, model: TinyModel, logits: torch.Tensor, first: int, session: int = 0) -> None:
    for index, row in enumerate(logits):
        expected = model.logits(split.path(first + index, session))[-1]
        assert (row - expected).abs().max() < TOLERANCE


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_chain_in_uneven_steps_equals_the_unsplit_model(models: dict[str, TinyModel], kind: str, attention: Attention) -> None:
    split, tokens = Split(models[kind], attention), tokens_of(40, 1)
    logits, done = [], 0
    for count in (13, 1, 1, 9, 1, 12, 3):
        parents = list(range(done - 1, done + count - 1))
        logits.append(split.step(0, done - 1, done, tokens[done : done + count], parents))
        done += count
    assert (torch.cat(logits) - models[kind].logits(tokens)).abs().max() < TOLERANCE


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
@pytest.mark.parametrize("kind", KINDS)
def test_random_trees_commits_and_flights_equal_plain_passes(
    models: dict[str, TinyModel], kind: str, attention: Attention
) -> None:
    """Steps build on the committed path and on rows in flight; commits come late; epochs open while rows are in flight."""
    model, draw = models[kind], random.Random(kind)
    split = Split(model, attention)
    split.step(0, -1, 0, tokens_of(9, 2), range(-1, 8))
    alive, commit, first, epoch = [8], 8, 9, 0
    for _ in range(10):
        if draw.random() < 0.3:
            epoch, alive = epoch + 1, [commit]
        elif draw.random() < 0.6:
            commit = draw.choice(alive)
            alive = [row for row in alive if commit in ancestors(split, row)]
        count = draw.choice((1, 2, 5, 11))
        parents = [draw.choice([*alive, *range(first, first + i), *([first + i - 1] * 3 if i else [])]) for i in range(count)]
        logits = split.step(epoch, commit, first, tokens_of(count, first), parents)
        assert_rows_equal_their_paths(split, model, logits, first)
        alive += range(first, first + count)
        first += count


def ancestors(split: Split, row: int) -> set[int]:
    found = set()
    while row != -1:
        found.add(row)
        row = split.rows[0, row][1]
    return found


ROPES = {
    "linear": {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0},
    "llama3": {
        "rope_type": "llama3", "rope_theta": 5_000.0, "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32,
    },
    "yarn": {"rope_type": "yarn", "rope_theta": 10_000.0, "factor": 4.0, "original_max_position_embeddings": 64},
    "yarn with its own factor": {
        "rope_type": "yarn", "rope_theta": 10_000.0, "factor": 4.0, "original_max_position_embeddings": 64, "mscale": 1.0,
        "mscale_all_dim": 0.7, "beta_fast": 16.0, "truncate": False,
    },
}  # fmt: skip


@pytest.mark.parametrize("rope", ROPES)
def test_scaled_rotary_embeddings_equal_the_unsplit_model(rope: str) -> None:
    model, tokens = tiny_model("llama", rope_parameters=ROPES[rope]), tokens_of(60, 3)
    logits = Split(model).step(0, -1, 0, tokens, range(-1, 59))
    assert (logits - model.logits(tokens)).abs().max() < TOLERANCE


def test_forks_share_rows_and_go_their_own_ways(models: dict[str, TinyModel]) -> None:
    model = models["mistral"]
    split = Split(model)
    split.step(0, -1, 0, tokens_of(12, 4), range(-1, 11))
    split.step(0, 11, 12, tokens_of(4, 5), [11, 11, 12, 13])
    before = sum(part.bytes_held for part in split.parts)
    split.fork(1, 0, 11)
    split.fork(2, 0, 6)
    assert sum(part.bytes_held for part in split.parts) == before
    split.fork(3, 0, 15)  # through the branch: its rows have to stand elsewhere, so it has memory of its own
    assert sum(part.bytes_held for part in split.parts) > before
    for session, tip in ((2, 6), (1, 11), (0, 14), (3, 15), (1, 40), (2, 40)):
        first = 40 if tip < 40 else 60
        logits = split.step(0, tip, first, tokens_of(5, session), [tip, first, first, first + 1, first + 3], session)
        assert_rows_equal_their_paths(split, model, logits, first, session)
    for part in split.parts:
        part.close(0)
    logits = split.step(1, 40, 80, tokens_of(2, 6), [40, 80], 1)
    assert_rows_equal_their_paths(split, model, logits, 80, 1)


def test_a_fork_at_the_tip_copies_only_when_both_sides_go_on(models: dict[str, TinyModel]) -> None:
    part = Split(models["llama"]).parts[1]
    part.run(0, 0, -1, 0, range(-1, 9), torch.randn(10, 48))
    held = part.bytes_held
    part.fork(1, 0, 9)
    part.run(1, 0, 9, 10, [9], torch.randn(1, 48))
    assert part.bytes_held == held
    part.run(0, 0, 9, 10, [9], torch.randn(1, 48))
    assert part.bytes_held == 2 * held


def test_a_cache_grows_beyond_its_first_slots() -> None:
    model, tokens = tiny_model("qwen3", max_position_embeddings=1024), tokens_of(600, 7)
    plan = ModelPlan.from_config(model.config)
    whole = Segment(plan, model, 0, plan.layers, device="cpu")
    whole.open(0, 700)
    embedding, output = Embedding(plan, model), Output(plan, model, device="cpu")
    for first in range(0, 600, 200):
        hidden = whole.run(0, 0, -1, first, range(first - 1, first + 199), embedding(tokens[first : first + 200]))
    assert whole.length(0) == 600
    assert (output(hidden) - model.logits(tokens)[400:]).abs().max() < TOLERANCE


def test_a_step_given_up_between_layers_can_come_again(models: dict[str, TinyModel]) -> None:
    split = Split(models["gemma3_text"])
    split.step(0, -1, 0, tokens_of(6, 8), range(-1, 5))
    middle, rows, asked = split.parts[1], torch.randn(3, 48), []

    def after_one_layer() -> bool:
        asked.append(True)
        return len(asked) > 1

    with pytest.raises(StepDropped):
        middle.run(0, 1, 4, 6, [4, 6, 6], rows, stale=after_one_layer)
    assert middle.length(0) == 5  # the commit holds, the step's rows are gone
    again = middle.run(0, 1, 4, 6, [4, 6, 6], rows, stale=lambda: False)
    assert torch.equal(again, middle.run(0, 2, 4, 9, [4, 9, 9], rows))


def test_an_empty_step_commits_and_answers_nothing(models: dict[str, TinyModel]) -> None:
    middle = Split(models["llama"]).parts[1]
    middle.run(0, 0, -1, 0, [-1, 0, 1], torch.randn(3, 48))
    assert middle.run(0, 1, 1, 3, [], torch.empty(0, 48)).shape == (0, 48)
    assert middle.length(0) == 2


def test_a_part_of_a_segment_shares_its_weights_and_keeps_sessions_of_its_own(models: dict[str, TinyModel]) -> None:
    split, rows = Split(models["mistral"]), torch.randn(4, 48)
    whole = Segment(split.plan, models["mistral"], 0, 5, device="cpu")
    part = whole.part(1, 4)
    part.open(0, 200)
    assert whole.sessions == []
    assert torch.equal(part.run(0, 0, -1, 0, range(-1, 3), rows), split.parts[1].run(0, 0, -1, 0, range(-1, 3), rows))
    with pytest.raises(SegmentError, match="Choose another split"):
        part.part(0, 4)


def test_a_segment_without_layers_hands_rows_through(models: dict[str, TinyModel]) -> None:
    model = models["llama"]
    empty, rows = Segment(ModelPlan.from_config(model.config), model, 2, 2, device="cpu"), torch.randn(2, 48)
    empty.open(0, 10)
    empty.fork(1, 0, 7)
    assert empty.run(1, 0, 99, 100, [99, 100], rows) is rows


def test_what_is_out_of_range_is_refused_with_a_sentence(models: dict[str, TinyModel]) -> None:
    model = models["llama"]
    plan = ModelPlan.from_config(model.config)
    with pytest.raises(SegmentError, match="Choose another split"):
        Segment(plan, model, 3, 9, device="cpu")
    part = Segment(plan, model, 0, 1, device="cpu")
    part.open(0, 4)
    with pytest.raises(RowUnknown, match="Session 5"):
        part.run(5, 0, -1, 0, [-1], torch.randn(1, 48))
    with pytest.raises(SegmentError, match="shape"):
        part.run(0, 0, -1, 0, [-1], torch.randn(1, 47))
    with pytest.raises(ContextFull):
        part.run(0, 0, -1, 0, range(-1, 4), torch.randn(5, 48))
    part.close(0)
    part.close(0)
    assert part.sessions == []


@pytest.mark.parametrize(
    "error",
    [MemoryError(), torch.OutOfMemoryError("CUDA out of memory"), RuntimeError("DefaultCPUAllocator: can't allocate memory")],
)
def test_running_out_of_memory_is_an_error_with_advice(error: Exception) -> None:
    with pytest.raises(OutOfMemory, match="fewer layers"), enough_memory("for this step"):
        raise error


def test_a_cache_too_large_for_any_machine_is_out_of_memory_and_harms_no_session(models: dict[str, TinyModel]) -> None:
    plan = replace(ModelPlan.from_config(models["llama"].config), max_positions=2**50)
    part = Segment(plan, models["llama"], 0, 1, device="cpu")
    part.open(0, 2**50)
    part.run(0, 0, -1, 0, [-1, 0], torch.randn(2, 48))
    held = part._sessions[0]
    with pytest.raises(OutOfMemory), enough_memory("for this step"):
        held.cache.prepare(2, held.table.ids[:0], 2**48)
    assert part.run(0, 0, 1, 2, [1], torch.randn(1, 48)).shape == (1, 48)


@pytest.mark.slow
def test_layers_of_a_7b_shape_run_in_bfloat16_and_agree_with_float32() -> None:
    shape = {
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
        "num_key_value_heads": 8, "num_hidden_layers": 4, "vocab_size": 32_000, "max_position_embeddings": 8192,
    }  # fmt: skip
    plan = ModelPlan.from_config(shape)

    class Random:
        """Weights made when they are asked for, the same each time."""

        def tensor(self, name: str) -> torch.Tensor:
            draw = torch.Generator().manual_seed(sum(map(ord, name)))
            if "norm" in name:
                return torch.ones(4096, dtype=torch.bfloat16)
            inner = 14_336 if "down" in name else 4096
            outer = 14_336 if "gate" in name or "up" in name else 1024 if "k_proj" in name or "v_proj" in name else 4096
            return torch.empty(outer, inner, dtype=torch.bfloat16).normal_(0, inner**-0.5, generator=draw)

    rows = torch.randn(24, 4096, generator=torch.Generator().manual_seed(1))
    parents = [*range(-1, 15), 15, 16, 16, 18, 15, 20, 21, 22]
    answers = []
    for dtype in (torch.bfloat16, torch.float32):
        segment = Segment(plan, Random(), 0, 4, device="cpu", dtype=dtype)
        segment.open(0, 64)
        segment.run(0, 0, -1, 0, parents[:16], rows[:16])
        answers.append(segment.run(0, 0, 15, 16, parents[16:], rows[16:]).float())
        del segment
    assert plan.layer_parameters == 218_112_000
    assert (answers[0] - answers[1]).norm() / answers[1].norm() < 0.02
