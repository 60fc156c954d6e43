"""What a GGUF file's metadata says of a model, in the keys of a Hugging Face config.

GGUF leaves some things to the reader (llama.cpp keeps them in its code): the scale of Gemma's attention, which of Gemma's layers
slide, and Llama 3's rope scaling, of which the file carries only the resulting factors. They are restored here; what cannot be
restored is refused rather than guessed.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from remote_agent.segment.errors import BadModelFile, UnsupportedModel

CLASSES = {
    "llama": ("llama", "LlamaForCausalLM"),
    "qwen2": ("qwen2", "Qwen2ForCausalLM"),
    "qwen3": ("qwen3", "Qwen3ForCausalLM"),
    "gemma": ("gemma", "GemmaForCausalLM"),
    "gemma2": ("gemma2", "Gemma2ForCausalLM"),
    "gemma3": ("gemma3_text", "Gemma3ForCausalLM"),
}
"""GGUF's architectures that are understood, each with its model type and class."""

GEMMA_27B_LAYERS = {"gemma2": 46, "gemma3": 62}
"""Layers of the 27B models, whose attention is scaled by hidden size ÷ heads instead of by the head dimension."""

MOST_LAYERS = 1024

ENDS_OF_TURN = ("eos", "eot", "eom")


class Metadata:
    """The metadata of one GGUF file, with the keys of its architecture in reach by their short names."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.architecture = str(values.get("general.architecture", ""))

    def number(self, key: str, default: float | None = None) -> float:
        """A number of this architecture. Raises `BadModelFile` where it is missing, has no default, or is no number."""
        value = self._values.get(f"{self.architecture}.{key}", default)
        if not isinstance(value, int | float | np.number):
            raise BadModelFile(f"The model file does not state '{self.architecture}.{key}' as a number. Download the file again.")
        return short(float(value))

    def count(self, key: str, default: int | None = None) -> int:
        """A whole number ≥ 1 of this architecture. Raises `BadModelFile`."""
        value = self.number(key, default)
        if value < 1 or value != int(value):
            raise BadModelFile(f"The model file states {value:g} for '{self.architecture}.{key}'. Download the file again.")
        return int(value)

    def has(self, key: str) -> bool:
        """Whether the file states this key of its architecture."""
        return f"{self.architecture}.{key}" in self._values

    def raw(self, key: str, default: Any = None) -> Any:
        """The value of a key under its full name."""
        return self._values.get(key, default)


def short(value: float) -> float:
    """The shortest decimal that is the same float32: 1e-05 instead of 9.999999747378752e-06."""
    return float(str(np.float32(value)))


def config_of(metadata: Metadata, vocabulary: int, tied: bool, rope_factors: npt.NDArray[np.float32] | None) -> dict[str, Any]:
    """The model's config; `rope_factors`: [head_dim / 2], the tensor `rope_freqs`. Raises `UnsupportedModel`, `BadModelFile`."""
    architecture = metadata.architecture
    if architecture not in CLASSES:
        known = ", ".join(CLASSES)
        raise UnsupportedModel(f"Models of the kind '{architecture}' are not run by Sotto. Choose one of these kinds: {known}.")
    if metadata.has("expert_count") and metadata.number("expert_count") > 0:
        raise UnsupportedModel("Models with several experts are not run by Sotto yet. Choose a model without experts.")
    if metadata.count("block_count") > MOST_LAYERS:
        raise BadModelFile(f"The model file states {metadata.count('block_count')} layers. Download the file again.")
    model_type, class_name = CLASSES[architecture]
    heads = metadata.count("attention.head_count")
    hidden_size = metadata.count("embedding_length")
    config = {
        "model_type": model_type,
        "architectures": [class_name],
        "vocab_size": vocabulary,
        "hidden_size": hidden_size,
        "intermediate_size": metadata.count("feed_forward_length"),
        "num_hidden_layers": metadata.count("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": metadata.count("attention.head_count_kv", heads),
        "head_dim": metadata.count("attention.key_length", metadata.count("rope.dimension_count", max(1, hidden_size // heads))),
        "max_position_embeddings": metadata.count("context_length"),
        "rms_norm_eps": metadata.number("attention.layer_norm_rms_epsilon"),
        "rope_parameters": _rope(metadata, rope_factors),
        "tie_word_embeddings": tied,
        **_token_ids(metadata),
    }
    if architecture.startswith("gemma"):
        return config | _gemma(metadata, config)
    config["hidden_act"] = "silu"
    if metadata.has("attention.sliding_window") and architecture == "llama":
        config |= {"model_type": "mistral", "architectures": ["MistralForCausalLM"]}
        config["sliding_window"] = metadata.count("attention.sliding_window")
    return config


def _gemma(metadata: Metadata, config: dict[str, Any]) -> dict[str, Any]:
    architecture, layers = metadata.architecture, config["num_hidden_layers"]
    if architecture == "gemma":
        return {"hidden_act": "gelu_pytorch_tanh"}
    wide = layers == GEMMA_27B_LAYERS[architecture]
    more: dict[str, Any] = {
        "hidden_activation": "gelu_pytorch_tanh",
        "query_pre_attn_scalar": config["hidden_size"] // config["num_attention_heads"] if wide else config["head_dim"],
        "sliding_window": metadata.count("attention.sliding_window", 4096 if architecture == "gemma2" else None),
        "layer_types": _layer_types(metadata, layers),
        "attn_logit_softcapping": _soft_cap(metadata, "attn_logit_softcapping", 50.0),
        "final_logit_softcapping": _soft_cap(metadata, "final_logit_softcapping", 30.0),
    }
    if architecture == "gemma3":
        local = metadata.number("rope.freq_base_swa", 10_000.0)
        more["rope_parameters"] = {
            "full_attention": config["rope_parameters"],
            "sliding_attention": {"rope_type": "default", "rope_theta": local},
        }
    return more


def _soft_cap(metadata: Metadata, key: str, gemma2: float) -> float | None:
    """Gemma 2 always caps its logits, Gemma 3 only where the file says so."""
    if metadata.has(key):
        return metadata.number(key)
    return gemma2 if metadata.architecture == "gemma2" else None


def _layer_types(metadata: Metadata, layers: int) -> list[str]:
    """Which layers slide: as the file lists them, or all but every n-th."""
    pattern = metadata.raw(f"{metadata.architecture}.attention.sliding_window_pattern")
    if isinstance(pattern, list) and len(pattern) >= layers:
        slides = [bool(slide) for slide in pattern[:layers]]
    else:
        every = pattern if isinstance(pattern, int) and pattern > 0 else (2 if metadata.architecture == "gemma2" else 6)
        slides = [(layer + 1) % every != 0 for layer in range(layers)]
    return ["sliding_attention" if slide else "full_attention" for slide in slides]


def _rope(metadata: Metadata, factors: npt.NDArray[np.float32] | None) -> dict[str, Any]:
    theta = {"rope_theta": metadata.number("rope.freq_base", 10_000.0)}
    kind = metadata.raw(f"{metadata.architecture}.rope.scaling.type", "none")
    if factors is not None and not np.allclose(factors, 1.0):
        return theta | _llama3_scaling(factors, theta["rope_theta"])
    if kind == "linear":
        return theta | {"rope_type": "linear", "factor": metadata.number("rope.scaling.factor")}
    if kind == "yarn":
        original = metadata.count("rope.scaling.original_context_length")
        scaling = {
            "rope_type": "yarn",
            "factor": metadata.number("rope.scaling.factor"),
            "original_max_position_embeddings": original,
        }
        return theta | scaling
    if kind != "none":
        raise UnsupportedModel(
            f"The model stretches its positions by '{kind}', which Sotto does not compute. Choose another model."
        )
    return theta | {"rope_type": "default"}


def _llama3_scaling(factors: npt.NDArray[np.float32], theta: float) -> dict[str, Any]:
    """Llama 3's rope scaling from the factors it leads to; all released models differ only in `factor`."""
    low, high, original = 1.0, 4.0, 8192
    factor = round(float(factors.max()), 3)
    wavelengths = 2 * np.pi * theta ** (np.arange(len(factors)) / len(factors))
    smooth = (original / wavelengths - low) / (high - low)
    between = 1 / ((1 - smooth) / factor + smooth)
    expected = np.where(wavelengths < original / high, 1.0, np.where(wavelengths > original / low, factor, between))
    if not np.allclose(factors, expected, rtol=1e-4):
        raise UnsupportedModel(
            "The model scales its positions in a way that Sotto does not know. Choose another file of this model."
        )
    scaling = {"factor": factor, "low_freq_factor": low, "high_freq_factor": high}
    return {"rope_type": "llama3", "original_max_position_embeddings": original} | scaling


def _token_ids(metadata: Metadata) -> dict[str, Any]:
    """Where a text begins and where a turn ends; one id or several."""
    found = (metadata.raw(f"tokenizer.ggml.{name}_token_id") for name in ENDS_OF_TURN)
    ends = list(dict.fromkeys(int(token) for token in found if token is not None))
    begin, pad = metadata.raw("tokenizer.ggml.bos_token_id"), metadata.raw("tokenizer.ggml.padding_token_id")
    ids = {"bos_token_id": begin, "pad_token_id": pad, "eos_token_id": ends[0] if len(ends) == 1 else ends or None}
    return {key: value for key, value in ids.items() if value is not None}
