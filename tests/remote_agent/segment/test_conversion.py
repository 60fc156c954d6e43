"""A conversion writes only what is wanted, goes on where it was interrupted, and gives every side the same manifest."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from remote_agent.segment.conversion import EMBEDDING_FILE, OUTPUT_FILE, convert, file_of
from remote_agent.segment.errors import DiskFull, OtherModel
from remote_agent.segment.gguf_source import GgufSource
from remote_agent.segment.manifest import FILE_NAME, Manifest, tensor_hash
from tests.helpers.gguf_files import tiny_model, write_gguf

IDENTITY = "ab" * 32


@pytest.fixture(scope="module")
def gguf_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gguf(tmp_path_factory.mktemp("gguf") / "m.gguf", tiny_model("llama", tie_word_embeddings=False), "llama")


@pytest.fixture
def source(gguf_path: Path) -> GgufSource:
    return GgufSource(gguf_path)


def files(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir() if path.suffix == ".safetensors"}


def test_both_sides_have_one_manifest_and_each_its_own_layers(source: GgufSource, tmp_path: Path) -> None:
    here = convert(source, tmp_path / "here", identity=IDENTITY, layers=[0, 3], ends=True)
    there = convert(source, tmp_path / "there", identity=IDENTITY, layers=[1, 2], ends=False)
    assert here.digest() == there.digest() == Manifest.load(tmp_path / "there").digest()
    assert files(tmp_path / "here") == {"layer-00000.safetensors", "layer-00003.safetensors", EMBEDDING_FILE, OUTPUT_FILE}
    assert files(tmp_path / "there") == {"layer-00001.safetensors", "layer-00002.safetensors"}


def test_the_files_hold_the_tensors_and_the_manifest_their_hashes(source: GgufSource, tmp_path: Path) -> None:
    manifest = convert(source, tmp_path, identity=IDENTITY, layers=range(4), ends=True)
    assert set(manifest.tensors) == set(source.names)
    for name, value in manifest.tensors.items():
        tensor = load_file(tmp_path / file_of(name))[name]
        assert torch.equal(tensor, source.tensor(name))
        assert tensor_hash(tensor) == value


def test_more_layers_later_convert_those_alone(source: GgufSource, tmp_path: Path) -> None:
    first = convert(source, tmp_path, identity=IDENTITY, layers=[0], ends=False)
    before = (tmp_path / "layer-00000.safetensors").stat().st_mtime_ns
    seen: list[tuple[int, int]] = []
    again = convert(source, tmp_path, identity=IDENTITY, layers=[0, 1], ends=False, progress=lambda *at: seen.append(at))
    assert again.digest() == first.digest()
    assert (tmp_path / "layer-00000.safetensors").stat().st_mtime_ns == before
    size = sum(source.tensor(name).nbytes for name in source.names if file_of(name) == "layer-00001.safetensors")
    assert seen[-1] == (size, size)


def test_progress_rises_to_its_end(source: GgufSource, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    convert(source, tmp_path, identity=IDENTITY, layers=[0], ends=True, progress=lambda done, total: seen.append((done, total)))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == seen[-1][1] == sum(source.tensor(name).nbytes for name in source.names)


@pytest.mark.slow
def test_a_killed_conversion_leaves_no_half_file_and_is_gone_on_with(gguf_path: Path, tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path\n"
        "from remote_agent.segment.conversion import convert; from remote_agent.segment.gguf_source import GgufSource\n"
        "def stop(done, total):\n"
        "    if done > total / 2: os._exit(9)\n"
        "source, target = GgufSource(Path(sys.argv[1])), Path(sys.argv[2])\n"
        f"convert(source, target, identity='{IDENTITY}', layers=range(4), ends=True, progress=stop)\n"
    )
    target = tmp_path / "한국 dir"
    assert subprocess.run([sys.executable, "-c", script, str(gguf_path), str(target)], check=False).returncode == 9
    assert not (target / FILE_NAME).exists()
    done = {name: (target / name).stat().st_mtime_ns for name in files(target)}
    assert done
    for name in done:
        assert load_file(target / name)
    manifest = convert(GgufSource(gguf_path), target, identity=IDENTITY, layers=range(4), ends=True)
    assert {name: (target / name).stat().st_mtime_ns for name in done} == done
    assert (
        manifest.digest() == convert(GgufSource(gguf_path), tmp_path / "new", identity=IDENTITY, layers=[], ends=False).digest()
    )
    assert not list(target.glob("*.part"))


def test_another_source_is_not_mixed_in(source: GgufSource, tmp_path: Path) -> None:
    convert(source, tmp_path / "a", identity=IDENTITY, layers=[0], ends=False)
    with pytest.raises(OtherModel, match="another file"):
        convert(source, tmp_path / "a", identity="cd" * 32, layers=[1], ends=False)
    other = GgufSource(write_gguf(tmp_path / "other.gguf", tiny_model("llama", seed=1, tie_word_embeddings=False), "llama"))
    with pytest.raises(OtherModel, match="no longer gives"):
        convert(other, tmp_path / "a", identity=IDENTITY, layers=[1], ends=False)


def test_too_little_space_is_said_before_anything_is_written(
    source: GgufSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from collections import namedtuple

    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda path: usage(100, 99, 1))
    with pytest.raises(DiskFull, match="GB"):
        convert(source, tmp_path, identity=IDENTITY, layers=[0], ends=False)
    assert not files(tmp_path)
