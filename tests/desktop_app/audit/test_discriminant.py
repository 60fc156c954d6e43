"""The closed form finds directions that tell tokens apart, also where noise is not alike in all of them."""

import torch

from desktop_app.audit.discriminant import BOTTOM, Discriminant, Moments


def pairs(count: int, seed: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Ten tokens whose means lie close, under noise that is strong in one direction."""
    chance = torch.Generator().manual_seed(seed)
    tokens = torch.randint(0, 10, (count,), generator=chance)
    noise = torch.randn(count, 12, generator=chance) * 0.2
    return torch.eye(12)[tokens] + noise + 8 * torch.randn(count, 1, generator=chance), tokens


def test_it_sees_through_noise_that_hides_the_nearest_mean() -> None:
    rows, tokens = pairs(2000, 1)
    held, truth = pairs(500, 2)
    moments = Moments.of(rows, tokens, 10)
    _, best = Discriminant.of(moments).best(held)
    nearest = torch.cdist(held, moments.means).argmin(1)
    assert (best[:, 0] == truth).float().mean() > 0.9
    assert (nearest == truth).float().mean() < 0.5


def test_scores_are_the_logarithms_of_normal_densities_but_for_what_all_tokens_share() -> None:
    rows, tokens = pairs(4000, 1)
    moments = Moments.of(rows, tokens, 10)
    found = Discriminant.of(moments)
    scores = rows[:3] @ found.weights.T + found.bias
    covariance = 0.99 * moments.covariance + 0.01 * (moments.covariance.diagonal().mean() + 1e-6) * torch.eye(12)
    densities = torch.stack([
        torch.distributions.MultivariateNormal(mean, covariance).log_prob(rows[:3])  # type: ignore[no-untyped-call]
        for mean in moments.means
    ], 1)  # fmt: skip
    torch.testing.assert_close(scores - scores[:, :1], densities - densities[:, :1], atol=0.02, rtol=0.01)


def test_a_token_that_was_never_seen_is_never_named() -> None:
    rows, tokens = pairs(200, 1)
    scores, best = Discriminant.of(Moments.of(rows, tokens, 12)).best(rows, 12)
    assert set(best[:, -2:].flatten().tolist()) == {10, 11}
    assert bool((scores[:, -2:] <= BOTTOM / 2).all())
    assert bool((scores[:, :-1] >= scores[:, 1:]).all())
