"""What left this computer, as whoever vouches for it reads it, and as JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
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


def test_what_stayed_on_this_computer_is_not_called_gone(qtbot: QtBot) -> None:
    here, only = replace(record(), peer="this computer"), replace(record(), peer="", mode="only here")
    text = read(sent_html("t", [here, only]))
    assert "the agent on this computer, nobody" in text
    assert "none of this has left it" in text
    assert "only here: all layers ran on this computer" in text
    assert "none of this has left it" not in read(sent_html("t", [here, record()]))
    assert "padded" in read(sent_html("t", [replace(record(), shape="padded")]))


def test_nothing_sent_is_said(qtbot: QtBot) -> None:
    assert "Nothing has been sent for this chat." in read(sent_html("", []))


def test_kinds_are_in_their_order_and_none_is_said(qtbot: QtBot) -> None:
    assert replaced_text({"newer": 1, "card": 2, "person": 3, "phone": 0}, protect=True) == "Person: 3, Card number: 2, newer: 1"
    assert replaced_text({}, protect=True) == "Nothing was found to replace."


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
