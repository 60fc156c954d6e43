"""Models from the Hugging Face Hub: fetched when a user names one, into a folder of its own, and never asked for again.

A download that was interrupted goes on where it stopped. A finished one is marked, and the mark is all that later starts look at:
they work without network and tell nobody which model is used.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from desktop_app.model.errors import DownloadFailed, ModelError, NoModel
from remote_agent.segment.files import write_bytes

Progress = Callable[[int, int], None]
"""Called with the bytes done and the bytes to do."""

HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
WANTED = [
    "*.safetensors",
    "model.safetensors.index.json",
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
    "chat_template.*",
]
UNWANTED = ["*/*", "consolidated*"]
FINISHED_FILE = ".sotto-finished"


def hub_model(name: str, models: Path, progress: Progress | None = None) -> Path:
    """The folder of the Hub's model `name` ("organisation/model") under `models`. Raises `NoModel`, `DownloadFailed`."""
    folder = models / "hub" / name.replace("/", "--")
    if not (folder / FINISHED_FILE).exists():
        _fetch(name, folder, progress)
        if not (folder / "config.json").exists() or not any(folder.glob("*.safetensors")):
            raise NoModel(f"The Hub's '{name}' holds no safetensors files. Download its .gguf file and name that file instead.")
        write_bytes(folder / FINISHED_FILE, b"")
    return folder


def _fetch(name: str, folder: Path, progress: Progress | None) -> None:
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"  # read when the library is imported, so it must come first
    import huggingface_hub

    try:
        huggingface_hub.snapshot_download(
            name,
            local_dir=folder,
            allow_patterns=WANTED,
            ignore_patterns=UNWANTED,
            tqdm_class=_bar(progress),
            endpoint=os.environ.get("HF_ENDPOINT"),
        )
    except Exception as error:  # the library passes on what its many layers raise
        raise _refusal(name, error) from error


def _refusal(name: str, error: Exception) -> ModelError:
    from huggingface_hub import errors

    if isinstance(error, errors.GatedRepoError):
        return NoModel(
            f"'{name}' asks for an account that accepted its terms. Log in with 'hf auth login', or choose another model."
        )
    if isinstance(error, errors.RepositoryNotFoundError | errors.HFValidationError | errors.RevisionNotFoundError):
        return NoModel(f"The Hub has no model '{name}' that may be read. Check the name, or name a .gguf file.")
    if isinstance(error, OSError) and error.errno == 28:
        return DownloadFailed("The disk is full. Free some space and start again; the download goes on where it stopped.")
    return DownloadFailed(
        f"'{name}' could not be downloaded. Check the network and start again; the download goes on where it stopped."
    )


def _bar(progress: Progress | None) -> type[Any]:
    """The library's progress bar, drawn nowhere and told to us."""
    from huggingface_hub.utils import tqdm

    class Bar(tqdm):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **options: Any) -> None:
            self._sink = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - closed with the bar
            options |= {"file": self._sink, "disable": False}
            super().__init__(*arguments, **options)
            self._counts = options.get("unit") == "B" and "Reconstruct" in str(options.get("desc"))

        def update(self, n: float | None = 1) -> Any:
            drawn = super().update(n)
            if self._counts and progress is not None:
                progress(int(self.n), int(self.total or 0))
            return drawn

        def close(self) -> None:
            super().close()
            self._sink.close()

    return Bar
