"""pip's output: counted, shown in plain words, and its failures explained."""

import io
import sys
from pathlib import Path

import pytest

from installers.environment import Environment
from installers.packages import Pip, PipOutput, explain
from installers.problems import BootstrapProblem
from installers.progress import Progress

LOG = Path("checkout") / ".venv" / "install.log"
NO_NETWORK = """WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError("[Errno -3] Temporary failure in name resolution")'
ERROR: Could not find a version that satisfies the requirement setuptools==84.2.1 (from versions: none)
ERROR: No matching distribution found for setuptools==84.2.1"""  # noqa: E501 - pip's own line


def test_downloads_are_counted_and_large_ones_named() -> None:
    log = io.StringIO()
    output = PipOutput(Progress(log))
    for line in (
        "Collecting torch==2.13.0",
        "  Downloading torch-2.13.0-cp311-none-linux.whl.metadata (30 kB)",
        "Downloading https://example.org/simple/torch-2.13.0-cp311-none-linux.whl (191.8 MB)",
        "Progress 0 of 191794682",
        "Progress 191794682 of 191794682",
        "Successfully installed torch-2.13.0",
    ):
        output.line(line)
    assert output.downloaded == 30_000 + 191_800_000
    assert log.getvalue() == "  downloading torch-2.13.0 (192 MB)\n"
    assert "Progress" not in "".join(output.lines)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "The disk is full. Free about",
        ),
        (NO_NETWORK, "The package index could not be reached. Check the network"),
        ("SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] ...'))", "set PIP_CERT"),
        ("ERROR: [Errno 13] Permission denied: '/x'", "Make that folder yours"),
        ("ERROR: No matching distribution found for torch==2.13.0", "There is no torch==2.13.0 for Python"),
        (
            "noise\nERROR: ResolutionImpossible: conflict.",
            "could not be installed: ResolutionImpossible: conflict. Run this again",
        ),
        ("", "pip gave no reason. Run this again; the whole output is in"),
    ],
)
def test_each_failure_gets_its_own_sentence(text: str, sentence: str) -> None:
    assert sentence in explain(text.splitlines(), LOG)


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pip:
    """pip of the Python that runs the tests, in a checkout of its own."""
    (tmp_path / ".venv").mkdir()
    (tmp_path / "installers").mkdir()
    (tmp_path / "installers" / "constraints.txt").write_text("pip==1000\n")
    monkeypatch.setattr(Environment, "python", Path(sys.executable))
    return Pip(Environment(tmp_path), Progress(io.StringIO()))


@pytest.mark.slow
def test_a_failure_of_the_real_pip_is_a_problem_with_a_log(pip: Pip, tmp_path: Path) -> None:
    with pytest.raises(BootstrapProblem, match="could not be installed"):
        pip.install(["--no-index", str(tmp_path / "no such folder")])
    assert "no such folder" in (tmp_path / ".venv" / "install.log").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_real_pip_tells_what_it_would_install(pip: Pip, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = str(Path(__file__).parents[2])
    monkeypatch.setenv("PIP_NO_BUILD_ISOLATION", "0")
    monkeypatch.setenv("PIP_NO_DEPS", "1")
    assert pip.would_install(checkout) == ["sotto"]
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    assert pip.would_install("surely-not-a-package==7") is None


def test_a_python_that_does_not_start_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / ".venv").mkdir()
    with pytest.raises(BootstrapProblem):
        Pip(Environment(tmp_path), Progress(io.StringIO())).install(["x"])
