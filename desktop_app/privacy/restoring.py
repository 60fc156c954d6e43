"""Puts the real values back into what a model writes, piece by piece as it comes."""

from desktop_app.privacy.matching.entries import Piece
from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.matching.lookup import LOOK_BACK, Hit
from desktop_app.privacy.matching.scanning import Scan

MOST_KEPT = 4096  # characters that have been given out; what is found may depend on the last of them


class Restorer:
    """Restores one text. Feed it as the text comes, then finish; it holds back only what the next characters could change."""

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._text = ""
        self._done = 0
        self._last: Hit | None = None

    def feed(self, text: str) -> list[Piece]:
        """Take more of the text; returns what is certain by now."""
        self._text += text
        return self._restore(final=False)

    def finish(self) -> list[Piece]:
        """Return what was held back."""
        return self._restore(final=True)

    def _restore(self, final: bool) -> list[Piece]:
        scan = Scan(self._lexicon, self._text, final, last=self._last)
        end = scan.run(self._done)
        pieces = []
        for hit in scan.hits:
            if hit.start > self._done:
                pieces.append(Piece(self._text[self._done : hit.start], None, "", False))
            stand_in = self._text[hit.start : hit.end] if hit.kind is not None else ""
            pieces.append(Piece(hit.text, hit.kind, stand_in, hit.doubtful))
            self._done = hit.end
        if end > self._done:
            pieces.append(Piece(self._text[self._done : end], None, "", False))
            self._done = end
        self._last = scan.last
        if self._done > MOST_KEPT + LOOK_BACK:
            self._forget(self._done - LOOK_BACK)
        return pieces

    def _forget(self, count: int) -> None:
        self._text = self._text[count:]
        self._done -= count
        if self._last is not None:
            self._last = self._last._replace(start=self._last.start - count, end=self._last.end - count)
