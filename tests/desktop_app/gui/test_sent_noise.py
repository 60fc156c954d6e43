"""What left under noise is told with its levels, its cost, and what the guarantee is not about."""

import json
import math

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from desktop_app.chat.events import Noise
from desktop_app.chat.stored import SentRecord
from desktop_app.gui.sent_noise import is_strict, noise_explained, noise_facts
from desktop_app.gui.sent_page import sent_html, sent_json
from tests.helpers.sent_records import sent_record

ALL = Noise(mu=40.0, epsilon=1e6)
WORDS = Noise(strict_mu=0.75, rest="exact", per="value", epsilon=20.0)


def noisy(noise: Noise, **changes: object) -> SentRecord:
    return sent_record(mode="dp", noise=noise, codes=2, epsilon=3.5, peer="203.0.113.7", **changes)


def facts(noise: Noise) -> dict[str, str]:
    return dict(noise_facts(noisy(noise), noise))


def test_levels_codes_answers_and_cost_are_told() -> None:
    assert facts(ALL) == {
        "Noise": "every word: mu 40",
        "Noisy codes": "2 of the rows",
        "The answer went back": "exact; the agent can read it",
        "Spent of the budget": "ε 3.5 of 1,000,000 at δ 1e-6, the whole chat up to then",
    }
    strict = facts(WORDS)
    assert strict["Noise"] == ("names, numbers and marked words: mu 0.75; all other words: none, they left as they were written")
    assert strict["Spent of the budget"].endswith("each name or number by itself")
    assert facts(replace(ALL, answers="codes"))["The answer went back"] == "as codes"


def test_what_is_not_known_is_not_told() -> None:
    unknown = noisy(ALL, **{})
    told = dict(noise_facts(replace(unknown, codes=-1, epsilon=-1.0), ALL))
    assert set(told) == {"Noise", "The answer went back"}


@pytest.mark.parametrize(
    ("noise", "read", "clear"), [(ALL, True, False), (replace(ALL, answers="codes"), False, False), (WORDS, True, True)]
)
def test_what_the_guarantee_is_not_about_is_said(noise: Noise, read: bool, clear: bool) -> None:
    said = " ".join(noise_explained([noisy(noise)]))
    assert "does not cover how long texts are, when something was sent, which codes are the same" in said
    assert ("so the agent can read it" in said) == read
    assert ("left without noise" in said) == clear


def test_the_page_says_it_and_names_no_stand_ins_where_there_were_none(qtbot: QtBot) -> None:
    document = QTextDocument()
    document.setHtml(sent_html("t", [noisy(WORDS)]))
    text = document.toPlainText()
    assert "split with noise" in text
    assert "Nothing by stand-ins: names and numbers left under strict noise." in text
    assert "the rows hold the stand-ins" not in text
    assert "between two of its layers" not in text
    document.setHtml(sent_html("t", [noisy(WORDS), sent_record("a2", peer="203.0.113.7")]))
    assert "between two of its layers" in document.toPlainText()
    assert is_strict(noisy(WORDS))
    assert not is_strict(noisy(ALL))


def test_the_json_has_the_noise_where_there_was_some(qtbot: QtBot) -> None:
    told, plain = json.loads(sent_json("t", [noisy(ALL), sent_record("a2")]))["answers"]
    assert (told["noise"]["mu"], told["codes"], told["epsilon"]) == (40.0, 2, 3.5)
    assert not {"noise", "codes", "epsilon"} & set(plain)
    endless = json.loads(sent_json("t", [replace(noisy(ALL), epsilon=math.inf)]))["answers"][0]
    assert endless["epsilon"] == "infinite"
