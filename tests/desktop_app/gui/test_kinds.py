"""Every kind of span has a name."""

from desktop_app.gui.kinds import kind_name, kind_names, kind_rank
from desktop_app.privacy.spans import Kind


def test_every_kind_that_is_found_has_a_name_and_a_place() -> None:
    assert set(kind_names()) == {kind.value for kind in Kind}
    assert kind_name("person") == "Person"
    assert kind_name("newer kind") == "newer kind"
    assert kind_rank("person") == 0 < kind_rank("other") < kind_rank("newer kind")
