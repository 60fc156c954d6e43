"""What the model gets to read, and what is refused before anything is sent."""

import pytest

from desktop_app.chat.events import DocumentText, Turn
from desktop_app.engine.errors import RequestRefused
from desktop_app.engine.prompt import check_context, check_question, messages, with_tokens_as_made


def test_documents_come_before_the_question_they_belong_to() -> None:
    document = DocumentText(name="소견서.txt", text="The patient is well.")
    content = messages([Turn(role="user", text="How is the patient?", documents=[document])])[0]["content"]
    assert content.index("소견서.txt") < content.index("The patient is well.") < content.index("How is the patient?")


def test_turns_without_text_are_left_out() -> None:
    turns = [Turn(role="user", text="a"), Turn(role="assistant", text=" "), Turn(role="user", text="b")]
    assert [message["content"] for message in messages(turns)] == ["a", "b"]


@pytest.mark.parametrize("turns", [[], [Turn(role="user", text="  \n")], [Turn(role="assistant", text="x")]])
def test_without_a_question_nothing_is_asked(turns: list[Turn]) -> None:
    with pytest.raises(RequestRefused, match="no question"):
        check_question(turns)


def test_an_empty_document_is_named() -> None:
    with pytest.raises(RequestRefused, match=r"scan\.pdf"):
        check_question([Turn(role="user", text="?", documents=[DocumentText(name="scan.pdf", text=" \n")])])


def test_a_prompt_over_the_context_is_refused_with_both_counts() -> None:
    with pytest.raises(RequestRefused, match=r"9,000 tokens, 8,900 of them in documents.*at most 8,192"):
        check_context(9000, 8900, 8192)


def test_the_room_for_the_answer_is_what_the_prompt_leaves() -> None:
    assert check_context(100, 0, 8192) == 8092


def _bytes(token: int) -> bytes:
    return {1: b"ab", 2: b"a", 3: b"b", 9: b""}.get(token, bytes([token]))


def test_a_reply_keeps_the_tokens_that_it_was_made_of() -> None:
    made, read_again = [50, 51, 2, 3], [50, 51, 1, 9, 60]
    assert with_tokens_as_made(read_again, made, _bytes, {9}) == [50, 51, 2, 3, 9, 60]


@pytest.mark.parametrize("ids", [[50, 51, 1, 70, 9, 60], [50, 51, 2, 9], [40, 41, 9], [50, 51, 2, 3, 9, 60], [50], []])
def test_another_text_keeps_its_own_tokens(ids: list[int]) -> None:
    assert with_tokens_as_made(ids, [50, 51, 2, 3], _bytes, {9}) == ids
