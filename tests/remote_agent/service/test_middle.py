"""The layers an agent offers: all or some, never outside the model, and parts that share their weights."""

from pathlib import Path

import pytest

from remote_agent.service.errors import ServiceError
from remote_agent.service.middle import Middle, offered
from remote_agent.wire.messages import Device, RowFormat
from tests.helpers.tiny_agent import HIDDEN, LAYERS, tiny_config


@pytest.mark.parametrize(("first", "last", "expected"), [(1, None, (1, LAYERS)), (0, -1, (0, LAYERS - 1)), (2, 4, (2, 4))])
def test_layers_are_counted_from_either_end(tmp_path: Path, first: int, last: int | None, expected: tuple[int, int]) -> None:
    assert offered(tiny_config(tmp_path, first_layer=first, last_layer=last), LAYERS) == expected


@pytest.mark.parametrize(("first", "last"), [(0, LAYERS + 1), (3, 3), (4, 2), (LAYERS, None)])
def test_layers_that_the_model_does_not_have_cannot_be_offered(tmp_path: Path, first: int, last: int | None) -> None:
    with pytest.raises(ServiceError, match="Choose others"):
        offered(tiny_config(tmp_path, first_layer=first, last_layer=last), LAYERS)


def test_the_welcome_tells_what_is_there(tmp_path: Path) -> None:
    welcome = Middle(tiny_config(tmp_path, device="cpu", dtype="bfloat16", max_context=99)).welcome()
    assert (welcome.hidden_size, welcome.device, welcome.computes_in) == (HIDDEN, Device.CPU, RowFormat.BFLOAT16)
    assert welcome.max_context == 99


def test_only_the_layers_that_are_offered_are_needed(tmp_path: Path) -> None:
    middle = Middle(tiny_config(tmp_path, first_layer=2, last_layer=4))
    assert (middle.first_layer, middle.last_layer) == (2, 4)
