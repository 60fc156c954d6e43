"""A run of transformer layers: plan, weights, layers, KV cache; used by the agent and by the desktop. May import wire."""
