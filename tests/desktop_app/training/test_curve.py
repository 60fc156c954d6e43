"""A curve is a picture of the losses, whatever they are."""

import math
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from desktop_app.training.curve import HEIGHT, WIDTH, curve_svg


@given(
    st.lists(st.floats(-100, 100), max_size=40), st.text(st.characters(codec="utf-8", categories=("L", "P", "Zs")), max_size=20)
)
def test_every_step_is_in_the_picture(losses: list[float], title: str) -> None:
    picture = ElementTree.fromstring(curve_svg(title, losses))
    lines = picture.findall("{http://www.w3.org/2000/svg}polyline")
    for line in lines:
        points = [tuple(map(float, point.split(","))) for point in line.attrib["points"].split()]
        assert len(points) == len(losses)
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points)


def test_losses_that_fall_are_drawn_downwards_and_those_that_are_none_left_out() -> None:
    picture = ElementTree.fromstring(curve_svg("x", [3.0, math.nan, math.inf, 2.0, 1.0]))
    points = picture.findall("{http://www.w3.org/2000/svg}polyline")[0].attrib["points"].split()
    downs = [float(point.split(",")[1]) for point in points]
    assert downs == sorted(downs)
    assert len(downs) == 3
