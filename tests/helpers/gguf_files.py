"""Small GGUF files of every family, written the way llama.cpp's converter writes them."""

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from transformers import AutoConfig, AutoModelForCausalLM

WORDS = ["<unk>", "<s>", "</s>", "▁", "a", "b", "c", "▁a", "ab"]

SHAPE = {
    "vocab_size": 48,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 4,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 128,
}

LAYER_NAMES = {
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
    "input_layernorm": "attn_norm",
    "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm",
}


def tiny_model(model_type: str, seed: int = 0, **config: Any) -> Any:
    """A random transformers model of this type in float32."""
    torch.manual_seed(seed)
    model = AutoModelForCausalLM.from_config(AutoConfig.for_model(model_type, **(SHAPE | config)), dtype=torch.float32)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith(("norm.weight", ".bias")):
                # multiples of 1/1024: exact when Gemma's converter adds 1 and ours takes it off again
                parameter.add_((torch.randn_like(parameter) * 100).round() / 1024)
    return model.eval()


def gguf_name(name: str, four_norms: bool) -> str:
    """llama.cpp's name of a Hugging Face tensor."""
    ends = {
        "model.embed_tokens.weight": "token_embd.weight",
        "model.norm.weight": "output_norm.weight",
        "lm_head.weight": "output.weight",
    }
    if name in ends:
        return ends[name]
    _, _, layer, rest = name.split(".", 3)
    part, suffix = rest.rsplit(".", 1)
    names = LAYER_NAMES | {"post_attention_layernorm": "post_attention_norm" if four_norms else "ffn_norm"}
    return f"blk.{layer}.{names[part]}.{suffix}"


def write_gguf(path: Path, model: Any, arch: str, *, kind: np.dtype[Any] | str = "float32", **metadata: Any) -> Path:
    """Write `model`; `metadata` overrides keys (dots as `__`, without the architecture), None leaves one out."""
    config, state = model.config, model.state_dict()
    writer = gguf.GGUFWriter(str(path), arch)
    keys = {
        "context_length": config.max_position_embeddings,
        "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers,
        "feed_forward_length": config.intermediate_size,
        "attention__head_count": config.num_attention_heads,
        "attention__head_count_kv": config.num_key_value_heads,
        "attention__key_length": config.head_dim if hasattr(config, "head_dim") else None,
        "attention__layer_norm_rms_epsilon": config.rms_norm_eps,
        "rope__freq_base": 10000.0,
    } | metadata
    for key, value in keys.items():
        if value is not None:
            _add(writer, f"{arch}.{key.replace('__', '.')}", value)
    _add_tokens(writer, config.vocab_size)
    tied = config.tie_word_embeddings
    for name, tensor in state.items():
        if name == "lm_head.weight" and tied:
            continue
        values = tensor.numpy()
        if arch == "llama" and (".q_proj." in name or ".k_proj." in name):
            heads = config.num_attention_heads if ".q_proj." in name else config.num_key_value_heads
            values = values.reshape(heads, 2, len(values) // heads // 2, *values.shape[1:]).swapaxes(1, 2).reshape(values.shape)
        if arch.startswith("gemma") and name.endswith("norm.weight"):
            values = values + np.float32(1)
        _add_tensor(writer, gguf_name(name, arch in ("gemma2", "gemma3")), np.ascontiguousarray(values), kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tensor(writer: gguf.GGUFWriter, name: str, values: Any, kind: Any) -> None:
    if values.ndim < 2 or kind == "float32":
        writer.add_tensor(name, values.astype(np.float32))
    elif kind == "float16":
        writer.add_tensor(name, values.astype(np.float16))
    else:
        quantised = gguf.GGMLQuantizationType[kind]
        writer.add_tensor(name, gguf.quantize(values, quantised), raw_dtype=quantised)


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    if isinstance(value, bool):
        writer.add_bool(key, value)
    elif isinstance(value, int):
        writer.add_uint32(key, value)
    elif isinstance(value, float):
        writer.add_float32(key, value)
    elif isinstance(value, str):
        writer.add_string(key, value)
    else:
        writer.add_array(key, value)


def _add_tokens(writer: gguf.GGUFWriter, size: int) -> None:
    tokens = [*WORDS, *(f"<0x{byte:02X}>" for byte in range(size - len(WORDS)))]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([-float(index) for index in range(size)])
    writer.add_token_types([2, 3, 3, *([1] * (len(WORDS) - 3)), *([6] * (size - len(WORDS)))])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
