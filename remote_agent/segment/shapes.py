"""Which tensors a model must have, and in which shapes: checked before anything is converted, hashed or loaded.

A file that promises one shape and holds another would otherwise end in a crash deep inside a kernel.
"""

from collections.abc import Mapping

from remote_agent.segment.errors import BadModelFile
from remote_agent.segment.plan import ModelPlan

Shape = tuple[int, ...]


def check_shapes(plan: ModelPlan, found: Mapping[str, Shape], where: str) -> None:
    """Raise `BadModelFile` at the first tensor that is missing or of another shape; `where` names the file to the user."""
    for name, shape in expected_shapes(plan).items():
        if name not in found:
            raise BadModelFile(f"{where} lacks the tensor '{name}'. Download the model again.")
        if tuple(found[name]) != shape:
            described = f"'{name}' of shape {list(found[name])} where its config asks for {list(shape)}"
            raise BadModelFile(f"{where} holds {described}. Download the model again.")


def expected_shapes(plan: ModelPlan) -> dict[str, Shape]:
    """Name and shape of every tensor of the model, as Hugging Face stores them: [out, in] for projections."""
    table = (plan.vocab_size, plan.hidden_size)
    shapes: dict[str, Shape] = {"model.embed_tokens.weight": table, "model.norm.weight": (plan.hidden_size,)}
    if not plan.tied_embeddings:
        shapes["lm_head.weight"] = table
    layer = _layer_shapes(plan)
    for index in range(plan.layers):
        shapes |= {f"model.layers.{index}.{name}": shape for name, shape in layer.items()}
    return shapes


def _layer_shapes(plan: ModelPlan) -> dict[str, Shape]:
    hidden, inner = plan.hidden_size, plan.intermediate_size
    queries, keys = plan.heads * plan.head_dim, plan.kv_heads * plan.head_dim
    projections = {
        "self_attn.q_proj": (queries, hidden, plan.qkv_bias),
        "self_attn.k_proj": (keys, hidden, plan.qkv_bias),
        "self_attn.v_proj": (keys, hidden, plan.qkv_bias),
        "self_attn.o_proj": (hidden, queries, plan.output_bias),
        "mlp.gate_proj": (inner, hidden, plan.mlp_bias),
        "mlp.up_proj": (inner, hidden, plan.mlp_bias),
        "mlp.down_proj": (hidden, inner, plan.mlp_bias),
    }
    shapes: dict[str, Shape] = {}
    for name, (out, into, bias) in projections.items():
        shapes[f"{name}.weight"] = (out, into)
        if bias:
            shapes[f"{name}.bias"] = (out,)
    norms = ["input_layernorm", "post_attention_layernorm"]
    if plan.output_norms:
        norms += ["pre_feedforward_layernorm", "post_feedforward_layernorm"]
    shapes |= {f"{name}.weight": (hidden,) for name in norms}
    if plan.query_key_norm:
        shapes |= {f"self_attn.{name}.weight": (plan.head_dim,) for name in ("q_norm", "k_norm")}
    return shapes
