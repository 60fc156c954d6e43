"""kill -9 between charge and send: does the ledger ever show less than what left?

A real process draws codes for message after message, with edits and shared words, in one archive on the disk, and writes down
what it "sends". It is killed at a chance drawn at random: around any statement of the database, any throw of coins, any line.
After each kill what left is compared with the ledger, byte for byte, and every message is asked for again: nothing may be drawn.
"""

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.report import add_arguments, publish
from tests.helpers import draw_writer

KILLS, QUICK_KILLS = 200, 20
CHANCES = 300  # among which the kill is drawn


def main(arguments: Sequence[str]) -> None:
    """Run the benchmark; exits with an error where the ledger showed less."""
    parser = argparse.ArgumentParser(
        prog="ledger_kills", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_arguments(parser)
    options = parser.parse_args(arguments)
    kills, randomness, wrong = QUICK_KILLS if options.quick else KILLS, random.Random(7), []
    with tempfile.TemporaryDirectory() as folder:
        for kill in range(kills):
            draw_writer.kill_at(Path(folder), kill, randomness.randrange(1, CHANCES))
            wrong += draw_writer.not_charged(Path(folder))
        sent = len((Path(folder) / draw_writer.SENT).read_text().splitlines())
    print("\n".join(wrong))
    publish({"kills": kills, "rows_sent": sent, "sent_but_not_charged": len(wrong)}, options)
    if wrong:
        raise SystemExit(1)
