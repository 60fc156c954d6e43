"""What goes back after sampling, three ways, beside each other over the same texts, at one level of noise.

    exact      the answer's rows go back exact: it hangs on the codes alone, so they cost nothing
    codes      its tokens leave as codes, charged, and the agent reads them as it reads the prompt
    denoised   codes too; here a denoiser that knows the clean words mends what comes back (`training.denoiser`)

Counted is at how many places of the clean model's own greedy answer each puts the same token first, given the answer so far in
its way. The agent reads codes by the few rounds that training reads them by (`training.noising.likeliest`), for all three alike;
and beside them stands what exact answers are worth where it reads each word alone:

    map, mean, sharp_mean    the likeliest token, the mean embedding, what lies between (`segment.code_decoders`)
"""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.open_weights.trainable import Trainable
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.training import recipes
from desktop_app.training.denoiser import Denoiser, standing_before_the_tail
from desktop_app.training.recipes import Run
from desktop_app.training.samples import Sample
from remote_agent.segment.code_decoders import SHARP, CodeDecoder, MapDecoder, MeanDecoder
from remote_agent.segment.code_table import CodeTable

EXACT, CODES, DENOISED = "exact", "codes", "denoised"


class ReplyWays:
    """Measures the three ways with one model over the same texts."""

    def __init__(self, model: Trainable, tokenizer: ChatTokenizer, texts: Sequence[Sample], seed: int) -> None:
        """`texts`: prompts with the clean model's own greedy answers."""
        self._run = Run(model, tokenizer, texts, seed)

    def agreed(self, table: CodeTable, level: Level, denoiser: Mapping[str, Tensor] | None) -> dict[str, list[float]]:
        """How many tokens of each reply are the first choice, by way; `denoised` where there is a denoiser for the level."""
        run, embeddings = self._run, self._run.model.table
        prompts = recipes.decoded(run, table, level)
        replies = recipes.replies_decoded(run, table, level, prompts)
        mends = None if denoiser is None else Denoiser.of(denoiser, embeddings.shape[1])
        found: dict[str, list[float]] = {way: [] for way in (EXACT, CODES, *([] if mends is None else [DENOISED]))}
        with torch.inference_mode():
            for number, text in enumerate(run.samples):
                before = run.around(number, embeddings[prompts[number]])
                found[EXACT].append(self._hits(before, list(text.reply), text))
                found[CODES].append(self._hits(before, replies[number], text))
                if mends is not None:
                    with standing_before_the_tail(run.model, mends, embeddings[text.ids]):
                        found[DENOISED].append(self._hits(before, replies[number], text))
        return found | self._alone(table, level)

    def _alone(self, table: CodeTable, level: Level) -> dict[str, list[float]]:
        """The same of exact answers behind prompts of which each word is read alone, by decoder."""
        run = self._run
        decoders: dict[str, CodeDecoder] = {
            "map": MapDecoder(table),
            "mean": MeanDecoder(table),
            "sharp_mean": MeanDecoder(table, SHARP),
        }
        found: dict[str, list[float]] = {name: [] for name in decoders}
        with torch.inference_mode():
            for number, counts in enumerate(recipes.counts(run, table, level)):
                text, levels = run.samples[number], torch.full((len(counts),), round(16 * level.mu))
                for name, decode in decoders.items():
                    before = run.around(number, decode(counts, levels).rows)
                    found[name].append(self._hits(before, list(text.reply), text))
        return found

    def _hits(self, before: Tensor, reply: list[int] | Tensor, text: Sample) -> float:
        """At how many places of a text's reply it is the first choice, behind rows `before` and the tokens `reply`."""
        model = self._run.model
        states = model.states(torch.cat((before, model.table[reply]))[None])[0, len(before) - 1 : -1]
        return float((model.logits_of(states).argmax(-1) == torch.tensor(text.reply)).sum())
