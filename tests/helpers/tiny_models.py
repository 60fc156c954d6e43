"""Random tiny models of every supported family, made with transformers: the reference, its config, and its tensors by name.

model = tiny_model("mistral")
plan = ModelPlan.from_config(model.config)
segment = Segment(plan, model, 1, 3)        # a TinyModel is a weights source
expected = model.logits([5, 3, 8])          # [3, vocab_size], unsplit, eager attention, float32
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM

SIZES = {
    "vocab_size": 199,
    "hidden_size": 48,
    "intermediate_size": 80,
    "num_hidden_layers": 5,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 12,
    "max_position_embeddings": 256,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
}
TRAITS: dict[str, dict[str, Any]] = {
    "llama": {},
    "llama_biased": {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True},
    "mistral": {"sliding_window": 7},
    "qwen2": {"use_sliding_window": True, "sliding_window": 6, "max_window_layers": 3},
    "qwen3": {},
    "gemma": {},
    "gemma2": {"sliding_window": 6, "query_pre_attn_scalar": 10},
    "gemma3_text": {"sliding_window": 5, "sliding_window_pattern": 3, "query_pre_attn_scalar": 14},
    "smollm3": {},
}
KINDS = tuple(TRAITS)


@dataclass(frozen=True)
class TinyModel:
    """A random model; `tensor` makes it a weights source, `logits` tells what the unsplit model says."""

    reference: Any
    config: dict[str, Any]

    def tensor(self, name: str) -> torch.Tensor:
        """The tensor of that Hugging Face name; raises `KeyError`."""
        tensor: torch.Tensor = self.reference.state_dict()[name]
        return tensor

    def logits(self, tokens: Sequence[int]) -> torch.Tensor:
        """Logits [n, vocab_size] of transformers' own forward pass over one chain."""
        with torch.inference_mode():
            logits: torch.Tensor = self.reference(torch.tensor([list(tokens)]), use_cache=False).logits[0]
            return logits

    def save(self, directory: Path) -> Path:
        """Write it as a Hugging Face folder (config.json and safetensors, no tokenizer); returns the folder."""
        self.reference.save_pretrained(directory)
        return directory


def tiny_model(kind: str, *, seed: int = 0, dtype: torch.dtype = torch.float32, **changes: Any) -> TinyModel:
    """A model of one of `KINDS` with random weights; `changes` go into its config (sizes, rope parameters, ...)."""
    values = {**SIZES, **TRAITS.get(kind, {}), **changes}
    config = AutoConfig.for_model(kind.removesuffix("_biased"), **values)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = AutoModelForCausalLM.from_config(config, attn_implementation="eager").to(dtype).eval()
        with torch.no_grad():
            for name, parameter in model.named_parameters():
                # The usual start (norms at one, biases at zero, tiny weights) would hide a norm or a bias that is left out.
                if "norm" in name:
                    parameter.add_(torch.randn_like(parameter) * 0.3)
                elif "embed" in name:
                    parameter.copy_(torch.randn_like(parameter))
                else:
                    parameter.copy_(
                        torch.randn_like(parameter) * (0.5 if name.endswith("bias") else 1.5 / parameter.shape[-1] ** 0.5)
                    )
    return TinyModel(model, config.to_dict())
