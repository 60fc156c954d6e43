"""Values that grow new fields, kept as msgpack maps and read leniently.

A field that is not there has its default, one that is not known is passed over, and a value that makes no sense is as good as
none: a conversation must stay readable whatever a later or an earlier version has left in it.
"""

from typing import Any, TypeVar

import msgspec

from desktop_app.archive.errors import HALF_A_CHARACTER, TextRefused

T = TypeVar("T")
D = TypeVar("D")


def packed(value: Any) -> bytes:
    """A value as bytes. Raises `TextRefused`."""
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError as error:
        raise TextRefused(HALF_A_CHARACTER) from error


def unpacked(blob: bytes, kind: type[T], default: D) -> T | D:
    """The value in these bytes, `default` where they hold none of its kind."""
    try:
        return msgspec.msgpack.decode(blob, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return default
