"""Python counts characters, Qt counts UTF-16 units: a character beyond the first plane (an emoji) counts twice there."""

from bisect import bisect_left


class Positions:
    """Qt's position of each character of one text: `positions[character]`."""

    def __init__(self, text: str) -> None:
        self._wide = (
            []
            if text.isascii() or not text or max(text) <= "\uffff"
            else [number for number, character in enumerate(text) if character > "\uffff"]
        )

    def __getitem__(self, character: int) -> int:
        return character + bisect_left(self._wide, character)
