"""A chat as markdown, with the real words, those that are doubtful marked as such: to be saved or printed."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextDocument

from desktop_app.chat.conversation import Conversation
from desktop_app.chat.message import Message
from desktop_app.gui.markdown_document import MarkdownWriter
from desktop_app.gui.markdown_stream import MarkdownStream
from desktop_app.gui.theme import LIGHT

translate = QCoreApplication.translate

DOUBT = "(?)"
"""Stands behind a word that may have been restored wrongly."""


def transcript(conversation: Conversation) -> str:
    """The branch that is seen: questions with the names of their documents, and answers."""
    parts = [f"# {conversation.title}"] if conversation.title else []
    if any(mark.doubtful for message in conversation.messages for mark in message.marks):
        note = translate(
            "Transcript", "behind a word: Sotto put it in the place of a stand-in, and the model may have meant another."
        )
        parts.append(f"{DOUBT} {note}")
    for message in conversation.messages:
        if message.role == "user":
            parts.append("## " + translate("Transcript", "Question"))
            parts += [f"- {document.name}" for document in message.documents]
        else:
            parts.append("## " + translate("Transcript", "Answer"))
        parts.append(_with_doubts(message))
    return "\n\n".join(part for part in parts if part) + "\n"


def _with_doubts(message: Message) -> str:
    written, done = [], 0
    for mark in sorted((mark for mark in message.marks if mark.doubtful), key=lambda mark: mark.end):
        written += [message.text[done : mark.end], f" {DOUBT}"]
        done = mark.end
    return "".join([*written, message.text[done:]])


def transcript_document(conversation: Conversation) -> QTextDocument:
    """The same to be printed: dark on white; nothing is loaded."""
    document = QTextDocument()
    writer, stream = MarkdownWriter(document, LIGHT), MarkdownStream()
    for block in [*stream.feed(transcript(conversation)), *stream.finish()]:
        writer.write(block)
    return document
