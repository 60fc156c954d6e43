"""What must not lie in the house: traces of the machine it was written on, secrets, and code that runs what it reads."""

import ast
import hashlib
import re
from pathlib import Path

from tests.helpers.source_tree import ROOT, parsed, shipped_modules, text_files

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


def test_nothing_that_is_shipped_throws_other_coins_than_the_operating_systems() -> None:
    """`random_bytes` is for tests; the guarantee of a draw is that of its coins."""
    draws = [Path("desktop_app/privacy/noise") / f"{name}.py" for name in ("occurrences", "quantiser", "draws", "ledger")]
    public = Path("desktop_app/training/noising.py")  # of texts that the model wrote itself, to be the same in every run
    elsewhere = [path for path in shipped_modules() if path not in (*draws, public)]
    assert [f"{path}: {name}" for path in elsewhere for name in given_coins(parsed(path))] == []
    assert [f"{path}: {name}" for path in draws for name in generators(parsed(path))] == []


def given_coins(tree: ast.Module) -> list[str]:
    """Calls that name coins of their own, or give `Occurrences` or `quantiser.draw` an argument more than without them."""
    most = {"Occurrences": 4, "quantiser.draw": 2}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {
        call: f"{call.func.value.id}.{call.func.attr}"
        if isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
        else getattr(call.func, "id", "")
        for call in calls
    }
    by_call = [
        f"line {call.lineno}"
        for call in calls
        if any(keyword.arg == "random_bytes" for keyword in call.keywords)
        or len(call.args) > most.get(called[call], len(call.args))
    ]
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and "quantiser" in (node.module or "")]
    return by_call + ["import of draw" for node in imports if "draw" in [name.name for name in node.names]]


def generators(tree: ast.Module) -> list[str]:
    """Imports of generators of numbers, and uses of numpy's."""
    imports = [name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names]
    sources = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    uses = [node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return [name for name in imports + sources + uses if name in ("random", "secrets", "numpy.random", "default_rng", "torch")]


def test_that_rule_sees_coins_and_generators_of_all_kinds() -> None:
    for wrong in (
        "Occurrences(a, b, c, d, e)",
        "Occurrences(a, b, c, d, random_bytes=e)",
        "quantiser.draw(a, b, c)",
        "from x.quantiser import draw",
    ):
        assert given_coins(ast.parse(wrong)), wrong
    for wrong in (
        "import random",
        "from random import randbytes",
        "np.random.random()",
        "default_rng = np.random",
        "import torch",
    ):
        assert generators(ast.parse(wrong)), wrong
    assert not given_coins(ast.parse("Occurrences(a, b, c, d); quantiser.draw(a, b)"))
