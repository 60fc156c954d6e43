"""Where Sotto keeps its files, and how a file is replaced so that there is never half of one.

The folders are the platform's own (platformdirs). `SOTTO_HOME` puts all four below one folder: for tests, or a portable copy.
Models and conversations are data, never cache: a cache may be wiped at any time.
"""

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

HOME_VARIABLE = "SOTTO_HOME"
SHIPPED_CODES = Path(__file__).resolve().parents[2] / "resources" / "codes"


@dataclass(frozen=True, slots=True)
class Paths:
    """The four folders; none of them needs to exist yet."""

    data: Path
    config: Path
    cache: Path
    log: Path

    @property
    def settings_file(self) -> Path:
        """The file that `SettingsStore` keeps."""
        return self.config / "settings.json"

    @property
    def models(self) -> Path:
        """The folder of model files; one folder per model."""
        return self.data / "models"

    @property
    def codes(self) -> tuple[Path, Path]:
        """Where what is trained for codes lies: what was trained here, and what is shipped."""
        return self.data / "codes", SHIPPED_CODES

    @property
    def archive(self) -> Path:
        """The folder of the encrypted conversations."""
        return self.data / "archive"


def user_paths() -> Paths:
    """The folders of this user, or those below `SOTTO_HOME` where that is set. Creates nothing."""
    home = os.environ.get(HOME_VARIABLE, "").strip()
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(data=root / "data", config=root / "config", cache=root / "cache", log=root / "log")
    folders = PlatformDirs("sotto", appauthor=False)
    return Paths(
        data=folders.user_data_path, config=folders.user_config_path, cache=folders.user_cache_path, log=folders.user_log_path
    )


def write_atomically(path: Path, content: bytes) -> None:
    """Replace `path` by `content`, making its folder where needed: readers see the old bytes or the new. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
