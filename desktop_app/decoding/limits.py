"""What ends a reply, and how a prompt is sliced."""

from collections.abc import Set
from dataclasses import dataclass

from desktop_app.decoding.errors import BrokenRule, NoRoom


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a reply may become.

    `max_tokens` bounds the reply, `context` prompt and reply together, both in tokens. A token in `stop_ids` ends the reply and
    is not part of it. A prompt travels in slices of at most `prompt_slice` rows.
    """

    max_tokens: int
    context: int
    stop_ids: Set[int] = frozenset()
    prompt_slice: int = 128

    def __post_init__(self) -> None:
        """Raise BrokenRule for limits under which nothing could ever be said."""
        if min(self.max_tokens, self.context, self.prompt_slice) < 1:
            raise BrokenRule("max_tokens, context and prompt_slice must be at least 1; check the settings that they come from.")

    def reply_room(self, prompt_tokens: int) -> int:
        """How many tokens the reply to a prompt of this length may have, at least 1; raise NoRoom if there is none."""
        if prompt_tokens < 1:
            raise NoRoom("The prompt is empty; write something first.")
        room = min(self.max_tokens, self.context - prompt_tokens)
        if room < 1:
            raise NoRoom(
                f"The prompt has {prompt_tokens} tokens and the model's context holds {self.context}, so there is no room for a "
                "reply; shorten the prompt or choose a model with a longer context."
            )
        return room
