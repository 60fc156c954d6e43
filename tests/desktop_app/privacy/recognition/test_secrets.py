"""Keys and passwords are found by their issuer's mark, by the word before them and by their disorder."""

import base64
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition import secrets
from desktop_app.privacy.recognition.secrets import entropy, looks_drawn
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import found_by, left

# Made here and in pieces: no file of the project holds anything that looks like a key.
DRAWN = base64.b64encode(bytes(range(3, 250, 7)))[:40].decode()


@pytest.mark.parametrize("mark", ["sk-", "ghp" + "_", "hf" + "_", "xoxb" + "-", "AKI" + "A", "glpat" + "-", "AIza" + "Sy"])
def test_marks_of_issuers(mark: str) -> None:
    key = mark + ("0123456789ABCDEF" if mark.startswith("AKI") else "abcdefghijklmnopqrstuvwxyz0123456789")
    assert left(f"use {key} 입니다", secrets.find(f"use {key} 입니다")) == "use입니다"


def test_a_private_key_is_found_whole_also_where_its_end_is_missing() -> None:
    block = "-" * 5 + "BEGIN PRIVATE KEY" + "-" * 5 + "\nMIIabc\ndef"
    text = f"here:\n{block}"
    assert block in found_by(secrets.find, text)


@settings(max_examples=60)
@given(
    st.sampled_from(["password: ", "Password is ", "pwd=", "비밀번호는 ", "비번: ", 'api_key = "', "PIN ", "인증번호 "]),
    st.from_regex(r"[a-z]{2,8}[0-9]{2,6}[!?#]{0,2}[a-z0-9]|[0-9]{4,8}", fullmatch=True),
)
def test_what_follows_such_a_word_is_one(cue: str, password: str) -> None:
    text = f"the {cue}{password}"
    assert password in "".join(found_by(secrets.find, text, Kind.SECRET))


@given(st.uuids())
def test_names_that_are_drawn_are_replaced_too(drawn: uuid.UUID) -> None:
    assert set(found_by(secrets.find, f"id {drawn} ok")) == {str(drawn)}


@settings(max_examples=60)
@given(st.binary(min_size=24, max_size=48))
def test_most_drawn_bytes_look_drawn(data: bytes) -> None:
    token = base64.urlsafe_b64encode(data).decode().strip("=")
    if len(set(data)) > 20 and any(map(str.isdigit, token)) and "--" not in token:
        assert looks_drawn(token)


def test_a_password_in_a_link() -> None:
    assert "hunter22" in found_by(secrets.find, "postgres://bob:hunter22@db.example/x")


@pytest.mark.parametrize("cue", ["The passphrase is ", "seed phrase: ", "Recovery phrase = “"])
def test_a_phrase_of_plain_words_is_one_where_it_is_said_to_be(cue: str) -> None:
    text = f"{cue}correct horse battery staple. It works."
    assert found_by(secrets.find, text, Kind.SECRET) == ["correct horse battery staple"]


@pytest.mark.parametrize(
    "text",
    [
        "pass the salt",
        "the token limit is exceeded",
        "a password manager",
        "secret meetings",
        "internationalization",
        "/usr/local/lib/python3.11/site-packages",
        "aaaaaaaaaaaaaaaaaaaa1111",
        "----------------------",
        "snake_case_names_are_long_enough",
    ],
)
def test_words_paths_and_rules_are_left_alone(text: str) -> None:
    assert found_by(secrets.find, text) == []


def test_entropy_is_that_of_shannon() -> None:
    assert entropy("aaaa") == 0
    assert entropy("abcd") == 2
    assert entropy(DRAWN) > secrets.MIN_ENTROPY
