"""Addresses of mail and sites lead to domains that nobody can register, hosts to ranges kept for examples."""

import ipaddress
import random

import pytest

from desktop_app.privacy.matching.lexicon import Lexicon
from desktop_app.privacy.naming import Naming
from desktop_app.privacy.spans import Kind, Source, Span
from desktop_app.privacy.stand_ins.choosing import Choice
from desktop_app.privacy.stand_ins.contact_stand_ins import ContactStandIns


@pytest.fixture
def contacts() -> ContactStandIns:
    return ContactStandIns(Choice(random.Random(1).randrange), Lexicon(backward=False))


@pytest.mark.parametrize("value", ["jane.park@clinic.org", "info@a-b.co.uk", "x@y.kr"])
def test_mail_goes_to_an_example_domain(contacts: ContactStandIns, value: str) -> None:
    stand_in = contacts.email(value)[0].stand_in
    assert stand_in.endswith(".example")
    assert "@" in stand_in
    assert stand_in.split("@")[0] != value.split("@")[0] or value.startswith("info")


@pytest.mark.parametrize("value", ["203.0.113.7", "198.51.100.9"])
def test_a_host_becomes_one_of_a_range_for_examples(contacts: ContactStandIns, value: str) -> None:
    address = ipaddress.ip_address(contacts.host(value)[0].stand_in)
    ranges = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15")
    assert any(address in ipaddress.ip_network(network) for network in ranges)


@pytest.mark.parametrize("value", ["clients\\Kowalska", "clients\\\\Anna\\\\Kowalska.docx", "고객\\Kowalska"])
def test_the_path_of_a_share_keeps_its_form_and_the_words_that_tell_nothing(contacts: ContactStandIns, value: str) -> None:
    stand_in = contacts.site(value)[0].stand_in
    assert stand_in.count("\\") == value.count("\\")
    assert stand_in.endswith(".docx") == value.endswith(".docx")
    assert "Kowalska" not in stand_in


def test_a_user_called_like_a_known_person_has_the_stand_in_of_that_already() -> None:
    naming = Naming()
    text = "Aoife Byrne: u/aoifebyrne"
    sent = naming.protect(text, [Span(0, 11, Kind.PERSON, Source.MARK), Span(15, 25, Kind.SITE, Source.RULE)]).text
    given, family = sent.partition(":")[0].split()
    assert sent.endswith(f"u/{given}{family}".lower())
    assert "".join(piece.text for piece in naming.reveal(sent)) == text


def test_a_password_keeps_length_and_alphabet(contacts: ContactStandIns) -> None:
    stand_in = contacts.secret("aB3$x9!Q")[0].stand_in
    assert len(stand_in) == 8
    assert [letter.isdigit() for letter in stand_in] == [letter.isdigit() for letter in "aB3$x9!Q"]
    assert stand_in != "aB3$x9!Q"
