"""Restoring gives the same however the answer was cut, and knows the forms in which a model uses a stand-in."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.language import name_pools
from desktop_app.privacy.matching.entries import Piece
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span
from tests.helpers.restored_replies import Chance, fault_of
from tests.helpers.used_names import plural


def _naming(value: str, kind: Kind = Kind.PERSON, seed: int = 1) -> tuple[Naming, str]:
    naming = Naming(draw=random.Random(seed).randrange)
    return naming, naming.protect(value, [Span(0, len(value), kind, Source.NAME)]).text


def _restored(naming: Naming, sent: str) -> str:
    return "".join(piece.text for piece in naming.reveal(sent))


def _joined(pieces: list[Piece]) -> list[tuple[str, str]]:
    joined: list[tuple[str, str]] = []
    for piece in pieces:
        if piece.kind is None and joined and not joined[-1][1]:
            joined[-1] = (joined[-1][0] + piece.text, "")
        else:
            joined.append((piece.text, piece.stand_in if piece.kind is not None else ""))
    return joined


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=30, max_size=90), st.integers(0, 50))
def test_any_cutting_of_the_stream_gives_the_same(sizes: list[int], seed: int) -> None:
    naming, name = _naming("Jane Marlowe", seed=seed)
    given_name, family = name.split()
    sent = f"{name} said: {family}'s file, {name.upper()}, {given_name}. And {family.lower()}_{given_name.lower()} ends."
    restorer, pieces, place = naming.restorer(), [], 0
    for size in sizes:
        pieces += restorer.feed(sent[place : place + size])
        place += size
    pieces += restorer.feed(sent[place:]) + restorer.finish()
    assert _joined(pieces) == _joined(naming.reveal(sent))


@pytest.mark.parametrize("family", name_pools.english_surnames())
def test_a_family_letter_by_letter_is_that_family(family: str) -> None:
    naming, _ = _naming("Jane Marlowe")
    naming.decide("Jane Marlowe", Kind.PERSON, True, f"Ursula {family}")
    restorer = naming.restorer()
    came = [piece for letter in f"Ask the {plural(family)}." for piece in restorer.feed(letter)] + restorer.finish()
    assert "".join(piece.text for piece in came) == "Ask the Marlowes."


@pytest.mark.parametrize(
    ("form", "real"),
    [
        ("{name}", "Jane Marlowe"),
        ("{family}'s", "Marlowe's"),
        ("{NAME}", "JANE MARLOWE"),
        ("{family}, {given}", "Marlowe, Jane"),
        ("Dr. {family}", "Dr. Marlowe"),
    ],
)
def test_the_forms_of_a_name_come_back(form: str, real: str) -> None:
    naming, name = _naming("Jane Marlowe")
    given_name, family = name.split()
    assert (
        _restored(naming, "It is " + form.format(name=name, NAME=name.upper(), given=given_name, family=family) + ".")
        == f"It is {real}."
    )


@pytest.mark.parametrize("particle", ["은", "는", "이", "가", "을", "를", "과", "와", "으로", "로"])
def test_a_korean_particle_follows_the_real_name(particle: str) -> None:
    for real in ("박지영", "김민서"):
        naming, stand_in = _naming(real)
        back = _restored(naming, f"{stand_in}{particle} 왔다.")
        assert back.startswith(real)


@pytest.mark.parametrize(("before", "behind"), [("**", "**"), ("“", "”"), ("`", "`"), ("**“", "”**")])
@pytest.mark.parametrize(("stand_in", "sent", "real"), [("심민서", "는", "은"), ("곽도윤", "은", "은"), ("심민서", "와", "과")])
def test_a_particle_behind_bold_letters_or_quotes_follows_the_real_name(
    before: str, behind: str, stand_in: str, sent: str, real: str
) -> None:
    naming = Naming(draw=random.Random(1).randrange)
    naming.decide("박지영", Kind.PERSON, True, stand_in)
    text = f"{before}박지영{behind}{real} 왔다."
    protected = naming.protect(text, []).text
    assert protected == f"{before}{stand_in}{behind}{sent} 왔다."
    assert _restored(naming, protected) == text
    restorer = naming.restorer()
    cut = [piece for letter in protected for piece in restorer.feed(letter)] + restorer.finish()
    assert "".join(piece.text for piece in cut) == text


@pytest.mark.parametrize("seed", range(3))
def test_replies_that_use_stand_ins_in_every_way_come_back(seed: int) -> None:
    chance = random.Random(seed)
    assert [fault for reply in Chance(seed).replies(20, 20) if (fault := fault_of(reply, chance))] == []


def test_text_without_stand_ins_is_as_it_was() -> None:
    naming, _ = _naming("Jane Marlowe")
    text = "Will you come in May, or mark it? Nothing here is anybody's name."
    assert _restored(naming, text) == text


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 500), st.sampled_from(["Born in {}.", "({}-2050)", "the year {}", "{}년에 태어났다", "in {}, she"]))
def test_the_year_of_a_moved_date_comes_back_by_itself_as_a_doubt_and_leaves_as_it_left_before(seed: int, form: str) -> None:
    naming, sent = _naming("3 May 1961", Kind.DATE, seed)
    year = sent[-4:]
    pieces = naming.reveal(form.format(year))
    assert "".join(piece.text for piece in pieces) == form.format("1961")
    assert [piece.doubtful for piece in pieces if piece.kind is not None] == ([True] if year != "1961" else [])
    assert naming.protect(form.format("1961"), []).text == form.format(year)
