"""The parts of an audit are those that were asked for, and what they count is what they say."""

from types import SimpleNamespace
from typing import Any

import pytest
import torch

from desktop_app.audit import experiments, inverters
from desktop_app.audit.canaries import LATE, STRANGER, Canary, canaries
from desktop_app.audit.chats import Hunted, Sought
from desktop_app.audit.experiments import Audit, _hunted, _paper
from desktop_app.audit.recording import Recorded
from desktop_app.audit.sizes import QUICK
from desktop_app.audit.split import Case
from desktop_app.chat.events import Statistics
from desktop_app.open_weights.checkpoint import Checkpoint
from tests.helpers.attacked_rows import random_tokens, rows_of


def audit(layers: int = 30) -> Audit:
    local: Any = SimpleNamespace(plan=SimpleNamespace(layers=layers))
    return Audit("", local, 2, QUICK, Checkpoint(None, ""), lambda sentence: None)


def parts(settings: list[str], layers: int = 30) -> set[str]:
    return set(audit(layers).parts(None, settings))  # type: ignore[arg-type]


def test_each_setting_has_its_parts() -> None:
    assert parts(["exact_public"]) == {"exact_public.head1", "exact_public.head4", "exact_public.head15", "canaries.off"}
    assert parts(["protected_spans"]) == {"canaries.on"}
    assert parts(["exact_private_ends"]) == {"inverters.head2", "inverters.head8", "attributes.head4"}
    assert parts(["unshaped", "shaped"]) == set()  # traffic has engines of its own


def test_a_small_model_is_audited_at_the_depths_that_it_has() -> None:
    assert parts(["exact_public", "exact_private_ends"], layers=8) == {
        "exact_public.head1", "exact_public.head4", "canaries.off", "inverters.head2", "attributes.head4",
    }  # fmt: skip


A, B, C, D, E, F = (
    Canary(value, kind) for value, kind in zip("abcdef", ["name", "card", STRANGER, LATE, "card", STRANGER], strict=True)
)
HUNTS = [
    Hunted(
        Sought([A, B, C, D], in_text=[True, False, True, True], in_bytes=[False] * 4),
        Sought([E, F], in_text=[False, True], in_bytes=[False, False]),
        searched=9, matched=9, bytes_sent=9,
    ),
    Hunted(
        Sought([A, E, F], in_text=[True, True, False], in_bytes=[True, False, False]),
        Sought([A, B, C, D], in_text=[True, False, False, False], in_bytes=[False] * 4),
        searched=9, matched=9, bytes_sent=9,
    ),
]  # fmt: skip


def test_canaries_are_counted_by_chats_and_strangers_and_late_words_apart() -> None:
    found = _hunted(HUNTS, "exact_public.head4", protect=False)
    shares = {result.of: result.share.value for result in found.results}
    assert shares == {"prompt": 0.75, "prompt.bytes": 0.25, "prompt.names_on_no_list": 0.5, "prompt.marked_late": 1.0}
    assert found.figures == {"canaries_sent.exact_public": 4.0, "canaries_found.exact_public": 3.0, "rows_read.exact_public": 1.0}


def test_the_baseline_is_what_another_chats_canaries_find() -> None:
    found = _hunted(HUNTS, "protected_spans", protect=True)
    assert {result.of: (round(result.prior.value, 3), result.prior.count) for result in found.results} == {
        "prompt": (0.333, 2),
        "prompt.bytes": (0.0, 2),
        "prompt.names_on_no_list": (0.5, 2),
        "prompt.marked_late": (0.0, 1),
    }


def test_every_fifth_chat_has_a_word_that_is_marked_late() -> None:
    chats = audit()._of_chats(canaries(QUICK.canaries, 7))
    assert len(chats) == QUICK.canaries // 5
    assert [len(own) for own in chats] == [7 if number % 5 == 0 else 6 for number in range(len(chats))]
    assert all([own[5].kind, *(it.kind for it in own[6:])] == [STRANGER, LATE][: len(own) - 5] for own in chats)
    assert len({it.value for own in chats for it in own if it.kind == LATE}) == -(-len(chats) // 5)


def test_the_plain_figures_are_those_with_protected_spans() -> None:
    figures = _hunted(HUNTS, "protected_spans", protect=True).figures
    assert (figures["canaries_sent"], figures["canaries_found"]) == (4.0, 3.0)


@pytest.mark.slow
def test_the_papers_protocol_finds_more_the_more_a_text_repeats_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inverters, "PAPER_EPOCHS", 25)

    def case(seed: int, modulo: int) -> Case:
        tokens = [token % modulo for token in random_tokens(60, seed)]
        return Case(Recorded(tokens[:40], tokens[40:], "", Statistics(), []), rows_of(tokens, 1, 1), 2, 36)

    few, many = (_paper([case(seed, modulo) for seed in range(8)], "exact_private_ends.head1", 1) for modulo in (8, 190))
    assert [result.of for result in few] == ["prompt", "reply"]
    for easy, hard in zip(few, many, strict=True):
        assert easy.share.value > hard.share.value + 0.2
        assert easy.share.value > easy.prior.value


def test_the_papers_protocol_leaves_the_public_template_out(monkeypatch: pytest.MonkeyPatch) -> None:
    trained: list[int] = []

    def inverter(rows: torch.Tensor, tokens: list[int], train: list[int], seed: int) -> list[int]:
        trained.extend(tokens)
        return tokens

    monkeypatch.setattr(experiments, "paper_inverter", inverter)
    template, question, answer = [1] * 6, list(range(10, 40)), list(range(50, 80))
    tokens = [*template, *question, *template, *answer]
    case = Case(Recorded(tokens[:42], answer, "", Statistics(), []), rows_of(tokens, 1, 1), 6, 36)
    prompt, reply = _paper([case, case], "exact_private_ends.head1", 1)
    assert sorted(set(trained)) == [*question, *answer]
    assert (prompt.share.value, reply.share.value) == (1.0, 1.0)
