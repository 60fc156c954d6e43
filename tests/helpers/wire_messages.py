"""Hypothesis strategies for messages of the wire, and mutations of bytes for fuzzing."""

import random
from enum import IntEnum
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec
from hypothesis import strategies as st

from remote_agent.wire.messages import Message, Step


def values_of(annotation: Any, longest: int) -> st.SearchStrategy[Any]:
    """Values that a field with this annotation may have."""
    if isinstance(annotation, type) and issubclass(annotation, IntEnum):
        return st.sampled_from(annotation)
    if isinstance(annotation, UnionType):
        return st.one_of(st.none() if kind is NoneType else _of_kind(kind, longest) for kind in get_args(annotation))
    assert get_origin(annotation) is Annotated
    base, meta = get_args(annotation)
    if base is int:
        return st.integers(meta.ge, meta.le)
    if base is bytes:
        return st.binary(min_size=meta.min_length, max_size=meta.max_length)
    return st.lists(values_of(get_args(base)[0], longest), max_size=min(meta.max_length, longest))


def messages(longest: int = 20) -> st.SearchStrategy[Message]:
    """Any message, lists of at most `longest` entries."""
    kinds: tuple[type[msgspec.Struct], ...] = get_args(Message)
    return st.one_of(*(_of_kind(kind, longest) for kind in kinds))


def _of_kind(kind: type[msgspec.Struct], longest: int) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{name: values_of(annotation, longest) for name, annotation in hints.items()})


def step(sequence: int = 0, epoch: int = 0, rows: int = 1, received: int = -1, session: int = 1) -> Step:
    """A chain of `rows` rows from row 0."""
    return Step(session, epoch, sequence, -1, 0, list(range(-1, rows - 1)), received)


def mutate(data: bytes, chance: random.Random) -> bytes:
    """The bytes with some of them changed, cut out, repeated, replaced or put in."""
    mutant = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(mutant) + 1)
        match chance.randrange(6):
            case 0 if at < len(mutant):
                mutant[at] ^= 1 << chance.randrange(8)
            case 1:
                del mutant[at : at + chance.randint(1, 8)]
            case 2:
                mutant[at:at] = chance.randbytes(chance.randint(1, 8))
            case 3:
                mutant[at:at] = mutant[at : at + chance.randint(1, 16)]
            case 4:
                # Lengths and types of msgpack that promise much: array 32, map 32, bin 32, str 32, ext 32, integers.
                mutant[at : at + 1] = bytes(
                    [chance.choice(b"\xdd\xdf\xc6\xdb\xc9\xcf\xd3\xcb\xc0\xc1")]
                ) + b"\xff" * chance.randint(0, 8)
            case _:
                del mutant[at:]
    return bytes(mutant)
