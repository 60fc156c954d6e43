"""Trees of proposed tokens: what drafters hand out, and how the proposals of several become one."""

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from desktop_app.decoding.errors import BrokenRule


@dataclass(frozen=True, slots=True)
class TokenTree:
    """Proposed continuations of one path.

    Node i carries `tokens[i]` and continues node `parents[i]`, an earlier one, or the path itself where that is -1.
    `probabilities[i]` is the chance that the node *and all before it* come true, so it never rises from parent to child.
    """

    tokens: tuple[int, ...] = ()
    parents: tuple[int, ...] = ()
    probabilities: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        """Raise BrokenRule if the three are not of one length or a node comes before its parent."""
        if not len(self.tokens) == len(self.parents) == len(self.probabilities):
            raise BrokenRule("A token tree needs one parent and one probability for each token; mend the drafter that made it.")
        if any(not -1 <= parent < node for node, parent in enumerate(self.parents)):
            raise BrokenRule("A token tree's node must come after its parent; mend the drafter that made it.")

    @classmethod
    def chain(cls, tokens: Sequence[int], acceptance: float) -> "TokenTree":
        """One continuation without branches, each token of it coming true with probability `acceptance` if the one before did."""
        powers = tuple(acceptance ** (index + 1) for index in range(len(tokens)))
        return cls(tuple(tokens), tuple(range(-1, len(tokens) - 1)), powers)

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.tokens)

    def best(self, count: int) -> "TokenTree":
        """The `count` most probable nodes, most probable first; still a tree, as no node is likelier than its parent."""
        order = sorted(range(len(self)), key=lambda node: -self.probabilities[node])[: max(count, 0)]
        place = {old: new for new, old in enumerate(order)}
        return TokenTree(
            tuple(self.tokens[node] for node in order),
            tuple(place[self.parents[node]] if self.parents[node] >= 0 else -1 for node in order),
            tuple(self.probabilities[node] for node in order),
        )


def merge(trees: Iterable[TokenTree], *, depth: int, without: Set[int] = frozenset()) -> TokenTree:
    """One tree that holds the paths of all, each prefix once and with the highest probability that any tree gives it.

    Nodes deeper than `depth` (1: the first proposed token) and those that carry or follow a token in `without` are left out.
    """
    tokens: list[int] = []
    parents: list[int] = []
    probabilities: list[float] = []
    depths: list[int] = []
    found: dict[tuple[int, int], int] = {}
    for tree in trees:
        place: dict[int, int] = {-1: -1}
        for node, (token, old_parent, probability) in enumerate(zip(tree.tokens, tree.parents, tree.probabilities, strict=True)):
            parent = place.get(old_parent)
            if parent is None or token in without:
                continue
            level = depths[parent] + 1 if parent >= 0 else 1
            if level > depth:
                continue
            if parent >= 0:
                probability = min(probability, probabilities[parent])
            new = found.setdefault((parent, token), len(tokens))
            if new == len(tokens):
                tokens.append(token)
                parents.append(parent)
                probabilities.append(probability)
                depths.append(level)
            elif probability > probabilities[new]:
                probabilities[new] = probability
            place[node] = new
    return TokenTree(tuple(tokens), tuple(parents), tuple(probabilities))
