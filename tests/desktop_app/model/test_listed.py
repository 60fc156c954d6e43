"""A file is believed where it is the one that was listed, byte for byte; all that is shipped is listed."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop_app.model import listed
from desktop_app.settings.paths import SHIPPED_CODES, write_atomically


def test_all_that_is_shipped_is_listed_and_nothing_else() -> None:
    files = {path.name for path in SHIPPED_CODES.iterdir() if path.suffix in (".safetensors", ".json")}
    assert files == set(listed.SHIPPED)
    for name in files:
        assert listed.read(SHIPPED_CODES / name)


def test_a_shipped_file_that_was_changed_is_to_be_installed_again(tmp_path: Path) -> None:
    for name in listed.SHIPPED:
        shutil.copy(SHIPPED_CODES / name, tmp_path)
        with (tmp_path / name).open("ab") as file:
            file.write(b" ")
        with pytest.raises(listed.NotListed, match="install Sotto again"):
            listed.read(tmp_path / name)


@settings(max_examples=12, deadline=None)
@given(contents=st.lists(st.binary(max_size=20), min_size=1, max_size=4), other=st.binary(max_size=20))
def test_what_was_written_last_is_believed_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, contents: list[bytes], other: bytes
) -> None:
    folder = tmp_path_factory.mktemp("codes")
    for place, content in enumerate(contents):
        listed.write(folder / f"{place % 2}.safetensors", content, write_atomically)
    for place, content in list(enumerate(contents))[-2:]:
        path = folder / f"{place % 2}.safetensors"
        assert listed.read(path) == content
        assert listed.is_listed(path, other) == (other == content)
    (folder / "put there.safetensors").write_bytes(contents[0])
    with pytest.raises(listed.NotListed, match="put there"):
        listed.read(folder / "put there.safetensors")


@pytest.mark.parametrize("broken", ["[", "[1]", "null", '{"a.safetensors": 3}'])
def test_a_broken_list_lists_nothing(tmp_path: Path, broken: str) -> None:
    listed.write(tmp_path / "a.safetensors", b"x", write_atomically)
    (tmp_path / listed.LIST).write_text(broken)
    with pytest.raises(listed.NotListed, match="train it anew"):
        listed.read(tmp_path / "a.safetensors")
