import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.token_tree import TokenTree, merge


@st.composite
def trees(draw: st.DrawFn) -> TokenTree:
    count = draw(st.integers(0, 12))
    parents = tuple(draw(st.integers(-1, node - 1)) for node in range(count))
    return TokenTree(
        tuple(draw(st.integers(0, 3)) for _ in range(count)), parents, tuple(draw(st.floats(0, 1)) for _ in range(count))
    )


def paths(tree: TokenTree) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    for token, parent in zip(tree.tokens, tree.parents, strict=True):
        found.append((*(found[parent] if parent >= 0 else ()), token))
    return found


@given(st.lists(trees(), max_size=4), st.integers(0, 5), st.sets(st.integers(0, 3), max_size=1))
def test_merged_tree_holds_every_allowed_path_once(parts: list[TokenTree], depth: int, without: set[int]) -> None:
    merged = merge(parts, depth=depth, without=without)
    wanted = {path for part in parts for path in paths(part) if len(path) <= depth and not without & set(path)}
    assert sorted(paths(merged)) == sorted(wanted)


@given(st.lists(trees(), max_size=4))
def test_no_merged_node_is_likelier_than_its_parent(parts: list[TokenTree]) -> None:
    merged = merge(parts, depth=9)
    for parent, probability in zip(merged.parents, merged.probabilities, strict=True):
        assert parent < 0 or probability <= merged.probabilities[parent]


@given(st.lists(trees(), max_size=4), st.integers(-1, 12))
def test_best_are_the_likeliest_and_still_a_tree(parts: list[TokenTree], count: int) -> None:
    merged = merge(parts, depth=9)
    best = merged.best(count)
    assert len(best) == min(max(count, 0), len(merged))
    assert list(best.probabilities) == sorted(merged.probabilities, reverse=True)[: len(best)]
    assert set(paths(best)) <= set(paths(merged))


def test_the_higher_probability_of_a_shared_prefix_counts() -> None:
    merged = merge([TokenTree.chain([1, 2], 0.5), TokenTree.chain([1, 3], 0.8)], depth=4)
    assert paths(merged) == [(1,), (1, 2), (1, 3)]
    assert merged.probabilities == pytest.approx((0.8, 0.25, 0.64))


def test_what_is_no_tree_is_refused() -> None:
    with pytest.raises(BrokenRule, match="one probability"):
        TokenTree((1,), (-1,), ())
    with pytest.raises(BrokenRule, match="after its parent"):
        TokenTree((1, 2), (1, -1), (0.5, 0.5))
