"""What is said under noise, and files that are of no use."""

from pathlib import Path

import pytest

from desktop_app.audit.errors import AuditError
from desktop_app.audit.noise_texts import PER_CHAT
from tests.helpers.noisy_bench import SMALL, LetterTokenizer, tiny_texts


def test_all_documents_are_there_for_attributes_and_some_are_answered() -> None:
    texts = tiny_texts()
    assert (len(texts.documents), texts.attacked, len(texts.passages), len(texts.chats)) == (48, 3, 2, 2)
    assert not texts.wikitext
    assert not texts.tasks


def test_canaries_stand_in_their_chats() -> None:
    for chat in tiny_texts().chats:
        said = LetterTokenizer().decode(chat.prompt.own)
        assert len(chat.canaries) == PER_CHAT
        assert all(canary.value in said for canary in chat.canaries if canary.value.isascii())


def test_published_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "wiki").write_text(" = Title = \n" + " word" * 130 + " \n", encoding="utf-8")
    (tmp_path / "mrpc").write_text("\ufeff1\t10\t11\tOne.\tUno.\nQuality\tx\ty\ta\tb\n0\t12\t13\tTwo.\tTre.\n", encoding="utf-8")
    (tmp_path / "sst").write_text("sentence\tlabel\nso good \t1\nno\t0\nbad \t0\n3\t1\n", encoding="utf-8")
    texts = tiny_texts(wikitext=tmp_path / "wiki", mrpc=tmp_path / "mrpc", sst2=tmp_path / "sst")
    tokenizer = LetterTokenizer()
    assert [tokenizer.decode(it.prompt.own).count("word") for it in texts.wikitext] == [50]
    assert [tokenizer.decode(it.following).count("word") for it in texts.wikitext] == [50]
    assert [(it.yes, "One." in tokenizer.decode(it.prompt.own)) for it in texts.tasks["mrpc"]] == [(True, True), (False, False)]
    assert [it.yes for it in texts.tasks["sst2"]] == [True, False, False][: SMALL.examples]


@pytest.mark.parametrize("name", ["wikitext", "mrpc", "sst2"])
def test_a_file_of_no_use_is_a_sentence(tmp_path: Path, name: str) -> None:
    path = tmp_path / "file"
    with pytest.raises(AuditError, match="could not be read"):
        tiny_texts(**{name: path})
    path.write_text("nothing of the kind\n", encoding="utf-8")
    with pytest.raises(AuditError, match="Choose the file as it is published"):
        tiny_texts(**{name: path})
