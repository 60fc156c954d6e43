"""Protected words under strict noise: found wherever they stand, and what stands for them tells no more than their codes."""

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.engine.like_strings import korean_names
from desktop_app.engine.strict_words import DROPPED, Place, StrictWords, _pools, _words, sent_as, shape
from desktop_app.model.codes import ModelCodes
from desktop_app.model.local import LocalModel
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.privacy.language.name_pools import english_given_names, english_surnames
from desktop_app.privacy.noise import quantiser
from desktop_app.privacy.noise.draws import Draw
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.privacy.spans import Kind
from remote_agent.segment.artefacts import Projection
from remote_agent.segment.code_table import CodeTable
from tests.helpers.tiny_codes import tiny_projection

TEXT = "Maria Okafor, born 3 May 1961, saw Dr. Lee. Okafor was well; Mariana was not. Call Maria\nOkafor at +44 20 7946 0018."
VALUES = {
    "Maria Okafor": "person", "Okafor": "person", "3 May 1961": "date", "Lee": "person", "+44 20 7946 0018": "phone",
}  # fmt: skip


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
    return b"".join(tokenizer.token_bytes(ids[place]) for place in sorted(places) if places[place].value == value).decode()


def text_sent(tokenizer: ChatTokenizer, ids: list[int], sent: dict[int, int]) -> str:
    left = [sent.get(place, token) for place, token in enumerate(ids)]
    return b"".join(tokenizer.token_bytes(token) for token in left if token != DROPPED).decode()


def draw_of(codes: ModelCodes, token: int, mu: float, number: int = 1) -> Draw:
    level = Level(mu, 4, codes.table.dimensions)
    counts = quantiser.draw(quantiser.thresholds(codes.codes[[token]], level), level)
    return Draw(number, round(mu * 16), quantiser.packed(counts, 4))


def test_every_mention_is_found_and_nothing_else(strict: StrictWords, prepared_starter: LocalModel) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode(TEXT)
    places = strict.places(ids, VALUES)
    assert written(tokenizer, ids, places, "Maria Okafor") == "Maria Okafor MariaOkafor"
    assert written(tokenizer, ids, places, "Okafor") == " Okafor"
    assert written(tokenizer, ids, places, "3 May 1961") == "3 May1961"
    outside = b"".join(tokenizer.token_bytes(token) for place, token in enumerate(ids) if place not in places).decode()
    assert "Mariana" in outside
    assert not any(word in outside for word in ("Okafor", "1961", "7946", "Lee"))


def test_the_same_word_has_one_key_wherever_it_stands(strict: StrictWords, prepared_starter: LocalModel) -> None:
    ids = prepared_starter.tokenizer.encode(TEXT)
    places = strict.places(ids, VALUES)
    keys = Counter((place.key, ids[index]) for index, place in places.items() if place.key in ("Okafor@1", "Okafor@3"))
    assert len(keys) == 2
    assert set(keys.values()) == {3}, "one draw a part of a word, in all mentions"


SPELLINGS = [str, str.upper, str.lower, str.title]
NAMES = ["Maria Okafor", "Okafor", "Ben okafor-Lee", "maria", "Zoë Muñoz", "김민준", "민준"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(SPELLINGS)), min_size=1, max_size=5),
    st.lists(st.sampled_from(["(", '"', "\n", " ", ""]), min_size=5, max_size=5),
)
def test_a_draw_is_carried_by_every_value_that_holds_its_word_however_it_is_written(
    strict: StrictWords, prepared_starter: LocalModel, said: list[tuple[str, Callable[[str], str]]], before: list[str]
) -> None:
    names = [spelt(name) for name, spelt in said]
    ids = prepared_starter.tokenizer.encode("".join(f"{mark}{name}. " for mark, name in zip(before, names, strict=False)))
    places = strict.places(ids, dict.fromkeys(names, "person"))
    assert places
    for place in places.values():
        word = place.key.rpartition("@")[0].casefold()
        held = {name for name in names if word in re.split(r"\W+", name.casefold())}
        if not word.isascii():
            held |= {name for name in names if word in name.casefold()}
        assert {place.value, *held} <= set(place.values) <= set(names)
        assert len(set(place.values)) == len(place.values)


def test_digits_are_carried_by_the_values_that_have_them_in_a_row(strict: StrictWords, prepared_starter: LocalModel) -> None:
    values = {"+44 20 7946": "phone", "02079": "phone", "3 May 1358": "date"}
    ids = prepared_starter.tokenizer.encode("Call +44 20 7946 or 02079 on 3 May 1358.")
    for place, it in strict.places(ids, values).items():
        digits = prepared_starter.tokenizer.token_bytes(ids[place]).decode().strip()
        if digits.isdecimal():
            assert set(it.values) == {value for value in values if digits in re.sub(r"\D", "", value)}


def drawn(codes: ModelCodes, ids: list[int], places: dict[int, Place], mu: float) -> list[Draw]:
    """A draw for each token; parts of the same word have the same one, as the ledger gives them."""
    shared: dict[tuple[str, int], Draw] = {}
    return [
        shared.setdefault((places[place].key, token), draw_of(codes, token, mu, place))
        if place in places
        else draw_of(codes, token, mu)
        for place, token in enumerate(ids)
    ]


def test_what_leaves_is_a_clean_text_in_which_each_word_is_the_same_everywhere(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode(TEXT)
    places = strict.places(ids, VALUES)
    draws = drawn(codes, ids, places, 1.5)
    sent = strict.sent(ids, draws, places)
    assert strict.sent(ids, draws, places) == sent, "the same codes stand for the same words"
    left = text_sent(tokenizer, ids, sent)
    assert not any(word in left for word in ("Okafor", "1961", "7946 0018"))
    told = sent_as(tokenizer, sent, places, ids)
    assert all(told[value.lstrip("+")] in left for value in VALUES), "each value is known by what stands for it"
    given, family = told["Maria Okafor"].split()
    assert family == told["Okafor"]
    assert given in english_given_names("")
    assert family in english_surnames()
    assert re.fullmatch(r"\d [A-Z][a-z]+ \d{4}", told["3 May 1961"])
    assert re.fullmatch(r"\d\d \d\d \d{4} \d{4}", told["44 20 7946 0018"])


def test_words_that_only_say_what_kind_of_thing_is_named_stay(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode("He is at Fairview Hospital now.")
    places = strict.places(ids, {"Fairview Hospital": "organisation"})
    sent = strict.sent(ids, drawn(codes, ids, places, 1.5), places)
    left = text_sent(tokenizer, ids, sent)
    assert "Fairview" not in left
    assert left.endswith(" Hospital now.")
    assert f"{sent_as(tokenizer, sent, places, ids)['Fairview']} Hospital" in left


def test_the_words_choice_depends_on_nothing_but_the_codes(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    tokenizer = prepared_starter.tokenizer
    one, other = (tokenizer.encode(f"See {name} now.") for name in ("Maria", "Henry"))
    places, others = strict.places(one, {"Maria": "person"}), strict.places(other, {"Henry": "person"})
    draws = drawn(codes, one, places, 1.5)
    assert len(one) == len(other)
    assert list(strict.sent(one, draws, places).values()) == list(strict.sent(other, draws, others).values())


def test_with_little_noise_the_word_itself_is_chosen_and_with_much_hardly_ever(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    tokenizer = prepared_starter.tokenizer
    name = next(name for name in english_given_names("") if len(tokenizer.encode(f" {name}")) == 1)
    ids = tokenizer.encode(f"See {name} now.")
    places = strict.places(ids, {name: "person"})
    (place,) = places
    assert strict.sent(ids, drawn(codes, ids, places, 2000.0), places)[place] == ids[place]
    stood = Counter(strict.sent(ids, drawn(codes, ids, places, 0.5), places)[place] for _ in range(200))
    assert stood[ids[place]] <= 20
    assert len(stood) > 10


def test_what_stands_for_a_word_without_a_list_has_its_shape(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode("The key is Xk7-99 qq.")
    places = strict.places(ids, {"Xk7-99 qq": "secret"})
    sent = strict.sent(ids, drawn(codes, ids, places, 1.5), places)
    assert len(sent) >= 4
    for place, token in sent.items():
        assert shape(tokenizer.token_bytes(token)) == shape(tokenizer.token_bytes(ids[place]))


VALUES_OF_WRITINGS = {
    "김민준": "person", "서울대학교": "organisation", "王小明": "person", "Иван Петров": "person", "Łukasz Żak": "person",
    "Nguyễn Văn Á": "person", "हिन्दी": "other", "٣٤٥": "record", "Zoë": "person", "O'Brien": "person", "X-7": "record",
    "General Electric": "organisation", "First National Bank": "organisation", "The Times": "organisation",
    "South Korea": "place", "twelfth of May 1961": "date", "a": "other", "John": "person", "Μαρία": "person",
}  # fmt: skip


@pytest.mark.parametrize("value", VALUES_OF_WRITINGS)
def test_no_value_of_any_writing_leaves_as_itself(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel, value: str
) -> None:
    tokenizer = prepared_starter.tokenizer
    ids = tokenizer.encode(f"Of {value}, it says.")
    places = strict.places(ids, {value: VALUES_OF_WRITINGS[value]})
    left = []
    for _ in range(6):
        sent = strict.sent(ids, drawn(codes, ids, places, 0.0625), places)
        text = text_sent(tokenizer, ids, sent)
        assert text.startswith("Of ")
        assert text.endswith("it says.")
        left.append(text.removeprefix("Of ").removesuffix(", it says."))
    assert sum(value == other for other in left) <= 2
    same = [it for it in left if len(it) == len(value)]
    if same == left and " of " not in value:
        assert all(
            len(set(column)) > 1 for letter, column in zip(value, zip(*left, strict=True), strict=True) if letter.isalnum()
        )


def test_the_codes_decide_what_stands_for_letters_cut_into_bytes(
    strict: StrictWords, codes: ModelCodes, prepared_starter: LocalModel
) -> None:
    """With hardly any noise the word itself is chosen, where it is on the list; so the codes are what is read."""
    tokenizer = prepared_starter.tokenizer
    name = korean_names(3)[7]
    ids = tokenizer.encode(f"See {name} now.")
    places = strict.places(ids, {name: "person"})
    assert text_sent(tokenizer, ids, strict.sent(ids, drawn(codes, ids, places, 2000.0), places)) == f"See {name} now."


@pytest.mark.parametrize(
    ("value", "kind", "pools"),
    [
        ("Fairview Hospital", "organisation", ["company", "public"]),
        ("General Electric", "organisation", ["company", "company"]),
        ("Lee", "person", ["name"]),
        ("Maria Ann Okafor", "person", ["given", "given", "family"]),
        ("Okafor Maria", "person", ["given", "family"]),
        ("김민준", "person", ["korean"]),
        ("3rd of May 1961", "date", ["", "", "public", "month", "", "", "", ""]),
        ("Hospital", "other", [""]),
    ],
)
def test_which_list_a_word_is_chosen_from_follows_from_kind_and_place(value: str, kind: str, pools: list[str]) -> None:
    assert _pools(Kind(kind), [word for word, _, _ in _words(value)]) == pools


@given(st.binary(min_size=1, max_size=8))
def test_any_piece_has_a_shape(piece: bytes) -> None:
    assert shape(piece)


def test_shapes_are_few_for_words_and_the_token_itself_for_marks() -> None:
    assert shape(b" Maria") == shape(b" Henry") != shape(b"Henry")
    assert shape(b" maria") != shape(b" Maria") != shape(b" MARIA")
    assert shape(b"7") == shape(b"3") != shape(b"33")
    assert shape(b",") != shape(b".")
    assert len({shape(bytes([number])) for number in np.arange(33, 48)}) == 15
