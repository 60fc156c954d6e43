"""What the model gets to read: the turns of a conversation, documents in front of the question they belong to."""

from collections.abc import Callable, Sequence, Set

from desktop_app.chat.events import DocumentText, Turn
from desktop_app.engine.errors import RequestRefused

# Below this many tokens of room an answer would be cut off before it says anything.
LEAST_ROOM = 16


def messages(turns: Sequence[Turn]) -> list[dict[str, str]]:
    """Return the turns as a chat template takes them, those that are `spoken`."""
    return [{"role": turn.role, "content": _content(turn)} for turn in spoken(turns)]


def spoken(turns: Sequence[Turn]) -> list[Turn]:
    """Return the turns that say something: empty ones (an answer that failed at once) are left out."""
    return [turn for turn in turns if turn.text.strip() or turn.documents]


def check_question(turns: Sequence[Turn]) -> None:
    """Raise `RequestRefused` where there is nothing to answer."""
    if not turns or turns[-1].role != "user" or not turns[-1].text.strip():
        raise RequestRefused("There is no question. Type one and send it again; a document alone is not a question.")
    for document in (document for turn in turns for document in turn.documents):
        if not document.text.strip():
            raise RequestRefused(
                f"“{document.name}” holds no text that can be read. Remove it, or use a version with text (not a scan)."
            )


def check_context(prompt_tokens: int, document_tokens: int, context: int) -> int:
    """Return the room for the answer, in tokens. Raises `RequestRefused` with both counts where the prompt does not fit."""
    room = context - prompt_tokens
    if room >= LEAST_ROOM:
        return room
    documents = f", {document_tokens:,} of them in documents" if document_tokens else ""
    raise RequestRefused(
        f"This conversation has {prompt_tokens:,} tokens{documents}, but the model reads at most {context:,}, answer included. "
        "Nothing was cut and nothing was sent. Remove a document, shorten the question, or start a new chat."
    )


def documents_of(turns: Sequence[Turn]) -> list[DocumentText]:
    """Return all documents of a conversation, in order."""
    return [document for turn in turns for document in turn.documents]


def with_tokens_as_made(
    ids: Sequence[int], made: Sequence[int], token_bytes: Callable[[int], bytes], stop_ids: Set[int]
) -> list[int]:
    """Return the prompt `ids` with the last reply's tokens as they were `made`, where both are the same text.

    Read again, a reply may be cut into other tokens than it was made of, and no row from there on could be used again. `made` is
    the last prompt and its reply, without the token that ended it.
    """
    both = min(len(ids), len(made))
    shared = next((index for index in range(both) if ids[index] != made[index]), both)
    end = next((index for index in range(shared, len(ids)) if ids[index] in stop_ids), len(ids))
    if b"".join(map(token_bytes, ids[shared:end])) == b"".join(map(token_bytes, made[shared:])):
        return [*made, *ids[end:]]
    return list(ids)


def _content(turn: Turn) -> str:
    documents = [f"Document “{it.name}”:\n\n{it.text.strip()}\n\n(End of “{it.name}”.)" for it in turn.documents]
    return "\n\n".join([*documents, turn.text.strip() if turn.role == "user" else turn.text])
