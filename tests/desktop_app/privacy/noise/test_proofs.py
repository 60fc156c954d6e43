"""Proofs are kept for the table and level that they are of, and what cannot be read proves nothing."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from desktop_app.model import listed
from desktop_app.privacy.noise.proofs import ProvenTables
from desktop_app.privacy.noise.quantiser import Level, thresholds
from desktop_app.privacy.noise.vocabulary import WorstPair, contradicted, pair_rhos, worst_pair
from desktop_app.settings.paths import write_atomically

TABLE, OTHER = "ab" * 32, "cd" * 32
LEVEL = Level(2.0, 4, 128)
PAIR = WorstPair(3, 9, 0.25)
WRITE = partial(listed.write, replace=write_atomically)


def tables(*folders: Path) -> ProvenTables:
    return ProvenTables(folders, WRITE, listed.is_listed)


def test_a_proof_is_there_again_for_its_table_and_level_only(tmp_path: Path) -> None:
    tables(tmp_path).add(TABLE, LEVEL, PAIR)
    proven = tables(tmp_path / "none", tmp_path)
    assert proven(TABLE, LEVEL) == 0.25
    assert proven(OTHER, LEVEL) is None
    for other in (Level(2.5, 4, 128), Level(2.0, 2, 128), Level(2.0, 4, 64)):
        assert proven(TABLE, other) is None


def test_proofs_add_up(tmp_path: Path) -> None:
    tables(tmp_path).add(TABLE, LEVEL, PAIR)
    tables(tmp_path).add(TABLE, Level(30.0, 4, 128), WorstPair(1, 2, 50.0))
    proven = tables(tmp_path)
    assert (proven(TABLE, LEVEL), proven(TABLE, Level(30.0, 4, 128))) == (0.25, 50.0)


@pytest.mark.parametrize("rho", ["NaN", "-1.0", "0.0", "Infinity", '"x"', "null"])
def test_what_cannot_be_proves_nothing(tmp_path: Path, rho: str) -> None:
    proven = tables(tmp_path)
    proven.add(TABLE, LEVEL, PAIR)
    (path,) = tmp_path.glob("*.proofs.json")
    WRITE(path, path.read_bytes().replace(b"0.25", rho.encode()))
    assert tables(tmp_path)(TABLE, LEVEL) is None
    WRITE(path, b"[")
    assert tables(tmp_path)(TABLE, LEVEL) is None


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    def fails(path: Path, content: bytes) -> None:
        raise OSError

    proven = ProvenTables([tmp_path], fails, listed.is_listed)
    proven.add(TABLE, LEVEL, PAIR)
    assert proven(TABLE, LEVEL) == 0.25


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_changed_by_one_bit_proves_nothing(tmp_path: Path, place: int, bit: int) -> None:
    folder, whole = tmp_path / "codes", tmp_path / "whole"
    if not whole.exists():
        tables(folder).add(TABLE, LEVEL, PAIR)
        whole.write_bytes(next(folder.glob("*.proofs.json")).read_bytes())
    (path,) = folder.glob("*.proofs.json")
    data = bytearray(whole.read_bytes())
    data[place % len(data)] ^= 1 << bit
    path.write_bytes(data)
    assert tables(folder)(TABLE, LEVEL) is None


CODES = np.random.default_rng(3).uniform(-1, 1, (300, 8))


@given(mu=st.sampled_from([0.5, 5.0, 20.0, 60.0]), share=st.floats(0.0, 0.99))
@settings(max_examples=30, deadline=None)
def test_what_says_less_than_the_codes_give_is_contradicted_and_the_truth_never(mu: float, share: float) -> None:
    level = Level(mu, 4, 8)
    true = worst_pair(thresholds(CODES, level), level)
    assert not contradicted(CODES, level, true)
    pair = pair_rhos(CODES[[true.first]], CODES[[true.second]], level)[0]
    assert contradicted(CODES, level, true._replace(rho=share * float(pair)))
    assert contradicted(CODES, level, WorstPair(7, 7, 0.3 * true.rho)), "a pair that is not the worst does not hide the others"
    assert contradicted(CODES, level, true._replace(first=300))
