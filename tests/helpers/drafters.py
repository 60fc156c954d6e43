"""Drafters of every quality, for tests of the decode loop."""

from collections.abc import Callable, Sequence
from random import Random

from desktop_app.decoding.step import Draw
from desktop_app.decoding.token_tree import TokenTree
from tests.helpers.scripted_model import Script


class SilentDrafter:
    """Proposes nothing; notes what it is told."""

    def __init__(self) -> None:
        self.context: list[int] = []
        self.observed: list[int] = []
        self.learnt: list[tuple[int, Draw]] = []

    def begin(self, context: Sequence[int]) -> None:
        """Note the prompt."""
        self.context = list(context)
        self.observed = []

    def observe(self, tokens: Sequence[int]) -> None:
        """Note what was accepted."""
        self.observed += tokens

    def learn(self, token: int, draw: Draw) -> None:
        """Note a draw."""
        self.learnt.append((token, draw))

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """Nothing."""
        return TokenTree()


class ChainDrafter(SilentDrafter):
    """Proposes a chain: each token is what `choose` makes of the right one."""

    def __init__(self, script: Script, choose: Callable[[int], int]) -> None:
        super().__init__()
        self._script = script
        self._choose = choose

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """A chain of `limit` tokens."""
        at = tuple(path)
        for _ in range(limit):
            at += (self._choose(self._script.next_token(at)),)
        return TokenTree.chain(at[len(path) :], 0.8)


class TreeDrafter(SilentDrafter):
    """Proposes trees of any shape with any probabilities; a node is right, if its parent is, with probability `quality`."""

    def __init__(self, script: Script, random: Random, quality: float) -> None:
        super().__init__()
        self._script = script
        self._random = random
        self._quality = quality

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        """A tree of up to `limit` + 2 nodes, duplicates and senseless probabilities included."""
        random = self._random
        count = random.randrange(limit + 3)
        parents = [max(random.randrange(-1, node), random.randrange(-1, node)) for node in range(count)]
        paths: list[tuple[int, ...]] = []
        for parent in parents:
            before = paths[parent] if parent >= 0 else tuple(path)
            right = random.random() < self._quality
            paths.append((*before, self._script.next_token(before) if right else random.randrange(6)))
        return TokenTree(tuple(path[-1] for path in paths), tuple(parents), tuple(random.random() for _ in paths))


def perfect(script: Script) -> ChainDrafter:
    """Always right."""
    return ChainDrafter(script, lambda token: token)


def lying(script: Script) -> ChainDrafter:
    """Never right."""
    return ChainDrafter(script, lambda token: token + 1)


def mixed(script: Script, random: Random) -> ChainDrafter:
    """Right two times in three."""
    return ChainDrafter(script, lambda token: token if random.random() < 0.67 else token + 1)
