"""What must not lie in the house: traces of the machine it was written on, secrets, and code that runs what it reads."""

import hashlib
import re
from pathlib import Path

from tests.helpers.source_tree import ROOT, shipped_modules, text_files

# Written in pieces, so that this file does not find itself.
MACHINE_PATHS = re.compile(
    r"(?<![\w.])(?:/(?:root|work|workspace)/\w|/opt/(?:wheels|pypi)|/home/(?!you/|user/)\w|/Users/(?!you/)\w|[A-Z]:\\Users\\\w)"
)
HOST = re.compile(r"\b(?:https?|wss?|ftp)://(?P<host>[\w.-]+)")
ADDRESS = re.compile(r"(?<![\d.=])(?P<address>(?:\d{1,3}\.){3}\d{1,3})(?![\d.])")
SECRETS = re.compile(
    r"AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|hf_[A-Za-z]{34}|sk-[A-Za-z0-9]{32,}|xox[abpr]-\w{10}"
    r"|-{5}BEGIN [A-Z ]*PRIVATE KEY|eyJ[\w-]{20,}\.eyJ"
)
RUNS_WHAT_IT_READS = re.compile(
    r"^\s*(?:import|from) +(?:pickle|cPickle|dill|cloudpickle|shelve|marshal)\b|torch\.load\(|yaml\.load\("
    r"|(?:trust_remote_code|allow_pickle|shell) *= *True|\beval\(|(?<![\w.])exec\(",
    re.MULTILINE,
)

PUBLIC_HOSTS = {
    "127.0.0.1", "localhost",
    "download.pytorch.org", "pypi.org", "www.python.org", "huggingface.co", "github.com",
    "www.apache.org", "www.w3.org", "schemas.openxmlformats.org",  # names of formats and of the licence, never asked for anything
}  # fmt: skip
RESERVED_NAMES = re.compile(r"(?:.+\.)?(?:example(?:\.com|\.net|\.org)?|invalid|test)$")
# Loopback, everything, and the ranges reserved for documentation and for measuring.
NO_ONES_ADDRESSES = re.compile(r"127\.|0\.0\.0\.0$|192\.0\.2\.|198\.1[89]\.|198\.51\.100\.|203\.0\.113\.|255\.255\.255\.255$")
APACHE_LICENSE_SHA256 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


def found(pattern: re.Pattern[str], skip: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{path}:{number}: {match[0]}"
        for path, text in text_files().items()
        if path.name not in (*skip, Path(__file__).name)
        for number, line in enumerate(text.splitlines(), start=1)
        for match in pattern.finditer(line)
    ]


def test_no_file_names_a_path_of_somebodys_machine() -> None:
    assert found(MACHINE_PATHS) == []


def test_no_file_names_a_host_that_is_not_public() -> None:
    hosts = ((place, place.rpartition("//")[2].lower().strip(".")) for place in found(HOST))
    real = [(place, host) for place, host in hosts if not RESERVED_NAMES.match(host) and not NO_ONES_ADDRESSES.match(host)]
    assert [place for place, host in real if host not in PUBLIC_HOSTS] == []


def test_no_file_names_an_address_that_is_somebodys() -> None:
    places = found(ADDRESS, skip=("constraints.txt",))
    addresses = ((place, place.rpartition(" ")[2]) for place in places if not place.split(":")[0].endswith(".svg"))
    real = [(place, address) for place, address in addresses if all(int(part) < 256 for part in address.split("."))]
    assert [place for place, address in real if not NO_ONES_ADDRESSES.match(address)] == []


def test_no_file_holds_a_secret() -> None:
    assert found(SECRETS) == []


def test_nothing_that_is_shipped_can_be_made_to_run_what_it_reads() -> None:
    places = []
    for path in shipped_modules():
        for match in RUNS_WHAT_IT_READS.finditer((ROOT / path).read_text(encoding="utf-8")):
            places.append(f"{path}: {match[0].strip()}")
    assert places == []


def test_the_licence_is_apache_2_word_by_word() -> None:
    text = (ROOT / "LICENSE").read_bytes().replace(b"\r\n", b"\n")
    assert hashlib.sha256(text).hexdigest() == APACHE_LICENSE_SHA256
