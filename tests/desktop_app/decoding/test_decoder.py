"""The decode loop against a scripted model: output equals one-by-one decoding, whatever the drafters and the network do."""

from collections.abc import Callable
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
        assert not session.in_order or held in (len(shown), len(shown) - 1), "after a natural end all rows that were accepted are held"
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
