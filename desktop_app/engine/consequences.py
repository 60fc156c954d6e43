"""What has left before the person said that it must not: a word that comes too late is told, with how often and to whom."""

import re
from collections.abc import Sequence

from desktop_app.chat.stored import Consequence, Decision, StoredMessage
from desktop_app.engine.keeper import Kept
from desktop_app.privacy.drafts import spelt
from desktop_app.privacy.language.reading import Reading
from desktop_app.privacy.recognition.word_lists import WordLists
from desktop_app.privacy.spans import Kind, outside


def consequences(kept: Kept, conversation: str, decisions: Sequence[Decision]) -> list[Consequence]:
    """For which values it is too late: how many messages have left with them as they are, and to whom."""
    late = [decision.value for decision in decisions if decision.replaced]
    records = [record for record in kept.history.sent(conversation) if record.rows]
    if not late or not records:
        return []
    stored = {message.identity: message for message in kept.history.load(conversation).messages}
    left: dict[tuple[str, bool], str] = {}  # a message, and whether it was protected: who got it last
    for record in records:
        identity = stored[record.message].parent
        while identity:  # with a question all goes that was before it
            left[identity, record.protect] = record.peer
            identity = stored[identity].parent
    texts = {key: Reading(_clear(stored[key[0]], protected=key[1])).text for key in left}
    result = []
    for value in late:
        listed, literal = WordLists({value: Kind.OTHER}), re.compile(rf"(?<!\w){re.escape(spelt(value))}(?!\w)")
        peers = {key[0]: left[key] for key, text in texts.items() if literal.search(text) or listed.find(text)}
        if peers:
            result.append(Consequence(value=value, messages=len(peers), peer=list(peers.values())[-1]))
    return result


def _clear(message: StoredMessage, protected: bool) -> str:
    """What of a message and its documents left as it was."""
    texts = [message.text, *(document.text for document in message.documents)]
    if not protected:
        return "\0".join([*texts, *(document.name for document in message.documents)])
    marks = [message.marks, *(message.document_marks or [[] for _ in message.documents])]
    return "\0".join(part for text, places in zip(texts, marks, strict=True) for part in outside(text, places))
