"""Measured figures are given for the very setting they were measured at, and for no other."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from desktop_app.chat.events import Split
from desktop_app.chat.stored import Recovered
from desktop_app.engine.recovery_table import SHIPPED, Row, Table, file_name, recovered, table_name
from desktop_app.model import starter
from tests.helpers.prepared_models import prepared, prepared_starter

MINE = "org/some-model"
HUB_FOLDER = "org--some-model"


def row(**changes: object) -> Row:
    values: dict[str, object] = {
        "attack": "exact_search", "of": "prompt", "weights": "public", "head": 4, "tail": 2, "mode": "exact", "protect": False,
        "share": 0.9, "low": 0.8, "high": 1.0, "prior_only": 0.05, "documents": 12,
    }  # fmt: skip
    return msgspec.convert(values | changes, Row)


def write(folder: Path, *rows: Row) -> Path:
    """A table of the model that is prepared under `folder` of the test, too."""
    folder.mkdir(exist_ok=True)
    digest = prepared(models_of(folder), models_of(folder) / "hub" / HUB_FOLDER)
    table = Table(model=MINE, digest=digest, rows=list(rows), figures={}, machine={}, command="sotto audit", seed=0)
    path = folder / file_name(MINE)
    path.write_bytes(msgspec.json.encode(table))
    return path


def models_of(folder: Path) -> Path:
    """Where models lie beside a table."""
    return folder / "models"


def look_up(split: Split, protect: bool, *folders: Path) -> list[Recovered]:
    """As the application looks it up."""
    return recovered(MINE, split, protect, folders, models_of(folders[0]))


def test_a_measured_setting_has_its_figures_the_worst_first(tmp_path: Path) -> None:
    write(tmp_path, row(share=0.2, of="reply"), row(share=0.9), row(attack="tail_completion", of="reply", share=0.99))
    found = [it for it in look_up(Split(head=4, tail=2), False, tmp_path) if it.measured]
    assert [it.share for it in found] == [0.99, 0.9, 0.2]
    assert (found[1].low, found[1].high, found[1].prior_only) == (0.8, 1.0, 0.05)


@pytest.mark.parametrize("split", [Split(head=3, tail=2), Split(head=5, tail=2), Split(head=4, tail=1)])
def test_a_neighbouring_setting_is_not_measured_and_says_how_to(tmp_path: Path, split: Split) -> None:
    write(tmp_path, row(), row(of="reply"))
    found = look_up(split, False, tmp_path)
    assert found
    assert not any(it.measured for it in found)
    assert {it.command for it in found} == {f"sotto audit --model {MINE} --head {split.head} --tail {split.tail}"}


def test_rows_under_stand_ins_come_only_with_protection_and_the_others_always(tmp_path: Path) -> None:
    write(tmp_path, row(), row(attack="canary", protect=True, share=0.0))
    split = Split(head=4, tail=2)
    attacks = [{it.attack for it in look_up(split, protect, tmp_path) if it.measured} for protect in (False, True)]
    assert attacks == [{"exact_search"}, {"exact_search", "canary"}]


def test_ones_own_measurement_comes_before_the_shipped_one(tmp_path: Path) -> None:
    write(tmp_path / "own", row(share=0.5))
    write(tmp_path / "shipped", row(share=0.9), row(of="reply", share=0.7))
    found = look_up(Split(head=4, tail=2), False, tmp_path / "own", tmp_path / "shipped")
    assert {it.of: it.share for it in found if it.measured} == {"prompt": 0.5, "reply": 0.7}


def test_what_stand_ins_hide_at_one_depth_is_not_shown_at_another(tmp_path: Path) -> None:
    write(tmp_path, row(attack="canary", protect=True, share=0.0))
    assert not any(it.measured for it in look_up(Split(head=9, tail=2), True, tmp_path))


def test_rows_say_what_they_are_of_and_whether_anything_was_replaced(tmp_path: Path) -> None:
    write(tmp_path, row(attack="canary", unit="values", share=0.9), row(attack="canary", unit="values", share=0.0, protect=True))
    found = [it for it in look_up(Split(head=4, tail=2), True, tmp_path) if it.measured]
    assert [(it.share, it.unit, it.protect) for it in found] == [(0.9, "values", False), (0.0, "values", True)]


def test_the_parts_of_one_attack_stand_side_by_side_and_are_not_the_whole(tmp_path: Path) -> None:
    write(tmp_path, row(attack="attributes", detail="topic"), row(attack="attributes", detail="mood"), row(detail="sampled"))
    found = look_up(Split(head=4, tail=2), False, tmp_path)
    assert {(it.attack, it.detail) for it in found if it.measured} == {
        ("attributes", "topic"), ("attributes", "mood"), ("exact_search", "sampled"),
    }  # fmt: skip
    assert ("exact_search", "prompt") in {(it.attack, it.of) for it in found if not it.measured}


def test_another_file_of_the_same_name_is_not_measured(tmp_path: Path) -> None:
    write(tmp_path, row())
    prepared(models_of(tmp_path), models_of(tmp_path) / "hub" / HUB_FOLDER, b'{"other": 1}')
    assert not any(it.measured for it in look_up(Split(head=4, tail=2), False, tmp_path))


def test_a_model_that_is_not_known_yet_is_not_measured(tmp_path: Path) -> None:
    write(tmp_path, row())
    assert not any(it.measured for it in recovered(MINE, Split(head=4, tail=2), False, [tmp_path], tmp_path / "none"))


def test_the_starter_is_one_file_and_known_before_it_is_fetched_but_not_if_it_was_prepared_otherwise(tmp_path: Path) -> None:
    table = Table(model=starter.NAME, digest="0" * 64, rows=[row()], figures={}, machine={}, command="", seed=0)
    (tmp_path / file_name(starter.NAME)).write_bytes(msgspec.json.encode(table))
    split, models = Split(head=4, tail=2), tmp_path / "models"
    assert any(it.measured for it in recovered("", split, False, [tmp_path], models))
    prepared_starter(models)
    assert not any(it.measured for it in recovered("", split, False, [tmp_path], models))


@pytest.mark.parametrize("content", [b"", b"{}", b"[1, 2", b"\xff\xfe", b'{"model": 3}'])
def test_a_broken_table_is_as_good_as_none(tmp_path: Path, content: bytes) -> None:
    write(tmp_path, row()).write_bytes(content)
    assert not any(it.measured for it in look_up(Split(), False, tmp_path))


def test_nothing_is_recovered_where_nothing_is_sent(tmp_path: Path) -> None:
    write(tmp_path, row())
    assert look_up(Split(only_here=True), False, tmp_path) == []


def test_models_have_one_name_however_they_are_named() -> None:
    assert {table_name(name) for name in ("", starter.NAME, f"/somewhere/{starter.FILE_NAME}")} == {starter.NAME}
    assert table_name("org/model") == "org/model"
    assert table_name("/models/Big Model.gguf") == "Big Model"
    assert table_name("/models/folder") == "folder"


@pytest.mark.skipif(not any(SHIPPED.glob("*instruct*.json")), reason="the audit of the starter model is not finished yet")
def test_the_starter_model_is_measured_at_the_default_split() -> None:
    found = {(it.attack, it.of): it for it in recovered("", Split(), False) if it.weights == "public" and not it.detail}
    # No depth of an exact split hides anything from somebody with the weights, and the table has to say so.
    assert found["exact_search", "prompt"].low >= 0.6
    assert found["tail_completion", "reply"].low >= 0.6


def test_the_table_is_read_without_torch() -> None:
    program = "import sys, desktop_app.engine.recovery_table; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "False"


def noisy(mu: str, **changes: object) -> Row:
    return row(**{"head": 0, "mode": "dp", "detail": mu} | changes)


def at(folder: Path, mu: float) -> list[Recovered]:
    return recovered(MINE, Split(head=4, tail=2), False, [folder], models_of(folder), mu=mu)


def test_noise_has_the_figures_of_the_measured_level_that_is_nearest(tmp_path: Path) -> None:
    write(tmp_path, row(), *(noisy(f"mu {mu:g}", attack="map", share=mu / 100) for mu in (0.75, 20.0, 40.0)))
    for asked, nearest in ((1.0, 0.75), (20.0, 20.0), (29.0, 40.0), (35.0, 40.0), (80.0, 40.0)):
        (found,) = [it for it in at(tmp_path, asked) if it.measured]
        assert (found.mu, found.share, found.detail) == (nearest, nearest / 100, "")


def test_a_level_that_is_far_from_every_measured_one_is_not_measured(tmp_path: Path) -> None:
    write(tmp_path, noisy("mu 20", attack="map"))
    for asked in (3.0, 50.0):
        found = at(tmp_path, asked)
        assert {(it.attack, it.measured) for it in found} == {("map_with_model", False), ("agreement", False)}
        assert {it.command for it in found} == {f"sotto audit --model {MINE} --mode dp --mu {asked:g}"}


def test_what_is_left_of_the_answer_is_told_apart_and_after_what_is_got_back(tmp_path: Path) -> None:
    rows = [noisy("mu 40", attack=attack, of=of) for attack, of in (("agreement", "reply"), ("map_with_model", "prompt"))]
    write(tmp_path, *rows, noisy("mu 40.del", attack="gain", of="reply", share=0.95))
    found = at(tmp_path, 40.0)
    assert [(it.attack, it.utility, it.detail) for it in found] == [
        ("map_with_model", False, ""),
        ("gain", True, "del"),
        ("agreement", True, ""),
    ]


def test_exact_settings_have_no_rows_of_noise_nor_the_other_way_round(tmp_path: Path) -> None:
    write(tmp_path, noisy("mu 40", attack="map", head=4))
    assert not any(it.measured for it in look_up(Split(head=4, tail=2), False, tmp_path))
    write(tmp_path, row(attack="map", detail="mu 40"))
    assert not any(it.measured for it in at(tmp_path, 40.0))
