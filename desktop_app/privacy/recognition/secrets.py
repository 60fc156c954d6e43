"""Keys and passwords: by the marks that issuers give their keys, by the word before them, and by their disorder.

A key is drawn at random, and nothing that people write is: what is long, of several kinds of letters and in no order is taken for
one. Names of things that are drawn as well, UUIDs and digests, look the same and are replaced with them.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from desktop_app.privacy.language.word_sets import alternatives
from desktop_app.privacy.recognition.names import Found
from desktop_app.privacy.spans import Kind

MIN_LENGTH = 16
MIN_ENTROPY = 3.2  # bits a letter

_ISSUED = re.compile(
    r"(?<![\w-])(?:"
    r"(?:sk|pk|rk)[-_](?:live|test|proj|ant)?[-_]?[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|hf_\w{20,}"
    r"|xox[abeprs]-[\w-]{10,}|A[KS]IA[0-9A-Z]{12,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_\w{30,}|pypi-[\w-]{40,}"
    r"|SG\.[\w-]{16,}\.[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?|AGE-SECRET-KEY-\w+|ssh-(?:rsa|ed25519|dss) [\w+/=]{40,}"
    r"|[13][a-km-zA-HJ-NP-Z1-9]{25,34}|bc1[a-z0-9]{25,60}|0x[0-9a-fA-F]{40,64}"
    r")(?!\w)",
    re.ASCII,
)
_BLOCK = re.compile(r"-{5}BEGIN [A-Z0-9 ]+-{5}.*?(?:-{5}END [A-Z0-9 ]+-{5}|\Z)", re.DOTALL)
_UUID = re.compile(r"(?<![\w-])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\w-])", re.IGNORECASE | re.ASCII)
_URL_PASSWORD = re.compile(r"://[^\s/:@]+:(?P<value>[^\s/@]+)@")
_WORDS = alternatives("""
    password, passwd, passphrase, passcode, pass, pwd, pw, pin, pin code, secret, secret key, api, api key, api token, access key
    access token, access code, auth key, auth token, auth code, private key, encryption key, license key, product key
    recovery key, recovery code, security key, security code, bearer, bearer token, token, otp, one time code, one time password
    verification code, backup code, confirmation code, authentication code, cvv, cvv2, cvc, cvc2, kennwort, passwort, mot de passe
    contraseña, senha, 비밀번호, 비번, 암호, 패스워드, 인증번호, 보안코드, 인증키, 비밀키, 시크릿
""")
_CUE = re.compile(
    rf"(?<![A-Za-z]){_WORDS}[\"'`]?(?:\s?(?:is|was|=|:|->|=>|은|는|이|가)\s?|\s)(?:(?:is|was|set to|changed to)\s)?[\"'“‘`]?"
    r"(?P<value>[^\s\"'”’`,;가-힣]{3,200}|[^\s\"'”’`,;]{3,200})",
    re.IGNORECASE,
)
# A phrase of words that nothing but what is before them tells from any other words.
_PHRASE = re.compile(
    r"(?<![A-Za-z])(?:pass ?phrase|(?:seed|recovery|backup|secret) phrase|mnemonic)[\"'`]?\s?(?:is|was|:|=|->)\s?[\"'“‘`]?"
    r"(?P<value>[a-z0-9]+(?:[ -][a-z0-9]+){2,23})",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"[A-Za-z0-9+/=_~.$!@#%^&*-]{{{MIN_LENGTH},}}")


def find(text: str) -> Iterator[Found]:
    """Find all of these in a `Reading`'s text; what is found may overlap."""
    for pattern in (_BLOCK, _ISSUED, _UUID):
        for match in pattern.finditer(text):
            yield Found(match.start(), match.end(), Kind.SECRET)
    for pattern in (_URL_PASSWORD, _PHRASE):
        for match in pattern.finditer(text):
            yield Found(match.start("value"), match.end("value"), Kind.SECRET)
    for match in _CUE.finditer(text):
        value = match["value"].rstrip(".?!)")
        if looks_chosen(value):
            yield Found(match.start("value"), match.start("value") + len(value), Kind.SECRET)
    for match in _TOKEN.finditer(text):
        token = match[0].strip(".=-_*#")
        if looks_drawn(token):
            start = match.start() + match[0].index(token)
            yield Found(start, start + len(token), Kind.SECRET)


def looks_chosen(value: str) -> bool:
    """Whether a word after "password" is one: it has a digit, or signs, or capitals where no word has them."""
    return len(value) >= 3 and (
        any(map(str.isdigit, value)) or re.search(r"[^\w\s]", value) is not None or re.search(r"[a-z][A-Z]", value) is not None
    )


def looks_drawn(token: str) -> bool:
    """Whether a token was drawn at random: long, of two kinds of letters and more, and in no order."""
    if len(token) < MIN_LENGTH or token.count("/") > 2 or token.count(".") > 1 or "--" in token or "==" in token[:-2]:
        return False
    kinds = [re.search(kind, token) is not None for kind in ("[a-z]", "[A-Z]", "[0-9]")]
    changes = sum(_kind(a) != _kind(b) for a, b in pairwise(token))
    return sum(kinds) >= 2 and kinds[2] and changes >= len(token) / 5 and entropy(token) >= MIN_ENTROPY


def entropy(text: str) -> float:
    """Shannon's entropy of the letters of `text`, in bits a letter."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


def _kind(letter: str) -> str:
    return "0" if letter.isdigit() else "a" if letter.islower() else "A" if letter.isupper() else "-"
