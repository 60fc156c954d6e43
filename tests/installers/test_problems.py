"""A problem is shown as the sentence that it is."""

from installers.problems import BootstrapProblem


def test_its_text_is_what_the_user_reads() -> None:
    assert str(BootstrapProblem("The disk is full.")) == "The disk is full."
