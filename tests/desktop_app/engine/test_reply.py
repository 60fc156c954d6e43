"""One reply, its parts real where they are small: what is told, in which order, and how it ends."""

from collections.abc import Callable
from time import perf_counter

import pytest
import torch

from desktop_app.chat.events import Progress, ReplyFailed, ReplyFinished, Sampling, Statistics, TextAdded
from desktop_app.decoding.decoder import Decoder
from desktop_app.decoding.limits import Limits
from desktop_app.engine.errors import EngineError
from desktop_app.engine.middle import NoMiddle
from desktop_app.engine.reply import Parts, Reply
from desktop_app.engine.sampling import Sampler
from desktop_app.engine.stop_strings import StopStrings
from desktop_app.model.detokenizer import StreamingText
from remote_agent.segment.errors import OutOfMemory

ALPHABET = "abcdefgh"


class Letters:
    """A tokenizer of single letters."""

    strips_leading_space = False

    def token_bytes(self, token: int) -> bytes:
        return ALPHABET[token].encode()


class Head:
    """Carries token ids as hidden states."""

    def run(self, *arguments: object) -> torch.Tensor:
        tokens = arguments[5]
        assert isinstance(tokens, tuple)
        return torch.tensor([[float(token)] for token in tokens]).reshape(-1, 1)


class Tail:
    """A model that says the alphabet round and round; `error` is raised at the row of that token."""

    def __init__(self, error: tuple[int, Exception] | None = None) -> None:
        self._error = error

    def run(self, *arguments: object) -> torch.Tensor:
        hidden, drawn = arguments[5], arguments[6]
        assert isinstance(hidden, torch.Tensor)
        assert isinstance(drawn, list)
        tokens = [int(hidden[index, 0]) for index in drawn]
        if self._error is not None and self._error[0] in tokens:
            raise self._error[1]
        return torch.nn.functional.one_hot(torch.tensor([(token + 1) % 8 for token in tokens], dtype=torch.int64), 8).float() * 9


class Jobs:
    """The torch thread, played by the test."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def run(self, count: int = 10_000) -> None:
        while self.waiting and count:
            self.waiting.pop(0)()
            count -= 1


def _reply(jobs: Jobs, tail: Tail, *, tokens: int = 12, stops: tuple[str, ...] = ()) -> tuple[Reply, list[object]]:
    events: list[object] = []
    limits = Limits(max_tokens=tokens, context=200, stop_ids=frozenset(), prompt_slice=2)
    parts = Parts(
        head=Head(),  # type: ignore[arg-type]
        tail=tail,  # type: ignore[arg-type]
        middle=NoMiddle(jobs.waiting.append),
        session=1,
        decoder=Decoder(1, [0, 1, 2, 3, 4], limits=limits),
        sampler=Sampler(Sampling(temperature=0.0), 1),
        text=StreamingText(Letters()),
        stops=StopStrings(stops),
        statistics=Statistics(prompt_tokens=5),
        started=perf_counter(),
        traffic=lambda: (0, 0, 0.0),
    )
    reply = Reply(parts, events.append, lambda reply, event: events.extend([event, "done"]), lambda reply: events.append("over"))
    jobs.waiting.append(reply.begin)
    return reply, events


def _text(events: list[object]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextAdded))


def test_the_prompt_is_told_as_it_is_read_then_the_text_then_the_end_once() -> None:
    jobs = Jobs()
    reply, events = _reply(jobs, Tail())
    jobs.run()
    assert [event for event in events if isinstance(event, Progress)] == [Progress("prompt", 2, 5), Progress("prompt", 4, 5)]
    assert _text(events) == reply.text == "fghabcdefgha"
    finished = events[-2]
    assert isinstance(finished, ReplyFinished)
    assert finished.reason == "length"
    assert (finished.statistics.reply_tokens, finished.statistics.tokens_per_step) == (12, 12 / finished.statistics.steps)
    assert events[-3:] == ["over", finished, "done"]
    assert events.count("over") == events.count("done") == 1


def test_a_stop_keeps_the_text_and_nothing_comes_after_it() -> None:
    jobs = Jobs()
    reply, events = _reply(jobs, Tail())
    jobs.run(8)
    reply.stop()
    reply.stop()
    jobs.run()
    assert isinstance(events[-2], ReplyFinished)
    assert events[-2].reason == "stopped"
    assert 0 < len(_text(events)) < 12


def test_a_stop_string_ends_the_reply_before_it() -> None:
    jobs = Jobs()
    _, events = _reply(jobs, Tail(), stops=("ab",))
    jobs.run()
    assert _text(events) == "fgh"
    assert isinstance(events[-2], ReplyFinished)
    assert events[-2].reason == "end"


@pytest.mark.parametrize(
    ("error", "words"),
    [(OutOfMemory("Close other programs."), "Close other programs."), (ValueError("the patient's name"), "ValueError")],
)
def test_what_fails_inside_is_a_sentence_without_content_and_the_text_is_kept(error: Exception, words: str) -> None:
    jobs = Jobs()
    reply, events = _reply(jobs, Tail((7, error)))
    jobs.run()
    failed = events[-2]
    assert isinstance(failed, ReplyFailed)
    assert words in failed.sentence
    assert "patient" not in failed.sentence
    assert failed.kind == "interrupted"
    assert _text(events) == "fgh"
    assert reply.ended


def test_an_agent_lost_before_the_first_step_is_told() -> None:
    jobs = Jobs()
    reply, events = _reply(jobs, Tail())
    reply._parts.middle.close()
    jobs.run()
    assert isinstance(events[1], ReplyFailed)
    assert (events[0], events[2:]) == ("over", ["done"]), "the rows are free before anyone is told"


def test_a_lost_agent_ends_the_reply_once() -> None:
    jobs = Jobs()
    reply, events = _reply(jobs, Tail())
    jobs.run(8)
    reply.failed(EngineError("Gone. Ask again."))
    reply.failed(EngineError("Gone. Ask again."))
    jobs.run()
    assert [event.sentence for event in events if isinstance(event, ReplyFailed)] == ["Gone. Ask again."]


def test_logits_that_are_not_finite_end_the_reply_instead_of_passing_for_an_answer() -> None:
    class Overflowing(Tail):
        def run(self, *arguments: object) -> torch.Tensor:
            return super().run(*arguments) * float("nan")

    jobs = Jobs()
    _, events = _reply(jobs, Overflowing())
    jobs.run()
    assert isinstance(events[-2], ReplyFailed)
    assert "cannot be right" in events[-2].sentence
    assert _text(events) == ""
