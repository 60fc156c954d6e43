"""Many texts through the whole public model at once: what a single text takes, dozens take two or three times.

Everything is computed by the copy of the model that can be trained (`open_weights.trainable`), so that rows which are no token's
embedding can go in; it gives what Sotto's own layers give, up to rounding. Texts that are answered are padded on the left, so
that all of them end at the same place; texts whose states are wanted are padded on the right, where nothing sees the padding.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import DynamicCache

from desktop_app.open_weights.trainable import Trainable

AT_ONCE = 24  # texts


class Forced(NamedTuple):
    """What the model thinks of a reply it is given: its own first choice at each place, and ln P of the token that is there."""

    first: list[int]
    log_chances: Tensor


class Answered(NamedTuple):
    """A prompt's greedy reply, up to and with a stop token, and what was thought of the reply that was given."""

    reply: list[int]
    forced: Forced


class Batches:
    """One model for many texts. Not for several threads at once."""

    def __init__(self, model: Trainable) -> None:
        self.trainable, self._network = model, model.network
        """`trainable` is the copy of the model that computes all of it."""
        self.table = model.table
        """The embeddings [V, d] float32, as the first layer sees them."""

    def rows(self, tokens: Sequence[int]) -> Tensor:
        """The rows [n, d] of tokens."""
        return self.table[torch.tensor(list(tokens), dtype=torch.int64)]

    def logits(self, states: Tensor) -> Tensor:
        """Logits [.., V] of states [.., d] behind the last norm."""
        with torch.inference_mode():
            return self.trainable.logits_of(states)

    def run(self, rows: Tensor, cache: DynamicCache, mask: Tensor | None = None) -> Tensor:
        """States [texts, n, d] of rows that continue what is in the cache; `mask` [texts, rows there + n] is 0 at padding."""
        with torch.inference_mode():
            if mask is None:  # without one, several rows behind a filled cache are silently wrong
                mask = torch.ones(len(rows), cache.get_seq_length() + rows.shape[1], dtype=torch.int64)
            places = (mask.cumsum(1) - 1).clamp_min(0)[:, -rows.shape[1] :]
            states: Tensor = self._network.model(
                inputs_embeds=rows, attention_mask=mask, position_ids=places, cache=cache, use_cache=True
            ).last_hidden_state
            return states

    def states(self, texts: Sequence[Tensor]) -> list[Tensor]:
        """States [n, d] behind the last norm of each text's rows [n, d]."""
        found: dict[int, Tensor] = {}
        for some in _by_length(texts):
            rows = torch.nn.utils.rnn.pad_sequence([texts[text] for text in some], batch_first=True)
            with torch.inference_mode():
                states = self.trainable.states(rows)
            found |= {text: states[place, : len(texts[text])] for place, text in enumerate(some)}
        return [found[text] for text in range(len(texts))]

    def answered(
        self, prompts: Sequence[Tensor], given: Sequence[Sequence[int]], tokens: int, stop: Collection[int]
    ) -> list[Answered]:
        """The greedy answers to prompts [n, d], in at most so many tokens, and what is thought of the `given` ones."""
        found: dict[int, Answered] = {}
        for some in _by_length(prompts):
            answers = self._answered([prompts[text] for text in some], [given[text] for text in some], tokens, stop)
            found |= dict(zip(some, answers, strict=True))
        return [found[text] for text in range(len(prompts))]

    @contextmanager
    def adapted(self, adapter: Mapping[str, Tensor]) -> Iterator[None]:
        """Within it, each weight W that has `NAME.a` [r, in] and `NAME.b` [out, r] in the adapter is W + b a."""
        names = {name.removesuffix(".a") for name in adapter if name.endswith(".a")}
        weights = {name: self._network.get_submodule(name).weight for name in names}
        own = {name: weight.data for name, weight in weights.items()}
        try:
            for name, weight in weights.items():
                weight.data = own[name] + adapter[f"{name}.b"].float() @ adapter[f"{name}.a"].float()
            yield
        finally:
            for name, weight in weights.items():
                weight.data = own[name]

    def _answered(
        self, prompts: Sequence[Tensor], given: Sequence[Sequence[int]], tokens: int, stop: Collection[int]
    ) -> list[Answered]:
        most = max(map(len, prompts))
        rows = torch.stack([torch.nn.functional.pad(prompt, (0, 0, most - len(prompt), 0)) for prompt in prompts])
        mask = torch.tensor([[0] * (most - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        cache: Any = DynamicCache()
        behind = self.logits(self.run(rows, cache, mask)[:, -1])
        forced = self._forced(behind, given, cache, mask)
        replies: list[list[int]] = [[] for _ in prompts]
        going = [True] * len(prompts)
        for place in range(tokens):
            said = behind.argmax(-1).tolist()
            for text, token in enumerate(said):
                if going[text]:
                    replies[text].append(token)
                    going[text] = token not in stop
            if place + 1 == tokens or not any(going):
                break
            mask = torch.nn.functional.pad(mask, (0, 1), value=1)
            behind = self.logits(self.run(self.rows(said)[:, None], cache, mask)[:, -1])
        return [Answered(reply, thought) for reply, thought in zip(replies, forced, strict=True)]

    def _forced(self, behind: Tensor, given: Sequence[Sequence[int]], cache: Any, mask: Tensor) -> list[Forced]:
        """What is thought of the replies; the cache is as it was before."""
        longest = max(map(len, given))
        states = torch.empty(len(given), 0, self.table.shape[1])
        if longest > 1:
            padded = torch.stack([self.rows([*reply, *[0] * (longest - len(reply))][:-1]) for reply in given])
            states = self.run(padded, cache, torch.nn.functional.pad(mask, (0, longest - 1), value=1))
            cache.crop(-(longest - 1))
        thought = []
        for text, reply in enumerate(given):  # one at a time: logits are large
            logits = torch.cat([behind[text, None], self.logits(states[text])])[: len(reply)]
            chances = torch.log_softmax(logits, -1)
            own = chances.gather(1, torch.tensor(list(reply), dtype=torch.int64)[:, None])[:, 0]
            thought.append(Forced(chances.argmax(-1).tolist(), own))
        return thought


def _by_length(texts: Sequence[Tensor]) -> Iterator[list[int]]:
    """The places of the texts, some at a time, such as are nearly of a length together."""
    order = sorted(range(len(texts)), key=lambda text: len(texts[text]))
    for start in range(0, len(order), AT_ONCE):
        yield order[start : start + AT_ONCE]
