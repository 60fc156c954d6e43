import pytest

from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.row_tree import RowTree
from desktop_app.decoding.token_tree import TokenTree


def tree_past_its_prompt() -> RowTree:
    tree = RowTree([7, 8, 9], [])
    tree.send_prompt(0, 3)
    return tree


def test_there_is_no_tip_before_the_whole_prompt_was_sent() -> None:
    tree = RowTree([7, 8, 9], [])
    tree.send_prompt(0, 2)
    assert tree.in_prompt
    with pytest.raises(BrokenRule):
        _ = tree.tip


def test_sibling_of_the_accepted_row_is_dead_and_still_has_its_path() -> None:
    tree = tree_past_its_prompt()
    right, wrong = tree.hang(3, 1, tree.tip), tree.hang(4, 2, tree.tip)
    below = tree.hang(5, 6, wrong)
    above = tree.tip
    assert tree.accept(1)
    assert tree.tip is right
    assert not above.children, "nothing dead is kept"
    assert tree.lives(right)
    assert not tree.lives(below)
    assert tree.path(5, 0) == [7, 8, 9, 2, 6]
    assert tree.path(5, 4) == [6]


def test_token_that_no_guess_carries_has_no_row() -> None:
    tree = tree_past_its_prompt()
    assert not tree.accept(1)
    assert tree.unsent


def test_match_finds_what_was_sent_already() -> None:
    tree = tree_past_its_prompt()
    child = tree.hang(3, 1, tree.tip)
    rows, fresh = tree.match(TokenTree((1, 2, 3, 4), (-1, 0, -1, 2), (0.9, 0.8, 0.7, 0.6)))
    assert rows == {-1: tree.tip, 0: child}
    assert fresh == [1, 2, 3]
    assert tree.tip.descendants() == 1


def test_rows_of_the_path_are_found_by_id_and_others_are_not() -> None:
    tree = RowTree([7, 8, 9], [10, 20])
    assert (tree.position(20), tree.path(20, 0)) == (1, [7, 8])
    with pytest.raises(BrokenRule, match="Row 15"):
        tree.position(15)


def test_cut_path_takes_away_everything_from_the_first_of_these_rows_on() -> None:
    tree = tree_past_its_prompt()
    tree.cut_path(5, 3)
    assert tree.ids == [0, 1, 2]
    tree.cut_path(1, 1)
    assert tree.ids == [0]


def test_twin_takes_the_place_of_the_tip() -> None:
    tree = tree_past_its_prompt()
    tree.hang(3, 1, tree.tip)
    tree.accept(1)
    below = tree.hang(4, 5, tree.tip)
    twin = tree.twin_of_tip(6)
    assert tree.path(6, 0) == [7, 8, 9, 1]
    tree.replace_tip(twin)
    assert not tree.lives(below)
    assert tree.path(4, 0) == [7, 8, 9, 1, 5]
    assert tree.position(6) == 3
