"""Known words are found written apart, by lists and by scans, in both directions, and nothing else is ever joined."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.language.tokens import TOKEN, compact
from desktop_app.privacy.matching.apart import Sought, closed, is_apart, stems, together
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.recognition.recogniser import Recogniser
from desktop_app.privacy.recognition.word_lists import WordLists
from desktop_app.privacy.spans import Kind

SPELLINGS = [
    ("이서연", "성 명: 이 서 연 (인)", "성 명: # (인)"),
    ("이서연", "이름 : 이  서  연", "이름 : #"),
    ("이서연", "환자 이·서·연은 왔다", "환자 #은 왔다"),
    ("이서연", "성 명 이 서 연", "성 명 #"),
    ("최달수", "최　달　수", "#"),
    ("최달수", "최달\n수는", "#는"),
    ("김하늘", "김 하 늘", "#"),
    ("Jonathan Brewster", "B R E W S T E R", "#"),
    ("Jonathan Brewster", "J.O.N.A.T.H.A.N.", "#."),
    ("Jonathan Brewster", "saw J o n a t h a n  B r e w s t e r go", "saw # go"),
    ("Jonathan Brewster", "Jona\nthan came", "# came"),
    ("Jonathan Brewster", "| Jona | \n| than |", "| # |"),
    ("Jonathan Brewster", "Mr Jona-\n\nthan", "Mr #"),
    ("Jonathan Brewster", "**Jona**than Brew\nster", "**#"),
    ("דוד כהן", "דָּוִד כֹּהֵן הגיע אתמול", "# הגיע אתמול"),
    ("דוד כהן", "מכתב לדוד", "מכתב ל#"),
    ("דוד כהן", "ולדוד, שלדוד", "ול#, של#"),
    ("محمد علي", "وصل مُحَمَّد عَلِي أمس", "وصل # أمس"),
    ("محمد علي", "محمـد علي", "#"),
    ("محمد علي", "لمحمد وعلي", "ل# و#"),
    ("محمد علي", "محمدعلي", "#"),
    ("عبد الله", "عبدالله عبد\u200cالله", "# #"),
    ("प्रिया शर्मा", "प्रिया शर्मा कल। प्रिया ने। शर्मा जी।", "# कल। # ने। # जी।"),
    ("प्रिया शर्मा", "प्रिया", "#"),
]


def _protected(value: str, text: str, kind: Kind = Kind.PERSON) -> str:
    naming = Naming(draw=random.Random(3).randrange)
    sent = naming.protect(text, Recogniser(WordLists({value: kind}), names=[]).find(text)).text
    back = "".join(piece.text for piece in naming.reveal(sent))
    assert compact(back) == compact(text)
    return sent


@pytest.mark.parametrize(("value", "text", "kept"), SPELLINGS)
def test_a_listed_name_leaves_in_no_spelling(value: str, text: str, kept: str) -> None:
    sent = _protected(value, text)
    for part in kept.split("#"):
        assert part in sent
        sent = sent[sent.index(part) + len(part) :]
    assert not any(compact(word) in compact(_protected(value, text)) for word in value.split())


@pytest.mark.parametrize(("value", "text", "_kept"), SPELLINGS)
def test_a_name_that_has_a_stand_in_leaves_in_no_spelling(value: str, text: str, _kept: str) -> None:
    naming = Naming(draw=random.Random(3).randrange)
    naming.decide(value, Kind.PERSON, True)
    for sent in (naming.protect(text, []).text, naming.protect_reply(text)):
        assert sent != text
        assert not any(compact(word) in compact(sent) for word in value.split())


@pytest.mark.parametrize(
    ("sent", "real"),
    [("추 소 은 (인)", "이 서 연 (인)"), ("추·소·은이", "이·서·연이"), ("추소\n은은 왔다", "이서연은 왔다")],
)
def test_a_stand_in_written_apart_is_restored_however_it_is_cut(sent: str, real: str) -> None:
    naming = Naming()
    naming.decide("이서연", Kind.PERSON, True, "추소은")
    assert "".join(piece.text for piece in naming.reveal(sent)) == real
    restorer = naming.restorer()
    cut = [piece for letter in sent for piece in restorer.feed(letter)] + restorer.finish()
    assert "".join(piece.text for piece in cut) == real


@settings(max_examples=60, deadline=None)
@given(st.text("abdeilmnorstu", min_size=5, max_size=9).map(str.capitalize), st.sampled_from([" ", ".", "·", "-", "\n", " | "]))
def test_a_name_that_is_spelt_out_comes_back_letter_by_letter(name: str, gap: str) -> None:
    naming = Naming(draw=random.Random(3).randrange)
    naming.decide(name, Kind.PERSON, True)
    text = f"We met {gap.join(name.upper())} today."
    sent = naming.protect(text, []).text
    assert compact(name) not in compact(sent)
    assert "".join(piece.text for piece in naming.reveal(sent)) == text


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_name_that_is_cut_leaves_whole_wherever_the_cut_is(data: st.DataObject) -> None:
    name = data.draw(st.text("abdeilmnorstu", min_size=5, max_size=9).map(str.capitalize))
    place = data.draw(st.integers(1, len(name) - 1))
    gap = data.draw(st.sampled_from(["\n", "-\n\n", " | ", " |\n| ", "**", "\n> "]))
    text = f"We met {name[:place]}{gap}{name[place:]}, and left."
    found = WordLists({name: Kind.PERSON}).find(text)
    assert any((it.start, it.end) == (7, 7 + len(name) + len(gap)) for it in found)
    naming = Naming(draw=random.Random(3).randrange)
    naming.decide(name, Kind.PERSON, True)
    assert compact(name) not in compact(naming.protect(text, []).text)


@given(st.text("ab .\n|*-가나", max_size=30))
@settings(max_examples=80, deadline=None)
def test_nothing_is_joined_but_what_is_known(text: str) -> None:
    known = {"abba", "가나"}
    for match in TOKEN.finditer(text):
        for letters, end in together(text, match, Sought(known, lambda letters: len(letters) < 4)):
            assert letters in known
            assert compact(text[match.start() : end]) == letters


@pytest.mark.parametrize("text", ["may\nfield", "new\nton", "이 수 그 외", "J. R. R. Tolkien", "a b c"])
def test_ordinary_text_stays(text: str) -> None:
    values = dict.fromkeys(("Mayfield", "Newton", "수그리 김"), Kind.PERSON)
    assert WordLists(values).find(text) == []


def test_a_value_is_closed_where_that_can_be_told() -> None:
    assert closed("이 서 연", True) == "이서연"
    assert closed("J o n a t h a n  B r e w", True) == "Jonathan  Brew"
    assert closed("Jona\nthan", True) == "Jonathan"
    for as_it_is in ("Jane\nPark", "Jan\nvan Eyck", "J.R.R. Tolkien", "이 서연", "", "12\n34"):
        assert closed(as_it_is, True) == as_it_is
    assert is_apart("이 서 연")
    assert not is_apart("이 서연")


def test_what_is_bound_to_a_word_is_a_closed_set() -> None:
    assert list(stems("ולדוד")) == [1, 2]
    assert list(stems("والمحمد"))[:2] == [1, 3]
    assert list(stems("Anna")) == list(stems("דוד")) == []
