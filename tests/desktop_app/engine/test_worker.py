"""The engine process on its own pipe: it ends when its parent is gone, also while it is busy."""

import subprocess
from pathlib import Path
from typing import BinaryIO, cast

import pytest

from desktop_app.chat.events import Progress
from desktop_app.engine.child import own_command
from desktop_app.engine.messages import FromEngine, News
from desktop_app.engine.pipes import Pipe
from desktop_app.engine.queries import DocumentAt, Query
from tests.helpers.running_sotto import home

pytestmark = pytest.mark.slow


def test_it_tells_that_it_starts_and_ends_when_the_pipe_closes(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    environment = home(tmp_path / "sotto", tmp_path / "models")
    engine = subprocess.Popen(own_command(["engine"]), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    pipe = Pipe[object](cast(BinaryIO, engine.stdout), cast(BinaryIO, engine.stdin), FromEngine)
    assert pipe.receive() == News(Progress("engine"))
    pipe.send(Query(1, DocumentAt(str(tmp_path / "none.txt"))))
    cast(BinaryIO, engine.stdin).close()
    assert engine.wait(60) == 0
