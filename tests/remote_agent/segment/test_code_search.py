"""The beam against exhaustive search over all texts of a tiny vocabulary, and what it keeps from step to step."""

import itertools

import pytest
import torch

from remote_agent.segment import code_search
from remote_agent.segment.code_rows import MixedRows
from remote_agent.segment.code_search import CodeSearch, Known
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.ends import Embedding, Output
from remote_agent.segment.errors import ContextFull, StepDropped
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.segment import Segment
from tests.helpers.tiny_codes import drawn, tiny_projection
from tests.helpers.tiny_models import TinyModel, tiny_model

TOKENS = 6
WIDE = TOKENS**4
MU16 = 48
"""Noisy: what the model thinks decides as often as what came."""


@pytest.fixture(scope="module")
def model() -> TinyModel:
    return tiny_model("llama", vocab_size=TOKENS)


@pytest.fixture(scope="module")
def table(model: TinyModel) -> CodeTable:
    embeddings = Embedding(ModelPlan.from_config(model.config), model)(range(TOKENS))
    return CodeTable(tiny_projection(embeddings.shape[1], 4), embeddings, 2)


def search(model: TinyModel, table: CodeTable, width: int = WIDE) -> CodeSearch:
    plan = ModelPlan.from_config(model.config)
    made = CodeSearch(table, Segment(plan, model, 0, plan.layers, device="cpu"), Output(plan, model, device="cpu"), width)
    made.open(1, 256)
    return made


def rows(table: CodeTable, tokens: list[int], coded: list[bool], seed: int) -> MixedRows:
    where = torch.tensor(coded)
    hidden, counts = table.rows_of(torch.tensor(tokens)), drawn(table, tokens, MU16, seed)
    hidden[where], counts[~where] = 0, 0
    return MixedRows(hidden, counts, where * MU16)


def known(table: CodeTable, tokens: list[int], first: int = 0) -> list[Known]:
    return list(enumerate(table.rows_of(torch.tensor(tokens, dtype=torch.int64)), first))


def exhaustive(model: TinyModel, table: CodeTable, before: list[int], tokens: list[int], sent: MixedRows) -> list[int]:
    """The likeliest of all texts that agree with `tokens` where rows came exact."""
    levels = sent.levels.tolist()
    choices = [range(TOKENS) if level else [token] for token, level in zip(tokens, levels, strict=True)]
    texts = torch.tensor(list(itertools.product(*choices)))
    whole = torch.cat((torch.tensor(before, dtype=torch.int64).expand(len(texts), -1), texts), dim=1)
    with torch.inference_mode():
        spoken = torch.log_softmax(model.reference(whole, use_cache=False).logits, dim=-1)
    scores = torch.zeros(len(texts), dtype=torch.float64)
    for place, level in enumerate(levels):
        at = len(before) + place
        scores += (spoken[:, at - 1] if at else table.log_prior.expand(len(texts), -1)).gather(1, texts[:, place, None])[:, 0]
        if level:
            scores += table.log_likelihood(sent.counts[place : place + 1], level)[0, texts[:, place]]
    best: list[int] = texts[scores.argmax()].tolist()
    return best


@pytest.mark.parametrize("before", [[], [3], [1, 5, 2, 2, 0]])
@pytest.mark.parametrize(
    "coded",
    [[True] * 4, [False, True, True, False, True], [True, False, False, True], [True, True, False, False], [False, True]],
)
def test_a_wide_beam_finds_what_exhaustive_search_finds(
    model: TinyModel, table: CodeTable, before: list[int], coded: list[bool]
) -> None:
    made, differs = search(model, table), 0
    for seed in range(4):
        tokens = torch.randint(TOKENS, (len(coded),), generator=torch.Generator().manual_seed(seed)).tolist()
        sent = rows(table, tokens, coded, seed)
        found = made.decode(1, known(table, before), sent)
        end = max(place for place, is_coded in enumerate(coded) if is_coded) + 1
        expected = exhaustive(model, table, before, tokens, sent)
        assert found.tokens is not None
        assert found.tokens.tolist() == expected[:end]
        assert torch.equal(found.rows, table.rows_of(torch.tensor(expected[:end])))
        differs += expected != tokens
    assert differs  # else the codes alone would have told it


def test_a_beam_finds_likelier_texts_than_the_codes_alone_and_than_the_truth(model: TinyModel, table: CodeTable) -> None:
    tokens = torch.randint(TOKENS, (60,), generator=torch.Generator().manual_seed(4)).tolist()
    sent = rows(table, tokens, [True] * 60, 5)
    likelihood = table.log_likelihood(sent.counts, MU16)

    def score(found: torch.Tensor) -> float:
        spoken = torch.log_softmax(model.logits([1, *found.tolist()]), dim=-1)[:-1]
        return float((spoken + likelihood).gather(1, found[:, None]).sum())

    for width in (4, 32):
        found = search(model, table, width).decode(1, known(table, [1]), sent).tokens
        assert found is not None
        assert score(found) > max(score(likelihood.argmax(dim=-1)), score(torch.tensor(tokens)))


@pytest.fixture
def small_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_search, "MAX_TREE", 12)


@pytest.mark.usefixtures("small_tree")
def test_texts_that_do_not_agree_for_long_give_way_and_their_rows_go(model: TinyModel, table: CodeTable) -> None:
    made = search(model, table, 4)
    tokens = torch.randint(TOKENS, (80,), generator=torch.Generator().manual_seed(1)).tolist()
    found = made.decode(1, [], rows(table, tokens, [True] * 80, 2)).tokens
    assert found is not None
    assert len(found) == 80
    assert made._segment.length(1) <= 80 + 12 + 4


def test_a_row_that_is_no_tokens_is_read_as_it_is(model: TinyModel, table: CodeTable) -> None:
    sent = rows(table, [1, 2, 3], [True, False, True], 0)
    sent.hidden[1] = 0.3
    found = search(model, table, 4).decode(1, known(table, [2]), sent)
    assert found.tokens is not None
    assert int(found.tokens[1]) == -1
    assert torch.equal(found.rows[1], sent.hidden[1])


def test_what_was_read_is_read_again_only_where_it_changed(
    model: TinyModel, table: CodeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, ran = search(model, table, 4), []
    inner = made._segment.run

    def counted(*arguments: object, **named: object) -> torch.Tensor:
        ran.append(len(arguments[4]))  # type: ignore[arg-type]
        return inner(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(made._segment, "run", counted)
    sent = rows(table, [4], [True], 3)
    made.decode(1, known(table, [1, 2, 3]), sent)
    made.decode(1, known(table, [1, 2, 3, 4, 5]), sent)
    assert ran == [3, 2]  # a last row of codes is decoded and not run
    changed = [*known(table, [1, 2]), *known(table, [5, 5], 7)]
    again = made.decode(1, changed, sent)
    assert ran[2] == 2
    made.fork(2, 1)
    ran.clear()
    forked = made.decode(2, changed, sent)
    assert ran[0] == 1  # the last row, whose answer is needed
    fresh = search(model, table, 4).decode(1, changed, sent)
    assert again.tokens is not None
    assert forked.tokens is not None
    assert fresh.tokens is not None
    assert again.tokens.tolist() == forked.tokens.tolist() == fresh.tokens.tolist()


def test_a_search_that_was_given_up_can_come_again(model: TinyModel, table: CodeTable) -> None:
    made = search(model, table, 4)
    sent = rows(table, [1, 2, 3, 4], [True] * 4, 3)
    calls = itertools.count()
    with pytest.raises(StepDropped):
        made.decode(1, known(table, [1, 2]), sent, lambda: next(calls) > 12)
    found, fresh = (some.decode(1, known(table, [1, 2]), sent).tokens for some in (made, search(model, table, 4)))
    assert found is not None
    assert fresh is not None
    assert found.tolist() == fresh.tolist()


def test_a_text_longer_than_the_session_is_refused_and_a_closed_one_holds_nothing(model: TinyModel, table: CodeTable) -> None:
    made = search(model, table, 4)
    made.open(2, 3)
    with pytest.raises(ContextFull):
        made.decode(2, known(table, [1, 2]), rows(table, [1, 2, 3], [True] * 3, 0))
    for session in (1, 2, 3):
        made.close(session)
    assert made.bytes_held == 0
