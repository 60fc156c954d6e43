"""A chat as markdown, with the real words: to be saved or printed."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QTextDocument

from desktop_app.chat.conversation import Conversation
from desktop_app.gui.markdown_document import MarkdownWriter
from desktop_app.gui.markdown_stream import MarkdownStream
from desktop_app.gui.theme import LIGHT

translate = QCoreApplication.translate


def transcript(conversation: Conversation) -> str:
    """The branch that is seen: questions with the names of their documents, and answers."""
    parts = [f"# {conversation.title}"] if conversation.title else []
    for message in conversation.messages:
        if message.role == "user":
            parts.append("## " + translate("Transcript", "Question"))
            parts += [f"- {document.name}" for document in message.documents]
        else:
            parts.append("## " + translate("Transcript", "Answer"))
        parts.append(message.text)
    return "\n\n".join(part for part in parts if part) + "\n"


def transcript_document(conversation: Conversation) -> QTextDocument:
    """The same to be printed: dark on white; nothing is loaded."""
    document = QTextDocument()
    writer, stream = MarkdownWriter(document, LIGHT), MarkdownStream()
    for block in [*stream.feed(transcript(conversation)), *stream.finish()]:
        writer.write(block)
    return document
