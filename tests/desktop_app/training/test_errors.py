"""This room's errors are one family."""

from desktop_app.training.errors import TrainingError


def test_its_text_is_what_is_shown() -> None:
    assert str(TrainingError("Choose another folder.")) == "Choose another folder."
