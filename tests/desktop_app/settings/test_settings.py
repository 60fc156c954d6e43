"""Settings survive writing and reading, newer fields are carried over, and a broken file is set aside."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.settings.settings import Settings, SettingsError, SettingsStore

SETTINGS = st.builds(
    Settings,
    head=st.integers(0, 100),
    tail=st.integers(0, 100),
    only_here=st.booleans(),
    model=st.text(st.characters(exclude_categories=["Cs"])),
    temperature=st.floats(0, 5),
    top_k=st.integers(0, 1000),
    top_p=st.floats(0, 1),
    min_p=st.floats(0, 1),
    repetition_penalty=st.floats(0.01, 10),
    seed=st.none() | st.integers(0, 2**63 - 1),
    max_tokens=st.integers(1, 100_000),
    drafting=st.booleans(),
    protect=st.booleans(),
    review=st.sampled_from(["first", "always", "never"]),
    shape=st.sampled_from(["off", "padded", "steady"]),
    side_list=st.booleans(),
    side_width=st.integers(0, 10_000),
)


@given(settings=SETTINGS)
def test_settings_come_back_as_they_were_saved(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("설정") / "settings.json"
    SettingsStore(path).save(settings)
    again = SettingsStore(path)
    assert again.settings == settings
    assert again.warning == ""


def test_defaults_without_a_file(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "none" / "settings.json")
    assert store.settings == Settings()
    assert store.warning == ""
    assert not (tmp_path / "none").exists()


def test_fields_of_a_newer_version_are_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 7, "head": 6, "colour_of_hats": ["red"]}))
    store = SettingsStore(path)
    assert store.settings.head == 6
    store.save(store.settings)
    assert json.loads(path.read_text())["colour_of_hats"] == ["red"]
    assert json.loads(path.read_text())["version"] == 7


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"head": "four"}', b'{"temperature": -1}', b"\xff\xfe", b"\0" * 50])
def test_broken_file_is_set_aside_and_said_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    store = SettingsStore(path)
    assert store.settings == Settings()
    assert "settings.broken-1.json" in store.warning
    assert (tmp_path / "settings.broken-1.json").read_bytes() == content
    store.save(Settings(head=3))
    assert SettingsStore(path).settings.head == 3


def test_second_broken_file_does_not_replace_the_first(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for content in (b"first", b"second"):
        path.write_bytes(content)
        SettingsStore(path)
    assert (tmp_path / "settings.broken-1.json").read_bytes() == b"first"
    assert (tmp_path / "settings.broken-2.json").read_bytes() == b"second"


def test_unreadable_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.mkdir()
    store = SettingsStore(path)
    assert store.settings == Settings()
    assert "could not be read" in store.warning
    assert path.is_dir()


def test_settings_that_cannot_be_written_hold_all_the_same(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    store = SettingsStore(blocked / "settings.json")
    with pytest.raises(SettingsError, match="could not be written"):
        store.save(Settings(tail=5))
    assert store.settings.tail == 5
