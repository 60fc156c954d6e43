"""`sotto audit`: attacks the traffic of this very program on this computer, and says what they got.

Imports at the top are light, so that `sotto --help` stays quick.

`_audit` is longer because it is the audit from beginning to end, one step a line.
"""

import argparse
import asyncio
import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop_app.audit import noise_command

if TYPE_CHECKING:
    from desktop_app.audit import tables
    from desktop_app.audit.experiments import Findings
    from desktop_app.engine.recovery_table import Row

QUICK_SETTINGS = ("exact_public", "exact_private_ends", "protected_spans", "unshaped", "shaped")
SETTINGS = (*QUICK_SETTINGS, "steady")  # a clock takes its time
DEFAULT_TAIL = 2


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("--model", default="", help="a GGUF file, a folder or a Hub id; the starter model if left out")
    parser.add_argument("--head", type=int, metavar="K", help="only this number of first layers (1, 4 and 15 if left out)")
    parser.add_argument("--tail", type=int, default=DEFAULT_TAIL, metavar="M", help=f"last layers (default {DEFAULT_TAIL})")
    parser.add_argument(
        "--settings",
        metavar="LIST",
        help=f"only these, separated by commas: {', '.join(SETTINGS)} (all if left out, but steady only with --full); "
        f"with --mode dp: {', '.join(noise_command.SYSTEMS)}",
    )
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--quick", action="store_true", help="within half an hour; intervals are wide (the default)")
    length.add_argument("--full", action="store_true", help="takes hours; goes on where it was interrupted")
    parser.add_argument(
        "--corpus", type=Path, metavar="DIR", help="text files to train attackers on; written by the model if left out"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there")
    noise_command.add_arguments(parser)


def main(arguments: argparse.Namespace) -> int:
    """Audit, print, keep the table, and return the exit status."""
    noisy = arguments.mode == "dp"
    try:
        usual = noise_command.SYSTEMS if noisy else SETTINGS if arguments.full else QUICK_SETTINGS
        settings = chosen(arguments.settings, usual, noise_command.SYSTEMS if noisy else SETTINGS)
        noise_command.levels(arguments.mu)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    if wrong := noise_command.check(arguments):
        print(wrong, file=sys.stderr)
        return 1
    from desktop_app.audit.errors import AuditError
    from desktop_app.engine.errors import EngineError
    from desktop_app.model.errors import ModelError
    from desktop_app.open_weights.errors import OpenWeightsError
    from remote_agent.segment.errors import SegmentError

    try:
        return noise_command.run(arguments, settings) if noisy else asyncio.run(_audit(arguments, settings))
    except (AuditError, OpenWeightsError, EngineError, ModelError, SegmentError) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"A file could not be written ({error}). Free some space or choose another place.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def chosen(settings: str | None, usual: Sequence[str], possible: Sequence[str]) -> list[str]:
    """The settings of a list with commas, the `usual` ones where there is none. Raises `ValueError` with a sentence."""
    if settings is None:
        return list(usual)
    names = [name.strip() for name in settings.split(",") if name.strip()]
    unknown = [name for name in names if name not in possible]
    if unknown or not names:
        named = f"“{unknown[0]}” is no setting" if unknown else "No setting was named"
        raise ValueError(f"{named}. Choose among: {', '.join(possible)}.")
    return names


async def _audit(arguments: argparse.Namespace, settings: list[str]) -> int:
    from desktop_app.audit import report, tables
    from desktop_app.audit.errors import AuditError
    from desktop_app.audit.experiments import Audit, Findings
    from desktop_app.audit.recording import recorder
    from desktop_app.audit.sizes import FULL, QUICK, narrowed, possible
    from desktop_app.audit.traces import SHAPES, attacked, collected
    from desktop_app.chat.events import Split
    from desktop_app.model.store import ModelStore
    from desktop_app.open_weights.checkpoint import Checkpoint
    from desktop_app.settings.paths import user_paths

    started = time.monotonic()
    paths = user_paths()
    local = ModelStore(paths.models).prepare(arguments.model, 2**16, 0)
    sizes = narrowed(FULL if arguments.full else QUICK, arguments.head)
    heads = possible(sizes.heads, arguments.tail, local.plan.layers)
    if not heads or arguments.tail < 0:
        raise AuditError(
            f"The model has {local.plan.layers} layers: first and last ones together must leave one to the agent, and at least "
            "one must come first. Choose other numbers with --head and --tail."
        )
    folder = tables.folder(paths.data)
    signature = f"{local.manifest.digest().hex()} {arguments.tail} {sizes} {arguments.corpus}"
    checkpoint = Checkpoint(folder / f"{tables.stem(arguments.model)}.part.json" if arguments.full else None, signature)

    def tell(sentence: str) -> None:
        print(f"[{time.monotonic() - started:6.0f} s] {sentence}", file=sys.stderr, flush=True)

    found = Findings([], {})

    def keep(name: str, part: Findings) -> None:
        checkpoint.put(name, part)
        found.results.extend(part.results)
        found.figures.update(part.figures)
        tell(f"{name} is done")

    audit = Audit(arguments.model, local, arguments.tail, sizes, checkpoint, tell)
    audit.corpus_folder = arguments.corpus
    async with recorder(paths.models) as engine:
        for name, part in audit.parts(engine, settings).items():
            keep(name, checkpoint.get(name, Findings) or await part())
    head = min(heads, key=lambda depth: abs(depth - 4))
    for setting in (name for name in settings if name in SHAPES):
        split = Split(head=head, tail=arguments.tail)
        traces = await collected(paths.models, arguments.model, split, SHAPES[setting], sizes, (checkpoint, tell))
        keep(setting, checkpoint.get(setting, Findings) or attacked(traces, setting, sizes.reply_tokens))

    figures = report.figures(found.results) | found.figures | {"seconds": time.monotonic() - started}
    measured = tables.Measured(arguments.model, local.manifest.digest().hex(), _command(arguments), audit.seed, figures)
    _publish(arguments, measured, report.rows(found.results, head, arguments.tail), found, folder)
    checkpoint.clear()
    return 0


def _publish(
    arguments: argparse.Namespace, measured: "tables.Measured", rows: "list[Row]", found: "Findings", folder: Path
) -> None:
    """Print the table, keep its rows where the application looks, and write the figures where they are wanted."""
    from desktop_app.audit import report, tables

    print("\n".join(report.lines(found.results)))
    print("\n".join(f"{name}: {value:,.4g}" for name, value in found.figures.items()))
    if not arguments.full:
        print("This was a quick audit: few texts, and therefore wide intervals. --full takes hours and narrows them.")
    path = tables.keep(folder, measured, rows)
    print(f"The settings of Sotto show these figures from now on; they are kept in {path}.")
    if arguments.json is not None:
        arguments.json.write_bytes(report.published(measured.figures, measured.command))


def _command(arguments: argparse.Namespace) -> str:
    """The command line that makes this audit again."""
    words = ["sotto", "audit", "--full" if arguments.full else "--quick", "--tail", str(arguments.tail)]
    for name in ("model", "head", "settings", "corpus"):
        value = getattr(arguments, name)
        if value not in (None, ""):
            words += [f"--{name}", str(value)]
    return shlex.join(words)
