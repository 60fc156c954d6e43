"""`sotto audit --mode dp`: attacks codes under noise, measures what the answers are worth, and compares systems.

Imports at the top are light, so that `sotto --help` stays quick.
"""

import argparse
import math
import shlex
import sys
import time
from pathlib import Path

from desktop_app.privacy.noise.budget import LEAST_MU, MOST_MU

SYSTEMS = ("untrained", "del", "ours")
ONLY_NOISE = ("mu", "wikitext", "mrpc", "sst2")
IN_TABLES = ("recovered.", "prior_only.", "gain.", "agreement.", "similarity.", "difference", "del_minus", "ours_minus")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the options that an audit of noise has of its own."""
    parser.add_argument(
        "--mode", choices=["exact", "dp"], default="exact", help="dp: words that leave as noisy codes (default exact)"
    )
    parser.add_argument("--mu", metavar="LIST", help="with dp: only these noise levels, separated by commas")
    parser.add_argument("--wikitext", type=Path, metavar="FILE", help="with dp: perplexity on this running text")
    parser.add_argument("--mrpc", type=Path, metavar="FILE", help="with dp: accuracy on these pairs of sentences")
    parser.add_argument("--sst2", type=Path, metavar="FILE", help="with dp: accuracy on these sentences")


def check(arguments: argparse.Namespace) -> str | None:
    """Return a sentence about options that do not go with the mode, or None."""
    if arguments.mode == "exact":
        given = [name for name in ONLY_NOISE if getattr(arguments, name) is not None]
        return f"--{given[0]} needs --mode dp. Add that, or leave it out." if given else None
    if arguments.head is not None:
        return "Under noise no layer comes before the codes. Leave --head out."
    if arguments.corpus is not None:
        return "Nobody is trained on texts here: attackers know the table of codes. Leave --corpus out."
    return None


def levels(given: str | None) -> list[float] | None:
    """The noise levels of a list with commas, rising; None where none is given. Raises `ValueError` with a sentence."""
    if given is None:
        return None
    wrong = f"A noise level is a mu from {LEAST_MU} to {MOST_MU}. Give --mu 20,40 for example."
    try:
        found = sorted({float(part) for part in given.split(",")})
    except ValueError:
        raise ValueError(wrong) from None
    if not all(math.isfinite(mu) and LEAST_MU <= mu <= MOST_MU and (16 * mu).is_integer() for mu in found):
        raise ValueError(f"{wrong} It is a multiple of one sixteenth.")
    return found


def run(arguments: argparse.Namespace, systems: list[str]) -> int:
    """Audit these systems, print, keep the table, and return the exit status. Raises what the rooms below raise."""
    from desktop_app.audit import noise_report, report, tables
    from desktop_app.audit.batches import Batches
    from desktop_app.audit.noise_experiments import NoiseAudit
    from desktop_app.audit.noise_texts import Given, NoiseTexts
    from desktop_app.audit.sizes import NOISE_FULL, NOISE_QUICK
    from desktop_app.model.store import ModelStore
    from desktop_app.open_weights.checkpoint import Checkpoint
    from desktop_app.open_weights.trainable import Trainable
    from desktop_app.settings.paths import user_paths

    started = time.monotonic()

    def tell(sentence: str) -> None:
        print(f"[{time.monotonic() - started:6.0f} s] {sentence}", file=sys.stderr, flush=True)

    paths, sizes = user_paths(), NOISE_FULL if arguments.full else NOISE_QUICK
    local = ModelStore(paths.models).prepare(arguments.model, 2**16, 0)
    given = Given(arguments.wikitext, arguments.mrpc, arguments.sst2)
    folder, digest = tables.folder(paths.data), local.manifest.digest().hex()
    checkpoint = Checkpoint(folder / f"{tables.stem(arguments.model)}.dp.part.json", f"{digest} {sizes} {given} {paths.codes}")
    texts = NoiseTexts.of(local.tokenizer, sizes, given, NoiseAudit.seed)
    audit = NoiseAudit(local, Batches(Trainable.of(local)), texts, sizes, (checkpoint, tell))
    seen = audit.seen(systems, paths.codes, levels(arguments.mu))

    found = noise_report.findings(seen)
    figures = found.figures | {"seconds": time.monotonic() - started}
    print("\n".join([*report.lines(found.attacks), "", *noise_report.table(seen, figures), ""]))
    print("\n".join(f"{name}: {value:,.4g}" for name, value in figures.items() if not name.startswith(IN_TABLES)))
    if not arguments.full:
        print("This was a quick audit: few texts, and therefore wide intervals. --full takes hours and narrows them.")
    measured = tables.Measured(arguments.model, digest, command(arguments), audit.seed, figures)
    rows = report.rows([*found.attacks, *found.uses], 0, arguments.tail)
    path = tables.keep(folder, measured, rows)
    print(f"The settings of Sotto show {len(rows)} of these figures from now on; all are kept in {path}.")
    if arguments.json is not None:
        arguments.json.write_bytes(report.published(figures, measured.command))
    checkpoint.clear()
    return 0


def command(arguments: argparse.Namespace) -> str:
    """The command line that makes this audit again."""
    words = ["sotto", "audit", "--mode", "dp", "--full" if arguments.full else "--quick"]
    for name in ("model", "settings", *ONLY_NOISE):
        if getattr(arguments, name) not in (None, ""):
            words += [f"--{name}", str(getattr(arguments, name))]
    return shlex.join(words)
