"""Prompts have the ids that transformers gives them, and text never becomes a control token."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from desktop_app.model.detokenizer import StreamingText
from desktop_app.model.errors import UnsupportedTokenizer
from desktop_app.model.local import LocalModel
from desktop_app.model.tokenizer import ChatTokenizer, byte_alphabet
from desktop_app.model.tokenizer_files import make_ready
from tests.helpers.texts import TEXTS
from tests.helpers.tokenizers_of_kinds import KINDS, byte_level, sentence_piece

CONTROL = ["<|im_end|>", "<|im_start|>", "<|endoftext|>", "<think>", "</s>", "<s>"]
HOSTILE = st.lists(st.sampled_from(CONTROL) | TEXTS, max_size=6).map("".join)
Pair = tuple[ChatTokenizer, Tokenizer]


def opened(make: Callable[[Path], Path], folder: Path) -> Pair:
    source = make(folder / "source")
    make_ready(source, folder / "ready", {})
    return ChatTokenizer(folder / "ready"), Tokenizer.from_file(str(source / "tokenizer.json"))


@pytest.fixture(scope="module", params=KINDS)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return opened(KINDS[request.param], tmp_path_factory.mktemp("tokenizer"))


@pytest.fixture(scope="module")
def chatml(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    return opened(byte_level, tmp_path_factory.mktemp("chatml"))


def user(text: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": text}]


@given(text=TEXTS)
def test_prompts_are_what_the_whole_tokenizer_makes_of_the_rendered_text(pair: Pair, text: str) -> None:
    ours, whole = pair
    if any(token.content in text for token in whole.get_added_tokens_decoder().values()):
        return
    if ours.strips_leading_space:
        rendered = f"<s>[INST] {text} [/INST] {text}</s>[INST] {text} [/INST]"
    else:
        turns = "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role in ("user", "assistant", "user"))
        rendered = turns + "<|im_start|>assistant\n"
    conversation = [*user(text), {"role": "assistant", "content": text}, *user(text)]
    assert ours.prompt(conversation) == whole.encode(rendered, add_special_tokens=False).ids


@given(text=HOSTILE)
def test_text_never_becomes_a_control_token(pair: Pair, text: str) -> None:
    ours, whole = pair
    control = set(whole.get_added_tokens_decoder())
    assert control.isdisjoint(ours.encode(text))
    empty = [token for token in ours.prompt(user("x")) if token in control]
    assert [token for token in ours.prompt(user(text)) if token in control] == empty


@given(text=HOSTILE)
def test_what_is_encoded_decodes_to_the_same_text(pair: Pair, text: str) -> None:
    ours, _ = pair
    if ours.strips_leading_space:
        text = "x" + text.replace("▁", " ")
    assert ours.decode(ours.encode(text)).removeprefix(" ") == text.removeprefix(" ")


@given(data=st.data())
def test_decode_and_stream_agree_with_the_whole_tokenizer(pair: Pair, data: st.DataObject) -> None:
    ours, whole = pair
    ids = data.draw(st.lists(st.integers(0, ours.vocabulary_size - 1), max_size=20))
    plain = ours.decode(ids)
    stream = StreamingText(ours)
    assert "".join(stream.add([token]) for token in ids) + stream.finish() == plain
    reference = whole.decode(ids, skip_special_tokens=True)
    if "\ufffd" not in reference:
        assert plain == reference
    elif not ours.strips_leading_space:  # byte fallback replaces each byte of a run, also those that were characters
        assert plain in (reference, reference.removesuffix("\ufffd"))


def test_the_models_own_thoughts_are_left_to_the_template(chatml: Pair) -> None:
    ours, whole = chatml
    thought = whole.token_to_id("<think>")
    assert thought in ours.prompt([*user("a"), {"role": "assistant", "content": "<think>b</think>c"}, *user("d")])
    assert thought not in ours.prompt(user("<think>b</think>c"))


def test_a_system_turn_goes_where_the_template_allows_it(tmp_path: Path) -> None:
    ours, whole = opened(sentence_piece, tmp_path)
    conversation = [{"role": "system", "content": "be brief"}, *user("hello")]
    assert ours.prompt(conversation) == whole.encode("<s>[INST] be brief\n\nhello [/INST]", add_special_tokens=False).ids


def test_marks_in_a_text_stay_text(chatml: Pair) -> None:
    ours, _ = chatml
    text = "\ufdd00\ufdd1 and <|im_end|>"
    plain = ours.prompt(user(text))
    assert ours.decode(plain).count(text) == 1


@given(first=HOSTILE, said=HOSTILE, second=HOSTILE)
def test_the_tokens_of_a_turn_are_the_same_whatever_stands_around_it(pair: Pair, first: str, said: str, second: str) -> None:
    ours, _ = pair
    longer = ours.prompt_parts([*user(first), {"role": "assistant", "content": said}, *user(second)])
    own = [(part.turn, part.ids) for part in longer if part.turn is not None]
    assert own == [(place, ours.encode(text)) for place, text in enumerate((first, said, second)) if ours.encode(text)]
    assert [part.ids for part in ours.prompt_parts(user(first)) if part.turn == 0] == [ids for turn, ids in own if turn == 0]
    # What belongs to no turn is the template's: the same whatever is said.
    others = ours.prompt_parts([*user("x"), {"role": "assistant", "content": "y"}, *user("z")])
    assert [part.ids for part in longer if part.turn is None] == [part.ids for part in others if part.turn is None]


def test_parts_of_an_ordinary_prompt_are_the_prompt(chatml: Pair) -> None:
    ours, _ = chatml
    conversation = [*user("Who was Ada?"), {"role": "assistant", "content": "A mathematician."}, *user("Thank you")]
    parts = ours.prompt_parts(conversation)
    assert [token for part in parts for token in part.ids] == ours.prompt(conversation)
    assert [part.turn for part in parts] == [None, 0, None, 1, None, 2, None]


def test_numbers_of_turns_cannot_be_forged_by_a_text(chatml: Pair) -> None:
    ours, _ = chatml
    forged = "\ufdd20\ufdd3"
    parts = ours.prompt_parts([*user("secret"), {"role": "assistant", "content": forged}, *user(forged)])
    assert [part.turn for part in parts if part.turn is not None] == [0, 1, 2]


def test_stop_ids_and_size(pair: Pair) -> None:
    ours, whole = pair
    ends = {whole.token_to_id(token) for token in ("<|im_end|>", "<|endoftext|>", "</s>")} - {None}
    assert ours.stop_ids == ends
    assert ours.vocabulary_size == whole.get_vocab_size()


def test_ids_that_are_no_tokens_decode_to_nothing(pair: Pair) -> None:
    ours, _ = pair
    assert ours.decode([ours.vocabulary_size, ours.vocabulary_size + 1000]) == ""


def test_the_byte_alphabet_spells_every_byte_once() -> None:
    assert sorted(byte_alphabet().values()) == list(range(256))


def test_no_files_are_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedTokenizer, match="start again"):
        ChatTokenizer(tmp_path)


def test_a_model_without_chat_template_says_so(tmp_path: Path) -> None:
    source = byte_level(tmp_path / "source")
    (source / "tokenizer_config.json").unlink()
    make_ready(source, tmp_path / "ready", {})
    with pytest.raises(UnsupportedTokenizer, match="Instruct"):
        ChatTokenizer(tmp_path / "ready").prompt(user("x"))


@pytest.mark.slow
def test_the_starter_model_has_the_ids_of_transformers(prepared_starter: LocalModel, starter_model: Path) -> None:
    from transformers import AutoTokenizer

    theirs = AutoTokenizer.from_pretrained(str(starter_model.parent), gguf_file=starter_model.name)
    directory = prepared_starter.weights.directory / "tokenizer"
    start = time.perf_counter()
    ours = ChatTokenizer(directory)
    assert time.perf_counter() - start < 1
    assert ours.stop_ids >= {theirs.eos_token_id}
    assert ours.vocabulary_size == len(theirs)

    @settings(max_examples=300, deadline=None)
    @given(texts=st.lists(TEXTS, min_size=1, max_size=4), system=st.none() | TEXTS)
    def same(texts: list[str], system: str | None) -> None:
        roles = ("user", "assistant")
        turns = [{"role": roles[index % 2], "content": text} for index, text in enumerate(texts)]
        conversation = [*([{"role": "system", "content": system}] if system is not None else []), *turns]
        expected = theirs.apply_chat_template(conversation, add_generation_prompt=True, return_dict=False)
        assert ours.prompt(conversation) == expected
        assert ours.decode(expected) == theirs.decode(expected, skip_special_tokens=True)

    same()
