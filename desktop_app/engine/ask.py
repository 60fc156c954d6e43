"""`sotto ask`: one question on the command line, answered by the same engine as the window's."""

import argparse
import asyncio
import contextlib
import io
import json
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from desktop_app.chat.events import (
    ModelLoaded,
    Progress,
    QuestionProtected,
    ReplyFailed,
    ReplyFinished,
    ReplyRequest,
    Sampling,
    Split,
    Statistics,
    StatisticsChanged,
    TextAdded,
    Turn,
)
from desktop_app.chat.responder import ChatError
from desktop_app.engine import asked_noise
from desktop_app.engine.errors import EngineError
from desktop_app.engine.responder import EngineResponder
from desktop_app.privacy.language.unread_scripts import unread_sentence
from desktop_app.privacy.recognition.word_lists import left_out_sentence
from desktop_app.settings.paths import user_paths

MOST_TOKENS = 1_000_000
MOST_LAYERS = 1_024

INTERRUPTED = 130  # exit status after Ctrl+C, as shells have it

REPORTED = (
    "prompt_tokens",
    "reply_tokens",
    "steps",
    "seconds",
    "tokens_per_second",
    "time_to_first_token",
    "bytes_up",
    "bytes_down",
    "head_layers",
    "middle_layers",
    "tail_layers",
    "mode",
    "device",
    "dtype",
    "model",
    "seed",
)

LISTS_NOT_USED = "Lists of names that you keep in the window are not used here. Give a list with --names FILE."
NOT_PROTECTED = "Names and numbers leave as they are written. Leave --no-protect out to have them replaced."

_STAGES = {
    "engine": "Starting the engine",
    "model": "Preparing the model",
    "agent": "Starting the agent",
    "protect": "Looking for names",
    "prompt": "Reading",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command's arguments."""
    parser.add_argument("question", help="what to ask")
    parser.add_argument("--document", action="append", default=[], metavar="FILE", help="a document to read first; repeatable")
    parser.add_argument("--model", default="", help="a GGUF file, a folder or a Hub id; the starter model if left out")
    parser.add_argument("--head", type=int, default=4, metavar="K", help="first layers that run on this computer (default 4)")
    parser.add_argument("--tail", type=int, default=2, metavar="M", help="last layers that run on this computer (default 2)")
    parser.add_argument("--only-here", action="store_true", help="run all layers on this computer: nothing is sent")
    parser.add_argument("--temperature", type=float, default=0.7, metavar="T", help="0 is greedy (default 0.7)")
    parser.add_argument("--seed", type=int, metavar="S", help="the same seed gives the same answer")
    parser.add_argument("--max-tokens", type=int, default=1024, metavar="N", help="the longest answer (default 1024)")
    parser.add_argument("--dtype", default="", choices=["float32", "float16", "bfloat16"], help="what to compute in")
    parser.add_argument("--no-drafts", action="store_true", help="decode one token a step")
    parser.add_argument("--no-protect", action="store_true", help="send names and numbers as they are, without stand-ins")
    parser.add_argument(
        "--names", action="append", default=[], metavar="FILE", help="a list of names, one a line or CSV; repeatable"
    )
    asked_noise.add_arguments(parser)
    parser.add_argument("--show-sent", action="store_true", help="show, on standard error, the words that the model got and gave")
    parser.add_argument("--json", action="store_true", help="print one object at the end instead of the text as it comes")


def main(arguments: argparse.Namespace, log: Path) -> int:
    """Ask, print, and return the exit status."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A console that has not all letters shows an escape for those that it lacks, and the answer goes on.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return asyncio.run(_ask(arguments, log))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has enough; a second error at exit would only be noise.
        sys.stdout = None
        return 1


def check(arguments: argparse.Namespace) -> str | None:
    """Return a sentence about what is wrong with the arguments, or None."""
    if not arguments.question.strip():
        return 'There is no question. Put one in quotes: sotto ask "What is a tort?"'
    if arguments.head < 0 or arguments.tail < 0:
        return "The numbers of first and last layers cannot be negative. Leave --head and --tail out for 4 and 2."
    if not 0 <= arguments.temperature <= 100 or 0 < arguments.temperature < 0.001:
        return "The temperature is 0, which is greedy, or from 0.001 to 100. 0.7 is usual; it cannot be negative."
    if not 1 <= arguments.max_tokens <= MOST_TOKENS:
        return f"The answer may have 1 to {MOST_TOKENS:,} tokens. Leave --max-tokens out for 1,024."
    if max(arguments.head, arguments.tail) > MOST_LAYERS:
        return f"No model has more than {MOST_LAYERS:,} layers. Leave --head and --tail out for 4 and 2."
    if (wrong := asked_noise.check(arguments)) is not None:
        return wrong
    if arguments.seed is not None and not 0 <= arguments.seed < 2**64:
        return "A seed is a whole number from 0 to 18446744073709551615. Leave --seed out for a new one each time."
    return None


def notices(arguments: argparse.Namespace, archive: Path) -> list[str]:
    """What is said before anything leaves: that nothing is replaced, or that the window's lists, locked in `archive`, are not."""
    if arguments.only_here:
        return []
    if arguments.no_protect and arguments.mode == "exact":
        return [NOT_PROTECTED]
    return [LISTS_NOT_USED] if archive.exists() and not arguments.no_protect else []


async def _ask(arguments: argparse.Namespace, log: Path) -> int:
    if (wrong := check(arguments)) is not None:
        return _fail(wrong)
    split = Split(head=arguments.head, tail=arguments.tail, only_here=arguments.only_here)
    responder = EngineResponder(log=log, model=arguments.model, split=split, dtype=arguments.dtype, keep=False)
    status = _StatusLine()
    responder.listen(lambda news: status.show(news) if isinstance(news, Progress | ModelLoaded) else None)
    try:
        await responder.start()
        documents = [await responder.read_document(Path(name).absolute()) for name in arguments.document]
        for name in arguments.names:
            names = await responder.import_list(Path(name).absolute(), name, "person")
            if names.left_out:
                status.clear()
                print(f"{name}: {left_out_sentence(len(names.values), names.left_out)}", file=sys.stderr, flush=True)
        request = ReplyRequest(
            conversation="ask",
            turns=[Turn(role="user", text=arguments.question, documents=documents)],
            protect=not arguments.no_protect,
            incognito=True,
            sampling=Sampling(temperature=arguments.temperature, seed=arguments.seed, max_tokens=arguments.max_tokens),
            split=split,
            model=arguments.model,
            dtype=arguments.dtype,
            drafting=not arguments.no_drafts,
            noise=asked_noise.noise_of(arguments),
        )
        status.clear()
        for notice in notices(arguments, user_paths().archive):
            print(notice, file=sys.stderr, flush=True)
        with _stop_on_interrupt(responder) as interrupted:
            result = await _print(responder, request, arguments, status)
        return INTERRUPTED if interrupted() and not result else result
    except (ChatError, EngineError) as error:
        status.clear()
        return _fail(str(error))
    finally:
        await responder.close()


async def _print(responder: EngineResponder, request: ReplyRequest, arguments: argparse.Namespace, status: "_StatusLine") -> int:
    as_json = arguments.json
    text: list[str] = []
    sent = Sent(request)
    statistics, failure = Statistics(), None
    async for event in responder.reply(request):
        match event:
            case Progress():
                status.show(event)
            case QuestionProtected(sent=Turn() as question, unread=unread):
                sent.question(question)
                if unread:
                    status.clear()
                    print(unread_sentence(unread), file=sys.stderr, flush=True)
            case TextAdded():
                status.clear()
                text.append(event.text)
                sent.answer(event)
                if not as_json:
                    sys.stdout.write(event.text)
                    sys.stdout.flush()
            case StatisticsChanged():
                pass
            case ReplyFinished():
                statistics = event.statistics
            case ReplyFailed():
                statistics, failure = event.statistics, event.sentence
    status.clear()
    if text and not as_json:
        print(flush=True)
    if arguments.show_sent and not as_json:
        print(sent.shown(), file=sys.stderr, flush=True)
    if as_json and (text or failure is None):
        shown = {"sent": sent.texts} if arguments.show_sent else {}
        print(json.dumps(report("".join(text), statistics) | shown), flush=True)
    if failure is not None:
        return _fail(f"The answer was interrupted. {failure}" if text else failure)
    return 0


class Sent:
    """The words that the model got and gave, for `--show-sent`: as they left, and as they came."""

    def __init__(self, request: ReplyRequest) -> None:
        """A request that is not protected leaves as it is; of any other nothing has left until that is told."""
        self._question = Turn(role="user", text="") if request.protect else request.turns[-1]
        self._answer = ""

    def question(self, sent: Turn) -> None:
        """The question has been protected and leaves like this."""
        self._question = sent

    def answer(self, event: TextAdded) -> None:
        """The model wrote more."""
        self._answer += event.sent

    @property
    def texts(self) -> dict[str, Any]:
        """For `--json`."""
        documents = self._question.documents
        return {
            "question": self._question.text,
            "documents": [document.text for document in documents],
            "document_names": [document.name for document in documents],
            "answer": self._answer,
        }

    def shown(self) -> str:
        """For a person."""
        return "\n\n".join(
            [
                f"The model was asked:\n{self._question.text}",
                *(f"It read “{document.name}”:\n{document.text}" for document in self._question.documents),
                f"It wrote:\n{self._answer}",
            ]
        )


def report(text: str, statistics: Statistics) -> dict[str, object]:
    """Return the object that `--json` prints: the text and the figures of the reply."""
    return {"text": text} | {name: getattr(statistics, name) for name in REPORTED}


@contextlib.contextmanager
def _stop_on_interrupt(responder: EngineResponder) -> Iterator[Callable[[], bool]]:
    """Make the first Ctrl+C stop the answer, so that what came is printed whole; the second one ends the program.

    Gives a function that tells whether it was pressed.
    """
    loop = asyncio.get_running_loop()
    stopping: set[asyncio.Task[None]] = set()

    def stop() -> None:
        loop.remove_signal_handler(signal.SIGINT)
        stopping.add(loop.create_task(responder.stop("ask")))

    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, stop)
    try:
        yield lambda: bool(stopping)
    finally:
        with contextlib.suppress(NotImplementedError):
            loop.remove_signal_handler(signal.SIGINT)


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr, flush=True)
    return 1


class _StatusLine:
    """What is going on, on one line of a terminal; nothing at all where standard error is no terminal."""

    def __init__(self) -> None:
        self._shown = False

    def show(self, news: Progress | ModelLoaded) -> None:
        if not sys.stderr.isatty() or isinstance(news, ModelLoaded):
            return
        share = f" {100 * news.done // news.total} %" if news.total else " …"
        sys.stderr.write(f"\r\033[K{_STAGES[news.stage]}{share}")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()
            self._shown = False
