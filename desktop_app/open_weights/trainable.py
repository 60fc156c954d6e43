"""The whole model as torch modules with gradients, for training what surrounds it: its own weights stay as they are.

Sotto's own layers compute without gradients. The architecture is the one that transformers has for the model's configuration; the
weights are those of the model file on this machine, never code or weights from elsewhere.
"""

from collections.abc import Mapping
from typing import Any

import torch
import transformers
from torch import Tensor

from desktop_app.model.local import LocalModel
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.projection import TensorSource


class Trainable:
    """A frozen model that lets gradients through to its input rows; float32, on the CPU."""

    def __init__(self, plan: ModelPlan, weights: TensorSource, config: Mapping[str, Any]) -> None:
        """`config` is the model's, with Hugging Face's keys. Raises `KeyError` where a weight is missing."""
        network = transformers.AutoModelForCausalLM.from_config(transformers.AutoConfig.for_model(**config), dtype=torch.float32)
        tied = getattr(network.config, "tie_word_embeddings", False)
        names = [name for name, _ in network.named_parameters() if not (tied and name == "lm_head.weight")]
        network.load_state_dict({name: weights.tensor(name).float() for name in names}, strict=False)
        network.tie_weights()
        self.network: Any = network.train(False).requires_grad_(False)
        self.plan = plan
        self.table: Tensor = weights.tensor("model.embed_tokens.weight").float() * plan.embedding_scale

    @classmethod
    def of(cls, model: LocalModel) -> "Trainable":
        """A copy of a model on this machine, with all its layers."""
        return cls(model.plan, model.weights, model.weights.config)

    def logits(self, rows: Tensor) -> Tensor:
        """Logits [texts, n, V] behind input rows [texts, n, d], which are what the first layer sees."""
        logits: Tensor = self.network(inputs_embeds=rows, use_cache=False).logits
        return logits

    def logits_of(self, states: Tensor) -> Tensor:
        """Logits [.., V] of hidden states [.., d] as `states` gives them: for some rows only, since the vocabulary is large."""
        logits: Tensor = self.network.lm_head(states)
        softcap = getattr(self.network.config, "final_logit_softcapping", None)
        return logits if softcap is None else torch.tanh(logits / softcap) * softcap

    def states(self, rows: Tensor) -> Tensor:
        """Hidden states [texts, n, d] behind the last norm, of the same rows."""
        states: Tensor = self.network.model(inputs_embeds=rows, use_cache=False).last_hidden_state
        return states
