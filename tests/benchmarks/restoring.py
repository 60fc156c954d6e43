"""Whether replies of a scripted model, which uses stand-ins in every way people use names, are restored exactly as they stream.

Each reply has a conversation of its own, comes in pieces cut at random, and is right where every character is. A doubt that is
marked counts as right only where the reply can be read in two ways.
"""

import argparse
import random
from collections import Counter
from collections.abc import Sequence

from tests.benchmarks.report import add_arguments, publish
from tests.helpers.restored_replies import Chance, Fault, fault_of

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
    """Return how many replies there were, how many came back, and how often a kind of use failed; what failed is printed."""
    chance = random.Random(seed)
    replies, restored, failed = Counter[str](), Counter[str](), Counter[str]()
    for reply in Chance(seed).replies(english, korean):
        fault = fault_of(reply, chance)
        replies[reply.language] += 1
        restored[reply.language] += fault is None
        if fault is not None:
            failed[fault.use] += 1
            _print(fault)
    return {
        "replies": replies.total(),
        "restored": restored.total(),
        "restored_percent": 100 * restored.total() / replies.total(),
        "replies_korean": replies["ko"],
        "restored_korean": restored["ko"],
        **{f"failed.{use}": count for use, count in sorted(failed.items())},
    }


def _print(fault: Fault) -> None:
    doubt = f"\n  needless doubt: {fault.needless_doubt}" if fault.needless_doubt else ""
    print(f"{fault.use}\n  sent:     {fault.sent!r}\n  expected: {fault.expected!r}\n  restored: {fault.restored!r}{doubt}")
