"""What left this computer, as whoever vouches for it reads it, and as JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PySide6.QtCore import QLocale
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.chat.stored import SentRecord
from desktop_app.gui.sent_page import replaced_text, sent_html, sent_json


def record(message: str = "a1", protect: bool = True, **replaced: int) -> SentRecord:
    return SentRecord(
        message=message,
        time=1_780_000_000.4,
        mode="exact",
        peer="203.0.113.7",
        model="SmolLM2 <135M>",
        bytes_up=421_000,
        bytes_down=1_310_000,
        rows=392,
        head_layers=4,
        tail_layers=2,
        protect=protect,
        replaced=replaced,
    )


def read(html: str) -> str:
    document = QTextDocument()
    document.setHtml(html)
    return document.toPlainText()


def test_the_page_adds_up_and_tells_each_answer(qtbot: QtBot) -> None:
    text = read(sent_html("Leases & <b>more</b>", [record(person=2, phone=1), record("a2", person=3)]))
    for told in (
        "Chat: Leases & <b>more</b>\n",
        "842.0 kB (842,000 bytes)",
        "2.6 MB (2,620,000 bytes)",
        "784",
        "203.0.113.7",
        "Person: 5, Phone number: 1",
        "Person: 2, Phone number: 1",
        "the first 4 and the last 2",
        "SmolLM2 <135M>",
        "exact split: the rows as the model computes them",
    ):
        assert told in text
    assert "public weights" in text
    assert "What was not found, or was marked later, was not replaced." in text
    assert text.count("421.0 kB (421,000 bytes)") == 2
    assert text.index("842.0 kB") < text.index("In all") < text.index("What that is") < text.index("Answer by answer")


def test_answers_without_protection_are_told_as_such(qtbot: QtBot) -> None:
    text = read(sent_html("t", [record(protect=False)]))
    assert "replacing was off" in text
    assert "stand-ins" not in text
    assert "1 of the answers" in text


def test_what_stand_ins_stand_for_is_said_not_to_have_left_only_where_that_holds(qtbot: QtBot) -> None:
    kept, linked = "What they stand for has not left with them.", "can link the stand-ins to what they stand for"
    text = read(sent_html("t", [record(), record("a2")]))
    assert (kept in text, linked in text) == (True, False)
    text = read(sent_html("t", [record(), record("a2", protect=False)]))
    assert (kept in text, linked in text) == (False, True)
    stayed = replace(record("a2", protect=False), peer="", mode="only here")
    assert kept in read(sent_html("t", [record(), stayed]))


HERE = replace(record(), peer="this computer")
ONLY = replace(record(), peer="", mode="only here")
OFF_HERE = replace(HERE, protect=False)
NEVER = replace(record(), peer="", bytes_up=0, bytes_down=0, rows=0)


@pytest.mark.parametrize(
    ("records", "said"),
    [
        ([], "Nothing has been sent for this chat."),
        ([HERE], "Nothing has left this computer: the agent ran on it, too."),
        ([HERE, ONLY, OFF_HERE], "Nothing has left this computer: the agent ran on it, too."),
        ([ONLY, ONLY], "Nothing has left this computer: every layer of the model ran on it."),
        ([NEVER], "Nothing has left this computer."),
        ([record()], "421.0 kB (421,000 bytes) left this computer, to 203.0.113.7."),
        (
            [record(), HERE, record(protect=False)],
            "842.0 kB (842,000 bytes) left this computer, to 203.0.113.7. That was for 2 of the 3 answers; for the others "
            "nothing left.",
        ),
    ],
)
def test_whether_anything_left_is_said_before_anything_else(qtbot: QtBot, records: list[SentRecord], said: str) -> None:
    text = read(sent_html("t", records))
    assert said in text
    assert text.index(said) < min(
        (text.index(word) for word in ("In all", "Answers", "What that is") if word in text), default=999
    )
    if all(one.peer in ("", "this computer") for one in records):
        rest = text.replace(said, "").replace("What left this computer", "").replace("public weights can work out", "")
        assert not any(told in rest for told in ("left", "Sent", "sent"))


def test_what_stayed_is_not_added_to_what_left(qtbot: QtBot) -> None:
    text = read(sent_html("t", [record(), HERE, HERE, ONLY]))
    assert "Left this computer\n421.0 kB (421,000 bytes)" in text
    assert "Handed to the agent on this computer\n842.0 kB (842,000 bytes)" in text
    assert "only here: all layers ran on this computer" in text
    assert "padded" in read(sent_html("t", [replace(record(), shape="padded")]))


def test_without_replacing_names_left_only_where_something_left(qtbot: QtBot) -> None:
    text = read(sent_html("t", [OFF_HERE]))
    assert "names and numbers left" not in text
    assert "The agent on this computer got names and numbers as they were written." in text
    assert "names and numbers left" not in read(sent_html("t", [replace(ONLY, protect=False)]))
    assert "names and numbers left as they were written" in read(sent_html("t", [OFF_HERE, record(protect=False)]))
    assert "can link" not in read(sent_html("t", [HERE, OFF_HERE, ONLY]))


def test_one_answer_is_not_called_all(qtbot: QtBot) -> None:
    text = read(sent_html("t", [record()], (2, 3)))
    assert "Only for answer 2 of 3 of this chat." in text
    assert "In all" not in text
    assert "Answers\n" not in text
    assert text.count("421.0 kB (421,000 bytes)") == 2
    assert "Nothing has been sent for this answer." in read(sent_html("t", [], (1, 1)))
    assert json.loads(sent_json("t", [record()], (2, 3)))["only"] == {"answer": 2, "of": 3}


def test_kinds_are_in_their_order_and_none_is_said(qtbot: QtBot) -> None:
    found = {"newer": 1, "card": 2, "person": 3, "phone": 0}
    assert replaced_text(found, protect=True, peer="") == "Person: 3, Card number: 2, newer: 1"
    assert replaced_text({}, protect=True, peer="") == "Nothing was found to replace."


@pytest.mark.parametrize(
    ("locale", "day"), [("C", "2026-05-2"), ("en_US", "May 2026"), ("ko_KR", "2026년 5월"), ("de_DE", "2026-05-2")]
)
def test_times_can_be_read_in_one_way_only(qtbot: QtBot, locale: str, day: str) -> None:
    QLocale.setDefault(QLocale.c() if locale == "C" else QLocale(locale))
    assert day in read(sent_html("t", [record()]))


def test_json_holds_the_records_and_utc_times() -> None:
    content = json.loads(sent_json("제목", [record(person=2)]))
    (answer,) = content["answers"]
    assert (content["title"], answer["bytes_up"], answer["replaced"], answer["protect"]) == ("제목", 421_000, {"person": 2}, True)
    assert answer["time"] == "2026-05-28T20:26:40Z"
    assert content["made"].endswith("Z")


@given(title=st.text(max_size=30), peer=st.text(max_size=30))
def test_no_title_and_no_peer_breaks_the_page(qapp: QApplication, title: str, peer: str) -> None:
    rows = [replace(record(), peer=peer)]
    assert "<script" not in sent_html(title, rows).replace("&lt;script", "")
    json.loads(sent_json(title, rows))
