"""What the archive gives back crosses a pipe and comes out equal, also from an older or a newer Sotto."""

from typing import Any

import msgspec
import pytest

from desktop_app.chat.events import DocumentText, Mark, Statistics
from desktop_app.chat.stored import ConversationEntry, Found, Recovered, SentRecord, StoredConversation, StoredMessage

ENTRY = ConversationEntry(identity="c", title="박지영", created=1.0, changed=2.0)
MESSAGE = StoredMessage(
    identity="m",
    parent="",
    role="user",
    text="Jane",
    marks=[Mark(start=0, end=4, kind="person", stand_in="Ruth")],
    documents=[DocumentText(name="a", text="b")],
    document_marks=[[]],
    statistics=Statistics(rows=3),
)
VALUES = [
    ENTRY,
    MESSAGE,
    StoredConversation(entry=ENTRY, messages=[MESSAGE]),
    Found(value="Jane", kind="person", source="name", stand_in="Ruth", count=1, places=[""]),
    Recovered(attack="exact_search", of="prompt", weights="public", share=1.0),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_a_value_comes_back_equal(value: Any) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(value), type=type(value)) == value


def test_a_record_of_an_older_sotto_gets_what_it_lacks_and_one_of_a_newer_is_read_without_what_it_adds() -> None:
    old = {"message": "m", "time": 1.0, "mode": "exact", "peer": "p", "model": "m", "bytes_up": 1, "bytes_down": 1, "rows": 1}
    old |= {"head_layers": 4, "tail_layers": 2, "protect": True, "unheard_of": [1]}
    record = msgspec.convert(old, SentRecord)
    assert record.replaced == {}
