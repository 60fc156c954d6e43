"""Sessions whose rows come as codes: every decoder, every refusal, and what a session remembers."""

from pathlib import Path

import pytest
import torch

from remote_agent.segment.artefacts import UnknownArtefact
from remote_agent.segment.code_decoders import SHARP, LinearDecoder, MapDecoder, MeanDecoder
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.errors import RowUnknown
from remote_agent.segment.payload import BadRows, to_payload
from remote_agent.service.code_readers import CodeReaders, RowBook
from remote_agent.service.middle import Middle
from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import NO_ARTEFACT, Bits, Codes, Decoder, RowFormat, Step
from tests.helpers.tiny_agent import HIDDEN, tiny_config
from tests.helpers.tiny_codes import DIMENSIONS, drawn, packed, save_artefact, save_projection, tiny_projection

PROJECTION = tiny_projection(HIDDEN)
TEXT, LEVELS = [5, 9, 198, 7], [320, 0, 48, 320]


class World:
    """An agent's middle with a folder of codes."""

    def __init__(self, directory: Path, **changes: object) -> None:
        self.folder = directory / "codes"
        values: dict[str, object] = {"first_layer": 0, "max_context": 64, "device": "cpu"} | changes
        self.middle = Middle(tiny_config(directory, **values))
        self.digest = save_projection(self.folder / "p.safetensors", PROJECTION, self.middle.manifest_digest)
        self.readers = self.new_readers()
        self.table = CodeTable(PROJECTION, self.readers._embeddings, 4)

    def new_readers(self) -> CodeReaders:
        return CodeReaders(self.middle._config, self.middle._segment, self.middle.max_context)

    def codes(self, decoder: Decoder, **changes: object) -> Codes:
        values: dict[str, object] = {"table": self.digest, "bits": Bits.FOUR, "dimensions": DIMENSIONS, "adapter": NO_ARTEFACT}
        return Codes(decoder=decoder, **values | changes)  # type: ignore[arg-type]

    def payload(self, levels: list[int] = LEVELS) -> memoryview:
        """`TEXT` as it travels."""
        rows = []
        for place, (token, level) in enumerate(zip(TEXT, levels, strict=True)):
            exact = self.table.rows_of(torch.tensor([token]))
            coded = packed(drawn(self.table, [token], level, place), 4) if level else b""
            rows.append(coded or bytes(to_payload(exact, RowFormat.FLOAT32)))
        return memoryview(b"".join(rows))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return World(tmp_path_factory.mktemp("agent"))


def step(levels: list[int], first: int = 0, parents: list[int] | None = None, epoch: int = 0, commit: int | None = None) -> Step:
    chain = list(range(first - 1, first + len(levels) - 1))
    return Step(1, epoch, 0, first - 1 if commit is None else commit, first, parents or chain, -1, 0, levels)


@pytest.mark.parametrize("kind", [LinearDecoder, MapDecoder, MeanDecoder])
def test_codes_become_rows_and_exact_rows_stay(world: World, kind: type[LinearDecoder | MapDecoder | MeanDecoder]) -> None:
    decoder = {LinearDecoder: Decoder.LINEAR, MapDecoder: Decoder.MAP, MeanDecoder: Decoder.MEAN}[kind]
    world.readers.open(1, world.codes(decoder))
    rows = world.readers.decoded(1, step(LEVELS), world.payload(), RowFormat.FLOAT32, lambda: False)
    for place, (token, level) in enumerate(zip(TEXT, LEVELS, strict=True)):
        if level:
            expected = kind(world.table)(drawn(world.table, [token], level, place), torch.tensor([level])).rows
        else:
            expected = world.table.rows_of(torch.tensor([token]))
        assert torch.allclose(rows[place], expected[0], atol=1e-5)
    world.readers.close(1)


def test_what_lies_between_mean_and_likeliest_is_read_by_its_own_name(world: World) -> None:
    world.readers.open(1, world.codes(Decoder.SHARP_MEAN))
    rows = world.readers.decoded(1, step(LEVELS), world.payload(), RowFormat.FLOAT32, lambda: False)
    place = next(place for place, level in enumerate(LEVELS) if level)
    counts, levels = drawn(world.table, [TEXT[place]], LEVELS[place], place), torch.tensor([LEVELS[place]])
    assert torch.allclose(rows[place], MeanDecoder(world.table, SHARP)(counts, levels).rows[0], atol=1e-5)
    world.readers.close(1)


def test_the_model_reads_the_whole_conversation_also_what_came_in_other_steps(world: World) -> None:
    """A step of codes behind others gives what the same rows give behind one."""
    readers, codes = world.readers, world.codes(Decoder.MAP_WITH_MODEL)
    before = world.table.rows_of(torch.tensor([3, 4, 8]))
    for key, parts in ((1, [3]), (2, [1, 2])):
        readers.open(key, codes)
        row = 0
        for count in parts:
            readers.noted(key, step([0] * count, row), before[row : row + count])
            row += count
    levels = [48, 0, 48, 48]
    first, second = (
        readers.decoded(key, step(levels, 3), world.payload(levels), RowFormat.FLOAT32, lambda: False) for key in (1, 2)
    )
    assert torch.equal(first, second)
    assert (world.table.tokens_of(first) >= 0).all()
    readers.fork(3, 1, 2)
    assert torch.equal(readers.decoded(3, step(levels, 3), world.payload(levels), RowFormat.FLOAT32, lambda: False), first)
    assert readers.bytes_held > 0
    for key in (1, 2, 3):
        readers.close(key)
    assert readers.bytes_held == 0
    assert not readers._searches


def test_behind_codes_a_tree_stays_as_it_is(world: World) -> None:
    readers, levels = world.readers, [48, 0, 0, 0]
    readers.open(1, world.codes(Decoder.MAP_WITH_MODEL))
    tree = step(levels, parents=[-1, 0, 0, 1])
    rows = readers.decoded(1, tree, world.payload(levels), RowFormat.FLOAT32, lambda: False)
    assert torch.equal(rows[1:], world.table.rows_of(torch.tensor(TEXT[1:])))
    readers.noted(1, tree, rows)
    with pytest.raises(RowUnknown):
        readers.decoded(1, step([48], 9, parents=[8]), world.payload([48, 0, 0, 0])[:6], RowFormat.FLOAT32, lambda: False)
    readers.close(1)


def test_sessions_that_are_not_there_and_bad_bits_are_refused(world: World) -> None:
    with pytest.raises(RowUnknown):
        world.readers.decoded(77, step(LEVELS), world.payload(), RowFormat.FLOAT32, lambda: False)
    projection = tiny_projection(HIDDEN, 3)
    digest = save_projection(world.folder / "odd.safetensors", projection, world.middle.manifest_digest)
    world.readers.open(1, world.codes(Decoder.MAP, table=digest, dimensions=3, bits=Bits.ONE))
    with pytest.raises(BadRows):
        world.readers.decoded(1, step([320]), memoryview(b"\x08"), RowFormat.FLOAT32, lambda: False)
    world.readers.close(1)


def test_a_linear_decoder_as_trained_is_found_by_its_digest(world: World) -> None:
    matrix = torch.randn(HIDDEN, DIMENSIONS)
    belongs = {"table": world.digest.hex(), "level": "320"}
    digest = save_artefact(
        world.folder / "d.safetensors", "decoder", {"decoder": matrix}, world.middle.manifest_digest, **belongs
    )
    world.readers.open(1, world.codes(Decoder.LINEAR, adapter=digest))
    levels = [320, 0, 0, 0]
    rows = world.readers.decoded(1, step(levels), world.payload(levels), RowFormat.FLOAT32, lambda: False)
    counts = drawn(world.table, TEXT[:1], 320, 0)
    assert torch.allclose(rows[:1], LinearDecoder(world.table, matrix)(counts, torch.tensor([320])).rows, atol=1e-5)
    with pytest.raises(UnknownArtefact, match="noise level"):
        world.readers.decoded(1, step([100, 0, 0, 0]), world.payload(levels), RowFormat.FLOAT32, lambda: False)
    world.readers.close(1)
    with pytest.raises(UnknownArtefact, match="adapter is needed"):
        world.readers.adapter(world.codes(Decoder.MAP, adapter=digest))
    assert world.readers.adapter(world.codes(Decoder.LINEAR, adapter=digest)) is None


@pytest.mark.parametrize("changes", [{"table": b"\7" * 32}, {"dimensions": DIMENSIONS + 1}, {"adapter": b"\7" * 32}])
def test_what_is_not_here_or_does_not_fit_is_refused(world: World, changes: dict[str, object]) -> None:
    with pytest.raises(UnknownArtefact):
        world.readers.open(1, world.codes(Decoder.LINEAR, **changes))


def test_foreign_files_are_refused(world: World) -> None:
    other = save_projection(world.folder / "o.safetensors", PROJECTION, b"\1" * 32)
    with pytest.raises(UnknownArtefact, match="another model"):
        world.readers.open(1, world.codes(Decoder.MAP, table=other))
    matrix = {"decoder": torch.ones(HIDDEN, DIMENSIONS)}
    model = world.middle.manifest_digest
    foreign = save_artefact(world.folder / "f.safetensors", "decoder", matrix, model, table=other.hex())
    with pytest.raises(UnknownArtefact, match="another projection"):
        world.readers.open(1, world.codes(Decoder.LINEAR, adapter=foreign))


def test_without_all_layers_the_model_cannot_be_asked(tmp_path: Path) -> None:
    world = World(tmp_path, last_layer=4)
    world.readers.open(1, world.codes(Decoder.MAP))
    with pytest.raises(BrokenRule) as refused:
        world.readers.open(2, world.codes(Decoder.MAP_WITH_MODEL))
    assert refused.value.code is ErrorCode.LAYERS_NOT_AVAILABLE


def test_few_tables_are_kept(world: World) -> None:
    for bits in Bits:
        world.readers.open(1, world.codes(Decoder.MAP, bits=bits))
    assert len(world.readers._tables) == 2
    world.readers.close(1)


def test_a_book_never_loses_a_row_that_is_there_and_does_not_grow_for_ever() -> None:
    book = RowBook(10)
    book.add(step([0] * 4), torch.arange(4.0)[:, None])
    for epoch in range(1, 30):
        book.add(step([0] * 3, 4 * epoch, [3, 4 * epoch, 3], epoch, commit=3), torch.ones(3, 1))
        assert [row for row, _ in book.path(4 * epoch + 1)] == [0, 1, 2, 3, 4 * epoch, 4 * epoch + 1]
        assert len(book._rows) <= 20
    assert [float(hidden) for _, hidden in book.path(3)] == [0, 1, 2, 3]
    assert book.path(-1) == []
    fork = book.fork(2)
    assert [row for row, _ in fork.path(2)] == [0, 1, 2]
    assert fork.bytes_held == 12
    with pytest.raises(RowUnknown):
        fork.path(3)
