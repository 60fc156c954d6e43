"""The command line: what is wrong is a sentence, and what is right is printed as it was promised. (Whole runs: end_to_end.)"""

import argparse
from pathlib import Path

import pytest

from desktop_app.chat.events import DocumentText, ReplyRequest, Statistics, TextAdded, Turn
from desktop_app.engine.ask import LISTS_NOT_USED, NOT_PROTECTED, Sent, add_arguments, check, notices, report

FIELDS = {"text", "prompt_tokens", "reply_tokens", "steps", "seconds", "tokens_per_second", "time_to_first_token"}
FIELDS |= {"bytes_up", "bytes_down", "head_layers", "middle_layers", "tail_layers", "mode", "device", "dtype", "model"}


def _parse(*arguments: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(arguments)


def test_the_defaults_are_those_of_the_window() -> None:
    options = _parse("Hi")
    assert (options.head, options.tail, options.temperature, options.document, options.model) == (4, 2, 0.7, [], "")
    assert check(options) is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((" ",), "no question"),
        (("a", "--head", "-1"), "negative"),
        (("a", "--tail", "-2"), "negative"),
        (("a", "--temperature", "-0.1"), "temperature"),
        (("a", "--max-tokens", "0"), "1 to"),
    ],
)
def test_what_is_wrong_is_a_sentence(arguments: tuple[str, ...], words: str) -> None:
    sentence = check(_parse(*arguments))
    assert sentence is not None
    assert words in sentence


def test_the_object_has_the_promised_fields() -> None:
    assert set(report("text", Statistics(steps=4))) >= FIELDS
    assert report("text", Statistics(steps=4))["steps"] == 4


QUESTION = Turn(role="user", text="Who is Ann?", documents=[DocumentText(name="Ann.pdf", text="Ann slept.")])
LEFT = Turn(role="user", text="Who is Eve?", documents=[DocumentText(name="Document 1.pdf", text="Eve slept.")])


def test_what_was_sent_is_shown_as_it_left_and_nothing_before_it_left() -> None:
    sent = Sent(ReplyRequest(conversation="c", turns=[QUESTION]))
    assert "Ann" not in sent.shown()
    sent.question(LEFT)
    for piece in (TextAdded("Ann ", [], "Eve"), TextAdded("did.", [], " did.")):
        sent.answer(piece)
    assert sent.texts == {
        "question": "Who is Eve?",
        "documents": ["Eve slept."],
        "document_names": ["Document 1.pdf"],
        "answer": "Eve did.",
    }
    assert "Document 1.pdf" in sent.shown()
    assert "Ann" not in sent.shown()


def test_without_protection_the_question_leaves_as_it_is() -> None:
    assert "Ann.pdf" in Sent(ReplyRequest(conversation="c", turns=[QUESTION], protect=False)).shown()


@pytest.mark.parametrize("options", [(), ("--names", "a.txt")])
def test_that_lists_of_the_window_are_not_used_is_said_where_there_may_be_some(options: tuple[str, ...], tmp_path: Path) -> None:
    assert notices(_parse("Hi", *options), tmp_path) == [LISTS_NOT_USED]
    assert notices(_parse("Hi", *options), tmp_path / "no archive") == []


def test_that_nothing_is_replaced_is_said(tmp_path: Path) -> None:
    assert notices(_parse("Hi", "--no-protect"), tmp_path) == [NOT_PROTECTED]


def test_where_nothing_leaves_nothing_is_said(tmp_path: Path) -> None:
    assert notices(_parse("Hi", "--only-here"), tmp_path) == []
    assert notices(_parse("Hi", "--only-here", "--no-protect"), tmp_path) == []
