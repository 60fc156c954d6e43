"""What every drafter can do.

A drafter never changes what is said, only how fast: the decoder keeps of a proposal what the model itself draws. So a drafter may
be wrong at any time; it should only be honest about how often.
"""

from collections.abc import Sequence
from typing import Protocol

from desktop_app.decoding.step import Draw
from desktop_app.decoding.token_tree import TokenTree


class Drafter(Protocol):
    """Proposes continuations. One drafter may serve the replies of a conversation one after the other, never two at once."""

    def begin(self, context: Sequence[int]) -> None:
        """A reply begins; `context` is the whole prompt. What was learnt of the model before may be kept."""

    def observe(self, tokens: Sequence[int]) -> None:
        """These tokens were accepted: they follow the context and all that was observed since."""

    def learn(self, token: int, draw: Draw) -> None:
        """A row that carries `token` was run, whether it is accepted or not, and this was drawn at it."""

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """About `limit` nodes, or as many as are worth it, that may follow `path`, with honest probabilities.

        `path` starts with the context and all that was observed and may go on beyond it; it must be neither changed nor kept.
        More than `limit` nodes do no harm: the likeliest are taken.
        """
