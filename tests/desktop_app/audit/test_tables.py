"""A table keeps what was measured before at other settings, and nothing about another model."""

from pathlib import Path

import msgspec
from msgspec.structs import replace

from desktop_app.audit.tables import Measured, folder, keep, stem
from desktop_app.chat.events import Split
from desktop_app.engine.recovery_table import Row, Table, recovered
from tests.helpers.prepared_models import prepared

MODEL = "org/some-model"


def row(head: int, share: float) -> Row:
    return Row(
        attack="exact_search", of="prompt", weights="public", head=head, tail=2, mode="exact", protect=False,
        share=share, low=0.0, high=1.0, prior_only=0.0, documents=3,
    )  # fmt: skip


def measured(where: Path, content: bytes = b"{}") -> Measured:
    """What was measured on the model as it is prepared now, from this manifest."""
    models = where / "models"
    digest = prepared(models, models / "hub" / "org--some-model", content)
    return Measured(MODEL, digest, "sotto audit", 7, {"seconds": 1.0})


def shares(where: Path, head: int) -> list[float]:
    found = recovered(MODEL, Split(head=head, tail=2), False, [where], where / "models")
    return [it.share for it in found if it.measured]


def test_a_second_audit_adds_and_replaces(tmp_path: Path) -> None:
    keep(tmp_path, measured(tmp_path), [row(1, 0.5), row(4, 0.6)])
    path = keep(tmp_path, measured(tmp_path), [row(4, 0.9)])
    assert path.parent == tmp_path
    assert (shares(tmp_path, 1), shares(tmp_path, 4)) == ([0.5], [0.9])


def test_what_was_measured_on_other_weights_goes(tmp_path: Path) -> None:
    keep(tmp_path, measured(tmp_path), [row(1, 0.5)])
    keep(tmp_path, measured(tmp_path, b"[]"), [row(4, 0.9)])
    assert (shares(tmp_path, 1), shares(tmp_path, 4)) == ([], [0.9])


def test_noise_is_audited_apart_and_anew(tmp_path: Path) -> None:
    def noisy(mu: int) -> Row:
        return replace(row(0, 0.3), attack="map_with_model", mode="dp", detail=f"mu {mu}")

    def kept(command: str, figures: dict[str, float], *rows: Row) -> Table:
        path = keep(tmp_path, replace(measured(tmp_path), command=command, figures=figures), rows)
        return msgspec.json.decode(path.read_bytes(), type=Table)

    kept("sotto audit --full", {"recovered.exact_search.exact_public.head1.prompt": 0.5}, row(1, 0.5))
    old = {"gain.ours.at_prior_plus_0.6": 0.9, "agreement.dp_mu20": 0.5}
    kept("sotto audit --mode dp --quick", old, noisy(20), noisy(40))
    table = kept("sotto audit --mode dp --full", {"agreement.dp_mu40": 0.6}, noisy(40), noisy(60))
    # Levels that another projection was measured at are gone, and what it was worth; the exact split's rows are not.
    assert [(it.mode, it.detail) for it in table.rows] == [("exact", ""), ("dp", "mu 40"), ("dp", "mu 60")]
    assert table.figures == {"recovered.exact_search.exact_public.head1.prompt": 0.5, "agreement.dp_mu40": 0.6}
    assert table.command == "sotto audit --full; sotto audit --mode dp --full"
    assert kept("sotto audit --quick", {}, row(1, 0.5)).command == "sotto audit --mode dp --full; sotto audit --quick"


def test_a_broken_table_is_written_anew(tmp_path: Path) -> None:
    path = keep(tmp_path, measured(tmp_path), [row(1, 0.5)])
    path.write_bytes(b"{")
    keep(tmp_path, measured(tmp_path), [row(4, 0.9)])
    assert (shares(tmp_path, 1), shares(tmp_path, 4)) == ([], [0.9])


def test_names_of_files_are_names_of_files() -> None:
    assert stem("org/some model") == "org-some-model"
    assert folder(Path("data")) == Path("data") / "audit"
