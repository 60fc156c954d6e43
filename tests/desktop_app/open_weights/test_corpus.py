"""The model writes its own texts, the same ones for a seed; texts that are given are cut, or refused with a sentence."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from desktop_app.open_weights import corpus
from desktop_app.open_weights.checkpoint import Checkpoint
from desktop_app.open_weights.errors import OpenWeightsError
from tests.helpers.attacked_rows import VOCABULARY, random_tokens, tiny_public_model
from tests.helpers.tiny_models import tiny_model


class Letters:
    """A tokenizer with a token for each letter, as far as a corpus asks."""

    def encode(self, text: str) -> list[int]:
        return [ord(letter) for letter in text]

    def prompt(self, turns: list[dict[str, str]]) -> list[int]:
        return self.encode(f"<user>{turns[0]['content']}</user>")


def test_texts_side_by_side_are_what_the_model_would_write_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "AT_ONCE", 4)
    monkeypatch.setattr(corpus, "LENGTH", 6)
    monkeypatch.setattr(corpus, "_drawn", lambda logits, generator: logits.argmax(-1).tolist())
    start = random_tokens(5)
    texts = corpus.written(tiny_public_model(), start, 20, seed=1)
    made = list(start)
    for _ in range(6):
        made.append(int(tiny_model("llama").logits(made)[-1].argmax()))
    assert texts == [made[5:]] * 4


def test_tokens_are_drawn_as_often_as_they_are_likely() -> None:
    logits = torch.log(torch.tensor([0.5, 0.3, 0.2])).expand(6000, -1)
    counts = Counter(corpus._drawn(logits, torch.Generator().manual_seed(1)))
    assert [round(counts[token] / 6000, 1) for token in range(3)] == [0.5, 0.3, 0.2]


def test_a_seed_gives_the_same_texts_and_another_one_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "AT_ONCE", 4)
    monkeypatch.setattr(corpus, "LENGTH", 6)
    one, again, other = (corpus.written(tiny_public_model(), [3, 4], 20, seed) for seed in (1, 1, 2))
    assert one == again != other
    assert len({tuple(text) for text in one}) == 4


def test_texts_that_were_cut_off_go_on_and_end_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(corpus, "AT_ONCE", 2)
    monkeypatch.setattr(corpus, "LENGTH", 4)
    told: list[int] = []

    def cut_off(done: int) -> None:
        told.append(done)
        if len(told) == 2:
            raise KeyboardInterrupt

    def write(tell: Callable[[int], None], kept: Checkpoint | None) -> list[list[int]]:
        return corpus.written(tiny_public_model(), [3, 4], 40, 1, tell, kept)

    with pytest.raises(KeyboardInterrupt):
        write(cut_off, Checkpoint(tmp_path / "part.json", "one"))
    assert write(told.append, Checkpoint(tmp_path / "part.json", "one")) == write(lambda done: None, None)
    assert told == [8, 16, 24, 32, 40]


def test_what_every_chat_begins_with_is_the_template_up_to_the_persons_words() -> None:
    assert corpus.opening(Letters()) == Letters().encode("<user>")  # type: ignore[arg-type]


def test_given_texts_are_cut_to_length(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x" * (3 * corpus.LENGTH + 5))
    (tmp_path / "b.md").write_text("y" * corpus.LENGTH)
    texts = corpus.given(tmp_path, Letters(), 10_000)  # type: ignore[arg-type]
    assert [len(text) for text in texts] == [corpus.LENGTH] * 3
    assert len(corpus.given(tmp_path, Letters(), 1)) == 3  # type: ignore[arg-type]


def test_a_folder_without_texts_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(OpenWeightsError, match=r"holds no text file"):
        corpus.given(tmp_path, Letters(), 10)  # type: ignore[arg-type]


def test_random_texts_have_every_token_once_before_any_comes_twice() -> None:
    texts = corpus.random_texts(tiny_public_model(), 5, 96, seed=1)
    drawn = [token for text in texts for token in text]
    assert [len(text) for text in texts] == [96] * 5
    assert sorted(drawn[:VOCABULARY]) == sorted(drawn[VOCABULARY : 2 * VOCABULARY]) == list(range(VOCABULARY))
    assert corpus.random_texts(tiny_public_model(), 0, 96, seed=1) == []
