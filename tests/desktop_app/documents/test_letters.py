"""Encodings: what a text file of the last thirty years is stored in is found, also from a single line."""

import locale

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.documents.letters import decode, looks_like_text

KOREAN = "환자는 두통을 호소하며 내원하였다."
JAPANESE = "患者は頭痛を訴えて来院した。"
SIMPLIFIED = "患者因头痛来院就诊，既往体健。"
TRADITIONAL = "患者因頭痛來院就診，過去身體健康。"
RUSSIAN = "Пациент поступил с жалобами на головную боль."
FRENCH = "Le patient se plaint de céphalées répétées, traitées à l’hôpital."
POLISH = "Zażółć gęślą jaźń"
GREEK = "Ο ασθενής παραπονείται για πονοκέφαλο"


@pytest.fixture(autouse=True)
def a_system_of_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "utf-8")


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (KOREAN, "cp949"), (KOREAN, "euc_kr"), (KOREAN, "iso2022_kr"), ("안녕하세요", "cp949"),
        (JAPANESE, "cp932"), (JAPANESE, "euc_jp"), (JAPANESE, "iso2022_jp"), ("これは短い文書です", "cp932"),
        (SIMPLIFIED, "gb18030"), (SIMPLIFIED, "gb2312"), ("你好世界", "gb18030"), (TRADITIONAL, "big5"),
        (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (FRENCH, "cp1252"),
        ("déjà vu", "cp1252"), (POLISH, "cp1250"), (GREEK, "cp1253"),
    ],
)  # fmt: skip
def test_old_encodings_are_found_from_one_line(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert decoded.text == text


@pytest.mark.parametrize("text", [KOREAN, JAPANESE, SIMPLIFIED, RUSSIAN, FRENCH, "plain"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_is_read_for_certain_and_without_its_mark(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded is not None
    assert (decoded.text, decoded.certain) == (text, True)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_found(encoding: str) -> None:
    decoded = decode("A note of Windows, saved long ago.\r\n".encode(encoding))
    assert decoded is not None
    assert (decoded.encoding, decoded.certain) == (encoding, False)


@given(st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1))
def test_any_text_in_utf_8_comes_back_as_it_was(text: str) -> None:
    decoded = decode(text.encode())
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == (text.removeprefix("\ufeff"), "utf-8")


def test_the_systems_own_encoding_is_believed_before_a_guess_of_one_byte_encodings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "cp1254")
    decoded = decode("ağaç".encode("cp1254"))
    assert decoded is not None
    assert (decoded.text, decoded.encoding) == ("ağaç", "cp1254")


def test_korean_is_found_on_a_western_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locale, "getencoding", lambda: "cp1252")
    decoded = decode(KOREAN.encode("cp949"))
    assert decoded is not None
    assert decoded.text == KOREAN


@pytest.mark.parametrize("data", [b"\x7fELF\x02\x01\x01" + bytes(64), bytes(range(256)) * 4, bytes(range(1, 32)) * 20])
def test_a_programs_data_is_no_text(data: bytes) -> None:
    assert decode(data) is None


@given(st.binary(max_size=400))
def test_any_bytes_give_text_or_nothing(data: bytes) -> None:
    decoded = decode(data)
    assert decoded is None or looks_like_text(decoded.text)
