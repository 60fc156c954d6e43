"""Messages over the pipes that a child process inherits: four bytes of length, then msgpack. Nothing listens anywhere."""

import os
import sys
import threading
from typing import Any, BinaryIO, Generic, TypeVar

import msgspec

from desktop_app.engine.errors import EngineError, PipeClosed

# A document of 300 MB is refused before it is read, so no message of ours comes near this.
MAX_MESSAGE = 1 << 30

T = TypeVar("T")


class Pipe(Generic[T]):
    """Two files, one each way. `send` may be called from any thread; `receive` blocks and belongs to one thread."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO, incoming: Any) -> None:
        """`incoming` is the type (a union of tagged structs) that may come in."""
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(incoming).decode

    def pack(self, message: msgspec.Struct) -> bytes:
        """Return the bytes of a message. Raises `EngineError` for one that holds a number or a text that cannot be sent."""
        try:
            return self._encode(message)
        except (OverflowError, UnicodeEncodeError, TypeError, ValueError) as error:
            raise EngineError(
                "A number is too large, or a name or text has characters that are none. Correct it, or rename the file."
            ) from error

    def send(self, message: msgspec.Struct) -> None:
        """Write one message. Raises `PipeClosed` where the other end is gone, and what `pack` raises."""
        self.write(self.pack(message))

    def write(self, data: bytes) -> None:
        """Write a packed message. Raises `PipeClosed` where the other end is gone."""
        try:
            with self._lock:
                self._writer.write(len(data).to_bytes(4, "little") + data)
                self._writer.flush()
        except (OSError, ValueError) as error:
            raise PipeClosed("The process at the other end of the pipe has ended.") from error

    def receive(self) -> T:
        """Wait for one message. Raises `PipeClosed` at the end of the pipe, `EngineError` for bytes that are no message."""
        size = int.from_bytes(self._read(4), "little")
        if size > MAX_MESSAGE:
            raise EngineError("A message between Sotto's own processes is too large. Please restart Sotto.")
        try:
            return self._decode(self._read(size))  # type: ignore[no-any-return]
        except msgspec.MsgspecError as error:
            raise EngineError("A message between Sotto's own processes cannot be read. Please restart Sotto.") from error

    def _read(self, size: int) -> bytes:
        try:
            data = self._reader.read(size)
        except (OSError, ValueError) as error:
            raise PipeClosed("The pipe was closed.") from error
        if len(data) != size:
            raise PipeClosed("The process at the other end of the pipe has ended.")
        return data


def inherited_pipe(incoming: Any) -> Pipe[Any]:
    """Return the pipe to the parent over standard input and output, and send stray prints to standard error instead."""
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    sys.stdout = sys.stderr
    return Pipe(reader, writer, incoming)
