"""Protected words under strict noise: found wherever they stand, and what stands for them tells no more than their codes."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.engine.strict_words import Place, StrictWords, sent_as, shape
from desktop_app.model.codes import ModelCodes
from desktop_app.model.local import LocalModel
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.noise.quantiser import Level
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import CodeTable
from tests.helpers.tiny_codes import tiny_projection

TEXT = "Maria Okafor, born 3 May 1961, saw Dr. Lee. Okafor was well; Mariana was not. Call Maria\nOkafor at +44 20 7946 0018."
VALUES = ["Maria Okafor", "Okafor", "3 May 1961", "Lee", "+44 20 7946 0018"]


@pytest.fixture(scope="module")
def codes(prepared_starter: LocalModel) -> ModelCodes:
    embeddings = prepared_starter.weights.tensor("model.embed_tokens.weight").float()
    matrix = tiny_projection(embeddings.shape[1], 128).matrix
    clip = 2 * float((embeddings[:2000] @ matrix.T).std())
    return ModelCodes(CodeTable(Projection(matrix, clip), embeddings, 4), bytes(32))


@pytest.fixture(scope="module")
def strict(prepared_starter: LocalModel, codes: ModelCodes) -> StrictWords:
    return StrictWords(prepared_starter.tokenizer, codes)


def written(tokenizer: ChatTokenizer, ids: list[int], places: dict[int, Place], value: str) -> str:
    return b"".join(tokenizer.token_bytes(ids[place]) for place in places if places[place].value == value).decode()


def draw_of(codes: ModelCodes, token: int, mu: float, number: int = 1) -> Draw:
    level = Level(mu, 4, codes.table.dimensions)
    counts = quantiser.draw(quantiser.thresholds(codes.codes[[token]], level), level)
    return Draw(number, round(mu * 16), quantiser.packed(counts, 4))


def test_every_mention_is_found_and_nothing_else(strict: StrictWords, prepared_starter: LocalModel) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode(TEXT)
    places = strict.places(ids, VALUES)
    assert written(tokenizer, ids, places, "Maria Okafor") == "Maria Okafor Maria\nOkafor"
    assert written(tokenizer, ids, places, "Okafor") == " Okafor"
    assert written(tokenizer, ids, places, "3 May 1961") == "3 May 1961"
    outside = b"".join(tokenizer.token_bytes(token) for place, token in enumerate(ids) if place not in places).decode()
    assert "Mariana" in outside
    assert not any(word in outside for word in ("Okafor", "1961", "7946", "Lee"))


def test_the_same_word_has_one_key_wherever_it_stands(strict: StrictWords, prepared_starter: LocalModel) -> None:
    ids = prepared_starter.tokenizer.encode(TEXT)
    places = strict.places(ids, VALUES)
    keys = Counter((place.key, ids[index]) for index, place in places.items() if place.key in ("Okafor@1", "Okafor@3"))
    assert len(keys) == 2
    assert set(keys.values()) == {3}, "one draw a part of a word, in all mentions"


@pytest.mark.parametrize("word", [" Okafor"[:3], " May", "1", " well", "@", "\n", "é"])
def test_what_stands_for_a_token_has_its_shape_and_is_the_same_for_the_same_codes(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel, word: str
) -> None:
    token = prepared_starter.tokenizer.encode(word)[-1]
    draw = draw_of(codes, token, 0.75)
    other = strict.stands_for(draw, token)
    bytes_of = prepared_starter.tokenizer.token_bytes
    assert shape(bytes_of(other)) == shape(bytes_of(token))
    assert strict.stands_for(draw, token) == other


def test_with_little_noise_the_word_itself_stands_there_and_with_much_hardly_ever(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    token = prepared_starter.tokenizer.encode(" Maria")[-1]
    assert strict.stands_for(draw_of(codes, token, 2000.0), token) == token
    stood = Counter(strict.stands_for(draw_of(codes, token, 0.5), token) for _ in range(200))
    assert stood[token] <= 5
    assert len(stood) > 100


def test_what_stands_there_is_made_of_the_codes_alone(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    one, other = (prepared_starter.tokenizer.encode(word)[-1] for word in (" Maria", " Henry"))
    draw = draw_of(codes, one, 1.0)
    assert strict.stands_for(draw, one) == strict.stands_for(draw, other), "tokens of one shape and the same codes"


def test_what_stands_for_a_value_is_told_as_it_was_sent(strict: StrictWords, prepared_starter: LocalModel) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode("See Maria Okafor now.")
    places = strict.places(ids, ["Maria Okafor"])
    sent = list(ids)
    for place, token in zip(sorted(places), tokenizer.encode(" Henry Abcdef"), strict=False):
        sent[place] = token
    told = sent_as(tokenizer, ids, sent, places)["Maria Okafor"]
    assert told.startswith("Henry")
    assert told in b"".join(map(tokenizer.token_bytes, sent)).decode()


@given(st.binary(min_size=1, max_size=8))
def test_any_piece_has_a_shape(piece: bytes) -> None:
    assert shape(piece)


def test_shapes_are_few_for_words_and_the_token_itself_for_marks() -> None:
    assert shape(b" Maria") == shape(b" Henry") != shape(b"Henry")
    assert shape(b" maria") != shape(b" Maria") != shape(b" MARIA")
    assert shape(b"7") == shape(b"3") != shape(b"33")
    assert shape(b",") != shape(b".")
    assert len({shape(bytes([number])) for number in np.arange(33, 48)}) == 15
