"""The tokenizer's own files are made once, keep every id, and damaged ones are made again."""

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from desktop_app.model.errors import UnsupportedTokenizer
from desktop_app.model.tokenizer_files import CHAT_FILE, TEXT_FILE, make_ready, read_facts
from tests.helpers.tokenizers_of_kinds import KINDS, byte_level


@pytest.mark.parametrize("kind", KINDS)
def test_no_id_moves(kind: str, tmp_path: Path) -> None:
    source = KINDS[kind](tmp_path / "source")
    make_ready(source, tmp_path / "ready", {})
    whole = Tokenizer.from_file(str(source / "tokenizer.json"))
    text = Tokenizer.from_file(str(tmp_path / "ready" / TEXT_FILE))
    added = set(whole.get_added_tokens_decoder())
    for token, index in whole.get_vocab().items():
        assert index in added or text.token_to_id(token) == index


def test_added_tokens_that_are_plain_text_stay_recognised(tmp_path: Path) -> None:
    source = byte_level(tmp_path / "source")
    full = json.loads((source / "tokenizer.json").read_text())
    plain = {"content": "  ", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    full["added_tokens"].append(plain | {"id": full["added_tokens"][-1]["id"] + 1})
    (source / "tokenizer.json").write_text(json.dumps(full))
    make_ready(source, tmp_path / "ready", {})
    facts, text = read_facts(tmp_path / "ready"), Tokenizer.from_file(str(tmp_path / "ready" / TEXT_FILE))
    assert facts is not None
    assert not facts.added[-1].control
    assert text.encode("a  b").ids[1] == facts.added[-1].id


def test_every_place_that_names_an_end_counts(tmp_path: Path) -> None:
    source = byte_level(tmp_path / "source")
    (source / "generation_config.json").write_text('{"eos_token_id": [3, 4]}')
    make_ready(source, tmp_path / "ready", {"eos_token_id": 5})
    facts = read_facts(tmp_path / "ready")
    assert facts is not None
    assert set(facts.stop_ids) >= {3, 4, 5}


def test_several_templates_and_a_template_file(tmp_path: Path) -> None:
    source = byte_level(tmp_path / "source")
    named = [{"name": "tool_use", "template": "b"}, {"name": "default", "template": "a"}]
    (source / "tokenizer_config.json").write_text(json.dumps({"chat_template": named}))
    make_ready(source, tmp_path / "one", {})
    (source / "chat_template.jinja").write_text("c")
    make_ready(source, tmp_path / "two", {})
    found = [read_facts(tmp_path / name) for name in ("one", "two")]
    assert [facts.template for facts in found if facts] == ["a", "c"]


def test_files_that_are_there_are_left_and_damaged_ones_made_again(tmp_path: Path) -> None:
    source, ready = byte_level(tmp_path / "source"), tmp_path / "ready"
    make_ready(source, ready, {})
    before = (ready / CHAT_FILE).stat().st_mtime_ns
    make_ready(tmp_path / "gone", ready, {})
    assert (ready / CHAT_FILE).stat().st_mtime_ns == before
    (ready / CHAT_FILE).write_text("{")
    assert read_facts(ready) is None
    make_ready(source, ready, {})
    assert read_facts(ready) is not None


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"model": {"vocab": {}}, "decoder": {"type": "WordPiece"}}', '{"added_tokens": [{}]}']
)
def test_a_bad_tokenizer_is_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(text)
    with pytest.raises(UnsupportedTokenizer, match=r"Choose|Download"):
        make_ready(tmp_path, tmp_path / "ready", {})
    assert read_facts(tmp_path / "ready") is None


@pytest.mark.slow
def test_a_file_without_tokenizer_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(UnsupportedTokenizer, match="cannot be read"):
        make_ready(tmp_path / "m.gguf", tmp_path / "ready", {})
