"""Which model a name stands for on this machine, as the digest of its manifest, without loading the model or torch.

A prepared model is a folder with `manifest.json`, whose bytes are what the digest is of (`remote_agent.segment.manifest`), and
`origin.json`, which names the file or folder that it was made from with its size and time of change.
"""

import hashlib
from pathlib import Path

import msgspec
from msgspec import Struct

from desktop_app.model.hub import HUB_ID
from desktop_app.model.starter import FILE_SHA256, NAME


class _Origin(Struct, frozen=True):
    path: str
    folder: bool
    stamps: dict[str, tuple[int, int]]


def model_digest(model: str, models: Path) -> str | None:
    """The digest, in hex, of what is prepared under `models` for this name; None: nothing is, or the file has changed since."""
    if model in ("", NAME):  # its file is believed with one hash only
        return next((_of(folder) for folder in models.glob(f"*-{FILE_SHA256[:12]}")), None)
    source = _source(model, models)
    if (source / "manifest.json").exists() and not (source / "config.json").exists():
        return _of(source)
    for path in models.glob("*/origin.json"):
        try:
            origin = msgspec.json.decode(path.read_bytes(), type=_Origin)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if Path(origin.path) == source and _unchanged(origin):
            return _of(path.parent)
    return None


def _source(model: str, models: Path) -> Path:
    """The file or folder that a name stands for, as `model.store` resolves it, but nothing is fetched."""
    path = Path(model).expanduser()
    if not path.exists() and path.suffix.lower() != ".gguf" and HUB_ID.fullmatch(model):
        return (models / "hub" / model.replace("/", "--")).absolute()
    if path.is_dir() and not (path / "config.json").exists() and len(files := list(path.glob("*.gguf"))) == 1:
        path = files[0]
    return path.absolute()


def _unchanged(origin: _Origin) -> bool:
    place = Path(origin.path)
    folder = place if origin.folder else place.parent
    try:
        now = {name: (folder / name).stat() for name in origin.stamps}
    except OSError:
        return False
    return all((now[name].st_size, now[name].st_mtime_ns) == stamp for name, stamp in origin.stamps.items())


def _of(folder: Path) -> str | None:
    try:
        return hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    except OSError:
        return None
