"""Reading a Hugging Face `config.json`: which families of decoders are computed here, and what each leaves unsaid.

A config names its family in `model_type`; whatever it does not say has the value that transformers gives it for that family. An
architecture that is not listed, or a trait that these layers do not compute, is refused with a sentence: a model that is run
almost right answers nonsense, and nobody can tell why.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, cast

from remote_agent.segment.errors import BadModelFile, UnsupportedModel
from remote_agent.segment.rope import Rope

Activation = Literal["silu", "gelu", "gelu_pytorch_tanh"]
ACTIVATIONS = {
    "silu": "silu",
    "swish": "silu",
    "gelu": "gelu",
    "gelu_pytorch_tanh": "gelu_pytorch_tanh",
    "gelu_new": "gelu_pytorch_tanh",
}
RECURRENT_TYPES = (
    "mamba", "jamba", "bamba", "zamba", "falcon_h1", "lfm2", "qwen3_next", "qwen3_5", "recurrent_gemma", "rwkv",
    "granitemoehybrid", "nemotron_h", "minimax", "plamo2", "kimi_linear", "olmo_hybrid", "xlstm",
)  # fmt: skip
RECURRENT_LAYERS = ("linear", "recurrent", "mamba", "conv", "ssm", "hybrid")
LARGEST = 2**24
MOST_LAYERS = 1024


@dataclass(frozen=True, slots=True)
class Family:
    """What the model type alone decides; `defaults` are config values that older or shorter config files leave out."""

    defaults: dict[str, Any] = field(default_factory=dict)
    gemma: bool = False
    query_key_norm: bool = False
    output_norms: bool = False
    qkv_bias: bool = False
    biases_from_config: bool = False
    softcaps: bool = False


FAMILIES = {
    "llama": Family(biases_from_config=True),
    "mistral": Family({"sliding_window": 4096, "max_position_embeddings": 131_072}),
    "qwen2": Family({"max_position_embeddings": 32_768}, qkv_bias=True),
    "qwen3": Family({"head_dim": 128, "max_position_embeddings": 32_768}, query_key_norm=True, biases_from_config=True),
    "gemma": Family(
        {"head_dim": 256, "max_position_embeddings": 8192, "tie_word_embeddings": True}, gemma=True, biases_from_config=True
    ),
    "gemma2": Family(
        {
            "head_dim": 256, "max_position_embeddings": 8192, "tie_word_embeddings": True, "sliding_window": 4096,
            "query_pre_attn_scalar": 256, "attn_logit_softcapping": 50.0, "final_logit_softcapping": 30.0, "pattern": 2,
        },
        gemma=True, output_norms=True, biases_from_config=True, softcaps=True,
    ),
    "gemma3_text": Family(
        {
            "head_dim": 256, "max_position_embeddings": 131_072, "tie_word_embeddings": True, "sliding_window": 4096,
            "query_pre_attn_scalar": 256, "pattern": 6, "vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4,
            "rope_theta": 1_000_000.0, "rope_local_base_freq": 10_000.0,
        },
        gemma=True, output_norms=True, query_key_norm=True, biases_from_config=True, softcaps=True,
    ),
    "smollm3": Family(
        {"rope_theta": 2_000_000.0, "max_position_embeddings": 32_768, "tie_word_embeddings": True}, biases_from_config=True
    ),
}  # fmt: skip
SUPPORTED = "Llama, Mistral, Qwen 2, Qwen 3, Gemma, Gemma 2, Gemma 3 and SmolLM3"


class _Config:
    """A config with its family's defaults; `null` counts as said, as it does for transformers."""

    def __init__(self, given: dict[str, Any], defaults: dict[str, Any]) -> None:
        self._values = {**defaults, **given}

    def get(self, name: str, default: Any = None) -> Any:
        """The value, or `default` where neither file nor family says anything."""
        return self._values.get(name, default)

    def count(self, name: str, default: Any = None) -> int:
        """A positive whole number of sensible size; raises `BadModelFile`."""
        value = self.get(name)
        value = default if value is None else value
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= LARGEST:
            raise BadModelFile(f"The model's config.json gives no usable “{name}” ({value!r}). Fetch the model's files again.")
        return value

    def number(self, name: str, default: float) -> float:
        """A positive number; raises `BadModelFile`."""
        value = self.get(name)
        value = default if value is None else value
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise BadModelFile(f"The model's config.json gives no usable “{name}” ({value!r}). Fetch the model's files again.")
        return float(value)


def read_traits(config: dict[str, Any]) -> dict[str, Any]:
    """The fields of `ModelPlan` for a config.json; raises `UnsupportedModel` or `BadModelFile` with a sentence."""
    try:
        traits = _read_traits(config)
    except (TypeError, ValueError, AttributeError, ArithmeticError) as error:
        # A file that anybody may have written: a list where a number belongs is its fault, not ours.
        raise BadModelFile(
            f"The model's config.json holds something unusable ({error}). Fetch the model's files again."
        ) from error
    layers = traits["layers"]
    if layers > MOST_LAYERS or len(traits["windows"]) != layers or len(traits["ropes"]) != layers:
        raise BadModelFile("The model's config.json does not describe each of its layers. Fetch the model's files again.")
    return traits


def _read_traits(config: dict[str, Any]) -> dict[str, Any]:
    given = dict(config)
    if given.get("model_type") == "gemma3" and isinstance(given.get("text_config"), dict):
        outer, given = given, {"model_type": "gemma3_text", **given["text_config"]}
        if "tie_word_embeddings" in outer:
            given.setdefault("tie_word_embeddings", outer["tie_word_embeddings"])
    model_type = given.get("model_type")
    _refuse_unsupported(model_type, given)
    family = FAMILIES[cast(str, model_type)]
    read = _Config(given, family.defaults)
    layers = min(read.count("num_hidden_layers"), MOST_LAYERS + 1)
    hidden, heads = read.count("hidden_size"), read.count("num_attention_heads")
    kv_heads, head_dim = read.count("num_key_value_heads", heads), read.count("head_dim", max(hidden // heads, 1))
    if heads % kv_heads or head_dim % 2:
        raise BadModelFile("The model's config.json has heads that do not go together. Fetch the model's files again.")
    attention_bias = family.biases_from_config and bool(read.get("attention_bias", False))
    return {
        "model_type": model_type,
        "layers": layers,
        "hidden_size": hidden,
        "intermediate_size": read.count("intermediate_size"),
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "vocab_size": read.count("vocab_size"),
        "max_positions": read.count("max_position_embeddings", 2048),
        "norm_eps": read.number("rms_norm_eps", 1e-6),
        "activation": _activation(read, family),
        "windows": _windows(read, layers, cast(str, model_type)),
        "ropes": _ropes(read, layers, cast(str, model_type)),
        "attention_scale": read.number("query_pre_attn_scalar", head_dim) ** -0.5 if family.output_norms else head_dim**-0.5,
        "attention_softcap": _softcap(read, family, "attn_logit_softcapping"),
        "logit_softcap": _softcap(read, family, "final_logit_softcapping"),
        "embedding_scale": hidden**0.5 if family.gemma else 1.0,
        "norm_plus_one": family.gemma,
        "query_key_norm": family.query_key_norm,
        "output_norms": family.output_norms,
        "qkv_bias": family.qkv_bias or attention_bias,
        "output_bias": attention_bias,
        "mlp_bias": model_type in ("llama", "smollm3") and bool(read.get("mlp_bias", False)),
        "tied_embeddings": bool(read.get("tie_word_embeddings", False)),
    }


def _refuse_unsupported(model_type: object, config: dict[str, Any]) -> None:
    name = str(model_type)
    kinds = [str(kind) for kind in config.get("layer_types") or ()]
    if name.startswith(RECURRENT_TYPES) or any(word in kind for kind in kinds for word in RECURRENT_LAYERS):
        raise UnsupportedModel(
            f"This model (“{name}”) has recurrent layers, which cannot be rolled back when a guess turns out wrong. "
            f"Choose a model with attention in every layer: {SUPPORTED}."
        )
    experts = max((int(config.get(key) or 0) for key in ("num_experts", "num_local_experts", "n_routed_experts")), default=0)
    if experts > 1 or "moe" in name or name in ("mixtral", "gpt_oss", "llama4", "llama4_text"):
        raise UnsupportedModel(
            f"This model (“{name}”) is a mixture of experts, which Sotto does not compute. Choose a dense one: {SUPPORTED}."
        )
    if name not in FAMILIES:
        told = f"of the type “{name}”" if model_type else "of a type that its config.json does not name"
        raise UnsupportedModel(f"This model is {told}, which Sotto does not compute. It can run {SUPPORTED}.")
    if unknown := sorted(set(kinds) - {"full_attention", "sliding_attention"}):
        raise UnsupportedModel(
            f"This model has layers of the kind “{unknown[0]}”, which Sotto does not compute. Choose another of {SUPPORTED}."
        )
    if config.get("use_bidirectional_attention"):
        raise UnsupportedModel(
            "This model looks at later tokens too; it cannot write text one token after the other. Choose another."
        )
    method = (config.get("quantization_config") or {}).get("quant_method", "")
    if method not in ("", "gguf"):
        raise UnsupportedModel(
            f"These weights are quantised by “{method}”, which Sotto does not read. Choose the original weights or a GGUF file."
        )


def _activation(read: _Config, family: Family) -> Activation:
    if family.output_norms:
        name = read.get("hidden_activation") or "gelu_pytorch_tanh"
    else:
        name = read.get("hidden_act") or ("gelu_pytorch_tanh" if family.gemma else "silu")
    if family.gemma and name == "gelu":
        name = "gelu_pytorch_tanh"  # what the first Gemma files call gelu was trained with the tanh form
    if name not in ACTIVATIONS:
        raise UnsupportedModel(f"This model uses the activation “{name}”, which Sotto does not compute. Choose another model.")
    return cast(Activation, ACTIVATIONS[name])


def _softcap(read: _Config, family: Family, name: str) -> float | None:
    return None if not family.softcaps or read.get(name) is None else read.number(name, 1.0)


def _layer_types(read: _Config, layers: int) -> list[str]:
    kinds = read.get("layer_types")
    if kinds is not None:
        if not isinstance(kinds, list) or len(kinds) < layers:
            raise BadModelFile("The model's config.json does not give a kind for each layer. Fetch the model's files again.")
        return kinds[:layers]
    pattern = read.get("sliding_window_pattern") or read.get("pattern")
    if pattern:
        return ["sliding_attention" if (layer + 1) % pattern else "full_attention" for layer in range(layers)]
    first = read.get("max_window_layers", 28)
    return ["sliding_attention" if layer >= first else "full_attention" for layer in range(layers)]


def _windows(read: _Config, layers: int, model_type: str) -> tuple[int | None, ...]:
    off = model_type in ("llama", "gemma") or (
        model_type in ("qwen2", "qwen3", "smollm3") and not read.get("use_sliding_window", False)
    )
    if off or read.get("sliding_window") is None:
        return (None,) * layers
    window = read.count("sliding_window")
    if model_type == "mistral":
        return (window,) * layers
    if model_type == "smollm3" and read.get("layer_types") is None:
        return tuple(None if turns else window for turns in _rope_layers(read, layers))
    return tuple(window if kind == "sliding_attention" else None for kind in _layer_types(read, layers))


def _rope_layers(read: _Config, layers: int) -> list[bool]:
    """Which SmolLM3 layers rotate: all but each fourth, or as the config lists them."""
    listed = read.get("no_rope_layers")
    if listed is None:
        interval = read.count("no_rope_layer_interval", 4)
        return [(layer + 1) % interval != 0 for layer in range(layers)]
    return [bool(turns) for turns in listed[:layers]]


def _ropes(read: _Config, layers: int, model_type: str) -> tuple[Rope | None, ...]:
    positions = read.count("max_position_embeddings", 2048)
    new_form, scaling = read.get("rope_parameters") or {}, read.get("rope_scaling") or {}
    nested = {kind: new_form.get(kind) or {} for kind in ("full_attention", "sliding_attention")}
    general = {"rope_theta": read.number("rope_theta", 10_000.0), "partial_rotary_factor": read.get("partial_rotary_factor")}
    if model_type == "gemma3_text":
        local = {"rope_theta": read.number("rope_local_base_freq", 10_000.0)}
        ropes = {
            "full_attention": Rope.from_parameters({**general, **nested["full_attention"], **scaling}, positions),
            "sliding_attention": Rope.from_parameters({**local, **nested["sliding_attention"]}, positions),
        }
        return tuple(ropes[kind] for kind in _layer_types(read, layers))
    if any(nested.values()):
        both = {kind: Rope.from_parameters({**general, **parameters}, positions) for kind, parameters in nested.items()}
        return tuple(both[kind] for kind in _layer_types(read, layers))
    rope = Rope.from_parameters({**general, **(scaling or new_form)}, positions)
    if model_type == "smollm3":
        return tuple(rope if turns else None for turns in _rope_layers(read, layers))
    return (rope,) * layers
