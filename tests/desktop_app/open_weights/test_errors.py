"""This room's errors are one family."""

from desktop_app.open_weights.errors import OpenWeightsError


def test_its_text_is_what_is_shown() -> None:
    assert str(OpenWeightsError("Choose another folder.")) == "Choose another folder."
