"""The contract that a privacy review reads: no field may carry ids or text."""

from enum import IntEnum
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
import pytest

from remote_agent.wire.messages import Message, ToAgent, ToDesktop

MESSAGES = get_args(Message)


def assert_bounded(annotation: Any) -> None:
    if isinstance(annotation, type) and issubclass(annotation, IntEnum):
        return
    if isinstance(annotation, UnionType):
        for kind in get_args(annotation):
            if kind is not NoneType:
                assert_struct_bounded(kind)
        return
    assert get_origin(annotation) is Annotated, f"{annotation} has no bounds"
    base, meta = get_args(annotation)
    if base is int:
        assert meta.ge is not None
        assert meta.le is not None
    elif base is bytes:
        assert meta.min_length == meta.max_length == 32
    else:
        assert get_origin(base) is list
        assert meta.max_length is not None
        assert_bounded(get_args(base)[0])


def assert_struct_bounded(struct: type[msgspec.Struct]) -> None:
    for annotation in get_type_hints(struct, include_extras=True).values():
        assert_bounded(annotation)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.__name__)
def test_every_field_is_a_bounded_integer_an_enum_or_a_digest(message: type[msgspec.Struct]) -> None:
    assert_struct_bounded(message)


def test_every_message_has_a_tag_of_its_own() -> None:
    assert len({message.__struct_config__.tag for message in MESSAGES}) == len(MESSAGES)


def test_every_message_belongs_to_a_direction() -> None:
    assert set(get_args(ToAgent)) | set(get_args(ToDesktop)) == set(MESSAGES)
