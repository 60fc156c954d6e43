"""What `sotto ask` is told of noise: a mode, a budget with its unit or a level, and which of them mean nothing."""

import argparse

from desktop_app.chat.events import Noise
from desktop_app.privacy.errors import PrivacyError
from desktop_app.privacy.noise.budget import LEAST_MU, MOST_MU, Budget

UNLIMITED = 1e15  # an epsilon that no conversation reaches


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options."""
    parser.add_argument(
        "--mode",
        choices=["exact", "dp"],
        default="exact",
        help="dp: words leave as noisy codes, accounted for (default exact)",
    )
    parser.add_argument(
        "--epsilon-per-conversation", type=float, metavar="E", help="with dp: the budget; the noise is chosen so that it is kept"
    )
    parser.add_argument("--delta", type=float, default=1e-6, metavar="D", help="with dp: the budget's delta (default 1e-6)")
    parser.add_argument("--mu-per-token", type=float, metavar="MU", help="with dp: the noise of one token, for any budget")
    parser.add_argument("--epsilon", type=float, help=argparse.SUPPRESS)


def check(arguments: argparse.Namespace) -> str | None:
    """Return a sentence about what is wrong with the noise that is asked for, or None."""
    epsilon, mu = arguments.epsilon_per_conversation, arguments.mu_per_token
    if arguments.epsilon is not None:
        return (
            "An epsilon without its unit means nothing: of a token, or of all that is said? Give --epsilon-per-conversation E "
            "with --delta D, or --mu-per-token MU."
        )
    if arguments.mode == "exact":
        return None if epsilon is mu is None else "A budget or a noise needs --mode dp. Add that, or leave them out."
    if arguments.only_here:
        return "With --only-here nothing leaves, so there is nothing to add noise to. Leave one of them out."
    if (epsilon is None) == (mu is None):
        return "Noise needs a budget or a level: give one of --epsilon-per-conversation E and --mu-per-token MU."
    if mu is not None:
        return (
            None
            if LEAST_MU <= mu <= MOST_MU
            else f"The noise of a token is a mu from {LEAST_MU} to {MOST_MU}. Give --mu-per-token 30, for example."
        )
    try:
        Budget(epsilon, arguments.delta)
    except PrivacyError as error:
        return str(error)
    return None


def noise_of(arguments: argparse.Namespace) -> Noise | None:
    """The noise that is asked for; None: exact split."""
    if arguments.mode == "exact":
        return None
    if arguments.mu_per_token is not None:
        return Noise(mu=arguments.mu_per_token, epsilon=UNLIMITED, delta=arguments.delta)
    return Noise(mu=0.0, epsilon=arguments.epsilon_per_conversation, delta=arguments.delta)
