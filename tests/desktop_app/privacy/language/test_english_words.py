"""Words are looked up in the index that comes with the English model, inflected or not."""

import pytest

from desktop_app.privacy.language.english_words import EnglishWords


class Lookups:
    """Tables as spaCy's, of three words."""

    def get_table(self, name: str) -> dict[str, object]:
        """A table of lemmas."""
        return {
            "lemma_index": {"noun": ["house"], "verb": ["celebrate"], "adj": ["old"], "adv": []},
            "lemma_rules": {"noun": [["s", ""]], "verb": [["ing", "e"]], "adj": [["er", ""]]},
            "lemma_exc": {"noun": {"mice": ["mouse"]}},
        }[name]


@pytest.mark.parametrize("word", ["house", "houses", "celebrating", "older", "mice", "please"])
def test_words_that_are_known(word: str) -> None:
    assert EnglishWords(Lookups()).know(word)


@pytest.mark.parametrize("word", ["voss", "housing", "zoltan", ""])
def test_words_that_are_not(word: str) -> None:
    assert not EnglishWords(Lookups()).know(word)
