"""What is written is what an agent reads."""

import hashlib
from pathlib import Path

import torch

from desktop_app.training.artefact_files import Made, write
from remote_agent.segment.artefacts import decoder_of, projection_of, read


def test_a_file_is_read_as_it_was_made(tmp_path: Path) -> None:
    path, model = tmp_path / "codes" / "p.safetensors", bytes(range(32))
    digest = write(
        path, Made("projection", model, "sotto train projection"), {"projection": torch.eye(3, 5), "clip": torch.ones(1)}
    )
    assert hashlib.sha256(path.read_bytes()).digest() == digest
    artefact = read(path.read_bytes())
    assert (artefact.digest, artefact.level, artefact.table) == (digest, None, None)
    assert torch.equal(projection_of(artefact, model, 5, 9).matrix, torch.eye(3, 5))
    made = Made("decoder", model, "sotto train decoder", "del", digest, 640)
    write(path, made, {"decoder": torch.ones(5, 3)})
    artefact = read(path.read_bytes())
    assert artefact.level == 640
    assert torch.equal(decoder_of(artefact, model, digest, (5, 3)), torch.ones(5, 3))
