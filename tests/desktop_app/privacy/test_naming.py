"""What is protected comes back, nothing real leaves, and everything holds for the whole conversation."""

import random
import re

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop_app.privacy.drafts import spelt
from desktop_app.privacy.matching.entries import Entry
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span

WORDS = (
    "Jane Park", "Park", "박지영", "김민준은", "Will", "May", "the", "Dr.", "4111 1111 1111 1111", "2024-05-03", "Kestrel GmbH",
    "jane@kestrel.org", "010-1234-5678", "12 Oak Street", "Jon-\nathan", "José", "محمد",
    "'s", ",", ".", "\n", " ", "7", "ß", "👍🏽",
)  # fmt: skip


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, list[Span], int]:
    text = " ".join(draw(st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=10)))
    spans = []
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 16)))
        spans.append(Span(start, end, draw(st.sampled_from(list(Kind))), Source.NAME))
    return text, spans, draw(st.integers(0, 2**32))


_EXOTIC_ENDS = ("4111 1111 1111 1111    \r\x850", "4111 1111 1111 1111 's , 7  \r\x850")  # two line ends, none of them usual


@settings(max_examples=150, deadline=None)
@example((_EXOTIC_ENDS[0], [Span(10, 26, Kind.PERSON, Source.NAME)], 0))
@example((_EXOTIC_ENDS[1], [Span(15, 31, Kind.PERSON, Source.NAME)], 0))
@given(cases())
def test_what_is_protected_comes_back_and_is_protected_the_same_again(case: tuple[str, list[Span], int]) -> None:
    text, spans, seed = case
    naming = Naming(draw=random.Random(seed).randrange)
    protected = naming.protect(text, spans)
    back = "".join(piece.text for piece in naming.reveal(protected.text))
    assert spelt(back).casefold() == spelt(text).casefold()
    # What was learnt from the end of a text counts at its beginning from the next time on; then nothing changes any more.
    again = naming.protect(text, spans).text
    assert naming.protect(text, spans).text == again
    for it in protected.replaced:
        assert protected.text[it.sent_start : it.sent_end] == it.stand_in


_IN_A_NUMBER = "Park Park 4111 1111 1111 1111 4111 1111 1111 1111"


@settings(max_examples=30, deadline=None)
@example((_IN_A_NUMBER, [Span(44, 46, Kind.PERSON, Source.NAME)], 0))
@given(cases())
def test_entries_that_were_kept_make_the_same_stand_ins(case: tuple[str, list[Span], int]) -> None:
    text, spans, seed = case
    naming = Naming(draw=random.Random(seed).randrange)
    naming.protect(text, spans)
    protected = naming.protect(text, spans)
    kept = [msgspec.msgpack.encode(entry) for entry in naming.entries]
    again = Naming(msgspec.msgpack.decode(blob, type=Entry) for blob in kept)
    assert again.protect(text, spans).text == protected.text


def _name(text: str, value: str) -> list[Span]:
    return [Span(text.index(value), text.index(value) + len(value), Kind.PERSON, Source.NAME)]


def test_a_stand_in_that_occurs_in_a_later_text_is_itself_replaced() -> None:
    naming = Naming(draw=random.Random(1).randrange)
    stand_in = naming.protect("Jane Marlowe", _name("Jane Marlowe", "Jane Marlowe")).text
    later = naming.protect(f"My friend {stand_in} knows Jane Marlowe.", [])
    assert later.text.count(stand_in) == 1
    assert "".join(piece.text for piece in naming.reveal(later.text)) == f"My friend {stand_in} knows Jane Marlowe."


def test_who_is_a_person_in_one_text_is_no_town_in_another() -> None:
    question, letter = "Where does Marcus live?", "Marcus Bell lives in Halifax."
    found = {
        question: [Span(11, 17, Kind.PLACE, Source.NAME)],
        letter: [Span(0, 11, Kind.PERSON, Source.NAME), Span(21, 28, Kind.PLACE, Source.NAME)],
    }
    naming = Naming()
    naming.meet(found)
    asked, told = (naming.protect(text, spans).text for text, spans in found.items())
    assert asked.split()[2] == told.split()[0]


def test_the_persons_word_holds() -> None:
    naming = Naming()
    naming.decide("Jane Marlowe", Kind.PERSON, replaced=False)
    assert naming.protect("Jane Marlowe", _name("Jane Marlowe", "Jane Marlowe")).text == "Jane Marlowe"
    naming.decide("blue folder", Kind.OTHER, replaced=True, stand_in="green chest")
    assert naming.protect("the blue folder", []).text == "the green chest"


def test_in_an_answer_real_values_are_replaced_and_stand_ins_stay() -> None:
    naming = Naming(draw=random.Random(1).randrange)
    stand_in = naming.protect("Marlowe", _name("Marlowe", "Marlowe")).text
    assert naming.protect_reply(f"{stand_in} is no Marlowe") == f"{stand_in} is no {stand_in}"


@pytest.mark.parametrize(
    ("value", "kind", "answers"),
    [
        ("Quillon", Kind.PERSON, ("Quíllon", "**Qu**illon", "Q u i l l o n", "QUILLON's", "Quil\nlon")),
        ("최달수", Kind.PERSON, ("최달\n수", "최 달 수", "최·달·수는")),
        ("Operation Moonbeam", Kind.OTHER, ("OperationMoonbeam", "operation-moonbeam", "Operation Moon\nbeam")),
        ("8841-22", Kind.OTHER, ("8841_22", "884122", "8841 22")),
    ],
)
def test_in_an_answer_what_was_marked_late_is_replaced_in_every_spelling(
    value: str, kind: Kind, answers: tuple[str, ...]
) -> None:
    naming = Naming(draw=random.Random(1).randrange)
    naming.decide(value, kind, True)
    stand_in = naming.entries[0].stand_in
    for answer in answers:
        sent = naming.protect_reply(f"{stand_in}: {answer}.")
        assert sent.startswith(f"{stand_in}: ")
        assert answer not in sent
        assert spelt(value) not in sent


STAND_INS = st.sampled_from(["Terence", "Nigel", "Harold", "Emma", "추소은"])
PARTICLES = st.sampled_from(["은", "는", "이", "가", "을", "를", "과", "와", "으로", "로"])


@settings(max_examples=60, deadline=None)
@given(STAND_INS, PARTICLES, st.integers(0, 10**6))
def test_a_particle_that_does_not_fit_comes_back_as_it_was(stand_in: str, particle: str, seed: int) -> None:
    naming = Naming(draw=random.Random(seed).randrange)
    naming.decide("이서연", Kind.PERSON, True, stand_in)
    text = f"{stand_in}{particle} 이서연{particle} 왔다, “{stand_in}”{particle} 갔다."
    sent = naming.protect(text, []).text
    assert "이서연" not in sent
    assert "".join(piece.text for piece in naming.reveal(sent)) == text


def protected(text: str, kind: Kind, *values: str) -> str:
    """The text with stand-ins, wherever these stand; it comes back as it was."""
    naming = Naming()
    spans = [Span(match.start(), match.end(), kind, Source.LIST) for it in values for match in re.finditer(re.escape(it), text)]
    sent = naming.protect(text, spans).text
    assert "".join(piece.text for piece in naming.reveal(sent)) == text
    return sent


@pytest.mark.parametrize("spellings", [
    ("Blue Heron", "BlueHeron"), ("O'Neill", "ONeill"), ("محمد علي", "محمدعلي"), ("X9-Delta", "X9Delta"), ("De Luca", "DeLuca"),
])  # fmt: skip
def test_no_spelling_of_a_name_leaves_because_another_is_known(spellings: tuple[str, str]) -> None:
    for first, second in (spellings, spellings[::-1]):
        sent = protected(f"{first} or {second}?", Kind.OTHER, first, second)
        assert first not in sent
        assert second not in sent


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.text(st.sampled_from("王李山田太郎さくらคุณสมชายใจดีກຂကခ"), min_size=1, max_size=4).filter(lambda it: it[0].isalpha()),
        min_size=1,
        max_size=12,
        unique=True,
    )
)
def test_in_scripts_without_blanks_every_name_is_replaced_and_that_comes_to_an_end(names: list[str]) -> None:
    sent = protected(" met ".join(names), Kind.PERSON, *names)
    assert not set(sent.split(" met ")) & set(names)


def test_a_person_is_the_same_person_without_capitals() -> None:
    sent = protected("Emma Harrison is ill. what did harrison say? is emma here?", Kind.PERSON, "Emma Harrison")
    assert "harrison" not in sent
    assert "emma" not in sent


def test_the_last_digits_of_a_number_are_those_of_its_stand_in() -> None:
    sent = protected("Card 4539 1488 0343 6467, ending in 6467, also ****6467.", Kind.CARD, "4539 1488 0343 6467")
    assert "6467" not in sent
    assert sent.count(sent[20:24]) == 3


@pytest.mark.parametrize(
    "text", ["010-1234-5678 or +82 10-1234-5678", "+44 20 7946 1234 or 020 7946 1234", "2127365000 or +1 212 736 5000"]
)
def test_a_number_is_the_same_number_from_abroad(text: str) -> None:
    for first, second in (text.split(" or "), text.split(" or ")[::-1]):
        sent = protected(f"{first} or {second}", Kind.PHONE, first, second).split(" or ")
        national, abroad = sorted((re.sub(r"\D", "", it) for it in sent), key=len)
        assert abroad.endswith(national.removeprefix("0"))


@pytest.mark.slow
def test_a_megabyte_with_two_thousand_names_is_protected_in_seconds() -> None:
    names = [f"Zor{chr(97 + a)}{chr(97 + b)}{chr(97 + c)} Quillby" for a in range(20) for b in range(10) for c in range(10)]
    text = " met ".join(names) + " and talked for long" * 50_000
    spans = [Span(text.index(name), text.index(name) + len(name), Kind.PERSON, Source.NAME) for name in names[:2000]]
    naming = Naming()
    naming.protect(text, spans)
    assert "Quillby" not in naming.protect(text, []).text
