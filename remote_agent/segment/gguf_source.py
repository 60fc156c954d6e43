"""A GGUF file as a source of tensors: Hugging Face's names and layout, dequantised piece by piece from the mapped file.

Two things that llama.cpp's converter did are undone: for Llama-like models the rows of q and k are interleaved per head (its
rotary embedding turns neighbours, Hugging Face's turns halves), and Gemma's norms carry a 1 that Hugging Face adds later.
A piece is a run of whole rows and whole heads, so that no tensor is ever held in float32 as a whole: an embedding of 12B models
would be 2.7 GB.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gguf import GGMLQuantizationType, GGUFReader, dequantize
from gguf.gguf_reader import ReaderTensor

from remote_agent.segment.errors import BadModelFile, UnsupportedModel
from remote_agent.segment.files import storage_error
from remote_agent.segment.gguf_config import Metadata, config_of
from remote_agent.segment.gguf_header import check_header
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.shapes import check_shapes

PIECE_ELEMENTS = 1 << 22
FLOAT32_UP_TO = 1_000_000_000

ENDS = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
PROJECTIONS = {
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
HEAD_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
TWO_NORMS = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm"}
FOUR_NORMS = {
    "attn_norm": "input_layernorm",
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
NORMS = {
    "llama": TWO_NORMS,
    "qwen2": TWO_NORMS,
    "qwen3": TWO_NORMS | HEAD_NORMS,
    "gemma": TWO_NORMS,
    "gemma2": FOUR_NORMS,
    "gemma3": FOUR_NORMS | HEAD_NORMS,
}
COMPUTED = re.compile(r"rope_freqs\.weight|blk\.\d+\.attn_rot_embd\.weight|blk\.\d+\.rope_freqs\.weight")
BROKEN = (ValueError, KeyError, IndexError, TypeError, OverflowError, MemoryError)


class GgufSource:
    """The tensors and the config of one GGUF file. `names`: Hugging Face name to shape, in the order of the model."""

    def __init__(self, path: Path) -> None:
        """Map the file and read its metadata (about a second). Raises `BadModelFile`, `UnsupportedModel`."""
        reader = _open(path)
        try:
            values = {key: field.contents() for key, field in reader.fields.items() if _wanted(key)}
        except BROKEN as error:
            raise _broken(path) from error
        metadata = Metadata(values)
        found = {tensor.name: tensor for tensor in reader.tensors}
        if "token_embd.weight" not in found:
            raise BadModelFile(f"{path.name} holds no language model that can be run. Choose the model's main GGUF file.")
        factors = found.get("rope_freqs.weight")
        self.config: dict[str, Any] = config_of(
            metadata,
            vocabulary=int(found["token_embd.weight"].shape[-1]),
            tied="output.weight" not in found,
            rope_factors=None if factors is None else np.asarray(factors.data, dtype=np.float32),
        )
        self._gemma = metadata.architecture.startswith("gemma")
        self._interleaved = metadata.architecture == "llama"
        self._tensors = _named(found, metadata.architecture, self.config, path)
        self.names = {name: _shape(tensor) for name, tensor in self._tensors.items()}
        check_shapes(ModelPlan.from_config(self.config), self.names, path.name)
        self.dtype = _storage_dtype(list(self._tensors.values()))

    def pieces(self, name: str) -> Iterator[torch.Tensor]:
        """The tensor in the storage dtype, some rows at a time; joined along the first axis they have the shape in `names`."""
        tensor = self._tensors[name]
        rows, columns = len(tensor.data), max(1, tensor.n_elements // len(tensor.data))
        step = max(1, PIECE_ELEMENTS // columns)
        permuted = self._interleaved and re.search(r"\.[qk]_proj\.", name) is not None
        head = self.config["head_dim"]
        if permuted:
            step = max(1, step // head) * head
        for start in range(0, rows, step):
            values = dequantize(tensor.data[start : start + step], tensor.tensor_type)
            if permuted:
                values = _halves(values, head)
            if self._gemma and name.endswith("norm.weight"):
                values = values - np.float32(1)
            yield torch.from_numpy(np.array(values, dtype=np.float32)).to(self.dtype)

    def tensor(self, name: str) -> torch.Tensor:
        """The whole tensor in the storage dtype."""
        whole = torch.empty(self.names[name], dtype=self.dtype)
        start = 0
        for piece in self.pieces(name):
            whole[start : start + len(piece)] = piece
            start += len(piece)
        return whole


def _halves(values: "np.ndarray[Any, np.dtype[np.float32]]", head: int) -> "np.ndarray[Any, np.dtype[np.float32]]":
    """Rows of each head from interleaved pairs back to two halves."""
    pairs = values.reshape(-1, head // 2, 2, *values.shape[1:])
    return pairs.swapaxes(1, 2).reshape(values.shape)


def _wanted(key: str) -> bool:
    """Metadata but the long lists of the tokenizer, which take seconds and are of no use here."""
    return not key.startswith("tokenizer.") or key.endswith("_token_id")


def _open(path: Path) -> GGUFReader:
    try:
        with path.open("rb") as file:
            magic, version = file.read(4), file.read(4)
        if magic != b"GGUF":
            raise BadModelFile(f"{path.name} is not a GGUF file. Choose a file that ends in .gguf, or download it again.")
        if version[:2] == b"\0\0":
            raise UnsupportedModel(f"{path.name} was made for big-endian machines. Download the usual, little-endian file.")
        check_header(path)
    except OSError as error:
        raise storage_error(error, path) from error
    try:
        reader = GGUFReader(path)
    except BROKEN as error:
        raise _broken(path) from error
    parts = reader.fields.get("split.count")
    if parts is not None and parts.contents() > 1:
        raise UnsupportedModel(
            f"{path.name} is one part of several. Join them first with llama.cpp's 'llama-gguf-split --merge'."
        )
    return reader


def _broken(path: Path) -> BadModelFile:
    return BadModelFile(f"{path.name} is broken or was cut short. Download it again.")


def _named(found: dict[str, ReaderTensor], architecture: str, config: dict[str, Any], path: Path) -> dict[str, ReaderTensor]:
    """The tensors under Hugging Face's names, all there and none left over. Raises `BadModelFile`, `UnsupportedModel`."""
    wanted = {name: ours for name, ours in ENDS.items() if name != "output.weight" or not config["tie_word_embeddings"]}
    biased = _biases(found, architecture, config)
    for layer in range(config["num_hidden_layers"]):
        for theirs, ours in NORMS[architecture].items():
            wanted[f"blk.{layer}.{theirs}.weight"] = f"model.layers.{layer}.{ours}.weight"
        for theirs, ours in PROJECTIONS.items():
            wanted[f"blk.{layer}.{theirs}.weight"] = f"model.layers.{layer}.{ours}.weight"
            if theirs in biased:
                wanted[f"blk.{layer}.{theirs}.bias"] = f"model.layers.{layer}.{ours}.bias"
    missing = [name for name in wanted if name not in found]
    if missing:
        raise BadModelFile(f"{path.name} lacks {len(missing)} tensors, '{missing[0]}' first. Download it again.")
    extra = [name for name in found if name not in wanted and not COMPUTED.fullmatch(name)]
    if extra:
        raise UnsupportedModel(f"{path.name} has parts that Sotto does not compute, '{extra[0]}' first. Choose another model.")
    return {ours: found[name] for name, ours in wanted.items()}


def _biases(found: dict[str, ReaderTensor], architecture: str, config: dict[str, Any]) -> set[str]:
    """Which projections have a bias; where the family leaves it open, the config says so."""
    if architecture == "qwen2":
        return {"attn_q", "attn_k", "attn_v"}
    biased: set[str] = set()
    for key, part in (("attention_bias", "attn_"), ("mlp_bias", "ffn_")):
        names = {name for name in PROJECTIONS if name.startswith(part)}
        if any(f"blk.0.{name}.bias" in found for name in names):
            biased |= names
            config[key] = True
    return biased


def _shape(tensor: ReaderTensor) -> tuple[int, ...]:
    return tuple(int(size) for size in reversed(tensor.shape))


def _storage_dtype(tensors: list[ReaderTensor]) -> torch.dtype:
    """Follows from the file alone: 16-bit matrices keep their dtype; else float32 up to 1B parameters, bfloat16 beyond."""
    kinds = {tensor.tensor_type for tensor in tensors if len(tensor.shape) > 1}
    if kinds == {GGMLQuantizationType.F16}:
        return torch.float16
    if kinds == {GGMLQuantizationType.BF16}:
        return torch.bfloat16
    return torch.float32 if sum(tensor.n_elements for tensor in tensors) <= FLOAT32_UP_TO else torch.bfloat16
