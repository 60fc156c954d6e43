"""An entry is kept as bytes and is the same when it is read again."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from desktop_app.privacy.matching.entries import Entry


@given(st.builds(Entry, days=st.integers(-100_000, 100_000)))
def test_an_entry_comes_back_equal(entry: Entry) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=Entry) == entry
