"""A chat as text and as a page, with the real words."""

from PySide6.QtWidgets import QApplication

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.events import DocumentText, Mark, ReplyFinished, Statistics, TextAdded
from desktop_app.gui.transcript import transcript, transcript_document


def chat() -> Conversation:
    conversation = Conversation()
    conversation.ask("Is Ann here?", [DocumentText(name="lease.pdf", text="long text")])
    conversation.receive(TextAdded("**Ann** is.\n\n```py\nx = 1\n```\n", [Mark(start=2, end=5, kind="person", stand_in="Eve")]))
    conversation.receive(ReplyFinished("end", Statistics()))
    return conversation


def test_text_holds_the_real_words_and_the_names_of_documents() -> None:
    text = transcript(chat())
    assert text.startswith("# Is Ann here?\n\n## Question\n\n- lease.pdf\n\nIs Ann here?\n\n## Answer\n\n**Ann** is.")
    assert "Eve" not in text
    assert "long text" not in text


def test_the_page_is_written_as_an_answer_is(qapp: QApplication) -> None:
    text = transcript_document(chat()).toPlainText()
    assert "Ann is." in text
    assert "x = 1" in text


def test_a_doubtful_word_says_so_and_a_note_says_what_that_means() -> None:
    conversation = chat()
    assert "(?)" not in transcript(conversation)
    conversation.messages[1].marks = [Mark(start=2, end=5, kind="person", stand_in="Eve", doubtful=True)]
    text = transcript(conversation)
    assert "**Ann (?)** is." in text
    assert "(?) behind a word:" in text
    assert "Ann (?) is." in transcript_document(conversation).toPlainText()
