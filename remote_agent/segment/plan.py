"""What a generic decoder layer needs to know of a model, and what a model weighs.

A `ModelPlan` is read from a Hugging Face `config.json` (see `families` for the reading) and is all that the layers look at: they
ask "is there a norm on queries and keys", never "is this Qwen 3". The arithmetic at the end says how many bytes a split needs
before anything is loaded.
"""

from dataclasses import dataclass
from typing import Any

from remote_agent.segment.families import Activation, read_traits
from remote_agent.segment.rope import Rope


@dataclass(frozen=True, slots=True)
class LocalBytes:
    """Bytes that a split keeps on this machine: weights and cache are resident, of the embedding only used rows are ever read."""

    weights: int
    cache: int
    embedding: int

    @property
    def resident(self) -> int:
        """Weights and cache together; the memory-mapped embedding is not in it."""
        return self.weights + self.cache


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """The shape and the traits of one decoder; `windows` and `ropes` have one entry a layer.

    `windows[i]` is how many positions layer i sees back, itself included (None: all). `ropes[i]` is None where a layer rotates
    nothing. `norm_plus_one` marks Gemma's norms, which multiply by 1 + weight. `output_norms` marks the norms that Gemma 2 and 3
    put behind attention and MLP as well.
    """

    model_type: str
    layers: int
    hidden_size: int
    intermediate_size: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab_size: int
    max_positions: int
    norm_eps: float
    activation: Activation
    windows: tuple[int | None, ...]
    ropes: tuple[Rope | None, ...]
    attention_scale: float
    attention_softcap: float | None = None
    logit_softcap: float | None = None
    embedding_scale: float = 1.0
    norm_plus_one: bool = False
    query_key_norm: bool = False
    output_norms: bool = False
    qkv_bias: bool = False
    output_bias: bool = False
    mlp_bias: bool = False
    tied_embeddings: bool = False

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> "ModelPlan":
        """The plan of a Hugging Face config; raises `UnsupportedModel` or `BadModelFile` with a sentence."""
        return cls(**read_traits(config))

    @property
    def layer_parameters(self) -> int:
        """Parameters of one decoder layer."""
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        attention = self.hidden_size * (queries + 2 * keys) + queries * self.hidden_size
        attention += (queries + 2 * keys) * self.qkv_bias + self.hidden_size * self.output_bias
        attention += 2 * self.head_dim * self.query_key_norm
        mlp = 3 * self.hidden_size * self.intermediate_size + (2 * self.intermediate_size + self.hidden_size) * self.mlp_bias
        return attention + mlp + self.hidden_size * (4 if self.output_norms else 2)

    @property
    def embedding_parameters(self) -> int:
        """Parameters of the embedding table; the LM head has as many, its own or the same ones."""
        return self.vocab_size * self.hidden_size

    @property
    def parameters(self) -> int:
        """Parameters of the whole model; a tied table counts once."""
        tables = self.embedding_parameters * (1 if self.tied_embeddings else 2)
        return self.layers * self.layer_parameters + tables + self.hidden_size

    def cache_bytes(self, layers: int, rows: int, dtype_bytes: int) -> int:
        """Bytes of keys and values of `rows` rows in `layers` layers."""
        return 2 * layers * rows * self.kv_heads * self.head_dim * dtype_bytes

    def local_bytes(self, head: int, tail: int, dtype_bytes: int, context: int) -> LocalBytes:
        """What a split keeps here: `head` + `tail` layers, final norm, LM head, and the cache of `context` rows.

        The embedding table stays memory-mapped, only the rows of tokens that occur are ever read: it is reported apart, in the
        storage size that `dtype_bytes` gives.
        """
        weights = (head + tail) * self.layer_parameters + self.hidden_size + self.embedding_parameters
        return LocalBytes(
            weights=weights * dtype_bytes,
            cache=self.cache_bytes(head + tail, context, dtype_bytes),
            embedding=self.embedding_parameters * dtype_bytes,
        )
