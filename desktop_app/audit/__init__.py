"""Attacks on one's own recorded traffic, each beside its prior-only baseline, and their report."""
