"""Which model a name stands for on this machine, as the digest of its manifest, without loading the model or torch.

A prepared model is a folder with `manifest.json`, whose bytes are what the digest is of (`remote_agent.segment.manifest`), and
the `Origin` that it was made from.
"""

import hashlib
from pathlib import Path

from desktop_app.model.hub import HUB_ID
from desktop_app.model.starter import FILE_SHA256, NAME
from remote_agent.segment.origin import ORIGIN_FILE, Origin


def model_digest(model: str, models: Path) -> str | None:
    """The digest, in hex, of what is prepared under `models` for this name; None: nothing is, or the file has changed since."""
    if model in ("", NAME):  # its file is believed with one hash only
        return next((_of(folder) for folder in models.glob(f"*-{FILE_SHA256[:12]}")), None)
    source = _source(model, models)
    if (source / "manifest.json").exists() and not (source / "config.json").exists():
        return _of(source)
    for path in models.glob(f"*/{ORIGIN_FILE}"):
        origin = Origin.load(path.parent)
        if origin is not None and Path(origin.path) == source and origin.is_unchanged:
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


def _of(folder: Path) -> str | None:
    try:
        return hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    except OSError:
        return None
