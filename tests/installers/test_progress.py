"""Progress: a live line on a terminal, plain lines in a log."""

import io

from installers.progress import MEGABYTE, Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_one_line_for_a_large_download_and_none_for_a_small_one() -> None:
    log = io.StringIO()
    progress = Progress(log)
    for total in (4 * MEGABYTE, 192 * MEGABYTE):
        for done in (0, total // 2, total):
            progress.download("torch-2.13.0", done, total)
    progress.now("something")
    assert log.getvalue() == "  downloading torch-2.13.0 (192 MB)\n"


def test_a_terminal_gets_a_live_line_that_the_next_lasting_line_wipes_out() -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    progress.download("torch-2.13.0", 100 * MEGABYTE, 192 * MEGABYTE)
    progress.say("done")
    live = "  torch-2.13.0: 100 of 192 MB"
    assert terminal.getvalue() == f"\r{live}\r{' ' * len(live)}\rdone\n"


def test_the_live_line_changes_only_so_often_that_it_can_be_read() -> None:
    terminal = Terminal()
    progress = Progress(terminal)
    for done in range(1000):
        progress.download("torch", done, 1000)
    assert terminal.getvalue().count("\r") < 100
