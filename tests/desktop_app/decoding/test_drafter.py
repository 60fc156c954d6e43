from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.lookup import Lookup
from tests.helpers.drafters import SilentDrafter


def test_the_drafters_there_are_keep_to_the_protocol() -> None:
    for drafter in (Lookup(), SilentDrafter()):
        every: Drafter = drafter  # checked by mypy; the rest of the proof is that the calls go through
        every.begin([1, 2])
        every.observe([3])
        assert len(every.propose([1, 2, 3], 4)) == 0
