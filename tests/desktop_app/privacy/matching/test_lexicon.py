"""What goes in one way is found the other way round."""

from desktop_app.privacy.matching.entries import Entry, Pair, Role
from desktop_app.privacy.matching.lexicon import Dates, Lexicon
from desktop_app.privacy.matching.scanning import Scan
from desktop_app.privacy.spans import Kind

ENTRY = Entry("Jane", Kind.PERSON, "Ruth", (Pair("Jane", "Ruth", Role.GIVEN),))


def _texts(lexicon: Lexicon, text: str) -> list[tuple[str, str]]:
    scan = Scan(lexicon, text)
    scan.run()
    return [(text[hit.start : hit.end], hit.text) for hit in scan.hits]


def test_forward_finds_the_value_and_backward_the_stand_in() -> None:
    forward, backward = Lexicon(backward=False), Lexicon(backward=True)
    forward.add(ENTRY)
    backward.add(ENTRY)
    assert _texts(forward, "Here is Jane.") == [("Jane", "Ruth")]
    assert _texts(backward, "Here is Ruth.") == [("Ruth", "Jane")]


def _person(real: str, stand_in: str, role: Role) -> Lexicon:
    backward = Lexicon(backward=True)
    backward.add(Entry(real, Kind.PERSON, stand_in, (Pair(real, stand_in, role),)))
    return backward


def test_two_letters_may_be_a_family_name_and_a_given_name_of_one() -> None:
    for stand_in in ("다솔", "곽도윤"):
        scan = Scan(_person("임별", stand_in, Role.GIVEN), f"{stand_in[0]} 과장이 왔다.")
        scan.run()
        assert [(hit.text, hit.doubtful) for hit in scan.hits] == [("임", True)]
    assert _texts(_person("쿤별", "다솔", Role.GIVEN), "다 과장이 왔다.") == []  # nobody's family name is 쿤


def test_a_name_written_as_koreans_do_is_found_before_a_particle() -> None:
    for role in (Role.GIVEN, Role.FAMILY):
        scan = Scan(_person("Park", "Harding", role), "하딩에게 보냈다.")
        scan.run()
        assert [(hit.text, hit.doubtful) for hit in scan.hits] == [("Park", True)]


def test_dates_lead_to_the_moved_date() -> None:
    dates = Dates()
    dates.add("2024-05-03", "2024-05-10", 7)
    assert dates.target_of("2024-05-03") is not None
    assert dates.target_of("1999-01-01") is None
