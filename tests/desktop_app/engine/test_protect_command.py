"""`sotto protect` shows what would be replaced: in documents, and line by line for programs."""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop_app.engine import protect_command
from tests.helpers.running_sotto import command


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, *arguments: str) -> int:
    """The command in this process, which has torch anyway."""
    monkeypatch.setattr(protect_command, "without_torch", lambda: None)
    parser = argparse.ArgumentParser()
    protect_command.add_arguments(parser)
    return protect_command.main(parser.parse_args(arguments), folder / "log")


def protect(*arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command("protect", *arguments), input=given, capture_output=True, text=True, timeout=240, encoding="utf-8"
    )


@pytest.mark.parametrize("arguments", [(), ("--jsonl", "note.txt")])
def test_documents_or_lines_but_one_of_them(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, *arguments) == 1
    assert "not both" in capsys.readouterr().err


def test_a_list_that_is_not_there_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, tmp_path, "--jsonl", "--names", str(tmp_path / "gone.txt")) == 1
    assert "gone.txt could not be read" in capsys.readouterr().err


@pytest.mark.slow
def test_documents_are_listed_for_people_and_for_programs(tmp_path: Path) -> None:
    note, names = tmp_path / "소견서.txt", tmp_path / "names.csv"
    note.write_text("Blue Heron: call 010-1234-5678.\nBlue Heron again.", encoding="utf-8")
    letter = tmp_path / "letter.txt"
    letter.write_text("我昨天在北京见到了很多人。", encoding="utf-8")
    names.write_text("blue heron,7\n", encoding="utf-8")
    shown = protect(str(note), str(letter), str(tmp_path / "gone.pdf"), "--names", str(names))
    assert shown.returncode == 1
    assert "gone.pdf was not found" in shown.stderr
    assert f"{letter}: Names in Chinese writing are hardly found" in shown.stderr
    assert "names.csv: 1 values were read, and 1 entries left out" in shown.stderr
    assert "3 places would be replaced" in shown.stdout
    assert "Blue Heron" in shown.stdout
    assert "(2×)" in shown.stdout

    result = protect(str(note), str(letter), "--json", "--names", str(names))
    assert result.returncode == 0, result.stderr
    report, other = json.loads(result.stdout)["files"]
    assert report["file"] == str(note)
    assert (report["unread_scripts"], other["unread_scripts"]) == ([], ["Chinese"])
    found = [(report["text"][span["start"] : span["end"]], span["kind"]) for span in report["spans"]]
    assert found == [("Blue Heron", "person"), ("010-1234-5678", "phone"), ("Blue Heron", "person")]
    first, phone, again = report["spans"]
    assert first["stand_in"] == again["stand_in"]
    assert phone["stand_in"] not in ("", "010-1234-5678")


@pytest.mark.slow
def test_each_line_is_answered_at_once_and_a_broken_one_stops_nothing() -> None:
    process = subprocess.Popen(command("protect", "--jsonl"), stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(line: bytes) -> Any:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())

    try:
        answer = ask(json.dumps({"id": 7, "text": "환자 김철수 met Harlan Voss"}).encode())
        assert answer["id"] == 7
        assert [(span["start"], span["end"], span["kind"]) for span in answer["spans"]] == [(3, 6, "person"), (11, 22, "person")]
        name = answer["spans"][1]["stand_in"]
        assert ask(b'{"id": "x", "text": "Harlan Voss"}')["spans"][0]["stand_in"] == name
        for broken in (b"no json", b"", b"\xff\xfe", b"[1]", b'{"id": 1}', b'{"text": 5}', b"[" * 5000):
            assert ask(broken)["error"].endswith(".")
        assert ask(b'{"text": "\\ud800 12"}') == {"id": None, "spans": []}
        if sys.platform == "linux":
            assert not any("libtorch" in region.path for region in psutil.Process(process.pid).memory_maps())
    finally:
        process.kill()
        process.wait()
