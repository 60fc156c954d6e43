"""Shaped steps: the same words as one-by-one decoding, in steps that all look alike, and nothing left behind."""

from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.errors import BrokenRule
from desktop_app.decoding.limits import Limits
from desktop_app.decoding.shape import MOST_IN_FLIGHT, ShapedDecoder, length
from desktop_app.decoding.start import Start
from desktop_app.decoding.step import Draw, Step
from tests.desktop_app.decoding.test_decoder import DRAFTERS, following_prompt
from tests.helpers.drafters import lying, perfect
from tests.helpers.scripted_model import STOP, Cache, Script, ScriptedModel


@dataclass(frozen=True)
class Trial:
    """One random trial: a conversation of up to three replies on one session, shaped or (now and then) not."""

    seed: int
    drafters: str
    window: int
    rows: int
    prompt_slice: int
    max_tokens: int
    replies: int
    doubt: float
    clock: bool
    least_ticks: int


TRIALS = st.builds(
    Trial,
    seed=st.integers(0, 2**32),
    drafters=st.sampled_from(sorted(DRAFTERS)),
    window=st.integers(1, 3),
    rows=st.integers(1, 7),
    prompt_slice=st.integers(1, 9),
    max_tokens=st.integers(1, 24),
    replies=st.integers(1, 3),
    doubt=st.sampled_from([0.0, 0.0, 0.1, 0.5, 1.0]),
    clock=st.booleans(),
    least_ticks=st.sampled_from([0, 0, 64]),
)


class ShapedModel(ScriptedModel):
    """Rounding as among steps of one size: the first row of a chain comes out the same whatever follows it."""

    def draw(self, step: Step, cache: Cache) -> list[Draw]:
        """The draws of a step that this cache has run."""
        draws = super().draw(step, cache)
        if draws and step.parents[1:] == tuple(range(step.first_row, step.first_row + len(step.tokens) - 1)):
            right = self.script.next_token(cache.rows[step.first_row].path)
            if draws[0].row == step.first_row:
                draws[0] = Draw(step.first_row, right, draws[0].certain)
        return draws


class ShapedSession:
    """Runs shaped replies over a network that delays and repeats; answers are handed in by sequence, as the engine does."""

    def __init__(self, model: ScriptedModel, random: Random, clock: bool) -> None:
        self.model = model
        self.steps: list[Step] = []
        self._random = random
        self._clock = clock
        self._uplink: list[Step] = []
        self._answers: list[Step] = []
        self._handed: list[Step] = []
        self._tail_at = (-1, 0)

    def reply(self, decoder: ShapedDecoder, stop_after: int | None) -> list[int]:
        """Run it until it is over; after so many events stop it, or cut it as a stop string does. What is kept."""
        shown: list[int] = []
        self.steps = []
        answered = events = 0
        while not decoder.over:
            if events == stop_after and self._random.random() < 0.5:
                decoder.stop()
            elif events == stop_after and not decoder.finished:
                decoder.finish(self._random.randrange(len(shown) + 1), "stopped")
            chance = self._random.random()
            if chance < 0.05 and self._handed:
                again = self._random.choice(self._handed)
                assert decoder.receive(again, self.model.garbage(again)) == []
            elif chance < 0.4 and self._uplink:
                step = self._uplink.pop(self._random.randrange(len(self._uplink)))
                self._answers += [step for step, _ in self.model.arrive(step)]
            elif chance < 0.7 and self._answers:
                accepted = self._hand_in(decoder, self._random.choice(self._answers))
                answered += accepted is not None
                shown += accepted or []
            else:
                step_out = decoder.next_step() if decoder.reading or not self._clock else decoder.tick()
                if step_out is not None:
                    self._send(step_out)
            events += 1
            assert events < 20_000, "the loop does not end"
        assert decoder.next_step() is None
        assert decoder.tick() is None
        assert answered == len(self.steps), "every step is answered: none is given up"
        assert decoder.reply == shown[: len(decoder.reply)]
        return decoder.reply

    def _send(self, step: Step) -> None:
        self.model.send(step)
        self.steps.append(step)
        self._uplink.append(step)

    def _hand_in(self, decoder: ShapedDecoder, step: Step) -> list[int] | None:
        if self._tail_at[0] < step.epoch:
            self._tail_at = (step.epoch, 0)
        if self._tail_at != (step.epoch, step.sequence):
            return None
        self._tail_at = (step.epoch, step.sequence + 1)
        self._answers.remove(step)
        self._handed.append(step)
        assert decoder.awaits(step)
        self.model.tail.run(step)
        draws = self.model.draw(step, self.model.tail)
        for row in () if decoder.finished else step.drawn:
            assert decoder.path(row) == list(self.model.tail.rows[row].path)
        return decoder.receive(step, draws)


def converse(trial: Trial) -> None:
    """Run the trial; every reply must be what one-by-one decoding says, in steps of the sizes that were asked for."""
    random = Random(trial.seed)
    script = Script(trial.seed, random.choice([2, 3, 5, 40]), random.randrange(5), random.choice([0, 8, 25]))
    model = ShapedModel(script, random, trial.doubt)
    session = ShapedSession(model, random, trial.clock)
    drafters = DRAFTERS[trial.drafters](script, random)
    prompt = [random.randrange(1, 5) for _ in range(random.randrange(1, 20))]
    limits = Limits(trial.max_tokens, random.randrange(21, 60), frozenset({STOP}), trial.prompt_slice)
    start = Start()
    for _ in range(trial.replies):
        if len(prompt) >= limits.context:
            break
        decoder = ShapedDecoder(
            0,
            prompt,
            limits=limits,
            drafters=drafters,
            window=trial.window,
            start=start,
            rows=trial.rows,
            least_ticks=trial.least_ticks,
            random=random,
        )
        shown = session.reply(decoder, random.choice([None, None, random.randrange(60)]))
        right, reason = script.one_by_one(prompt, limits.reply_room(len(prompt)))
        if decoder.finish_reason == "stopped":
            assert shown == right[: len(shown)]
        else:
            assert (shown, decoder.finish_reason) == (right, reason)
        check_sizes(session.steps, decoder, trial, limits)
        start = decoder.continuation
        held = [token for _, token in start.rows]
        assert held == (prompt + shown)[: len(held)]
        assert decoder.finish_reason == "stopped" or len(held) >= len(prompt) + len(shown) - 1, "padding costs no row"
        for row, token in start.rows:
            assert model.agent.rows[row].path[-1] == token, "what the next reply goes on from is still held"
        prompt = following_prompt(prompt, shown, random)


def check_sizes(steps: list[Step], decoder: ShapedDecoder, trial: Trial, limits: Limits) -> None:
    """The prompt in whole slices, then steps of one size in one of the lengths; no row lies beyond the context."""
    slices = len(steps) - decoder.ticks
    if decoder.finish_reason != "stopped":
        assert slices == -(-(len(decoder.prompt) - decoder.reused) // trial.prompt_slice)
    assert {len(step.tokens) for step in steps[:slices]} <= {trial.prompt_slice}
    assert {len(step.tokens) for step in steps[slices:]} <= {trial.rows}
    assert decoder.ticks == length(decoder.ticks, trial.least_ticks) >= trial.least_ticks
    positions = {-1: -1} | {row: index for index, (row, _) in enumerate(decoder.start.rows)}
    for step in steps:
        for row, parent in enumerate(step.parents, step.first_row):
            positions[row] = positions[parent] + 1
    assert max(positions.values()) < limits.context


@given(TRIALS)
@settings(max_examples=150, deadline=None, database=None)
def test_output_equals_one_by_one_decoding_in_steps_of_one_size(trial: Trial) -> None:
    converse(trial)


@pytest.mark.slow
@pytest.mark.timeout(900)
@given(TRIALS)
@settings(
    max_examples=5_000,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
def test_output_equals_one_by_one_decoding_in_five_thousand_trials(trial: Trial) -> None:
    converse(trial)


# Examples: one rule each

SCRIPT = Script(7, 40, 0, 0)
PROMPT = [1, 2, 3, 4, 5]


def decoder_of(*, rows: int = 4, max_tokens: int = 30, context: int = 100, least_ticks: int = 64) -> ShapedDecoder:
    limits = Limits(max_tokens, context, frozenset({STOP}), 4)
    return ShapedDecoder(3, PROMPT, limits=limits, drafters=[perfect(SCRIPT)], rows=rows, least_ticks=least_ticks)


def offered(decoder: Decoder) -> Step:
    step = decoder.next_step()
    assert step is not None
    return step


def answer(decoder: ShapedDecoder, step: Step) -> list[int]:
    draws = [] if decoder.finished else [Draw(row, SCRIPT.next_token(tuple(decoder.path(row)))) for row in step.drawn]
    return decoder.receive(step, draws)


def run(decoder: ShapedDecoder, until_reply: int) -> None:
    while len(decoder.reply) < until_reply:
        answer(decoder, offered(decoder))


@pytest.mark.parametrize(
    ("steps", "least", "expected"),
    [(0, 0, 0), (17, 0, 17), (0, 64, 64), (64, 64, 64), (65, 64, 128), (3, 256, 256), (257, 64, 512), (513, 128, 768)],
)
def test_lengths_are_those_of_the_shape(steps: int, least: int, expected: int) -> None:
    assert length(steps, least) == expected


def test_the_last_slice_is_padded_as_a_chain_and_its_padding_is_not_drawn() -> None:
    decoder = decoder_of()
    answer(decoder, offered(decoder))
    last = offered(decoder)
    assert (last.tokens[:1], last.parents, last.drawn, last.padding) == ((5,), (3, 4, 5, 6), (4,), 3)
    assert set(last.tokens) <= set(PROMPT)


def test_rows_that_travel_anyway_are_guesses_where_there_are_any() -> None:
    decoder = decoder_of()
    run(decoder, 1)
    step = offered(decoder)
    assert (step.padding, len(step.drawn)) == (0, 4)
    assert len(answer(decoder, step)) == 4


def test_only_the_draw_at_a_guess_is_ever_made_again() -> None:
    decoder = decoder_of()
    run(decoder, 1)
    step = offered(decoder)
    draws = [Draw(row, SCRIPT.next_token(tuple(decoder.path(row))), certain=False) for row in step.drawn]
    assert len(decoder.receive(step, draws)) == 1, "the first row's is believed"
    again = offered(decoder)
    assert (again.tokens[0], again.padding, again.epoch) == (step.tokens[1], 3, step.epoch)
    assert len(answer(decoder, again)) == 1


def test_after_the_end_dummies_go_on_to_the_length_and_do_not_pile_up() -> None:
    decoder = decoder_of(max_tokens=9)
    run(decoder, 9)
    assert decoder.finish_reason == "length"
    assert not decoder.over
    rows = decoder.continuation.rows
    epochs = []
    while not decoder.over:
        step = offered(decoder)
        assert (step.padding, step.drawn, step.commit, decoder.next_step()) == (4, (), rows[-1][0], None)
        epochs.append(step.epoch)
        assert answer(decoder, step) == []
    assert decoder.ticks == 64
    assert epochs == sorted(set(epochs)), "each drops the one before"
    assert decoder.continuation.rows == rows


def test_dummies_that_follow_each_other_in_flight_do_not_pile_up_either() -> None:
    decoder = decoder_of(max_tokens=9)
    run(decoder, 9)
    first, second, third = (decoder.tick() for _ in range(3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.epoch, second.epoch, third.epoch) == (first.epoch,) * 3
    assert (second.commit, third.commit) == (first.first_row, second.first_row), "each commits a row of the one before"


def test_a_step_that_finds_nothing_in_flight_leaves_no_dead_row_to_run_beside() -> None:
    decoder = decoder_of()
    decoder.drafters = [lying(SCRIPT)]
    run(decoder, 2)
    first = offered(decoder)
    answer(decoder, first)
    second = offered(decoder)
    assert (second.epoch, second.sequence, second.commit) == (first.epoch + 1, 0, first.first_row)


def test_a_stop_gives_nothing_up_and_is_followed_by_dummies() -> None:
    decoder = decoder_of()
    run(decoder, 5)
    step = offered(decoder)
    decoder.stop()
    assert decoder.next_step() is None
    assert decoder.awaits(step)
    assert answer(decoder, step) == []
    assert offered(decoder).padding == 4


def test_a_clock_gets_a_dummy_while_an_answer_is_awaited_but_never_too_many() -> None:
    decoder = decoder_of()
    run(decoder, 1)
    steps = [decoder.tick() for _ in range(MOST_IN_FLIGHT + 1)]
    assert steps.pop() is None
    sent = [step for step in steps if step is not None]
    assert [step.padding for step in sent] == [0, *[4] * (MOST_IN_FLIGHT - 1)]
    assert {(step.epoch, step.commit) for step in sent} == {(sent[0].epoch, sent[0].commit)}
    assert len(answer(decoder, sent[0])) == 4
    real = decoder.tick()
    assert real is not None
    assert (real.padding, real.epoch) == (0, sent[0].epoch), "a new epoch would leave dummies without an answer"


def test_at_the_end_of_the_context_padding_hangs_beside_the_row() -> None:
    decoder = decoder_of(context=7)
    run(decoder, 2)
    assert decoder.finish_reason == "length"
    dummy = decoder.tick()
    assert dummy is not None
    assert dummy.parents == (dummy.commit,) * 4
    assert decoder.tick() is None, "there is no room behind it"
    while not decoder.over:
        answer(decoder, dummy)
        dummy = decoder.tick() or dummy
    assert decoder.ticks == 64


def test_a_shape_that_cannot_be_is_refused() -> None:
    with pytest.raises(BrokenRule, match="row"):
        decoder_of(rows=0)
