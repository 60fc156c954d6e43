"""Where files were chosen is written nowhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CHOOSES = """
import sys
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from desktop_app.gui.application import prepare
from desktop_app.gui.file_dialog import FileDialog
application = QApplication([])
if sys.argv[2] == "FileDialog":
    prepare(application)
window = QWidget()
dialog = {"FileDialog": FileDialog, "QFileDialog": QFileDialog}[sys.argv[2]](window, "Choose", sys.argv[1])
dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
dialog.finished.connect(dialog.deleteLater)
dialog.destroyed.connect(application.quit)
dialog.open()
dialog.selectFile(sys.argv[1] + "/letter.txt")
dialog.accept()
application.exec()
"""


def written(folder: Path, kind: str) -> bytes:
    """All that a process that chose a file wrote to its home."""
    case, home = folder / "Kim-divorce", folder / "home"
    case.mkdir()
    home.mkdir()
    (case / "letter.txt").write_text("x")
    own = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "QT_QPA_PLATFORM": "offscreen"}
    subprocess.run([sys.executable, "-c", CHOOSES, str(case), kind], env={**os.environ, **own}, check=True, timeout=60)
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())


@pytest.mark.skipif(os.name != "posix" or sys.platform == "darwin", reason="settings lie in no file here")
def test_the_folder_that_was_visited_is_in_no_file_where_qt_would_write_it(tmp_path: Path) -> None:
    for kind in ("QFileDialog", "FileDialog"):
        (tmp_path / kind).mkdir()
    assert b"Kim-divorce" in written(tmp_path / "QFileDialog", "QFileDialog")
    assert b"Kim-divorce" not in written(tmp_path / "FileDialog", "FileDialog")
