"""What a person may set, and the file it is kept in.

The file is JSON with a version. Fields that this version does not know are carried over unchanged when it is written, so that a
newer Sotto finds its own again. A file that cannot be read is set aside under another name, never deleted and never overwritten.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from desktop_app.settings.noise_numbers import LEAST_MU, MOST_EPSILON, MOST_MU
from desktop_app.settings.paths import write_atomically

VERSION = 1
"""Of the settings file; rises when a field changes its meaning."""

Layers = Annotated[int, Meta(ge=0, le=1024)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]
Mu = Annotated[float, Meta(ge=LEAST_MU, le=MOST_MU)]


class SettingsError(Exception):
    """Base of this room's errors; its text is a sentence with a next step, fit to be shown."""


class Settings(Struct, frozen=True, kw_only=True):
    """All that is set. `model`: "" (starter), a GGUF file, a folder or a Hub id. Off is top_k 0, top_p 1, min_p 0, penalty 1.

    `protect` is what a new chat begins with; `review` says when the sheet with the stand-ins is shown before a question is sent.
    `shape` is how alike replies look to someone on the network. `noise` says what of a new chat leaves as noisy codes: nothing
    (exact split), only protected and marked words, or every word. `mu` is the noise of a word, `strict_mu` that of protected and
    marked ones (0: the same); the smaller, the noisier. `epsilon` at `delta` is the budget: of each protected value by itself
    where only such words are noisy, else of the whole chat. `noisy_answers`: answers go back as codes, charged, too.
    `side_width` is that of the list of chats, in pixels.
    """

    version: Annotated[int, Meta(ge=1)] = VERSION
    head: Layers = 4
    tail: Layers = 2
    only_here: bool = False
    model: str = ""
    temperature: Annotated[float, Meta(ge=0.0, le=5.0)] = 0.7
    top_k: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    top_p: Share = 1.0
    min_p: Share = 0.0
    repetition_penalty: Annotated[float, Meta(gt=0.0, le=10.0)] = 1.0
    seed: Annotated[int, Meta(ge=0, le=2**63 - 1)] | None = None
    max_tokens: Annotated[int, Meta(ge=1, le=1_000_000)] = 1024
    drafting: bool = True
    protect: bool = True
    review: Literal["first", "always", "never"] = "first"
    shape: Literal["off", "padded", "steady"] = "off"
    noise: Literal["off", "words", "all"] = "off"
    mu: Mu = 20.0
    strict_mu: Annotated[float, Meta(ge=0.0, le=MOST_MU)] = 0.75
    epsilon: Annotated[float, Meta(gt=0.0, le=MOST_EPSILON)] = 20.0
    delta: Annotated[float, Meta(gt=0.0, lt=1.0)] = 1e-6
    noisy_answers: bool = False
    side_list: bool = True
    side_width: Annotated[int, Meta(ge=0, le=10_000)] = 250


class SettingsStore:
    """The settings and their file. `warning` is "" or a sentence for the person: why the file was not used."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unknown: dict[str, Any] = {}
        self.warning = ""
        self.settings = self._load()

    def save(self, settings: Settings) -> None:
        """Use `settings` from now on and write them. Raises SettingsError when they cannot be written."""
        self.settings = settings
        content = {**self._unknown, **msgspec.to_builtins(settings)}
        try:
            write_atomically(self._path, msgspec.json.format(msgspec.json.encode(content), indent=2))
        except OSError as error:
            raise SettingsError(
                f"The settings could not be written to {self._path} ({error.strerror or error}). They hold until Sotto is "
                "closed; free some space or check the folder's permissions, then save them again."
            ) from error

    def _load(self) -> Settings:
        try:
            content = msgspec.json.decode(self._path.read_bytes(), type=dict[str, Any])
            settings = msgspec.convert(content, Settings)
        except FileNotFoundError:
            return Settings()
        except OSError as error:
            self.warning = (
                f"The settings file {self._path} could not be read ({error.strerror or error}), so the defaults are used. "
                "Check the file's permissions."
            )
            return Settings()
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            self._set_aside(error)
            return Settings()
        known = set(Settings.__struct_fields__)
        self._unknown = {name: value for name, value in content.items() if name not in known}
        return settings

    def _set_aside(self, error: Exception) -> None:
        aside = self._free_name()
        reason = str(error).rstrip(".")
        try:
            self._path.replace(aside)
        except OSError:
            self.warning = f"The settings file {self._path} is broken ({reason}), so the defaults are used. Repair or delete it."
            return
        self.warning = (
            f"The settings file was broken ({reason}), so the defaults are used. The old file is kept as {aside}; "
            "open it to copy your values back into the settings."
        )

    def _free_name(self) -> Path:
        number = 1
        while (aside := self._path.with_name(f"{self._path.stem}.broken-{number}{self._path.suffix}")).exists():
            number += 1
        return aside
