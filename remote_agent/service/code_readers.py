"""The sessions whose rows may come as codes: what makes rows of them again, loaded when the first such session opens.

A table is kept for each projection and number of bits in use, a few of them; the model's embedding, final norm and LM head once.
Sessions that decode with the model also remember their rows, since the search reads the whole conversation, whatever of it is in
which cache; it reads only when codes come. Runs in the scheduler's thread.
"""

from collections import OrderedDict
from collections.abc import Callable
from itertools import islice

import torch

from remote_agent.segment.adapted_weights import adapter_of
from remote_agent.segment.artefacts import Artefact, Artefacts, UnknownArtefact, decoder_of, projection_of
from remote_agent.segment.code_decoders import SHARP, CodeDecoder, LinearDecoder, MapDecoder, MeanDecoder
from remote_agent.segment.code_rows import mixed
from remote_agent.segment.code_search import CodeSearch, Known
from remote_agent.segment.code_table import CodeTable
from remote_agent.segment.ends import EMBEDDING, Embedding, Output
from remote_agent.segment.errors import RowUnknown
from remote_agent.segment.preparation import prepare
from remote_agent.segment.segment import ROOM_FOR_GUESSES, Segment, enough_memory
from remote_agent.service.config import AgentConfig
from remote_agent.wire.errors import BrokenRule, ErrorCode
from remote_agent.wire.messages import NO_ARTEFACT, Bits, Codes, Decoder, RowFormat, Step

TABLES_KEPT = 2


class RowBook:
    """The rows of one session: parents, epochs and embeddings. It may hold rows that are gone, never lacks one that is there."""

    def __init__(self, most: int) -> None:
        """`most`: how many rows that are there a session can have."""
        self._most = most
        self._rows: dict[int, tuple[int, int, torch.Tensor]] = {}

    @property
    def bytes_held(self) -> int:
        """Bytes of the embeddings."""
        return sum(hidden.nbytes for _, _, hidden in islice(self._rows.values(), 1)) * len(self._rows)

    def add(self, step: Step, hidden: torch.Tensor) -> None:
        """Note the rows of a step that was admitted."""
        if len(self._rows) + len(hidden) > 2 * self._most:
            self._drop_old(step)
        for row, (parent, embedding) in enumerate(zip(step.parents, hidden, strict=True), step.first_row):
            self._rows[row] = (parent, step.epoch, embedding)

    def path(self, row: int) -> list[Known]:
        """A row and its ancestors, the first of all first; of row -1 none. Raises `RowUnknown`."""
        found = []
        while row != -1:
            if row not in self._rows:
                raise RowUnknown(f"Row {row} is not held here any more. Send the conversation again from its beginning.")
            parent, _, embedding = self._rows[row]
            found.append((row, embedding))
            row = parent
        return found[::-1]

    def fork(self, row: int) -> "RowBook":
        """A book of a row and its ancestors, in none of the new session's epochs."""
        other, parent = RowBook(self._most), -1
        for ancestor, embedding in self.path(row):
            other._rows[ancestor] = (parent, -1, embedding)
            parent = ancestor
        return other

    def _drop_old(self, step: Step) -> None:
        """Keep what the rule keeps: the commit's ancestors, and its descendants in the step's epoch."""
        alive = {row for row, _ in self.path(step.commit)}
        for row in sorted(self._rows):
            parent, epoch, _ = self._rows[row]
            if epoch == step.epoch and row > step.commit and parent >= step.commit and (parent in alive or parent == -1):
                alive.add(row)
        if len(alive) > self._most:
            raise RowUnknown("The session has more rows than fit. Send the conversation again from its beginning.")
        self._rows = {row: self._rows[row] for row in alive}


class _Reader:
    """One session: its codes, and by which decoder they are read; `book` is kept where the model is the prior."""

    def __init__(self, codes: Codes, decode: CodeDecoder | CodeSearch, most: int) -> None:
        self.codes, self.decode = codes, decode
        self.book = RowBook(most) if isinstance(decode, CodeSearch) else None


class CodeReaders:
    """All sessions with codes of one agent."""

    def __init__(self, config: AgentConfig, segment: Segment, max_context: int) -> None:
        """Load the model's ends; `segment` are the agent's layers. Raises `SegmentError`."""
        weights = prepare(config.model, config.models_directory, layers=(), ends=True)
        plan = segment.plan
        self._manifest = weights.manifest.digest()
        self._segment, self._max_context = segment, max_context
        self._artefacts = Artefacts(config.codes)
        with torch.inference_mode(), enough_memory("for the model's embedding"):
            # As the model sees them; where nothing scales them, as they lie in the file.
            table = weights.tensor(f"{EMBEDDING}.weight")
            rows = table if plan.embedding_scale == 1.0 else Embedding(plan, weights)(range(table.shape[0]))
            self._embeddings = rows.to(segment.device)
        self._weights = weights
        self._output: Output | None = None
        self._tables: OrderedDict[tuple[bytes, Bits], CodeTable] = OrderedDict()
        self._searches: dict[tuple[bytes, Bits], CodeSearch] = {}
        self._readers: dict[int, _Reader] = {}

    @property
    def bytes_held(self) -> int:
        """Bytes that grow with the sessions' rows."""
        books = (reader.book for reader in self._readers.values())
        return sum(book.bytes_held for book in books if book is not None) + sum(
            search.bytes_held for search in self._searches.values()
        )

    def open(self, key: int, codes: Codes) -> None:
        """Begin a session. Raises `UnknownArtefact`, and `BrokenRule` where the model is to be the prior and is not all here."""
        decode = self._decoder(codes)
        if isinstance(decode, CodeSearch):
            decode.open(key, self._max_context)
        self._readers[key] = _Reader(codes, decode, self._max_context + ROOM_FOR_GUESSES)

    def fork(self, key: int, source: int, row: int) -> None:
        """Begin a session with the rows of another up to `row`. Raises `RowUnknown`."""
        origin = self._readers[source]
        reader = _Reader(origin.codes, origin.decode, self._max_context + ROOM_FOR_GUESSES)
        if origin.book is not None and isinstance(origin.decode, CodeSearch):
            reader.book = origin.book.fork(row)
            origin.decode.fork(key, source)
        self._readers[key] = reader

    def close(self, key: int) -> None:
        """Forget a session; one without codes is no error."""
        reader = self._readers.pop(key, None)
        if reader is not None and isinstance(reader.decode, CodeSearch):
            reader.decode.close(key)
            if reader.decode not in [other.decode for other in self._readers.values()]:
                self._searches = {name: search for name, search in self._searches.items() if search is not reader.decode}

    def decoded(
        self, key: int, step: Step, payload: memoryview, row_format: RowFormat, stale: Callable[[], bool]
    ) -> torch.Tensor:
        """The rows [n, d] float32 that a step's payload stands for. Raises `BadRows`, and what `Segment.run` raises."""
        if key not in self._readers:
            raise RowUnknown("This session is not held here any more. Send the conversation again.")
        reader = self._readers[key]
        rows = mixed(payload, step.levels, row_format, self._embeddings.shape[1], reader.codes)
        coded = rows.levels > 0
        with enough_memory("to read noisy codes"):
            if isinstance(reader.decode, CodeSearch):
                assert reader.book is not None
                chain = _chain(step)
                found = reader.decode.decode(key, reader.book.path(step.parents[0]), rows.part(0, chain), stale).rows
                return torch.cat((found, rows.hidden[len(found) :].to(found)))
            decoded = reader.decode(rows.counts[coded], rows.levels[coded]).rows
            hidden = rows.hidden.to(decoded)
            hidden[coded.to(decoded.device)] = decoded
            return hidden

    def noted(self, key: int, step: Step, hidden: torch.Tensor) -> None:
        """Note the rows of a step that was admitted; they may be noted again, should it fail and come again."""
        book = self._readers[key].book
        if book is not None:
            book.add(step, hidden.float())

    def adapter(self, codes: Codes) -> Artefact | None:
        """The file whose adapter the layers of such a session run with; None: they run as they are. Raises `UnknownArtefact`."""
        digest = adapter_digest(codes)
        if not digest:
            return None
        file = self._artefacts.find(digest)
        adapter_of(file, self._manifest, codes.table)
        return file

    def _decoder(self, codes: Codes) -> CodeDecoder | CodeSearch:
        table = self._table(codes)
        if codes.decoder == Decoder.LINEAR:
            if codes.adapter == NO_ARTEFACT:
                return LinearDecoder(table)
            shape = (self._embeddings.shape[1], codes.dimensions)
            file = self._artefacts.find(codes.adapter)
            return LinearDecoder(table, decoder_of(file, self._manifest, codes.table, shape), file.level)
        if codes.decoder == Decoder.MAP_WITH_MODEL:
            return self._search(codes, table)
        if codes.decoder == Decoder.MAP:
            return MapDecoder(table)
        return MeanDecoder(table, SHARP if codes.decoder == Decoder.SHARP_MEAN else 1.0)

    def _search(self, codes: Codes, table: CodeTable) -> CodeSearch:
        name, plan = (codes.table, codes.bits), self._segment.plan
        if (self._segment.first_layer, self._segment.last_layer) != (0, plan.layers):
            raise BrokenRule(ErrorCode.LAYERS_NOT_AVAILABLE, "Only an agent with all layers can ask the model.")
        if self._output is None:
            self._output = Output(plan, self._weights, device=self._segment.device, dtype=self._segment.dtype)
        if name not in self._searches:
            self._searches[name] = CodeSearch(table, self._segment.part(0, plan.layers), self._output)
        return self._searches[name]

    def _table(self, codes: Codes) -> CodeTable:
        name = (codes.table, codes.bits)
        if name not in self._tables:
            file = self._artefacts.find(codes.table)
            projection = projection_of(file, self._manifest, self._embeddings.shape[1], self._embeddings.shape[0])
            with enough_memory("for a table of codes"):
                self._tables[name] = CodeTable(projection, self._embeddings, codes.bits)
            if len(self._tables) > TABLES_KEPT:
                self._tables.popitem(last=False)
        self._tables.move_to_end(name)
        if self._tables[name].dimensions != codes.dimensions:
            raise UnknownArtefact("The projection's codes have another number of dimensions. Choose the one they were made with.")
        return self._tables[name]


def adapter_digest(codes: Codes | None) -> bytes:
    """The digest of the adapter that a session's layers run with, empty where they run as they are.

    With the linear decoder the session's file is that decoder's.
    """
    return b"" if codes is None or codes.decoder == Decoder.LINEAR or codes.adapter == NO_ARTEFACT else codes.adapter


def _chain(step: Step) -> int:
    """How many of a step's first rows are a chain."""
    pairs = enumerate(step.parents[1:], step.first_row)
    return 1 + next((i for i, (row, parent) in enumerate(pairs) if parent != row), len(step.parents) - 1)
