"""Which files for codes are believed: only those whose SHA-256 is known beforehand, byte for byte.

What is shipped is known by the list below, which is part of the program. What was trained or proven on this computer is in a list
beside it (`LIST`: file name to SHA-256 in hex), written together with it. Whoever can write into the person's own folder can
write the list too, and so put a file of their own in the place of one that was trained here; they could read the texts as well.
"""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from desktop_app.model.errors import ModelError

LIST = "listed.json"
SHIPPED = {
    "21aabce33d55e741b5aa14df77475621.proofs.json": "b6e944e188d1b241e5a8079481638adc56cab9e075eb89c2fb2bc1ff22d22a88",
    "smollm2-135m-instruct-projection.safetensors": "21aabce33d55e741b5aa14df77475621b02342a685d36d7a40b704e504072ee9",
}
"""By file name; a list beside a file of the same name goes first."""


class NotListed(ModelError):
    """A file for codes is not the one that was trained or shipped."""


def read(path: Path) -> bytes:
    """The bytes of a file that is listed. Raises `OSError`, and `NotListed` where it is not, or is another than was listed."""
    content = path.read_bytes()
    if is_listed(path, content):
        return content
    shipped = path.name in SHIPPED and path.name not in _own(path.parent)
    again = "install Sotto again" if shipped else "train it anew (sotto train)"
    raise NotListed(
        f"{path} is not the file that was made here or shipped with Sotto: it was changed, or put there by something else. "
        f"Delete it and {again}."
    )


def is_listed(path: Path, content: bytes) -> bool:
    """Whether these bytes are those that a list has for a file of this name in its folder."""
    expected = _own(path.parent).get(path.name, SHIPPED.get(path.name))
    return expected == hashlib.sha256(content).hexdigest()


def write(path: Path, content: bytes, replace: Callable[[Path, bytes], None]) -> None:
    """Put a file in its place with `replace`, then into the list beside it. Raises `OSError`.

    Cut off between the two, it is refused until it is made again.
    """
    replace(path, content)
    known = _own(path.parent) | {path.name: hashlib.sha256(content).hexdigest()}
    replace(path.parent / LIST, json.dumps(known, indent=1, sort_keys=True).encode() + b"\n")


def _own(folder: Path) -> dict[str, str]:
    """The list in a folder; one that cannot be read lists nothing."""
    try:
        known = json.loads((folder / LIST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(name): str(digest) for name, digest in known.items()} if isinstance(known, dict) else {}
