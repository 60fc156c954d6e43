"""The decode loop against a scripted model: output equals one-by-one decoding, whatever the drafters and the network do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from desktop_app.decoding.budget import AdaptiveBudget, FixedBudget, RowBudget
from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.drafter import Drafter
from desktop_app.decoding.errors import BrokenRule, NoRoom
from desktop_app.decoding.limits import Limits
from desktop_app.decoding.lookup import Lookup
from desktop_app.decoding.start import Start
from desktop_app.decoding.step import Draw, Step
from desktop_app.decoding.token_tree import TokenTree
from tests.helpers.decoding_run import ScriptedSession
from tests.helpers.drafters import SilentDrafter, TreeDrafter, lying, mixed, perfect
from tests.helpers.scripted_model import STOP, Script, ScriptedModel

DRAFTERS: dict[str, Callable[[Script, Random], list[Drafter]]] = {
    "none": lambda script, random: [],
    "perfect": lambda script, random: [perfect(script)],
    "lying": lambda script, random: [lying(script)],
    "mixed": lambda script, random: [mixed(script, random)],
    "good trees": lambda script, random: [TreeDrafter(script, random, 0.9)],
    "bad trees": lambda script, random: [TreeDrafter(script, random, 0.2)],
    "lookup": lambda script, random: [Lookup()],
    "several": lambda script, random: [Lookup(), mixed(script, random), TreeDrafter(script, random, 0.6), lying(script)],
}


@dataclass(frozen=True)
class Trial:
    """One random trial: a conversation of up to three replies on one session."""

    seed: int
    drafters: str
    window: int
    rows: int
    prompt_slice: int
    max_tokens: int
    replies: int
    doubt: float
    in_order: bool


TRIALS = st.builds(
    Trial,
    seed=st.integers(0, 2**32),
    drafters=st.sampled_from(sorted(DRAFTERS)),
    window=st.integers(1, 4),
    rows=st.integers(-1, 12),
    prompt_slice=st.integers(1, 6),
    max_tokens=st.integers(1, 24),
    replies=st.integers(1, 3),
    doubt=st.sampled_from([0.0, 0.0, 0.1, 0.5, 1.0]),
    in_order=st.booleans(),
)


def converse(trial: Trial) -> None:
    """Run the trial; every reply must be what one-by-one decoding says, and the next start exactly what was kept."""
    random = Random(trial.seed)
    script = Script(trial.seed, random.choice([2, 3, 5, 40]), random.randrange(5), random.choice([0, 8, 25]))
    model = ScriptedModel(script, random, trial.doubt)
    session = ScriptedSession(model, random, trial.in_order)
    drafters = DRAFTERS[trial.drafters](script, random)
    plan: RowBudget = FixedBudget(trial.rows) if trial.rows >= 0 else AdaptiveBudget()
    prompt = [random.randrange(1, 5) for _ in range(random.randrange(1, 20))]
    limits = Limits(trial.max_tokens, random.randrange(21, 60), frozenset({STOP}), trial.prompt_slice)
    start = Start()
    for _ in range(trial.replies):
        if len(prompt) >= limits.context:
            break
        held = [token for _, token in start.rows]
        decoder = Decoder(0, prompt, limits=limits, drafters=drafters, window=trial.window, plan=plan, start=start)
        assert prompt[: decoder.reused] == held[: decoder.reused]
        assert decoder.reused == len(prompt) - 1 or held[decoder.reused : decoder.reused + 1] != [prompt[decoder.reused]]
        stop_after = random.choice([None, None, random.randrange(120)])
        shown = session.reply(decoder, stop_after)
        kept = check_reply(session, script, shown, random)
        held = [token for _, token in decoder.continuation.rows]
        assert held == (prompt + kept)[: len(held)]
        start = decoder.continuation
        prompt = following_prompt(prompt, kept, random)


def check_reply(session: ScriptedSession, script: Script, shown: list[int], random: Random) -> list[int]:
    """Compare one reply with its reference; what is kept of it after a stop string cut it, now and then."""
    decoder = session.decoder
    right, reason = script.one_by_one(decoder.prompt, decoder.limits.reply_room(len(decoder.prompt)))
    assert shown == decoder.reply
    if decoder.finish_reason == "stopped":
        assert shown == right[: len(shown)]
    else:
        assert (shown, decoder.finish_reason) == (right, reason)
        held = len(decoder.continuation.rows) - len(decoder.prompt)
        assert not session.in_order or held in (len(shown), len(shown) - 1), (
            "after a natural end all rows that were accepted are held"
        )
    for row, token in decoder.continuation.rows:
        assert session.model.agent.rows[row].path[-1] == token
    if random.random() < 0.3:
        shown = shown[: random.randrange(len(shown) + 1)]
        decoder.finish(len(shown))
        assert (decoder.reply, decoder.finish_reason) == (shown, "end")
        assert len(decoder.continuation.rows) <= len(decoder.prompt) + len(shown)
    return shown


def following_prompt(prompt: list[int], kept: list[int], random: Random) -> list[int]:
    """What comes next: another turn, a regenerated reply, an edit, or another conversation altogether."""
    turn = [random.randrange(1, 5) for _ in range(random.randrange(1, 6))]
    cut = random.randrange(len(prompt))
    return random.choice([prompt + kept + turn, prompt, prompt + kept, prompt[:cut] + turn + prompt[cut + 1 :], turn])


@given(TRIALS)
@settings(max_examples=250, deadline=None, database=None)
def test_output_equals_one_by_one_decoding(trial: Trial) -> None:
    converse(trial)


@pytest.mark.slow
@pytest.mark.timeout(900)
@given(TRIALS)
@settings(
    max_examples=20_000,
    deadline=None,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)
def test_output_equals_one_by_one_decoding_in_twenty_thousand_trials(trial: Trial) -> None:
    converse(trial)


# Examples: one rule each

SCRIPT = Script(7, 40, 0, 0)
PROMPT = [1, 2, 3, 4, 5]


def decoder_of(
    *drafters: Drafter,
    rows: int = 16,
    window: int = 1,
    max_tokens: int = 30,
    start: Start | None = None,
    prompt: list[int] = PROMPT,
) -> Decoder:
    limits = Limits(max_tokens, 100, frozenset({STOP}), 2)
    return Decoder(3, prompt, limits=limits, drafters=drafters, window=window, plan=FixedBudget(rows), start=start or Start())


def right_draws(step: Step, decoder: Decoder, certain: bool = True) -> list[Draw]:
    return [Draw(row, SCRIPT.next_token(tuple(decoder.path(row))), certain) for row in step.drawn]


def answer(decoder: Decoder, step: Step, certain: bool = True) -> list[int]:
    return decoder.receive(step, right_draws(step, decoder, certain))


def offered(decoder: Decoder) -> Step:
    step = decoder.next_step()
    assert step is not None
    return step


def past_the_prompt(decoder: Decoder) -> None:
    """Send and answer the prompt; the first token is drawn, no row of the reply is sent."""
    while not decoder.reply:
        answer(decoder, offered(decoder))


def test_prompt_travels_in_slices_and_only_its_last_row_is_drawn() -> None:
    decoder = decoder_of(window=4)
    steps = [offered(decoder) for _ in range(3)]
    assert [(step.commit, step.first_row, step.tokens, step.parents, step.drawn) for step in steps] == [
        (-1, 0, (1, 2), (-1, 0), ()),
        (1, 2, (3, 4), (1, 2), ()),
        (3, 4, (5,), (3,), (4,)),
    ]
    assert [(step.session, step.epoch, step.sequence) for step in steps] == [(3, 0, 0), (3, 0, 1), (3, 0, 2)]
    assert decoder.next_step() is None


def test_window_bounds_the_slices_in_flight() -> None:
    decoder = decoder_of(window=2)
    first, _ = offered(decoder), offered(decoder)
    assert decoder.next_step() is None
    assert decoder.receive(first, []) == []
    assert offered(decoder).tokens == (5,)


def test_without_drafts_it_waits_for_each_answer() -> None:
    decoder = decoder_of(window=4)
    past_the_prompt(decoder)
    step = offered(decoder)
    assert (len(step.tokens), step.commit, step.parents) == (1, 4, (4,))
    assert decoder.next_step() is None
    assert len(answer(decoder, step)) == 1


def test_perfect_drafts_are_accepted_whole() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=8)
    past_the_prompt(decoder)
    step = offered(decoder)
    assert len(step.tokens) == 9
    assert answer(decoder, step) == SCRIPT.one_by_one(PROMPT, 10)[0][1:]
    assert offered(decoder).commit == step.first_row + 8


def test_guesses_stop_where_the_reply_must_end() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=16, max_tokens=6)
    past_the_prompt(decoder)
    assert len(offered(decoder).tokens) == 5


@pytest.mark.parametrize("plan", [FixedBudget(16), AdaptiveBudget()])
def test_lying_drafter_costs_no_step(plan: RowBudget) -> None:
    def steps(drafters: list[Drafter]) -> list[Step]:
        limits = Limits(60, 100, frozenset({STOP}), 2)
        decoder = Decoder(0, PROMPT, limits=limits, drafters=drafters, plan=plan)
        session = ScriptedSession(ScriptedModel(SCRIPT, Random(1)), Random(1))
        assert session.reply(decoder) == SCRIPT.one_by_one(PROMPT, 60)[0]
        return session.steps

    alone, lied_to = steps([]), steps([lying(SCRIPT)])
    assert len(alone) == len(lied_to) == 3 + 59
    if isinstance(plan, AdaptiveBudget):
        assert sum(len(step.tokens) for step in lied_to) < sum(len(step.tokens) for step in alone) + 40, "and few rows"


def test_lying_drafter_costs_no_round_trip_with_several_steps_in_flight() -> None:
    decoder = decoder_of(lying(SCRIPT), window=3)
    past_the_prompt(decoder)
    for _ in range(29):
        step = offered(decoder)
        while decoder.next_step() is not None:
            pass
        assert len(answer(decoder, step)) == 1
    assert decoder.finish_reason == "length"


def test_further_guesses_hang_on_rows_in_flight() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=3, window=3)
    past_the_prompt(decoder)
    first, second, third = (offered(decoder) for _ in range(3))
    assert decoder.next_step() is None
    assert (second.epoch, second.sequence, second.parents[0]) == (first.epoch, first.sequence + 1, first.first_row + 3)
    assert third.parents[0] == second.first_row + 2
    assert len(answer(decoder, first)) == 4
    fourth = offered(decoder)
    assert fourth.epoch == first.epoch
    assert fourth.commit == first.first_row + 3, "the row above the tip, which waits for its answer"
    assert len(answer(decoder, second)) == len(answer(decoder, third)) == 3


def test_new_epoch_opens_when_nothing_in_flight_continues_the_path() -> None:
    decoder = decoder_of(lying(SCRIPT), window=2)
    past_the_prompt(decoder)
    first, late = offered(decoder), offered(decoder)
    assert first.epoch == late.epoch == 0
    answer(decoder, first)
    draws = right_draws(late, decoder)
    fresh = offered(decoder)
    assert (fresh.epoch, fresh.sequence, fresh.commit) == (1, 0, first.first_row)
    assert not decoder.awaits(late)
    assert decoder.receive(late, draws) == []
    assert len(answer(decoder, fresh)) == 1


def test_repeated_answer_changes_nothing() -> None:
    decoder = decoder_of(perfect(SCRIPT))
    past_the_prompt(decoder)
    step = offered(decoder)
    draws = right_draws(step, decoder)
    accepted = decoder.receive(step, draws)
    before = decoder.reply
    assert accepted
    assert decoder.receive(step, draws) == []
    assert decoder.reply == before


def test_uncertain_draw_is_run_again_alone_and_then_its_guesses_count() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=4)
    past_the_prompt(decoder)
    step = offered(decoder)
    draws = right_draws(step, decoder)
    draws[1] = Draw(draws[1].row, draws[1].token, certain=False)
    assert len(decoder.receive(step, draws)) == 1
    lone = offered(decoder)
    assert (lone.tokens, lone.parents) == (step.tokens[1:2], step.parents[1:2])
    assert lone.commit == step.first_row
    assert lone.drawn == (lone.first_row,)
    assert decoder.next_step() is None
    assert len(answer(decoder, lone, certain=False)) == 4, "a lone row is always believed"
    assert offered(decoder).commit == step.first_row + 4


def test_step_of_one_row_is_believed_at_once() -> None:
    decoder = decoder_of()
    past_the_prompt(decoder)
    assert len(answer(decoder, offered(decoder), certain=False)) == 1
    following = offered(decoder)
    assert decoder.position(following.first_row) == len(PROMPT) + 1


def test_uncertain_draw_that_was_wrong_is_never_shown() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=4)
    past_the_prompt(decoder)
    step = offered(decoder)
    draws = right_draws(step, decoder)
    draws[1] = Draw(draws[1].row, 999, certain=False)
    decoder.receive(step, draws)
    lone = offered(decoder)
    assert answer(decoder, lone) == [step.tokens[2]]
    following = offered(decoder)
    assert (following.commit, following.parents[0]) == (lone.first_row, lone.first_row), "the path goes on from the lone row"


def test_lone_row_goes_out_beside_guesses_below_it_that_are_in_flight() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=2, window=2)
    past_the_prompt(decoder)
    first, second = offered(decoder), offered(decoder)
    draws = right_draws(first, decoder)
    draws[2] = Draw(draws[2].row, draws[2].token, certain=False)
    decoder.receive(first, draws)
    third = offered(decoder)
    assert third.epoch == first.epoch, "what is in flight hangs below the tip"
    assert len(third.tokens) == 1
    answer(decoder, second)
    assert len(answer(decoder, third)) == 3


def test_lone_row_goes_out_once_also_when_answers_come_in_another_order() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=2, window=3)
    past_the_prompt(decoder)
    steps = [offered(decoder) for _ in range(3)]
    draws = [Draw(draw.row, draw.token, certain=False) for draw in right_draws(steps[1], decoder)]
    decoder.receive(steps[1], draws)
    refill = offered(decoder)
    answer(decoder, steps[0])
    lone = offered(decoder)
    assert lone.tokens == steps[1].tokens[:1]
    assert decoder.next_step() is None
    assert refill.epoch == lone.epoch


class TwoBranches(SilentDrafter):
    """Proposes a wrong branch that seems likelier than the right one, and a row below the wrong one."""

    def propose(self, path: Sequence[int], limit: int) -> TokenTree:
        right = SCRIPT.next_token(tuple(path))
        return TokenTree((right + 1, right, 5), (-1, -1, 0), (0.6, 0.4, 0.3))


def test_lone_row_opens_an_epoch_when_nothing_in_flight_hangs_below_it() -> None:
    decoder = decoder_of(TwoBranches(), rows=2, window=2)
    past_the_prompt(decoder)
    first, second = offered(decoder), offered(decoder)
    assert second.parents == (first.first_row + 1,), "below the wrong branch"
    draws = right_draws(first, decoder)
    draws[2] = Draw(draws[2].row, 999, certain=False)
    assert len(decoder.receive(first, draws)) == 1
    lone = offered(decoder)
    assert (lone.epoch, lone.commit, lone.tokens) == (first.epoch + 1, first.first_row, first.tokens[2:])
    assert not decoder.awaits(second)
    assert len(answer(decoder, lone)) == 1
    assert offered(decoder).commit == lone.first_row


def test_stop_cancels_what_is_in_flight_with_one_empty_step() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=4)
    past_the_prompt(decoder)
    step = offered(decoder)
    draws = right_draws(step, decoder)
    decoder.stop()
    decoder.stop()
    assert (decoder.finished, decoder.finish_reason) == (True, "stopped")
    cancel = offered(decoder)
    assert (cancel.epoch, cancel.sequence, cancel.tokens, cancel.commit) == (1, 0, (), 4)
    assert decoder.next_step() is None
    assert decoder.receive(step, draws) == []
    assert decoder.continuation == Start(2, cancel.first_row, tuple(zip(range(5), PROMPT, strict=True)))


def test_stop_with_nothing_in_flight_sends_nothing() -> None:
    decoder = decoder_of()
    past_the_prompt(decoder)
    decoder.stop()
    assert decoder.next_step() is None
    assert decoder.continuation.epoch == 1


def test_stop_before_anything_was_answered_keeps_no_row() -> None:
    decoder = decoder_of(window=2)
    offered(decoder)
    decoder.stop()
    assert offered(decoder).commit == -1
    assert decoder.continuation.rows == ()


def test_stop_id_inside_an_accepted_run_ends_it_there() -> None:
    script = Script(10, 40, 0, 6)
    decoder = decoder_of(perfect(script), rows=40)
    session = ScriptedSession(ScriptedModel(script, Random(1)), Random(1))
    right, reason = script.one_by_one(PROMPT, 30)
    assert reason == "end"
    assert len(right) > 1
    assert session.reply(decoder) == right
    assert decoder.finish_reason == "end"
    assert STOP not in [token for step in session.steps for token in step.tokens], "rows behind the end are not worth sending"
    assert [token for _, token in decoder.continuation.rows] == PROMPT + right


def test_finish_keeps_what_the_stop_string_leaves() -> None:
    decoder = decoder_of(perfect(SCRIPT), rows=8)
    past_the_prompt(decoder)
    answer(decoder, offered(decoder))
    kept = decoder.reply[:4]
    with pytest.raises(BrokenRule):
        decoder.finish(11)
    decoder.finish(4, "end")
    assert (decoder.reply, decoder.finish_reason, decoder.next_step()) == (kept, "end", None)
    assert [token for _, token in decoder.continuation.rows] == PROMPT + kept


def test_next_turn_sends_only_what_is_new() -> None:
    first = decoder_of(perfect(SCRIPT), rows=8, max_tokens=10)
    session = ScriptedSession(ScriptedModel(SCRIPT, Random(1)), Random(1))
    reply = session.reply(first)
    prompt = [*PROMPT, *reply, 8, 9]
    second = decoder_of(start=first.continuation, prompt=prompt)
    assert second.reused == len(PROMPT) + len(reply) - 1, "the last token of the reply never became a row"
    step = offered(second)
    assert step.epoch == first.continuation.epoch
    assert (step.sequence, step.commit, step.tokens) == (0, first.continuation.rows[-1][0], (reply[-1], 8))


def test_drafters_hear_of_everything() -> None:
    drafter = SilentDrafter()
    decoder = decoder_of(drafter, lying(SCRIPT), rows=3)
    past_the_prompt(decoder)
    step = offered(decoder)
    draws = right_draws(step, decoder)
    decoder.receive(step, draws)
    assert drafter.context == PROMPT
    assert drafter.observed == decoder.reply
    assert drafter.learnt[1:] == list(zip(step.tokens, draws, strict=True)), "rejected rows teach, too"


def test_paths_and_positions_are_those_of_each_branch() -> None:
    decoder = decoder_of(perfect(SCRIPT), lying(SCRIPT), rows=6)
    past_the_prompt(decoder)
    step = offered(decoder)
    assert decoder.path(step.first_row) == [*PROMPT, step.tokens[0]]
    for row, parent, token in zip(step.drawn[1:], step.parents[1:], step.tokens[1:], strict=True):
        assert decoder.path(row) == [*decoder.path(parent), token]
        assert decoder.position(row) == decoder.position(parent) + 1
        assert decoder.path(row, 6) == decoder.path(row)[6:]
    with pytest.raises(BrokenRule):
        decoder.position(99)


def test_bad_input_is_refused() -> None:
    with pytest.raises(NoRoom, match="no room"):
        decoder_of(prompt=[1] * 100)
    with pytest.raises(BrokenRule, match="window"):
        decoder_of(window=0)
    decoder = decoder_of()
    with pytest.raises(BrokenRule, match="not ended"):
        _ = decoder.continuation
    with pytest.raises(BrokenRule, match="draws"):
        decoder.receive(offered(decoder), [Draw(0, 1)])
