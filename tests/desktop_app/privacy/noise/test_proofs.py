"""Proofs are kept for the table and level that they are of, and what cannot be read proves nothing."""

from pathlib import Path

import pytest

from desktop_app.privacy.noise.proofs import ProvenTables
from desktop_app.privacy.noise.quantiser import Level
from desktop_app.privacy.noise.vocabulary import WorstPair
from desktop_app.settings.paths import write_atomically

TABLE, OTHER = "ab" * 32, "cd" * 32
LEVEL = Level(2.0, 4, 128)
PAIR = WorstPair(3, 9, 0.25)


def test_a_proof_is_there_again_for_its_table_and_level_only(tmp_path: Path) -> None:
    ProvenTables([tmp_path], write_atomically).add(TABLE, LEVEL, PAIR)
    proven = ProvenTables([tmp_path / "none", tmp_path], write_atomically)
    assert proven(TABLE, LEVEL) == 0.25
    assert proven(OTHER, LEVEL) is None
    for other in (Level(2.5, 4, 128), Level(2.0, 2, 128), Level(2.0, 4, 64)):
        assert proven(TABLE, other) is None


def test_proofs_add_up(tmp_path: Path) -> None:
    ProvenTables([tmp_path], write_atomically).add(TABLE, LEVEL, PAIR)
    ProvenTables([tmp_path], write_atomically).add(TABLE, Level(30.0, 4, 128), WorstPair(1, 2, 50.0))
    proven = ProvenTables([tmp_path], write_atomically)
    assert (proven(TABLE, LEVEL), proven(TABLE, Level(30.0, 4, 128))) == (0.25, 50.0)


@pytest.mark.parametrize("rho", ["NaN", "-1.0", "0.0", "Infinity", '"x"', "null"])
def test_what_cannot_be_proves_nothing(tmp_path: Path, rho: str) -> None:
    proven = ProvenTables([tmp_path], write_atomically)
    proven.add(TABLE, LEVEL, PAIR)
    (path,) = tmp_path.iterdir()
    path.write_text(path.read_text().replace("0.25", rho))
    assert ProvenTables([tmp_path], write_atomically)(TABLE, LEVEL) is None
    path.write_text("[")
    assert ProvenTables([tmp_path], write_atomically)(TABLE, LEVEL) is None


def test_a_folder_that_cannot_be_written_to_is_no_error(tmp_path: Path) -> None:
    def fails(path: Path, content: bytes) -> None:
        raise OSError

    proven = ProvenTables([tmp_path], fails)
    proven.add(TABLE, LEVEL, PAIR)
    assert proven(TABLE, LEVEL) == 0.25
