"""A probe tells what lies in the means of rows, and nothing that does not."""

import torch

from desktop_app.audit.attributes import pooled, probed
from desktop_app.audit.intervals import majority

LABELS = ["clinical", "legal", "corporate", "everyday"] * 12


def means(signal: float) -> torch.Tensor:
    generator = torch.Generator().manual_seed(4)
    directions = torch.randn(4, 96, generator=generator)
    noise = torch.randn(len(LABELS), 96, generator=generator)
    return noise + signal * directions[[sorted(set(LABELS)).index(label) for label in LABELS]]


def test_what_is_in_the_means_is_told_of_texts_never_seen() -> None:
    assert probed(means(1.0), LABELS).value >= 0.9


def test_what_is_not_in_them_is_not_told() -> None:
    found = probed(means(0.0), LABELS)
    assert found.low <= majority(LABELS).value <= found.high


def test_one_text_more_often_than_others_is_no_better_than_the_majority() -> None:
    labels = ["good"] * 40 + ["bad"] * 8
    assert abs(probed(means(0.0), labels).value - majority(labels).value) <= 0.05


def test_rows_are_pooled_text_by_text() -> None:
    rows = [torch.ones(3, 4), torch.stack([torch.zeros(4), torch.full((4,), 4.0)])]
    assert pooled(rows).tolist() == [[1.0] * 4, [2.0] * 4]
