"""The value that reading gives."""

import dataclasses

import pytest

from desktop_app.documents.extracted import Extracted


def test_what_a_kind_does_not_have_is_empty_and_nothing_can_be_changed() -> None:
    extracted = Extracted("a.txt", "text", "words")
    assert (extracted.pages, extracted.encoding, extracted.note) == (0, "", "")
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(extracted, "text", "others")  # noqa: B010 - what a type checker would not let pass
