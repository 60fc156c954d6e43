"""A model's chat template: Jinja that came with a model file, so run in a sandbox, on values that it cannot change.

The dialect is the one that Hugging Face's templates are written for: blocks trimmed, `break` and `continue`, `raise_exception`,
`strftime_now`, a `tojson` that leaves letters as they are, and `generation` blocks, which only mark text for training.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NoReturn

from jinja2 import TemplateError, nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from desktop_app.model.errors import UnsupportedTokenizer

Message = Mapping[str, str]
"""One turn: `role` ("system", "user", "assistant") and `content`."""

PROBE = "b7f3c1"


class TemplateRefused(UnsupportedTokenizer):
    """The template does not take this conversation."""


class ChatTemplate:
    """Renders conversations; `names` are the values of `bos_token`, `eos_token` and their like."""

    def __init__(self, source: str, names: Mapping[str, str]) -> None:
        """Raises `UnsupportedTokenizer` where the template cannot be compiled."""
        environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[_Generation, loopcontrols])
        environment.filters["tojson"] = _to_json
        environment.globals["raise_exception"] = _raise
        environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
        try:
            self._template = environment.from_string(source)
        except TemplateError as error:
            raise UnsupportedTokenizer("The model's chat template is damaged. Choose another file of this model.") from error
        self._names = dict(names)
        self._takes_system: bool | None = None

    def render(self, messages: Sequence[Message]) -> str:
        """The prompt for the next reply. Neighbours of one role are joined; a system turn goes where the template allows it.

        Raises `TemplateRefused`.
        """
        turns = joined(messages)
        if turns and turns[0]["role"] == "system" and not self.takes_system:
            turns = folded(turns)
        return self._rendered(turns)

    @property
    def takes_system(self) -> bool:
        """Whether a system turn reaches the prompt; some templates refuse it, some drop it."""
        if self._takes_system is None:
            try:
                probe = [{"role": "system", "content": PROBE}, {"role": "user", "content": "?"}]
                self._takes_system = PROBE in self._rendered(probe)
            except TemplateRefused:
                self._takes_system = False
        return self._takes_system

    def _rendered(self, messages: Sequence[Message]) -> str:
        try:
            text = self._template.render(
                messages=[dict(message) for message in messages],
                add_generation_prompt=True,
                tools=None,
                documents=None,
                **self._names,
            )
        except Exception as error:  # a template is a program; whatever it trips over is its own
            raise TemplateRefused(
                f"The model's chat template does not take this conversation ({error}). Start a new chat, or choose another model."
            ) from error
        return text


def joined(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Neighbouring turns of one role become one, a blank line between them."""
    turns: list[dict[str, str]] = []
    for message in messages:
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"] += "\n\n" + message["content"]
        else:
            turns.append({"role": message["role"], "content": message["content"]})
    return turns


def folded(turns: Sequence[Message]) -> list[dict[str, str]]:
    """The system turn at the beginning becomes part of the first user turn."""
    system, rest = turns[0]["content"], [dict(turn) for turn in turns[1:]]
    if rest and rest[0]["role"] == "user":
        rest[0]["content"] = f"{system}\n\n{rest[0]['content']}"
        return rest
    return [{"role": "user", "content": system}, *rest]


class _Generation(Extension):
    """`{% generation %}` … `{% endgeneration %}`: its content as it is."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 wants a plain set on the class

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _to_json(value: Any, indent: int | None = None, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent, **options)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)
