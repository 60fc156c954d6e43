"""Many prompts at once are decoded as an agent decodes each of them, and what stands behind a prompt is heard."""

import pytest
import torch

from desktop_app.audit import code_beam
from desktop_app.audit.batches import Batches
from desktop_app.audit.code_beam import CodeBeam, Prompt
from desktop_app.open_weights.trainable import Trainable
from remote_agent.segment.code_rows import MixedRows
from remote_agent.segment.code_search import CodeSearch
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.plan import ModelPlan
from tests.helpers.attacked_rows import greedy, random_tokens, tiny_public_model
from tests.helpers.tiny_codes import drawn, tiny_projection
from tests.helpers.tiny_models import SIZES, tiny_model

BEFORE, AFTER = [5, 6, 7, 8], [9, 10, 11]
LENGTHS = (6, 13, 1, 9, 9)
BITS = 4


def table() -> CodeTable:
    return CodeTable(tiny_projection(SIZES["hidden_size"]), tiny_public_model().table, BITS)


def beam() -> CodeBeam:
    tiny = tiny_model("llama")
    return CodeBeam(Batches(Trainable(ModelPlan.from_config(tiny.config), tiny, tiny.config)))


def prompts(after: list[int]) -> list[Prompt]:
    return [Prompt(BEFORE, random_tokens(length, number), after) for number, length in enumerate(LENGTHS)]


def as_the_agent_does(prompt: Prompt, counts: torch.Tensor, mu16: int, behind: list[int]) -> list[int]:
    """The message's tokens as the agent's own search reads them, the reply behind it, if any, included."""
    model = tiny_public_model()
    search = CodeSearch(table(), model.head(SIZES["num_hidden_layers"]), model.output)
    search.open(1, 256)
    exact, codes = [*prompt.before, *behind], len(prompt.own)
    hidden = torch.zeros(len(exact) + codes, SIZES["hidden_size"])
    where = torch.ones(len(hidden), dtype=torch.bool)
    where[len(prompt.before) : len(prompt.before) + codes] = False
    hidden[where] = model.table[exact]
    all_counts = torch.zeros(len(hidden), counts.shape[1], dtype=torch.uint8)
    all_counts[~where] = counts
    found = search.decode(1, [], MixedRows(hidden, all_counts, (~where).long() * mu16))
    assert found.tokens is not None
    tokens: list[int] = found.tokens[len(prompt.before) :].tolist()
    return tokens


@pytest.mark.parametrize("after", [AFTER, []])
@pytest.mark.parametrize("mu", [2, 6, 12])
def test_it_finds_what_an_agent_finds(mu: int, after: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_beam, "PROMPTS_AT_ONCE", 3)
    asked = prompts(after)
    counts = [drawn(table(), prompt.own, mu * 16, seed) for seed, prompt in enumerate(asked)]
    found = beam().search(table(), asked, counts, mu * 16)
    for prompt, own, texts in zip(asked, counts, found, strict=True):
        assert texts.best == as_the_agent_does(prompt, own, mu * 16, after)


@pytest.mark.slow
def test_it_hears_the_reply_as_an_agent_would() -> None:
    asked = prompts(AFTER)
    replies = [greedy([*prompt.before, *prompt.own, *AFTER], 8) for prompt in asked]
    changed = 0
    for seed in range(8):
        counts = [drawn(table(), prompt.own, 48, 10 * seed + number) for number, prompt in enumerate(asked)]
        search = beam()
        for prompt, own, reply, texts in zip(asked, counts, replies, search.search(table(), asked, counts, 48), strict=True):
            for _ in range(2):  # hearing one reply leaves nothing behind for the next
                heard = search.heard(texts, reply)
                assert heard == as_the_agent_does(prompt, own, 48, [*AFTER, *reply])
            changed += heard != texts.best
    assert changed


def test_a_prompt_is_the_message_on_its_own_between_public_tokens() -> None:
    class Tokenizer:
        def prompt_parts(self, turns: list[dict[str, str]]) -> list[tuple[int | None, list[int]]]:
            return [part(None, [1]), part(None, [2]), part(0, [len(turns[0]["content"])]), part(None, [3])]

    from desktop_app.model.tokenizer import Part as part

    assert Prompt.of(Tokenizer(), "four") == Prompt([1, 2], [4], [3])  # type: ignore[arg-type]
