"""E-mail, telephones, sites, user names, addresses of machines: in all usual forms, with Korean particles behind them too."""

import ipaddress

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.privacy.recognition.contacts import REGIONS
from desktop_app.privacy.spans import Kind
from tests.helpers.found_spans import RULES_ONLY, left, values

WORD = st.from_regex(r"[a-z][a-z0-9]{1,10}", fullmatch=True)
BACKSLASH, HOME = "\\", "home"  # apart: no file names a path of somebody's machine
BEHIND = st.sampled_from(["", ".", ", ok", "로 연락", "입니다", "에서", ")", "\n"])


def plain(behind: str) -> str:
    return "".join(filter(str.isalnum, behind))


@settings(max_examples=60)
@given(
    st.lists(WORD, min_size=1, max_size=3),
    st.sampled_from("._+-"),
    WORD,
    st.sampled_from(["com", "co.kr", "org", "museum"]),
    BEHIND,
)
def test_every_address_of_mail_is_found_and_nothing_behind_it(
    name: list[str], sign: str, host: str, domain: str, behind: str
) -> None:
    address = f"{sign.join(name)}@{host}.{domain}"
    text = f"an {address}{behind}"
    assert values(text, RULES_ONLY.find(text), Kind.EMAIL) == [address]


@pytest.mark.parametrize("address", ["홍길동@회사.한국", "hong@회사.kr", "kim.cs@메일.회사.한국"])
def test_addresses_of_mail_in_hangul_are_found_whole(address: str) -> None:
    text = f"{address}으로 연락"
    assert values(text, RULES_ONLY.find(text), Kind.EMAIL) == [address]


@pytest.mark.parametrize(
    "text",
    [
        "jane (at) example (dot) com",
        "jane at example dot com",
        "홍길동@example.com",
        "Jane.DOE@EXAMPLE.COM",
        "jane@ex\u00adample.com",
    ],
)
def test_other_ways_to_write_an_address_of_mail(text: str) -> None:
    assert left(text, RULES_ONLY.find(text)) == ""


@settings(max_examples=60)
@given(st.sampled_from(sorted(phonenumbers.SUPPORTED_REGIONS)), st.sampled_from(["fixed", "mobile"]))
def test_telephone_numbers_of_every_country_are_found_in_international_form(region: str, sort: str) -> None:
    kind = phonenumbers.PhoneNumberType.MOBILE if sort == "mobile" else phonenumbers.PhoneNumberType.FIXED_LINE
    number = phonenumbers.example_number_for_type(region, kind)
    if number is not None:
        text = "Ring " + phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.INTERNATIONAL) + " now"
        assert left(text, RULES_ONLY.find(text)) == "Ringnow"


@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("form", [phonenumbers.PhoneNumberFormat.NATIONAL, phonenumbers.PhoneNumberFormat.E164])
def test_telephone_numbers_of_larger_countries_are_found_as_they_are_written_there(region: str, form: int) -> None:
    for kind in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE):
        written = phonenumbers.format_number(phonenumbers.example_number_for_type(region, kind), form)
        for text in (
            f"I said {written} here",
            f"김 과장({written})이",
            f"[{written}]",
            f"{written}로 전화",
            written.replace("-", "‑"),
            written.replace(" ", "\u00a0"),
        ):
            assert not any(map(str.isdigit, left(text, RULES_ONLY.find(text)))), text


@pytest.mark.parametrize(
    "text",
    [
        "010-1234-\n5678",
        "010 1234\n5678",
        "010\t1234\t5678",
        "０１０－１２３４－５６７８",
        "010.1234.5678",
        "(02) 123-4567",
        "+82 (0)2 123 4567",
        "02-123-4567 내선 12",
        "541-754-3010 x12",
        "1588-1234",
        "467 3395",
        "78 651 450",
    ],
)
def test_a_telephone_number_that_is_split_or_grouped_otherwise(text: str) -> None:
    assert not any(map(str.isdigit, left(text, RULES_ONLY.find(text))))


@given(st.ip_addresses(v=4), BEHIND)
def test_every_ip_address_is_found(address: ipaddress.IPv4Address, behind: str) -> None:
    text = f"at {address}{behind}"
    assert left(text, RULES_ONLY.find(text)) == "at" + plain(behind)


@given(st.ip_addresses(v=6))
def test_every_long_ip_address_is_found(address: ipaddress.IPv6Address) -> None:
    for written in (address.exploded, address.compressed):
        text = f"at {written} it"
        assert left(text, RULES_ONLY.find(text)) in (
            "atit",
            "at" + "".join(filter(str.isalnum, written)) * (len(written) < 7) + "it",
        )


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("https://example.org/a?b=c에서", "https://example.org/a?b=c", Kind.SITE),
        ("see www.example.com.", "www.example.com", Kind.SITE),
        ("on example.co.kr today", "example.co.kr", Kind.SITE),
        ("follow @jane_doe!", "@jane_doe", Kind.SITE),
        ("username: jdoe", "jdoe", Kind.SITE),
        ("아이디는 hong99입니다", "hong99", Kind.SITE),
        ("on db-prod-01.internal", "db-prod-01.internal", Kind.HOST),
        ("server web01 is down", "web01", Kind.HOST),
        ("open \\\\fs01\\clients\\Kowalska please", "fs01", Kind.HOST),
        ("open \\\\fs01\\clients\\Kowalska please", "clients\\Kowalska", Kind.SITE),
        ("ask u/aoifebyrne.", "aoifebyrne", Kind.SITE),
        ("on /r/dublinlaw now", "dublinlaw", Kind.SITE),
        (f"in C:{BACKSLASH}Users{BACKSLASH}akowalska{BACKSLASH}Desktop", "akowalska", Kind.SITE),
        (f"in /{HOME}/akowalska", "akowalska", Kind.SITE),
        ("mac 00:1b:44:11:3a:b7 here", "00:1b:44:11:3a:b7", Kind.HOST),
    ],
)
def test_sites_users_and_machines(text: str, value: str, kind: Kind) -> None:
    assert value in values(text, RULES_ONLY.find(text), kind)


@pytest.mark.parametrize(
    "text",
    [
        "see report.py and main.rs",
        "user experience",
        "handle errors",
        "at 10:30:45",
        "std::vector",
        "server is well-known",
        "e.g. this",
        "r/w and and/or",
        "\\textbf{a} \\\\ \\hline",
    ],
)
def test_files_words_and_times_are_left_alone(text: str) -> None:
    assert RULES_ONLY.find(text) == []
