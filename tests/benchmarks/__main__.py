"""`python -m tests.benchmarks NAME [options]`: measures, prints a table, and writes the figures with --json."""

import importlib
import sys

NAMES = ("agent", "identity", "kills", "ledger_kills", "link", "quality", "restoring", "spans", "split", "uneven")

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
        sys.exit(f"Usage: python -m tests.benchmarks {{{','.join(NAMES)}}} [--json FILE] [--quick]")
    importlib.import_module(f"tests.benchmarks.{sys.argv[1]}").main(sys.argv[2:])
