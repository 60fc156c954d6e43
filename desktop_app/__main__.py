"""The command line of the desktop: the window, `sotto ask`, `protect` and `audit`, and the subcommands of its own children.

Each subcommand imports only what it needs: the window no torch, the engine no Qt.
"""

import argparse
import multiprocessing
import sys
from typing import NoReturn

ASK = "Ask one question, about documents if you like. Names and numbers leave as stand-ins and are restored in the answer."
PROTECT = "Show what would be replaced by stand-ins in documents. Nothing is sent, nothing is kept."
AUDIT = (
    "Attack what this program sends, on this computer and with your model, and say how much of it attackers get back. Takes half "
    "an hour; with --full hours. The figures then stand in the window's settings, too."
)
TRAIN = (
    "Train what noise needs for a model, on this computer and on texts that the model writes itself: a projection first, then for"
    " a noise level a soft prompt or an adapter. Takes minutes to hours, and goes on where it was interrupted."
)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in a sentence with a next step."""

    def error(self, message: str) -> NoReturn:
        """End with status 2."""
        self.exit(2, f"{self.prog}: {message}. See what there is: {self.prog} --help\n")


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    multiprocessing.freeze_support()
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["agent"]:
        from remote_agent.__main__ import main as agent

        return agent(given[1:])
    if given == ["readers"]:
        from desktop_app.engine.readers import main as readers

        return readers()
    if given in (["engine"], ["engine", "--keep-nothing"]):
        return _engine(keep=len(given) == 1)
    parser = _Parser(prog="sotto", description="Chat with a language model split between here and an agent.")
    commands = parser.add_subparsers(dest="command", metavar="{ask,protect,audit,train}")
    ask = commands.add_parser("ask", help="ask one question on the command line", description=ASK)
    from desktop_app.engine import ask as ask_command

    ask_command.add_arguments(ask)
    protect = commands.add_parser(
        "protect", help="show what would be replaced in documents; nothing is sent", description=PROTECT
    )
    from desktop_app.engine import protect_command

    protect_command.add_arguments(protect)
    audit = commands.add_parser("audit", help="attack one's own traffic, and say what that got", description=AUDIT)
    from desktop_app.audit import command as audit_command

    audit_command.add_arguments(audit)
    train = commands.add_parser("train", help="train what noise needs for a model", description=TRAIN)
    from desktop_app.training import command as train_command

    train_command.add_arguments(train)
    options, unknown = parser.parse_known_args(given)
    if unknown:
        named = {"ask": ask, "protect": protect, "audit": audit, "train": train}
        named.get(options.command, parser).error(f"there is no {' '.join(unknown)}")
    if options.command == "ask":
        from desktop_app.settings.paths import user_paths
        from desktop_app.settings.settings import SettingsStore

        paths = user_paths()
        # Whoever has set in the window that nothing is sent means it here too.
        options.only_here |= SettingsStore(paths.settings_file).settings.only_here
        return ask_command.main(options, paths.log / "engine.log")
    if options.command == "protect":
        from desktop_app.settings.paths import user_paths

        return protect_command.main(options, user_paths().log / "engine.log")
    if options.command == "audit":
        return audit_command.main(options)
    if options.command == "train":
        return train_command.main(options)
    return _window()


def _engine(keep: bool) -> int:
    from desktop_app.engine import worker
    from desktop_app.settings.paths import user_paths

    paths = user_paths()
    return worker.main(worker.Folders(paths.models, paths.log, paths.archive if keep else None, paths.codes))


def _window() -> int:
    from desktop_app.chat.events import Split
    from desktop_app.engine.responder import EngineResponder
    from desktop_app.gui import application
    from desktop_app.settings.paths import user_paths
    from desktop_app.settings.settings import SettingsStore

    paths = user_paths()
    store = SettingsStore(paths.settings_file)
    settings = store.settings
    responder = EngineResponder(
        log=paths.log / "engine.log",
        model=settings.model,
        split=Split(head=settings.head, tail=settings.tail, only_here=settings.only_here),
    )
    return application.run(responder=responder, settings_store=store)


if __name__ == "__main__":
    sys.exit(main())
