"""A model's tokenizer, made ready once: two files beside the weights that open in a fraction of a second, without transformers.

`text.json` is the model's tokenizer with one change: no text can become a control token in it. The tokens that steer a
conversation (`<|im_end|>`, `<think>`, `[INST]` …) are taken out of what it recognises, without moving any other id, so that a
document that quotes one of them is text and nothing else. `chat.json` says what the control tokens are, what the chat template
is, what each added token spells, and which tokens end a reply. `tokenizer` puts both together.

A GGUF file is read by transformers for this, which takes some seconds; a folder's tokenizer.json is taken as it is.
"""

import json
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from tokenizers import AddedToken, Tokenizer

from desktop_app.model.errors import UnsupportedTokenizer
from remote_agent.segment.files import storage_error, write_bytes

FORMAT = 1
TEXT_FILE = "text.json"
CHAT_FILE = "chat.json"

ANCHOR = "\ufdd2"
"""A noncharacter (it never occurs in text) that stands before a piece of text which is not the first of a prompt."""

MARKUP = re.compile(r"<[^<>\s]+>|\[[A-Za-z_/]+\]")
TURN_ENDS = (
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<end_of_turn>",
    "<|end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "</s>",
    "<eos>",
)
NAMED = ("bos_token", "eos_token", "unk_token", "pad_token")


class Added(Struct, frozen=True, kw_only=True):
    """A token with a spelling of its own. `control`: it steers, so text never becomes it; `special`: it is never shown."""

    id: int
    content: str
    special: bool
    control: bool
    lstrip: bool = False
    rstrip: bool = False


class ChatFacts(Struct, frozen=True, kw_only=True):
    """What `chat.json` holds. `byte_level`: tokens are spelled in the GPT-2 byte alphabet, else with ▁ for a space."""

    format: int = FORMAT
    template: str
    names: dict[str, str]
    added: list[Added]
    stop_ids: list[int]
    size: int
    byte_level: bool
    strips_leading_space: bool


def make_ready(source: Path, directory: Path, config: dict[str, Any]) -> None:
    """Write both files of the model at `source` (a GGUF file or a folder) into `directory`, unless they are there.

    Raises `UnsupportedTokenizer`, `SegmentError`.
    """
    if read_facts(directory) is not None and (directory / TEXT_FILE).exists():
        return
    try:
        directory.mkdir(parents=True, exist_ok=True)
        temporary = tempfile.TemporaryDirectory(dir=directory)
    except OSError as error:
        raise storage_error(error, directory) from error
    with temporary as folder:
        if source.is_dir() and (source / "tokenizer.json").exists():
            _distil(source, source, directory, config)
            return
        _saved_by_transformers(source, Path(folder))
        _distil(Path(folder), source if source.is_dir() else Path(folder), directory, config)


def read_facts(directory: Path) -> ChatFacts | None:
    """What `chat.json` says; None where it is missing, broken or of another version, and is to be made again."""
    try:
        facts = msgspec.json.decode((directory / CHAT_FILE).read_bytes(), type=ChatFacts)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return facts if facts.format == FORMAT else None


def _saved_by_transformers(source: Path, folder: Path) -> None:
    """tokenizer.json and its companions from a GGUF file, or from a folder that has only an older format."""
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    import transformers  # takes seconds to import, and only a model's first use needs it

    transformers.logging.set_verbosity_error()
    place = {"gguf_file": source.name} if source.is_file() else {}
    parent = source.parent if source.is_file() else source
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            str(parent), trust_remote_code=False, local_files_only=True, **place
        )
        tokenizer.save_pretrained(str(folder))
    except Exception as error:  # transformers raises whatever its many readers trip over
        raise UnsupportedTokenizer(
            f"The tokenizer in {source.name} cannot be read. Download the file again, or choose another model."
        ) from error
    if not (folder / "tokenizer.json").exists():
        raise UnsupportedTokenizer(f"The tokenizer in {source.name} is of a kind that Sotto does not read. Choose another model.")


def _distil(tokenizer: Path, companions: Path, target: Path, config: dict[str, Any]) -> None:
    """From Hugging Face's files to ours; `companions` is where generation_config.json may lie."""
    full = _json(tokenizer / "tokenizer.json")
    settings = _json(tokenizer / "tokenizer_config.json")
    try:
        added = [_added(token) for token in full.get("added_tokens", [])]
        decoders = _kinds(full.get("decoder"))
        byte_level = "ByteLevel" in decoders
        if not byte_level and not decoders & {"ByteFallback", "Metaspace"}:
            raise UnsupportedTokenizer("The model's tokenizer is of a kind that Sotto does not read. Choose another model.")
        text = _text_tokenizer(full, added)
        names = {name: _content(settings[name]) for name in NAMED if settings.get(name)}
        facts = ChatFacts(
            template=_template(tokenizer, settings),
            names=names,
            added=added,
            stop_ids=_stop_ids(added, names, companions, config),
            size=max([text.get_vocab_size(with_added_tokens=False), *(token.id + 1 for token in added)]),
            byte_level=byte_level,
            strips_leading_space=not byte_level and ("Strip" in decoders or "Metaspace" in decoders),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise _damaged(tokenizer) from error
    write_bytes(target / TEXT_FILE, text.to_str().encode())
    write_bytes(target / CHAT_FILE, msgspec.json.encode(facts))


def _added(token: dict[str, Any]) -> Added:
    content, special = token["content"], bool(token["special"])
    control = special or MARKUP.fullmatch(content) is not None
    strips = {"lstrip": bool(token.get("lstrip")), "rstrip": bool(token.get("rstrip"))}
    return Added(id=token["id"], content=content, special=special, control=control, **strips)


def _text_tokenizer(full: dict[str, Any], added: list[Added]) -> Tokenizer:
    """The tokenizer that knows no control token.

    Ids of added tokens outside the vocabulary are counted up by their order, so such a token cannot be left out without moving
    the next ones; it gets a spelling that never occurs instead.
    """
    vocabulary = full["model"]["vocab"]
    inside = vocabulary if isinstance(vocabulary, dict) else {piece for piece, _ in vocabulary}
    control = {token.id: token for token in added if token.control}
    kept = []
    for token in full.get("added_tokens", []):
        if token["id"] not in control:
            kept.append(token)
        elif token["content"] not in inside:
            kept.append(token | {"content": f"{ANCHOR}{token['id']}{ANCHOR}", "special": True, "normalized": False})
    plain = full | {"added_tokens": kept, "post_processor": None, "truncation": None, "padding": None}
    try:
        tokenizer = Tokenizer.from_str(json.dumps(plain, ensure_ascii=False))
    except Exception as error:  # tokenizers raises a bare Exception
        raise UnsupportedTokenizer(
            "The model's tokenizer is damaged or of a newer kind. Choose another file of this model."
        ) from error
    tokenizer.add_special_tokens([AddedToken(ANCHOR, normalized=False, special=True)])
    return tokenizer


def _template(folder: Path, settings: dict[str, Any]) -> str:
    """The chat template, "" where the model has none."""
    file = folder / "chat_template.jinja"
    if file.exists():
        return file.read_text(encoding="utf-8")
    template = settings.get("chat_template") or _json(folder / "chat_template.json").get("chat_template") or ""
    if isinstance(template, list):  # several, by name
        by_name = {entry["name"]: entry["template"] for entry in template}
        template = by_name.get("default") or next(iter(by_name.values()), "")
    return str(template)


def _stop_ids(added: list[Added], names: dict[str, str], companions: Path, config: dict[str, Any]) -> list[int]:
    """Every token that ends a reply, by any of the places that may name one."""
    ends = {*TURN_ENDS, names.get("eos_token", "")}
    found = {token.id for token in added if token.special and token.content in ends}
    for place in (config, _json(companions / "generation_config.json")):
        ids = place.get("eos_token_id")
        found |= {ids} if isinstance(ids, int) else set(ids or ())
    return sorted(found)


def _kinds(decoder: Any) -> set[str]:
    """The types of a decoder and of the decoders within it."""
    if not isinstance(decoder, dict):
        return set()
    return {str(decoder.get("type"))}.union(*(_kinds(part) for part in decoder.get("decoders", [])))


def _content(token: Any) -> str:
    return str(token["content"] if isinstance(token, dict) else token)


def _json(path: Path) -> dict[str, Any]:
    """A file's JSON object, empty where there is no such file. Raises `UnsupportedTokenizer`."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise _damaged(path) from error
    if not isinstance(value, dict):
        raise _damaged(path)
    return value


def _damaged(path: Path) -> UnsupportedTokenizer:
    return UnsupportedTokenizer(f"{path} is damaged. Download the model again.")
