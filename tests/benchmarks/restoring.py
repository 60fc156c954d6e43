"""Whether replies of a scripted model, which uses stand-ins in every way people use names, are restored exactly as they stream.

Each reply has a conversation of its own, comes in pieces cut at random, and is right where every character is. A doubt that is
marked counts as right only where the reply can be read in two ways.
"""

import argparse
import random
from collections.abc import Sequence

from tests.benchmarks.report import add_arguments, publish
from tests.helpers.restored_replies import Chance, is_restored

ENGLISH, KOREAN = 300, 200


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(prog="restoring", description=__doc__)
    add_arguments(parser)
    parser.add_argument("--seed", type=int, default=1, help="of the replies and of where they are cut")
    options = parser.parse_args(arguments)
    share = 5 if options.quick else 1
    publish(measure(ENGLISH // share, KOREAN // share, options.seed), options)


def measure(english: int, korean: int, seed: int) -> dict[str, float]:
    """Return how many replies there were and how many came back; the others are printed."""
    chance = random.Random(seed)
    counts = {"en": [0, 0], "ko": [0, 0]}
    for reply in Chance(seed).replies(english, korean):
        right = is_restored(reply, chance)
        counts[reply.language][0] += 1
        counts[reply.language][1] += right
        if not right:
            got = "".join(piece.text for piece in reply.naming.reveal(reply.sent))
            print(f"sent     {reply.sent!r}\nexpected {reply.real!r}\nrestored {got!r}\n")
    total, restored = (sum(count[place] for count in counts.values()) for place in (0, 1))
    return {
        "replies": total,
        "restored": restored,
        "restored_percent": 100 * restored / total,
        "replies.ko": counts["ko"][0],
        "restored.ko": counts["ko"][1],
    }
