"""The layers an agent offers: all or some, never outside the model, and parts that share their weights."""

from pathlib import Path

import pytest
import torch

from remote_agent.segment.artefacts import UnknownArtefact
from remote_agent.segment.batch import advance
from remote_agent.segment.payload import to_payload
from remote_agent.service.errors import ServiceError
from remote_agent.service.middle import Middle, offered
from remote_agent.service.sessions import Session
from remote_agent.wire.messages import NO_ARTEFACT, Bits, Codes, Decoder, Device, RowFormat, Step
from remote_agent.wire.session import StepQueue
from tests.helpers.tiny_agent import HIDDEN, LAYERS, tiny_config
from tests.helpers.tiny_codes import DIMENSIONS, save_artefact, save_projection, tiny_projection


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


def test_a_session_with_an_adapter_runs_changed_layers_and_the_others_run_theirs(tmp_path: Path) -> None:
    middle = Middle(tiny_config(tmp_path, first_layer=0, max_context=64, device="cpu"))
    folder, model = tmp_path / "codes", middle.manifest_digest
    table = save_projection(folder / "p.safetensors", tiny_projection(HIDDEN), model)
    name = "model.layers.1.mlp.down_proj"
    into = middle._weights.tensor(f"{name}.weight").shape[1]
    tensors = {f"{name}.a": torch.ones(1, into), f"{name}.b": torch.ones(HIDDEN, 1)}
    adapter = save_artefact(folder / "a.safetensors", "adapter", tensors, model, table=table.hex(), level="320")
    foreign = save_artefact(folder / "f.safetensors", "adapter", tensors, bytes(32), table=table.hex(), level="320")

    def opened(key: int, digest: bytes) -> Session:
        codes = Codes(table, Bits.FOUR, DIMENSIONS, Decoder.MAP, digest)
        session = Session(key, 0, LAYERS, RowFormat.FLOAT32, StepQueue(row_bytes=4 * HIDDEN), lambda: None, codes)
        middle.open(session)
        return session

    def answer(session: Session, level: int = 0) -> torch.Tensor:
        rows = to_payload(torch.ones(2, HIDDEN), RowFormat.FLOAT32)
        step = Step(1, 0, 0, -1, 0, [-1, 0], -1, 0, [level, 0] if level else [])
        under_way = middle.begin(session, step, rows, lambda: False)
        with torch.inference_mode():
            advance([(under_way, 2)])
            return under_way.answer()

    plain, changed, again = opened(1, NO_ARTEFACT), opened(2, adapter), opened(3, NO_ARTEFACT)
    assert not torch.allclose(answer(changed), answer(plain))
    assert torch.equal(answer(again), answer(opened(4, NO_ARTEFACT)))
    with pytest.raises(UnknownArtefact, match="another noise level"):
        answer(opened(5, adapter), level=100)
    with pytest.raises(UnknownArtefact, match="another model"):
        opened(6, foreign)
    with pytest.raises(UnknownArtefact, match="No file here"):
        opened(7, b"\7" * 32)
    middle.close(changed)
