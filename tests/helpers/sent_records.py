"""Records of what left for an answer."""

from msgspec.structs import replace

from desktop_app.chat.stored import SentRecord

_PLAIN = SentRecord(
    message="m", time=1.0, mode="exact", peer="here", model="m", bytes_up=1, bytes_down=2, rows=3, head_layers=4, tail_layers=2,
    protect=True,
)  # fmt: skip


def sent_record(message: str = "m", **changes: object) -> SentRecord:
    """A record of three rows that left for this answer, protected, to an agent here, unless told otherwise."""
    return replace(_PLAIN, message=message, **changes)
