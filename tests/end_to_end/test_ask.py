"""`sotto ask` on the starter model: a real engine, a real agent, a real data channel, and what happens when one of them goes."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from docx import Document

from tests.helpers.running_sotto import answer, ask, child, home, start

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]

LONG = ("ask", "Tell a long story about a lighthouse keeper and his dog.", "--temperature", "0", "--max-tokens", "400")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, models_directory: Path, starter_model: Path) -> dict[str, str]:
    return home(tmp_path_factory.mktemp("a home 집") / "sotto", models_directory)


@pytest.fixture
def answering(environment: dict[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    """A long answer of which the first words have come."""
    process = start(environment, *LONG)
    assert process.stdout is not None
    assert process.stdout.read(20)
    yield process
    process.kill()
    process.communicate()


def _more(process: "subprocess.Popen[bytes]", seconds: float) -> bytes:
    """What comes within so many seconds; empty if nothing does."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], seconds)
    return os.read(process.stdout.fileno(), 65536) if ready else b""


def _drain(process: "subprocess.Popen[bytes]") -> None:
    while _more(process, 1.0):
        pass


def test_an_answer_says_how_it_was_made(environment: dict[str, str]) -> None:
    made = answer(environment, "What is the capital of France?", "--temperature", "0", "--max-tokens", "24", "--seed", "5")
    assert "Paris" in made["text"]
    assert (made["head_layers"], made["middle_layers"], made["tail_layers"]) == (4, 24, 2)
    assert (made["mode"], made["device"], made["model"]) == ("exact", "cpu", "SmolLM2-135M-Instruct")
    assert made["dtype"] == "float32"
    rows = made["prompt_tokens"] + made["reply_tokens"] - 1
    row = 576 * 4
    assert rows * row <= made["bytes_up"] < rows * row * 1.25 + 2000
    assert rows * row <= made["bytes_down"] < rows * row * 1.25 + 2000
    assert made["seconds"] > made["time_to_first_token"] > 0
    assert made["tokens_per_second"] > 0
    assert made["steps"] <= made["reply_tokens"] + 1


def test_the_split_and_the_drafter_change_how_but_not_what(environment: dict[str, str]) -> None:
    # Stand-ins are drawn anew each time; here the words have to be the same.
    question = ("Repeat this list twice: pear, apple, fig, cherry.", "--temperature", "0.8", "--seed", "11", "--max-tokens", "40")
    plain = (*question, "--no-protect")
    texts = {
        answer(environment, *plain, *options)["text"]
        for options in ((), ("--no-drafts",), ("--head", "1", "--tail", "1"), ("--only-here",))
    }
    assert len(texts) == 1


def test_with_all_layers_here_nothing_is_sent_and_no_agent_is_started(environment: dict[str, str]) -> None:
    made = answer(environment, "Say hello.", "--only-here", "--max-tokens", "8")
    assert (made["bytes_up"], made["bytes_down"], made["middle_layers"], made["mode"]) == (0, 0, 0, "only here")


def test_that_the_windows_lists_are_not_used_is_told_beside_the_answer(environment: dict[str, str]) -> None:
    archive = Path(environment["SOTTO_HOME"]) / "data" / "archive"
    archive.mkdir()
    try:
        result = ask(environment, "--json", "Say hello.", "--max-tokens", "4")
    finally:
        archive.rmdir()
    assert result.returncode == 0
    assert "--names" in result.stderr
    assert "--names" not in result.stdout


def test_a_document_is_read_and_used(environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / "소견서 letter.docx"
    document = Document()
    document.add_paragraph("The meeting with Ms Abernathy takes place in room 417.")
    document.save(str(path))
    question = ("In which room is the meeting?", "--temperature", "0", "--max-tokens", "32")
    made = answer(environment, *question, "--document", str(path))
    assert "417" in made["text"]


def test_while_the_agent_is_stopped_no_token_appears_and_continued_it_goes_on(answering: "subprocess.Popen[bytes]") -> None:
    agent = child(answering, "embedded")
    agent.suspend()
    _drain(answering)
    assert _more(answering, 3.0) == b""
    agent.resume()
    assert _more(answering, 60.0) != b""


def test_when_the_agent_is_killed_another_goes_on_with_the_answer(answering: "subprocess.Popen[bytes]") -> None:
    agent = child(answering, "embedded")
    agent.kill()
    agent.wait(20)
    _drain(answering)
    other = child(answering, "embedded")
    assert other.pid != agent.pid
    assert _more(answering, 120.0) != b""
    assert answering.poll() is None


def test_when_the_engine_is_killed_the_text_is_kept_and_a_sentence_says_so(answering: "subprocess.Popen[bytes]") -> None:
    child(answering, "engine").kill()
    _, errors = answering.communicate(timeout=60)
    assert answering.returncode == 1
    assert b"engine" in errors
    assert b"Traceback" not in errors


def test_when_the_program_is_killed_its_children_end(answering: "subprocess.Popen[bytes]") -> None:
    children = psutil.Process(answering.pid).children(recursive=True)
    assert len(children) >= 2
    answering.kill()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert alive == []


def test_every_socket_is_on_loopback(answering: "subprocess.Popen[bytes]") -> None:
    processes = [psutil.Process(answering.pid), *psutil.Process(answering.pid).children(recursive=True)]
    sockets = [connection for process in processes for connection in process.net_connections(kind="inet")]
    assert sockets
    ends = [end for connection in sockets for end in (connection.laddr, connection.raddr) if end]
    assert {end.ip for end in ends} <= {"127.0.0.1", "::1"}


def test_ctrl_c_stops_the_answer_and_prints_it_whole(answering: "subprocess.Popen[bytes]") -> None:
    answering.send_signal(signal.SIGINT)
    output, errors = answering.communicate(timeout=60)
    assert answering.returncode == 130
    assert output.endswith(b"\n")
    assert errors == b""


@pytest.mark.skipif(sys.platform != "linux", reason="network namespaces are Linux's")
def test_with_nothing_but_the_loopback_up_it_answers_and_the_bytes_agree_with_a_capture(environment: dict[str, str]) -> None:
    alone = ["unshare", "--net", "--map-root-user"]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this machine does not allow a network namespace")
    program = [sys.executable, "-m", "tests.helpers.loopback_capture", "What is the capital of France?", "--temperature", "0"]
    result = subprocess.run([*alone, *program], env=environment, capture_output=True, text=True, timeout=240)
    assert result.returncode == 0, result.stderr
    made = json.loads(result.stdout)
    reported = made["bytes_up"] + made["bytes_down"]
    # Each frame costs 65 bytes of DTLS and SCTP in its datagram, acknowledgements and the set-up come on top.
    assert reported < made["captured_bytes"] < reported + 130 * made["captured_packets"] + 8000
    assert "Paris" in made["text"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("  ",), "no question"),
        (("Hi", "--head", "40"), "layers"),
        (("Hi", "--seed", "9" * 30), "seed"),
        (("Hi", "--document", "caf\udce9.txt"), "rename the file"),
        (("Hi", "--head", "-1"), "negative"),
        (("Hi", "--model", "/no/such/file.gguf"), "Check the path"),
        (("Hi", "--document", "/no/such/letter.pdf"), "letter.pdf"),
        (("Hi", "--head", "0"), None),
    ],
)
def test_what_cannot_be_done_is_a_sentence(environment: dict[str, str], arguments: tuple[str, ...], words: str | None) -> None:
    result = ask(environment, *arguments, "--max-tokens", "4")
    assert "Traceback" not in result.stderr
    if words is None:
        assert result.returncode == 0, result.stderr
    else:
        assert result.returncode != 0
        assert words in result.stderr
        assert result.stdout == ""


def test_broken_model_files_are_sentences(environment: dict[str, str], tmp_path: Path, starter_model: Path) -> None:
    cut = tmp_path / "cut short.gguf"
    with starter_model.open("rb") as whole:
        cut.write_bytes(whole.read(2_000_000))
    other = tmp_path / "no model.gguf"
    other.write_bytes(b"nothing of the kind" * 100)
    empty = tmp_path / "empty"
    empty.mkdir()
    for model in (cut, other, empty):
        result = ask(environment, "Hi", "--model", str(model))
        assert result.returncode == 1
        assert model.name in result.stderr
        assert "Traceback" not in result.stderr


def test_a_prompt_longer_than_the_context_is_refused_with_its_count(environment: dict[str, str], tmp_path: Path) -> None:
    long = tmp_path / "long.txt"
    long.write_text("The quick brown fox jumps over the lazy dog. " * 1200)
    result = ask(environment, "Summarise.", "--document", str(long))
    assert result.returncode == 1
    assert "8,192" in result.stderr
    assert "tokens" in result.stderr
    assert result.stdout == ""
