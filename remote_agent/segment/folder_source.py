"""A Hugging Face folder as a source of tensors: config.json and safetensors files, read where they lie.

Models that also see pictures keep their language model under a prefix, and its config under `text_config`; both are taken off,
the rest is left alone.
"""

import json
import re
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from remote_agent.segment.errors import BadModelFile, UnsupportedModel
from remote_agent.segment.plan import ModelPlan
from remote_agent.segment.shapes import check_shapes

PREFIXES = ("model.language_model.", "language_model.model.", "language_model.", "")
LANGUAGE_MODEL = re.compile(r"model\.(embed_tokens|norm|layers\.\d+)\..*|lm_head\.weight")
IGNORED = re.compile(r".*\.rotary_emb\.inv_freq")
VOLATILE = ("_name_or_path", "transformers_version", "torch_dtype", "dtype", "use_cache")
ONE_FILE = "model.safetensors"
INDEX = "model.safetensors.index.json"


class FolderSource:
    """The config and the tensors of one folder. `places`: Hugging Face name to the file, and the name it has there; `shapes`."""

    def __init__(self, folder: Path) -> None:
        """Read config and file headers. Raises `BadModelFile`, `UnsupportedModel`."""
        self.folder = folder
        self.files = _model_files(folder)
        self.places: dict[str, tuple[Path, str]] = {}
        self.shapes: dict[str, tuple[int, ...]] = {}
        for file in self.files:
            for stored, shape in _shapes_in(file).items():
                name = _language_model_name(stored)
                if name is not None:
                    self.places[name] = (file, stored)
                    self.shapes[name] = shape
        self.config = _config(folder, tied="lm_head.weight" not in self.places)
        check_shapes(ModelPlan.from_config(self.config), self.shapes, str(folder))


def _model_files(folder: Path) -> list[Path]:
    """The safetensors files of the model, in order of name; those of the index where there is one."""
    index = folder / INDEX
    if index.exists():
        try:
            names = set(json.loads(index.read_text(encoding="utf-8"))["weight_map"].values())
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise BadModelFile(f"{index} cannot be read. Download the model again.") from error
        # The names come from a file: nothing outside the folder is to be opened.
        files = sorted(folder / Path(str(name)).name for name in names)
    elif (folder / ONE_FILE).exists():
        files = [folder / ONE_FILE]
    else:
        files = sorted(file for file in folder.glob("*.safetensors") if not file.name.startswith("consolidated"))
    if not files:
        raise _no_files(folder)
    lost = [file.name for file in files if not file.exists()]
    if lost:
        raise BadModelFile(f"{folder} lacks {len(lost)} of the model's files, {lost[0]} first. Download the model again.")
    return files


def _no_files(folder: Path) -> UnsupportedModel | BadModelFile:
    if any(folder.glob("*.bin")) or any(folder.glob("*.pt*")):
        return UnsupportedModel(
            f"{folder} holds the model as pickle files, which could run any program. Download it as safetensors or GGUF."
        )
    return BadModelFile(f"{folder} holds no model. Choose a .gguf file, or a folder with config.json and *.safetensors files.")


def _shapes_in(file: Path) -> dict[str, tuple[int, ...]]:
    """The tensors of one file, from its header."""
    try:
        with safe_open(file, framework="pt") as opened:
            return {name: tuple(opened.get_slice(name).get_shape()) for name in opened.keys()}  # noqa: SIM118 - no mapping
    except (SafetensorError, OSError) as error:
        raise BadModelFile(f"{file} is broken or was cut short. Download it again.") from error


def _language_model_name(stored: str) -> str | None:
    """The tensor's name in a pure language model; None if it is no part of one."""
    if IGNORED.fullmatch(stored):
        return None
    for prefix in PREFIXES:
        if stored.startswith(prefix):
            rest = stored.removeprefix(prefix)
            for name in (rest, f"model.{rest}") if prefix else (rest,):
                if LANGUAGE_MODEL.fullmatch(name):
                    return name
    return None


def _config(folder: Path, tied: bool) -> dict[str, Any]:
    path = folder / "config.json"
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadModelFile(f"{folder} has no config.json that can be read. Download the model again.") from error
    except ValueError as error:
        raise BadModelFile(f"{path} is damaged. Download the model again.") from error
    if not isinstance(config, dict):
        raise BadModelFile(f"{path} is damaged. Download the model again.")
    if "quantization_config" in config:
        raise UnsupportedModel(
            f"{folder} holds quantised weights, which are read only from GGUF files. Download the model as GGUF, or unquantised."
        )
    text = config.get("text_config")
    if isinstance(text, dict):
        outer = {key: config[key] for key in ("bos_token_id", "eos_token_id", "pad_token_id") if config.get(key) is not None}
        config = outer | text
        if config.get("model_type") == "gemma3":
            config["model_type"] = "gemma3_text"
    config = {key: value for key, value in config.items() if key not in VOLATILE}
    if tied and config.get("tie_word_embeddings") is not False:
        config["tie_word_embeddings"] = True
    return config
