"""How to reach a person or a machine: e-mail, telephone, sites, user names, IP and hardware addresses, host names.

A telephone number is told by its shape, in any country's grouping; `phonenumbers` (Apache-2.0) confirms those that are written
without any. A group of digits that is none of one is a needless replacement; a number that is missed is gone for good.
"""

import ipaddress
import re
from collections.abc import Iterator
from functools import lru_cache

import phonenumbers

from desktop_app.privacy.language.word_sets import alternatives
from desktop_app.privacy.recognition.digit_runs import Run, runs
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

# Letters of alphabets with capitals. Hangul is none of them: particles stand right behind a name or address.
_LETTER = "A-Za-z0-9À-ɏͰ-ӿ"
_LABEL = rf"[{_LETTER}](?:[{_LETTER}_-]{{0,61}}[{_LETTER}])?"
_END = rf"(?![{_LETTER}_])"
_LOCAL = rf"(?:[{_LETTER}_.!#$%&'*+/=?^`{{|}}~-]{{1,64}}|[가-힣]{{2,10}})"
_AT, _DOT = r"(?: ?[(\[{{] ?at ?[)\]}}] ?| at )", r"(?: ?[(\[{{] ?dot ?[)\]}}] ?| dot |\.)"
EMAIL = re.compile(
    rf"{_LOCAL}[ \n]?@[ \n]?(?:{_LABEL}(?:\.{_LABEL})+{_END}|(?:(?:{_LABEL}|[가-힣]{{2,20}})\.)+(?:한국|{_LABEL}{_END}))"
    rf"|[{_LETTER}_.+-]{{1,64}}{_AT}{_LABEL}(?:{_DOT}{_LABEL})*{_DOT}[a-z]{{2,10}}{_END}"
    rf'|"[^"\n]{{1,64}}"@{_LABEL}(?:\.{_LABEL})+{_END}',
    re.IGNORECASE,
)
SITE = re.compile(
    r"(?:\b[a-z][a-z0-9+.-]{1,11}://|\bwww\d?\.|\bmailto:|\btel:)(?:[^\s<>\"“”'‘’（）)\]}」』가-힣]|[가-힣]+(?=[./]))+",
    re.IGNORECASE,
)
# Not those of files: "report.py" and "main.rs" are no sites, though Paraguay and Serbia have these letters.
DOMAINS = alternatives("""
    com, net, org, edu, gov, mil, int, info, biz, name, pro, coop, aero, museum, jobs, travel, mobi, eu, asia, io, ai, co
    me, tv, app, dev, xyz, site, online, shop, store, tech, blog, cloud, page, club, live, news, world, agency, email
    health, care, clinic, legal, law, finance, bank, insure, kr, jp, cn, tw, hk, sg, my, th, vn, in, au, nz, uk, ie, us, ca
    mx, br, ar, cl, pe, uy, ve, de, at, ch, li, lu, be, nl, fr, it, es, pt, se, no, dk, fi, is, ee, lv, lt, ru, ua, by, kz
    cz, sk, hu, ro, bg, gr, cy, mt, si, hr, ba, mk, al, tr, il, ae, sa, qa, eg, ma, tn, ng, ke, za, gl, gi, je, gg, im, 한국
    рф
""")
DOMAIN = re.compile(
    rf"(?<![{_LETTER}_@.-])(?:(?:{_LABEL}|[가-힣]{{2,20}})\.)+{DOMAINS}{_END}(?:[:/][^\s<>\"')\]가-힣]*)?", re.IGNORECASE
)
HANDLE = re.compile(rf"(?<![{_LETTER}_@./])@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{{0,38}}[A-Za-z0-9_])")
# u/jane_doe, /r/dublinlaw; whose home a folder is
_ACCOUNT = re.compile(
    r"(?<![\w./])/?(?:u|user|r)/(?P<value>[A-Za-z0-9_][A-Za-z0-9_-]{2,20})(?![\w/-])"
    r"|(?:\b[A-Z]:[\\/]{1,2}Users[\\/]{1,2}|(?<!\w)/(?:home|Users)/)(?P<home>[^\s\\/:*?\"'<>|,;가-힣]+[^\s\\/:*?\"'<>|,;.)가-힣])"
)
# \\fs01\clients\Kowalska, also with every sign doubled as in programs
_SHARE = re.compile(
    r"(?<![\w\\])\\{2,4}(?P<host>[A-Za-z0-9][\w.$-]*)(?:\\{1,2}(?P<path>[^\s\\/:*?\"<>|]+(?:\\{1,2}[^\s\\/:*?\"<>|]+)*))?"
)
_ACCOUNTS = alternatives("""
    user, user name, user id, login, login name, login id, log in, account name, screen name, nick, nickname, handle, skype
    telegram, kakao, kakaotalk, kakao id, kakaotalk id, line id, wechat, discord, twitter, instagram, benutzername, identifiant
    usuario, 사용자, 사용자 이름, 사용자명, 사용자 id, 아이디, 계정, 닉네임, 카카오톡, 카카오톡 아이디, 카톡, 카톡 아이디, 로그인
""")
# "username: jdoe", "아이디는 hong99", "login jdoe_1990"
USER_NAME = re.compile(
    rf"(?<![A-Za-z]){_ACCOUNTS}(?:\s?(?:is|was|[:=]|은|는)\s?[\"'“‘`]?(?P<value>[A-Za-z0-9][A-Za-z0-9_+-]*(?:\.[A-Za-z0-9_+-]+)*)"
    r"| [\"'“‘`]?(?P<marked>(?=[A-Za-z0-9_.+-]*[0-9_])[A-Za-z][A-Za-z0-9_+-]*(?:\.[A-Za-z0-9_+-]+)*))",
    re.IGNORECASE,
)
IPV4 = re.compile(rf"(?<![{_LETTER}_.])(?:\d{{1,3}}\.){{3}}\d{{1,3}}(?:/\d{{1,2}}|:\d{{1,5}})?(?![{_LETTER}_]|\.\d)")
IPV6 = re.compile(
    rf"(?<![{_LETTER}_:.])(?=[0-9a-f:]*:[0-9a-f:]*:)[0-9a-f:]{{2,39}}(?:(?:\d{{1,3}}\.){{3}}\d{{1,3}})?(?:%\w+)?(?:/\d{{1,3}})?"
    rf"(?![{_LETTER}_:])",
    re.IGNORECASE,
)
MAC = re.compile(
    rf"(?<![{_LETTER}_:-])(?:[0-9a-f]{{2}}([:-])(?:[0-9a-f]{{2}}\1){{4}}[0-9a-f]{{2}}|(?:[0-9a-f]{{4}}\.){{2}}[0-9a-f]{{4}})"
    rf"(?![{_LETTER}_:-])",
    re.IGNORECASE,
)
_OWN_DOMAINS = alternatives(
    "local, localdomain, internal, intranet, intra, lan, corp, home, private, arpa, onion, test, example, invalid"
)
_MACHINES = alternatives("host, host name, server, machine, computer name, fqdn, node, 서버, 호스트, 호스트 이름, 호스트명")
HOST = re.compile(
    rf"(?<![{_LETTER}_@.-])(?:{_LABEL}\.)+{_OWN_DOMAINS}{_END}(?::\d{{1,5}})?"
    rf"|(?<![A-Za-z]){_MACHINES}\s?(?:is|[:=]|는|은)?\s?[\"'`]?(?P<value>(?=[a-z_.-]*\d)[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)*)",
    re.IGNORECASE,
)

PHONE_BY_PLUS = re.compile(r"(?<![\w+])(?:\+|00)[1-9][\d ().\-/\t]{5,22}\d(?:[ ,]{0,2}(?:ext\.?|x)[ :.]?\d{1,6})?", re.IGNORECASE)
_CALLS = alternatives("""
    telephone, phone, tel, mobile, cell, cellular, fax, pager, call, dial, text, whatsapp, contact, ring, reach me, reach him
    reach her, reach us, reach them, hotline, sms, handy, telefon, téléphone, teléfono
""")
PHONE_BY_CUE = re.compile(
    rf"(?:\b{_CALLS}\b|전화|휴대폰|핸드폰|연락처|팩스|☎|☏|📞)[^\d\n+(]{{0,24}}(?P<value>(?:\+|\()?\d[\d ().\-/]{{3,20}}\d)",
    re.IGNORECASE,
)
EXTENSION = re.compile(r"[ ,]{0,2}(?:ext\.?|extension|x|내선|#)[ :.]?\d{1,6}(?!\d)", re.IGNORECASE)
# Where numbers are looked up that are written without grouping or over several lines.
REGIONS = ("KR", "US", "GB", "DE", "FR", "JP", "CN", "IN", "AU", "ES", "IT", "BR")
# Groupings in which numbers are written with nothing but blanks; others are rows of a table.
SPACED = frozenset({
    (3, 4), (4, 4), (2, 6), (2, 7), (5, 5), (5, 6), (4, 6), (2, 3, 3), (3, 3, 3), (3, 3, 4), (4, 3, 3), (4, 3, 4), (3, 4, 4),
    (2, 4, 4), (2, 3, 4), (1, 3, 3), (1, 3, 4), (3, 5, 3), (3, 2, 3), (5, 3, 3), (4, 2, 2), (3, 2, 2), (1, 3, 3, 4), (3, 3, 2, 2),
    (3, 2, 2, 2), (2, 3, 2, 2), (4, 2, 2, 2), (2, 2, 2, 2, 2), (2, 3, 3, 4), (2, 2, 3, 3), (3, 3, 3, 3),
})  # fmt: skip


def find(text: str) -> Iterator[Found]:
    """Find all of these in a `Reading`'s text; what is found may overlap."""
    yield from _all(EMAIL, text, Kind.EMAIL)
    yield from _all(HANDLE, text, Kind.SITE)
    for pattern in (SITE, DOMAIN):
        for match in pattern.finditer(text):
            yield Found(match.start(), match.start() + len(match[0].rstrip(".,;:!?…")), Kind.SITE)
    yield from _all(USER_NAME, text, Kind.SITE)
    yield from _all(_ACCOUNT, text, Kind.SITE)
    yield from _shares(text)
    yield from _all(MAC, text, Kind.HOST)
    yield from _all(HOST, text, Kind.HOST)
    yield from _addresses(text)
    yield from _phones(text)


def _all(pattern: re.Pattern[str], text: str, kind: Kind) -> Iterator[Found]:
    for match in pattern.finditer(text):
        group = match.lastgroup or 0
        yield Found(match.start(group), match.end(group), kind)


def _shares(text: str) -> Iterator[Found]:
    for match in _SHARE.finditer(text):
        yield Found(match.start("host"), match.start("host") + len(match["host"].rstrip(".-")), Kind.HOST)
        if match["path"]:
            yield Found(match.start("path"), match.start("path") + len(match["path"].rstrip(".,;!)'")), Kind.SITE)


def _addresses(text: str) -> Iterator[Found]:
    for pattern in (IPV4, IPV6):
        for match in pattern.finditer(text):
            try:
                ipaddress.ip_address(re.split(r"[/%]|(?<=\.\d):|(?<=\.\d\d):|(?<=\.\d\d\d):", match[0])[0])
            except ValueError:
                continue
            if pattern is IPV4 or sum(letter.isalnum() for letter in match[0]) >= 4 or match[0] == "::1":
                yield Found(match.start(), match.end(), Kind.HOST)


def _phones(text: str) -> Iterator[Found]:
    for pattern in (PHONE_BY_CUE, PHONE_BY_PLUS):
        for match in pattern.finditer(text):
            group = match.lastgroup or 0
            if 5 <= _digits(match[group]) <= 18:
                yield Found(match.start(group), match.end(group), Kind.PHONE)
    for run in runs(text):
        if len(run.digits) >= 7:
            yield from _phones_in_run(text, run)


def _digits(text: str) -> int:
    return sum(letter.isdigit() for letter in text)


def _phones_in_run(text: str, run: Run) -> Iterator[Found]:
    def kind_of(part: Run) -> Kind | None:
        return Kind.PHONE if is_phone(part, text[_sign(text, part) : part.start]) else None

    for part, kind in run.numbers(text, kind_of):
        extension = EXTENSION.match(text, part.end)
        yield Found(_sign(text, part), extension.end() if extension else part.end, kind)


def _sign(text: str, run: Run) -> int:
    """Where the plus or bracket stands with which a number begins, if there is one; one around all of it is no part of it."""
    start = run.start
    if ")" not in run.separators:
        return start - 1 if text[max(0, start - 1) : start] == "+" else start
    if text[max(0, start - 2) : start] in ("+(", "(+"):
        return start - 2
    return start - 1 if text[max(0, start - 1) : start] in ("+", "(") else start


def is_phone(run: Run, sign: str = "") -> bool:
    """Whether digits grouped like this are a telephone number; `sign` is what stands before them, of `+` and `(`."""
    digits, shape, signs = run.digits, run.shape, run.separators.replace(" ", "")
    if not 7 <= len(digits) <= 15 or len(shape) > 7:
        return False
    international = "+" in sign or digits.startswith("00")
    if len(shape) == 1 or any(letter in "\n\t|" for letter in signs):
        # Without grouping, or over lines and cells, it could be anything: only what some country has given out.
        return len(shape) <= 5 and (international or is_given_out(digits))
    if international or "(" in sign or ")" in signs:
        return (sign + signs).count("(") == signs.count(")")
    if "(" in signs:
        return False
    if signs == "":
        return shape in SPACED or (digits[0] == "0" and len(digits) >= 8)
    if "." in signs and (_is_thousands(run) or len(shape) == 2):
        return False
    return not _is_date_or_years(run)


@lru_cache(maxsize=4096)
def is_given_out(digits: str) -> bool:
    """Whether some country, of the larger ones, has telephone numbers like this."""
    for region in REGIONS:
        try:
            number = phonenumbers.parse(digits, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(number):
            return True
    return False


def _is_thousands(run: Run) -> bool:
    return len(run.groups[0]) <= 3 and set(run.shape[1:]) == {3} and set(run.separators) == {"."} and run.digits[0] != "0"


def _is_date_or_years(run: Run) -> bool:
    values = [int(group) for group in run.groups]
    if run.shape == (4, 4):
        return 1800 <= values[0] < values[1] <= 2100
    if len(values) != 3 or any(len(group) not in (1, 2, 4) for group in run.groups):
        return False
    return (
        max(values) <= 2100
        and min(values) >= 1
        and sorted(run.shape)[:2] in ([1, 1], [1, 2], [2, 2])
        and max(run.shape) in (2, 4)
    )
