"""Shaped replies through the real layers of a tiny model: the same words, in traffic that looks the same whatever they are."""

from collections import deque
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter

import pytest
import torch

from desktop_app.chat.events import (
    OFF,
    ReplyFailed,
    ReplyFinished,
    Sampling,
    Shape,
    Statistics,
    StatisticsChanged,
    TextAdded,
)
from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.limits import Limits
from desktop_app.decoding.lookup import Lookup
from desktop_app.decoding.shape import LENGTHS, MOST_IN_FLIGHT, ShapedDecoder
from desktop_app.decoding.start import Start
from desktop_app.decoding.step import Draw, Step
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import Beat, Receiver
from desktop_app.engine.reply import Parts, Reply
from desktop_app.engine.sampling import Sampler
from desktop_app.engine.shaped_reply import HOLD, LEAD, ShapedReply, reply_of
from desktop_app.engine.stop_strings import StopStrings
from desktop_app.model.detokenizer import StreamingText
from desktop_app.model.local import LocalModel
from desktop_app.model.store import ModelStore
from remote_agent.segment.segment import Segment
from tests.helpers.gguf_files import tiny_model
from tests.helpers.tokenizers_of_kinds import byte_level

PROMPT = [5, 17, 400, 3, 88, 2, 17, 400, 3, 9, 51]
PADDED = Shape(rows=3, prompt_rows=8, ticks=64)
STEADY = Shape(rows=3, prompt_rows=8, ticks=64, tick=1000.0 / 128)
CONTEXT = 400
UP, DOWN = 7000, 5000


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> LocalModel:
    folder = tmp_path_factory.mktemp("model")
    tiny_model("llama", vocab_size=520, max_position_embeddings=512).save_pretrained(folder / "m")
    return ModelStore(folder / "models").prepare(str(byte_level(folder / "m")), 4, 0)


class CountingSampler(Sampler):
    """Notes at how many rows it draws each time."""

    counts: list[int]

    def draw(self, logits: torch.Tensor, *arguments: object) -> list[Draw]:
        self.counts.append(len(logits))
        return super().draw(logits, *arguments)  # type: ignore[arg-type]


class World:
    """One session: head, tail, an agent's layers, and the torch thread with its clock, played by the test."""

    def __init__(self, model: LocalModel) -> None:
        self.model = model
        self.head, self.tail = model.segments(1, 1, device="cpu", dtype=torch.float32)
        self.layers = Segment(model.plan, model.weights, 1, 3, device="cpu", dtype=torch.float32)
        for part in (self.head, self.tail, self.layers):
            part.open(1, CONTEXT)
        self.jobs: deque[Callable[[], None]] = deque()
        self.calls: list[tuple[float, Callable[[], None]]] = []
        self.steps: list[tuple[Step, Beat | None]] = []
        self.events: list[object] = []
        self.counts: list[int] = []
        self.start = Start()
        # as a middle
        self.receiver: Receiver | None = None
        self.alive = True
        self.bytes_sent = self.bytes_received = self.padding_bytes = self.rows_sent = 0

    def send(self, step: Step, hidden: torch.Tensor, beat: Beat | None = None) -> None:
        self.steps.append((step, beat))
        self.rows_sent += len(step.tokens)
        self.bytes_sent += UP
        rows = self.layers.run(1, step.epoch, step.commit, step.first_row, step.parents, hidden)
        self.jobs.append(lambda: self._back(step, rows))

    def call_at(self, when: float, job: Callable[[], None]) -> None:
        self.calls.append((when, job))

    def step_bytes(self, rows: int) -> tuple[int, int]:
        return UP, DOWN

    def close(self) -> None:
        if self.receiver is not None:
            self.receiver.failed(EngineError("Gone. Ask again."))

    def _back(self, step: Step, rows: torch.Tensor) -> None:
        self.bytes_received += DOWN
        if self.receiver is not None and step.tokens:
            self.receiver.answered(step.epoch, step.sequence, rows)

    def reply(self, shape: Shape, *, prompt: list[int] = PROMPT, seed: int = 1, tokens: int = 20, stop: str = "") -> Reply:
        """Begin a reply; `run` goes on with it."""
        limits = Limits(tokens, CONTEXT, prompt_slice=shape.prompt_rows)
        sampler = CountingSampler(Sampling(temperature=0.5, repetition_penalty=1.1), seed)
        sampler.counts = self.counts
        self.counts.clear()
        self.steps, self.events = [], []
        decoder: Decoder
        if shape.rows:
            decoder = ShapedDecoder(
                1,
                prompt,
                limits=limits,
                drafters=[Lookup()],
                start=self.start,
                window=2,
                rows=shape.rows,
                least_ticks=shape.ticks,
            )
        else:
            decoder = Decoder(1, prompt, limits=limits, drafters=[Lookup()], window=2, start=self.start)
        parts = Parts(
            head=self.head,
            tail=self.tail,
            middle=self,
            session=1,
            decoder=decoder,
            sampler=sampler,
            text=StreamingText(self.model.tokenizer),
            stops=StopStrings([stop] if stop else []),
            statistics=Statistics(prompt_tokens=len(prompt)),
            started=perf_counter(),
            traffic=lambda: (self.bytes_sent, self.bytes_received, 0.0),
        )

        def over(reply: Reply) -> None:
            self.events.append("over")
            if decoder.finished:
                self.start = decoder.continuation

        def done(reply: Reply, event: object) -> None:
            self.events.append(event)

        reply = reply_of(parts, self.events.append, done, over, shape)
        assert isinstance(reply, ShapedReply) == (shape is not OFF)
        self.jobs.append(reply.begin)
        return reply

    def run(self, count: int = 100_000, late: int = 0) -> None:
        """Run so many jobs, the clock's when nothing else waits (answers come `late` beats too late)."""
        while count and (self.jobs or self.calls):
            count -= 1
            if len(self.jobs) > late or not self.calls:
                self.jobs.popleft()()
            else:
                self.calls.pop(0)[1]()

    def ticks(self) -> list[Step]:
        return [step for step, _ in self.steps if len(step.tokens) != 8]

    def finished(self) -> ReplyFinished:
        (event,) = [event for event in self.events if isinstance(event, ReplyFinished)]
        return event


@pytest.mark.parametrize(("shape", "late"), [(PADDED, 0), (STEADY, 0), (STEADY, 2)], ids=["padded", "steady", "steady, late"])
@pytest.mark.parametrize("seed", range(2))
def test_a_shaped_reply_says_what_an_unshaped_one_says_in_steps_of_one_size(
    model: LocalModel, seed: int, shape: Shape, late: int
) -> None:
    plain, shaped = World(model), World(model)
    expected = plain.reply(OFF, seed=seed, tokens=40)
    plain.run()
    reply = shaped.reply(shape, seed=seed, tokens=40)
    shaped.run(late=late)
    assert reply.tokens == expected.tokens
    assert [len(step.tokens) for step, _ in shaped.steps[:2]] == [8, 8], "eleven rows of prompt"
    assert {len(step.tokens) for step, _ in shaped.steps[2:]} == {3}
    assert len(shaped.steps[2:]) in LENGTHS
    assert shaped.bytes_received == DOWN * len(shaped.steps), "none is given up"
    assert set(shaped.counts[1:]) == {3}, "the same work at every step"
    assert shaped.events.count("over") == 1


def test_the_end_is_told_before_the_last_dummy_and_then_nothing_but_over(model: LocalModel) -> None:
    world = World(model)
    reply = world.reply(PADDED, tokens=5)
    while not reply.ended:
        world.run(1)
    assert "over" not in world.events
    told = len(world.events)
    world.run()
    assert world.events[told:] == ["over"]
    assert len(world.ticks()) == 64
    statistics = world.finished().statistics
    assert (statistics.shape, statistics.reply_tokens) == ("padded", 5)
    assert (statistics.bytes_up, statistics.bytes_down, statistics.rows) == (
        world.bytes_sent,
        world.bytes_received,
        world.rows_sent,
    ), "dummies that were still to come were counted"
    assert statistics.padding_seconds > 0


def test_the_next_reply_goes_on_from_rows_that_dummies_left_alone(model: LocalModel) -> None:
    world, fresh = World(model), World(model)
    first = world.reply(PADDED, tokens=9)
    world.run()
    prompt = [*PROMPT, *first.tokens, 33, 44, 55]
    second = world.reply(STEADY, prompt=prompt, tokens=12)
    world.run()
    anew = fresh.reply(OFF, prompt=prompt, tokens=12)
    fresh.run()
    assert second.tokens == anew.tokens
    assert world.steps[0][0].commit >= len(PROMPT), "only what is new was sent"


def test_a_stop_is_told_at_once_and_cannot_be_seen(model: LocalModel) -> None:
    world = World(model)
    reply = world.reply(PADDED, tokens=50)
    while len(reply.tokens) < 6:
        world.run(1)
    reply.stop()
    assert world.finished().reason == "stopped"
    assert "over" not in world.events
    world.run()
    assert {len(step.tokens) for step in world.ticks()} == {3}
    assert len(world.ticks()) == 64
    assert world.events[-1] == "over"
    assert [token for _, token in world.start.rows] == [*PROMPT, *reply.tokens][: len(world.start.rows)]


def test_a_stop_while_the_prompt_is_read_sends_no_more_of_it(model: LocalModel) -> None:
    world = World(model)
    reply = world.reply(PADDED, prompt=PROMPT * 5)
    world.run(1)
    reply.stop()
    world.run()
    assert len([step for step, _ in world.steps if len(step.tokens) == 8]) == 2, "what was in flight"
    assert len(world.ticks()) == 64
    assert not any(isinstance(event, TextAdded) for event in world.events)


def test_a_stop_string_ends_the_text_but_not_the_traffic(model: LocalModel) -> None:
    world = World(model)
    reply = world.reply(PADDED, tokens=50)
    world.run()
    stop = reply.text[6:9]
    world = World(model)
    cut = world.reply(PADDED, tokens=50, stop=stop)
    world.run()
    assert cut.text == reply.text[: reply.text.index(stop)]
    assert world.finished().reason == "end"
    assert len(world.ticks()) == 64


def test_with_a_clock_a_step_leaves_at_each_beat_until_the_last(model: LocalModel) -> None:
    world = World(model)
    world.reply(STEADY, tokens=10)
    world.run(late=1)
    beats = [beat.when for step, beat in world.steps if beat is not None]
    assert len(beats) == len(world.ticks()) == 64
    gaps = [(after - before) / STEADY.tick for before, after in pairwise(beats)]
    assert gaps == pytest.approx([1.0] * 63)
    assert {beat.hold for _, beat in world.steps if beat is not None} == {HOLD * STEADY.tick}
    assert sum(step.padding == 3 for step in world.ticks()[:10]) > 2, "dummies where an answer was awaited"
    assert world.finished().statistics.shape == "steady"
    assert LEAD < 1


def test_an_agent_that_is_too_slow_for_the_clock_is_not_buried(model: LocalModel) -> None:
    world = World(model)
    world.reply(STEADY, tokens=10)
    while not world.calls:
        world.run(1)
    for _ in range(3 * MOST_IN_FLIGHT):
        world.calls.pop(0)[1]()
    assert len(world.jobs) == MOST_IN_FLIGHT
    world.run()
    assert world.events[-1] == "over"


@pytest.mark.parametrize("told", [False, True])
def test_what_is_deleted_or_fails_ends_at_once(model: LocalModel, told: bool) -> None:
    world = World(model)
    reply = world.reply(PADDED, tokens=5 if told else 50)
    while reply.ended != told or not reply.tokens:
        world.run(1)
    world.close()
    world.run()
    ends = [event for event in world.events if not isinstance(event, TextAdded | StatisticsChanged)]
    assert ends.count("over") == 1
    assert [type(event) for event in ends if isinstance(event, ReplyFinished | ReplyFailed)] == [
        ReplyFinished if told else ReplyFailed
    ]
    assert len(world.ticks()) < 64
