"""From whatever a user names - a GGUF file, a Hugging Face folder, a prepared directory - to weights that can be run.

Prepared models lie under one directory as `<name>-<12 hex digits of the source's hash>`. Which of them belongs to a file is
remembered with its size and time of change, so that a start does not read gigabytes only to hash them; a changed file is hashed
again and becomes another model.
"""

import hashlib
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from safetensors import SafetensorError, safe_open

from remote_agent.segment.conversion import LOCK_FILE, Progress, convert
from remote_agent.segment.errors import BadModelFile, UnsupportedModel
from remote_agent.segment.files import locked, remove_leftovers, storage_error
from remote_agent.segment.folder_source import FolderSource
from remote_agent.segment.gguf_source import GgufSource
from remote_agent.segment.manifest import DTYPES, FILE_NAME, Manifest, tensor_hash
from remote_agent.segment.origin import ORIGIN_FILE, Origin
from remote_agent.segment.weights import Weights, open_weights

Layers = Iterable[int] | Callable[[int], Iterable[int]] | None
"""Which layers are wanted: their numbers, or a function that gives them for a number of layers; None: all."""

HASHED_AT_ONCE = 1 << 22


def prepare(source: Path, models: Path, *, layers: Layers = None, ends: bool = True, progress: Progress | None = None) -> Weights:
    """Weights of `source` with these layers (and both ends) on this machine; what is missing is converted into `models`.

    Quick when nothing is missing. Raises `BadModelFile`, `UnsupportedModel`, `OtherModel`, `DiskFull`.
    """
    source = source.expanduser().absolute()
    if _is_prepared(source, models):
        return _prepared(source, layers, ends, progress)
    if source.is_dir() and not (source / "config.json").exists():
        source = _only_gguf(source)
    if not source.exists():
        raise BadModelFile(f"There is no file or folder {source}. Check the path of the model.")
    if source.is_dir():
        return _prepared(_from_folder(source, models, progress), layers, ends, progress)
    return _from_gguf(source, models, layers, ends, progress)


def _is_prepared(source: Path, models: Path) -> bool:
    """Whether a directory is one of ours. Other programs write a `manifest.json` too, into folders of users' own models."""
    ours = source.parent == models.absolute() or (source / ORIGIN_FILE).exists()
    return ours and (source / FILE_NAME).exists() and not (source / "config.json").exists()


def _only_gguf(folder: Path) -> Path:
    """The one GGUF file of a folder without a config; the folder itself where there is none."""
    files = sorted(folder.glob("*.gguf"))
    if len(files) > 1:
        raise BadModelFile(f"{folder} holds {len(files)} GGUF files. Name one of them, for example {files[0].name}.")
    return files[0] if files else folder


def _prepared(directory: Path, layers: Layers, ends: bool, progress: Progress | None) -> Weights:
    """A directory with a manifest: as it is, or with the missing layers converted from its origin."""
    weights = open_weights(directory)
    origin = Origin.load(directory)
    if origin is None or origin.folder or _missing(weights, layers, ends) == set():
        return weights
    source = Path(origin.path)
    if not source.exists():
        raise BadModelFile(f"{directory} lacks layers that are wanted, and {source}, which has them, is gone. Put it back there.")
    wanted = _chosen(layers, int(weights.config["num_hidden_layers"]))
    convert(GgufSource(source), directory, identity=weights.manifest.source, layers=wanted, ends=ends, progress=progress)
    return open_weights(directory)


def _missing(weights: Weights, layers: Layers, ends: bool) -> set[int]:
    """The wanted layers that are not here; -1 stands for the ends."""
    missing = set(_chosen(layers, int(weights.config["num_hidden_layers"]))) - set(weights.layers)
    return missing | ({-1} if ends and not weights.has_ends else set())


def _chosen(layers: Layers, count: int) -> list[int]:
    chosen = range(count) if layers is None else layers(count) if callable(layers) else layers
    return sorted({layer for layer in chosen if 0 <= layer < count})


def _from_gguf(source: Path, models: Path, layers: Layers, ends: bool, progress: Progress | None) -> Weights:
    origin = Origin.of(source, [source])
    known = _find(models, source.stem, origin)
    if known is not None:
        return _prepared(known, layers, ends, progress)
    opened = GgufSource(source)
    identity = _sha256(source, progress)
    directory = models / _directory_name(source.stem, identity)
    wanted = _chosen(layers, int(opened.config["num_hidden_layers"]))
    convert(opened, directory, identity=identity, layers=wanted, ends=ends, progress=progress)
    with locked(directory / LOCK_FILE):
        origin.save(directory)
    return open_weights(directory)


def _from_folder(folder: Path, models: Path, progress: Progress | None) -> Path:
    """The directory with the manifest of a Hugging Face folder, whose tensors stay where they are."""
    source = FolderSource(folder)
    origin = Origin.of(folder, [*source.files, folder / "config.json"])
    known = _find(models, folder.name, origin)
    if known is not None:
        return known
    manifest = _folder_manifest(source, progress)
    directory = models / _directory_name(folder.name, manifest.source)
    with locked(directory / LOCK_FILE):
        remove_leftovers(directory)
        origin.save(directory)
        manifest.save(directory)
    return directory


def _folder_manifest(source: FolderSource, progress: Progress | None) -> Manifest:
    """Hash every tensor. The folder's identity follows from config and tensors, however they are spread over files."""
    hashes: dict[str, str] = {}
    dtype = ""
    total, done = sum(file.stat().st_size for file in source.files), 0
    for file in source.files:
        try:
            with safe_open(file, framework="pt") as opened:
                for name in sorted(name for name, place in source.places.items() if place[0] == file):
                    tensor = opened.get_tensor(source.places[name][1])
                    hashes[name] = tensor_hash(tensor)
                    if name == "model.embed_tokens.weight":
                        dtype = str(tensor.dtype).removeprefix("torch.")
                    done += tensor.nbytes
                    if progress is not None:
                        progress(done, total)
        except (SafetensorError, OSError) as error:
            raise BadModelFile(f"{file} is broken or was cut short. Download it again.") from error
    if dtype not in DTYPES:
        raise UnsupportedModel(f"{source.folder} holds numbers of the kind '{dtype}'. Download the model in 16 or 32 bits.")
    draft = Manifest(source="", config=source.config, dtype=dtype, tensors=dict(sorted(hashes.items())))
    return Manifest(source=draft.digest().hex(), config=draft.config, dtype=dtype, tensors=draft.tensors)


def _find(models: Path, name: str, origin: Origin) -> Path | None:
    """The prepared model that was made from just these files, as far as size and time tell."""
    for directory in models.glob(_glob_safe(_directory_name(name, "")) + "*"):
        if (directory / FILE_NAME).exists() and Origin.load(directory) == origin:
            return directory
    return None


def _directory_name(name: str, identity: str) -> str:
    plain = re.sub(r"[^\w.-]+", "-", name)
    return f"{plain}-{identity[:12]}"


def _glob_safe(name: str) -> str:
    return re.sub(r"([*?\[])", r"[\1]", name)


def _sha256(path: Path, progress: Progress | None) -> str:
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    try:
        with path.open("rb") as file:
            while piece := file.read(HASHED_AT_ONCE):
                digest.update(piece)
                done += len(piece)
                if progress is not None:
                    progress(done, total)
    except OSError as error:
        raise storage_error(error, path) from error
    return digest.hexdigest()
