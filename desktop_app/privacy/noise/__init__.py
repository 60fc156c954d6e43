"""Noise with a guarantee: the quantiser that draws codes, what they give away, and the book that is kept of it."""
