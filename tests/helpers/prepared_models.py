"""Folders of prepared models as far as their digest needs them: a manifest, and what it was made from."""

import hashlib
from pathlib import Path

from desktop_app.model.starter import FILE_SHA256
from remote_agent.segment.origin import Origin


def prepared(models: Path, source: Path, content: bytes = b"{}") -> str:
    """A prepared model made from the file or folder `source`, which is there too; returns the digest in hex."""
    if source.suffix == ".gguf":
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_bytes(content)
        stamped = [source]
    else:
        source.mkdir(parents=True, exist_ok=True)
        stamped = [source / "config.json"]
        stamped[0].write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    folder = models / f"{source.stem}-{digest[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_bytes(content)
    Origin.of(source.absolute(), stamped).save(folder)
    return digest


def prepared_starter(models: Path, content: bytes = b"{}") -> str:
    """The starter model, prepared; returns the digest in hex."""
    folder = models / f"starter-{FILE_SHA256[:12]}"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_bytes(content)
    return hashlib.sha256(content).hexdigest()
