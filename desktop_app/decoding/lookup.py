"""A drafter that copies: what followed the last time the text was where it is now.

Find the longest suffix of the path that occurs earlier in prompt or output, at least two tokens long, take its most recent
occurrence and propose what followed it. That is right surprisingly often: names, quotes, code and lists repeat.

The index is a chain for each pair of neighbouring tokens: `_latest` knows where a pair ended last, `_earlier[i]` where the pair
that ends at i ended before that. A new token costs one entry; a proposal tries at most `_TRIES` places of the chain, newest
first, and compares at most `_LONGEST` tokens at each, however long the text.

Probabilities are counted, not guessed: for each length of match, how many proposed tokens came true, starting from a prior.
"""

from collections.abc import Sequence

from desktop_app.decoding.step import Draw
from desktop_app.decoding.token_tree import TokenTree

_TRIES = 32
_LONGEST = 32
_LENGTHS_COUNTED = 8
_PRIOR_WEIGHT = 4.0


class Lookup:
    """Longest-suffix lookup in prompt and output; proposes one chain."""

    def __init__(self) -> None:
        self._tokens: list[int] = []
        self._latest: dict[tuple[int, int], int] = {}
        self._earlier: list[int] = []
        self._proposed: tuple[int, int, list[int]] = (0, 0, [])
        # For each length of match (longer ones count as the longest): tokens that came true, tokens that could be compared.
        self._right = [_PRIOR_WEIGHT * (1 - 1 / max(length, 1)) for length in range(_LENGTHS_COUNTED + 1)]
        self._compared = [_PRIOR_WEIGHT] * (_LENGTHS_COUNTED + 1)

    def begin(self, context: Sequence[int]) -> None:
        """Forget the text and index this one; what was counted of acceptance stays."""
        self._tokens = []
        self._latest = {}
        self._earlier = []
        self._proposed = (0, 0, [])
        self.observe(context)

    def observe(self, tokens: Sequence[int]) -> None:
        """Index these tokens, one entry each."""
        for token in tokens:
            pair = (self._tokens[-1] if self._tokens else -1, token)
            self._earlier.append(self._latest.get(pair, -1))
            self._latest[pair] = len(self._tokens)
            self._tokens.append(token)

    def learn(self, token: int, draw: Draw) -> None:
        """Draws teach it nothing: it knows only what was said."""

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """What followed the most recent of the longest earlier occurrences of the path's end; empty if there is none."""
        self._count(path)
        end, length = self._match(path)
        if length < 2:
            return TokenTree()
        tokens: list[int] = []
        for source in range(end + 1, end + 1 + limit):
            # A match that reaches the end of the path goes on with what it proposes itself: repetitions repeat.
            tokens.append(path[source] if source < len(path) else tokens[source - len(path)])
        counted = min(length, _LENGTHS_COUNTED)
        self._proposed = (len(path), counted, tokens)
        return TokenTree.chain(tokens, self._right[counted] / self._compared[counted])

    def _match(self, path: Sequence[int]) -> tuple[int, int]:
        """Where the longest match ends, and its length; the length is below 2 if there is none."""
        best_end, best_length = -1, 1
        end = self._latest.get((path[-2], path[-1]), -1) if len(path) > 1 else -1
        for _ in range(_TRIES):
            if end < 0 or best_length == _LONGEST:
                break
            if end < len(path) - 1:  # else it is the path's own end
                length = 2
                while length < _LONGEST and length <= end and self._tokens[end - length] == path[-1 - length]:
                    length += 1
                if length > best_length:
                    best_end, best_length = end, length
            end = self._earlier[end]
        return best_end, best_length

    def _count(self, path: Sequence[int]) -> None:
        """Compare the last proposal with what has come to stand in its place, up to the first difference."""
        at, counted, tokens = self._proposed
        self._proposed = (0, 0, [])
        for proposed, came in zip(tokens, path[at : at + len(tokens)], strict=False):
            self._compared[counted] += 1
            if proposed != came:
                break
            self._right[counted] += 1
