"""Another model can be set in place of those that come along."""

from collections.abc import Sequence

from desktop_app.privacy.recognition.names import DOSE, Found, NameRecogniser
from desktop_app.privacy.recognition.recogniser import Recogniser
from desktop_app.privacy.spans import Kind, Source, Span


class Shouted:
    """A recogniser that takes what stands in capitals for a name."""

    def reads(self, text: str) -> bool:
        """Whether there are capitals."""
        return text != text.lower()

    def find(self, texts: Sequence[str]) -> list[list[Found]]:
        """Words in capitals."""
        return [
            [Found(text.index(word), text.index(word) + len(word), Kind.OTHER) for word in text.split() if word.isupper()]
            for text in texts
        ]


def test_a_model_of_ones_own_finds_the_names() -> None:
    mine: NameRecogniser = Shouted()
    assert Recogniser(names=[mine]).find("all quiet\nsaid ORION then") == [Span(15, 20, Kind.OTHER, Source.NAME)]


def test_a_dose_is_told() -> None:
    assert DOSE.match(" 500 mg twice")
    assert not DOSE.match(" 500 times")
