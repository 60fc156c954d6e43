"""Which words are parts of which names, and which of them have left as stand-ins."""

import pytest

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Mark
from desktop_app.gui.name_parts import UsedNames, parts_of


def chat() -> Conversation:
    conversation = Conversation()
    question, _ = conversation.ask("Is Ann Lee here?", [DocumentText(name="a.txt", text="김지우")])
    question.marks = [Mark(start=3, end=10, kind="person", stand_in="Eve Moor")]
    question.document_marks = [[Mark(start=0, end=3, kind="person", stand_in="이하은")]]
    return conversation


def test_parts_are_runs_of_words_by_their_letters() -> None:
    assert parts_of("Dr. Ann-Lee") == {"dr", "ann", "lee", "drann", "annlee", "drannlee"}
    assert parts_of("김지우") == {"김지우", "김지", "지우"}
    assert parts_of(" .") == set()


@pytest.mark.parametrize("words", ["Ann Lee", "ANN", "lee", "Ann Lee's", "지우", "김지우"])
def test_a_part_of_what_has_left_and_what_holds_it_are_known(words: str) -> None:
    assert words in UsedNames(chat())


@pytest.mark.parametrize("words", ["", ".", "An", "Eve", "here", "김"])
def test_other_words_are_not(words: str) -> None:
    assert words not in UsedNames(chat())
    assert words not in UsedNames()


def test_what_left_on_another_branch_has_left() -> None:
    conversation = chat()
    conversation.messages.clear()
    assert UsedNames(conversation).pairs == {("Ann Lee", "Eve Moor"), ("김지우", "이하은")}
