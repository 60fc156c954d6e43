"""Everything that may cross the line between a desktop and an agent, and nothing else.

This file is the contract that a privacy review reads first. No field can carry a token id or text: fields are bounded integers,
enums and a fixed-size digest, and the only bulk is the payload of `Step` and `Answer`: hidden states or noisy codes, one row of
numbers per position. A message is a header (these structs, as msgpack arrays) followed by that payload; see `codec`.

Words: a *row* is one position's hidden state with an integer id; a *step* is one request, rows that continue earlier rows as a
tree given by parent ids; a *session* is one branch of a conversation with its KV cache; *codes* stand in for a row: the noisy
integers of DP split.
"""

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from remote_agent.wire.errors import ErrorCode

PROTOCOL_VERSION = 4

MAX_ROWS_PER_STEP = 1024
MAX_HIDDEN_SIZE = 32_768
MAX_LAYERS = 1_024
MAX_CONTEXT = 2_097_152
MAX_HOLD = 10_000_000
MAX_DIMENSIONS = 4_096

Small = Annotated[int, Meta(ge=0, le=65_535)]
Flag = Annotated[int, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
RowId = Annotated[int, Meta(ge=-1, le=2**53)]
Layer = Annotated[int, Meta(ge=0, le=MAX_LAYERS)]
Digest = Annotated[bytes, Meta(min_length=32, max_length=32)]
Parents = Annotated[list[RowId], Meta(max_length=MAX_ROWS_PER_STEP)]
Levels = Annotated[list[Small], Meta(max_length=MAX_ROWS_PER_STEP)]

NO_ARTEFACT = bytes(32)
"""The digest that stands for none."""

NO_RESUME = bytes(32)
"""The resume token of a desktop that will not come back."""


class RowFormat(IntEnum):
    """How a row's numbers travel; little-endian, one row after the other."""

    FLOAT32 = 0
    FLOAT16 = 1
    BFLOAT16 = 2


class Bits(IntEnum):
    """How many bits a coordinate of a code has."""

    ONE = 1
    TWO = 2
    FOUR = 4


class Decoder(IntEnum):
    """How an agent makes rows from codes: by a linear map, or over the vocabulary: the likeliest token, the mean, or between."""

    LINEAR = 0
    MAP = 1
    MEAN = 2
    MAP_WITH_MODEL = 3
    SHARP_MEAN = 4


class Device(IntEnum):
    """What an agent computes on."""

    CPU = 0
    CUDA = 1
    MPS = 2


class Hello(Struct, array_like=True, tag=0, frozen=True):
    """Desktop to agent, once per connection: protocol version and digest of the manifest of the model it holds.

    `resume` are 256 random bits that the desktop chose: with the same ones it finds its sessions as a lost connection left them.
    """

    version: Small
    manifest: Digest
    resume: Digest = NO_RESUME


class Welcome(Struct, array_like=True, tag=1, frozen=True):
    """Agent to desktop, the answer to `Hello`: its own manifest, and the layers [first_layer, last_layer) that it can run.

    `resumed`: the sessions of the connection before are there; steps that were not answered are to be sent again.
    """

    version: Small
    manifest: Digest
    first_layer: Layer
    last_layer: Layer
    hidden_size: Annotated[int, Meta(ge=1, le=MAX_HIDDEN_SIZE)]
    device: Device
    computes_in: RowFormat
    max_rows_per_step: Annotated[int, Meta(ge=1, le=MAX_ROWS_PER_STEP)]
    max_context: Annotated[int, Meta(ge=1, le=MAX_CONTEXT)]
    max_sessions: Annotated[int, Meta(ge=1, le=65_535)]
    resumed: Flag = 0


class Codes(Struct, array_like=True, frozen=True):
    """How the codes of a session were made and how they are to be read; digests are the SHA-256 of files that both sides hold.

    `table` is the projection with its clip, `dimensions` those of its codes. `adapter` is what else was trained for this table (a
    matrix for `Decoder.LINEAR`), 32 zero bytes for nothing.
    """

    table: Digest
    bits: Bits
    dimensions: Annotated[int, Meta(ge=1, le=MAX_DIMENSIONS)]
    decoder: Decoder
    adapter: Digest


class Open(Struct, array_like=True, tag=2, frozen=True):
    """Desktop to agent: a new session that runs layers [first_layer, last_layer), its rows in this format both ways.

    In a session with `codes`, which begins at layer 0, rows to the agent may also travel as codes.
    """

    session: Count
    first_layer: Layer
    last_layer: Layer
    rows: RowFormat
    codes: Codes | None = None


class Fork(Struct, array_like=True, tag=3, frozen=True):
    """Desktop to agent: a new session `session` that shares the rows of `source` up to and including `row`, and its codes."""

    session: Count
    source: Count
    row: RowId


class Close(Struct, array_like=True, tag=4, frozen=True):
    """Desktop to agent: this session and its cache are not wanted any more."""

    session: Count


class Ready(Struct, array_like=True, tag=5, frozen=True):
    """Agent to desktop, the answer to `Open` and `Fork`."""

    session: Count


class Step(Struct, array_like=True, tag=6, frozen=True):
    """Desktop to agent: run these rows; the payload holds one hidden state, or codes, for each entry of `parents`.

    Row i has id `first_row + i` and continues row `parents[i]` (-1: the very first row). `commit` is the deepest row known to be
    right: before the step runs, its ancestors are kept, and of its descendants those of this step's epoch; the rest is dropped.
    `received` is the last sequence of this epoch up to which every answer has come (-1: none). No rows and a new epoch: stop.
    The answer leaves no earlier than `hold` microseconds after the step came, so that its time does not tell how long it took.
    `levels` is empty, or has one entry a row: 0 for a hidden state, else the row travels as codes, and this is their noise level,
    mu in sixteenths. Codes have `bits` a coordinate, the first in the lowest bits, each row whole bytes, what is left over zero.
    Up to its last row of codes a step is a chain.
    """

    session: Count
    epoch: Count
    sequence: Count
    commit: RowId
    first_row: Annotated[int, Meta(ge=0, le=2**53)]
    parents: Parents
    received: Annotated[int, Meta(ge=-1, le=2**31 - 1)]
    hold: Annotated[int, Meta(ge=0, le=MAX_HOLD)] = 0
    levels: Levels = []


class Answer(Struct, array_like=True, tag=7, frozen=True):
    """Agent to desktop: the step ran; the payload holds its rows after the last middle layer, in the step's order."""

    session: Count
    epoch: Count
    sequence: Count
    compute_microseconds: Count


class Refused(Struct, array_like=True, tag=8, frozen=True):
    """Agent to desktop: why a session or a step of it was not run; epoch and sequence are 0 where no step is meant."""

    code: ErrorCode
    session: Count
    epoch: Count
    sequence: Count


class Ping(Struct, array_like=True, tag=9, frozen=True):
    """Either way: are you there; `count` comes back in `Pong`."""

    count: Count


class Pong(Struct, array_like=True, tag=10, frozen=True):
    """The answer to `Ping`."""

    count: Count


ToAgent = Hello | Open | Fork | Close | Step | Ping | Pong
ToDesktop = Welcome | Ready | Answer | Refused | Ping | Pong
Message = Hello | Welcome | Open | Fork | Close | Ready | Step | Answer | Refused | Ping | Pong
