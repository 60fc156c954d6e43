"""Scripts that are not read are named; where there are none nothing is said."""

from desktop_app.gui.unread_words import unread_words


def test_each_script_is_named_also_one_without_a_translation() -> None:
    assert unread_words(["Chinese", "Ethiopic"]).startswith("Names in Chinese, Ethiopic writing are hardly found: ")


def test_nothing_is_said_of_none() -> None:
    assert unread_words([]) == ""
