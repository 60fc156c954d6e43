"""The likeliest texts behind codes, with the model as prior, for many texts at once.

Theory of operation. It is the beam search that an agent decodes with (`remote_agent.segment.code_search`, after BeamClean, arXiv
2505.13758), and a test holds it against that: each step continues all texts of all prompts, with

    score = ln P(text so far) + sum ln P(codes | token),

and keeps the best few of each prompt. All prompts begin with the same public rows, so the texts of all of them are of a length,
and one pass through the model serves them all: seven times faster than one prompt after the other.

What stands behind a prompt is heard too. The template's rows came exact, and so did the reply's: P(reply | text) by the public
model weighs each text that is left (`heard`). An agent that wrote the reply itself from nothing but the codes learns nothing
new from it, which is what post-processing says; an attacker tries all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from torch import Tensor
from transformers import DynamicCache

from desktop_app.audit.batches import Batches
from desktop_app.model.tokenizer import ChatTokenizer
from remote_agent.segment.code_search import LOOK_AHEAD, WIDTH
from remote_agent.segment.code_table import CodeTable

PROMPTS_AT_ONCE = 8


class Prompt(NamedTuple):
    """A prompt of one message: its own tokens, and the template's around them."""

    before: list[int]
    own: list[int]
    after: list[int]

    @classmethod
    def of(cls, tokenizer: ChatTokenizer, text: str) -> "Prompt":
        """The prompt that asks this, the message tokenised on its own, as under noise."""
        parts = tokenizer.prompt_parts([{"role": "user", "content": text}])
        place = next(number for number, part in enumerate(parts) if part.turn is not None)
        return cls(
            [token for part in parts[:place] for token in part.ids],
            parts[place].ids,
            [token for part in parts[place + 1 :] for token in part.ids],
        )


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts [width, n] that are left for a prompt, their scores [width], and what the model holds behind each of them."""

    tokens: Tensor
    scores: Tensor
    behind: Tensor  # ln P(token) [width, V] behind the rows that came after the text
    cache: Any

    @property
    def best(self) -> list[int]:
        """The likeliest."""
        tokens: list[int] = self.tokens[int(self.scores.argmax())].tolist()
        return tokens


class CodeBeam:
    """Searches with one model."""

    def __init__(self, model: Batches, width: int = WIDTH) -> None:
        """`width`: how many texts are followed for each prompt."""
        self._model = model
        self._width = width

    def search(self, table: CodeTable, prompts: Sequence[Prompt], counts: Sequence[Tensor], mu16: int) -> list[Texts]:
        """What stands behind counts [n, d'] of each prompt's own tokens. All prompts have the same `before`."""
        found: dict[int, Texts] = {}
        order = sorted(range(len(prompts)), key=lambda prompt: len(counts[prompt]))
        for start in range(0, len(order), PROMPTS_AT_ONCE):
            some = order[start : start + PROMPTS_AT_ONCE]
            found |= dict(zip(some, self._searched(table, [(prompts[it], counts[it]) for it in some], mu16), strict=True))
        return [found[prompt] for prompt in range(len(prompts))]

    def heard(self, texts: Texts, reply: Sequence[int]) -> list[int]:
        """The likeliest text once the beginning of the reply is heard, as far as an agent's own search looks ahead."""
        heard = list(reply[:LOOK_AHEAD])
        if len(texts.tokens) == 1 or not heard:
            return texts.best
        kept = texts.cache.get_seq_length()
        rows = self._model.rows(heard).expand(len(texts.tokens), -1, -1)
        scores, _ = self._weighed(texts.scores, texts.behind, rows, heard, texts.cache)
        texts.cache.crop(kept - texts.cache.get_seq_length())
        tokens: list[int] = texts.tokens[int(scores.argmax())].tolist()
        return tokens

    def _searched(self, table: CodeTable, asked: Sequence[tuple[Prompt, Tensor]], mu16: int) -> list[Texts]:
        """The same for some prompts, the shortest first."""
        before = asked[0][0].before
        cache: Any = DynamicCache()
        states = self._model.run(self._model.rows(before)[None], cache)
        cache.batch_repeat_interleave(len(asked))
        following = torch.log_softmax(self._model.logits(states[:, -1]), -1).expand(len(asked), -1)  # [texts, V]
        scores = torch.zeros(len(asked), 1, dtype=torch.float64)  # [prompts, texts of each]
        tokens = torch.zeros(len(asked), 1, 0, dtype=torch.int64)
        done: list[Texts] = []
        for place in range(len(asked[-1][1])):
            likelihood = table.log_likelihood(torch.stack([counts[place] for _, counts in asked[len(done) :]]), mu16).double()
            likelihood -= likelihood.max(dim=1, keepdim=True).values
            width = scores.shape[1]
            options = scores[..., None] + following.view(len(scores), width, -1) + likelihood[:, None]
            best = options.flatten(1).topk(min(self._width, options[0].numel()))
            parents, chosen = best.indices // options.shape[2], best.indices % options.shape[2]
            scores = best.values - best.values.max(dim=1, keepdim=True).values
            tokens = torch.cat([tokens.gather(1, parents[..., None].expand(-1, -1, place)), chosen[..., None]], dim=2)
            cache.batch_select_indices((parents + torch.arange(len(scores))[:, None] * width).flatten())
            following = torch.log_softmax(self._model.logits(self._model.run(self._rows(chosen), cache)[:, 0]), -1)
            ended = sum(len(counts) == place + 1 for _, counts in asked[len(done) :])
            for prompt in range(ended):
                of_prompt = slice(prompt * scores.shape[1], (prompt + 1) * scores.shape[1])
                after = asked[len(done)][0].after
                done.append(self._ended(tokens[prompt], scores[prompt], following[of_prompt], after, _part(cache, of_prompt)))
            if ended:
                cache.batch_select_indices(torch.arange(ended * scores.shape[1], scores.numel()))
                following, tokens = following[ended * scores.shape[1] :], tokens[ended:]
                scores = scores[ended:]
        return done

    def _rows(self, chosen: Tensor) -> Tensor:
        return self._model.table[chosen.flatten()][:, None]

    def _ended(self, tokens: Tensor, scores: Tensor, following: Tensor, after: Sequence[int], cache: Any) -> Texts:
        """The texts of a prompt, once the template's rows behind them are heard."""
        if not after:
            return Texts(tokens, scores, following, cache)
        rows = self._model.rows(after).expand(len(tokens), -1, -1)
        scores, behind = self._weighed(scores, following, rows, list(after), cache)
        return Texts(tokens, scores, behind, cache)

    def _weighed(
        self, scores: Tensor, following: Tensor, rows: Tensor, tokens: Sequence[int], cache: Any
    ) -> tuple[Tensor, Tensor]:
        """The scores once these tokens, the first behind `following`, are heard; and what follows them [texts, V]."""
        after = torch.log_softmax(self._model.logits(self._model.run(rows, cache)), -1)
        before = torch.cat([following[:, None], after[:, :-1]], dim=1)
        heard = before.gather(2, torch.tensor(tokens).expand(len(scores), -1)[..., None])[..., 0]
        return scores + heard.double().sum(1), after[:, -1]


def _part(cache: Any, texts: slice) -> Any:
    """A cache of some texts alone."""
    part: Any = DynamicCache()
    for layer, held in enumerate(cache.layers):
        part.update(held.keys[texts].clone(), held.values[texts].clone(), layer)
    return part
