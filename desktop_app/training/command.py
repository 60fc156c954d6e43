"""`sotto train`: what DP split needs for a model, trained on this computer on texts that the model writes itself.

    projection    from embeddings to codes; everything else belongs to one projection
    decoder       with --recipe del: DEL's linear encoder and decoder, two files
    soft-prompt   rows before all others that tell the model what it reads, for one noise level
    adapter       a low-rank change of the agent's layers, for one noise level
    denoiser      layers for this machine that mend what comes back, for one noise level; `sotto audit --mode dp` measures it

Imports at the top are light, so that `sotto --help` stays quick.
"""

import argparse
import sys
from pathlib import Path

from desktop_app.privacy.noise.budget import LEAST_MU, MOST_MU
from desktop_app.settings.paths import user_paths

MOST_TOKENS = 300_000
LENGTHS = {"sotto": 20, "del": 100}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument(
        "what", choices=("projection", "decoder", "soft-prompt", "adapter", "denoiser"), help="what is to be trained"
    )
    parser.add_argument("--model", default="", help="a GGUF file, a folder or a Hub id; the starter model if left out")
    parser.add_argument("--mu", type=float, default=40.0, help="the noise level that it is for (default 40)")
    parser.add_argument("--dimensions", type=int, default=128, metavar="D", help="of codes, for a projection (default 128)")
    parser.add_argument("--bits", type=int, choices=(1, 2, 4), default=4, help="a coordinate of codes (default 4)")
    parser.add_argument("--steps", type=int, default=600, metavar="N", help="of a projection's training; 0: the closed form")
    parser.add_argument("--tokens", type=int, default=40_000, metavar="N", help="of text, at most 300,000 (default 40,000)")
    parser.add_argument("--length", type=int, metavar="N", help="rows of a soft prompt (default 20; 100 with --recipe del)")
    parser.add_argument("--recipe", choices=("sotto", "del"), default="sotto", help="del: as Gu et al. 2026 describe it")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, metavar="FILE", help="where it is written; among Sotto's data if left out")


def check(arguments: argparse.Namespace) -> str | None:
    """Return a sentence about what is wrong with the arguments, or None."""
    if not LEAST_MU <= arguments.mu <= MOST_MU:
        return f"A noise level is a mu from {LEAST_MU} to {MOST_MU}. Give --mu 40, for example."
    if not 1_000 <= arguments.tokens <= MOST_TOKENS:
        return f"Training takes 1,000 to {MOST_TOKENS:,} tokens. Give --tokens 40000, for example."
    if arguments.what == "denoiser" and 3 * arguments.tokens > MOST_TOKENS:
        return f"A denoiser learns from each text three times: give at most --tokens {MOST_TOKENS // 3}."
    if arguments.dimensions < 1 or not 1 <= length(arguments) <= 512 or arguments.steps < 0:
        return "Dimensions and rows are at least 1, rows at most 512, steps at least 0. Leave them out for the usual ones."
    if arguments.what == "decoder" and arguments.recipe != "del":
        return "Our own codes need no decoder that is trained: the model itself decodes them. DEL's is made with --recipe del."
    if arguments.what in ("adapter", "denoiser") and arguments.recipe == "del":
        return f"DEL's recipe has no {arguments.what}. Train its decoder and its soft prompt."
    return None


def length(arguments: argparse.Namespace) -> int:
    """How many rows a soft prompt has: where it is not said, as many as the recipe has for texts that are written."""
    given: int | None = arguments.length
    return LENGTHS[arguments.recipe] if given is None else given


def main(arguments: argparse.Namespace) -> int:
    """Train, write the file and the curve, and return the exit status."""
    wrong = check(arguments)
    if wrong is not None:
        print(wrong, file=sys.stderr)
        return 2
    from desktop_app.model.errors import ModelError
    from desktop_app.open_weights.errors import OpenWeightsError
    from desktop_app.training.errors import TrainingError
    from desktop_app.training.jobs import Job
    from remote_agent.segment.errors import SegmentError

    try:
        for path, digest in Job(arguments, user_paths()).run().items():
            print(f"{path}  {digest.hex()}")
    except (TrainingError, OpenWeightsError, ModelError, SegmentError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"A file could not be written ({error}). Free some space or choose another place.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. The same command goes on from here.", file=sys.stderr)
        return 130
    return 0
