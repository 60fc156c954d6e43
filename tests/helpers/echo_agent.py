"""An agent that answers each step with its own rows; `python -m tests.helpers.echo_agent`: token on stdin, port on stdout."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from remote_agent.link.channel import Channel
from remote_agent.link.outbox import Outbox
from remote_agent.link.signalling import serve_signalling
from remote_agent.link.thread import LinkThread
from remote_agent.wire.messages import Answer, Message, Step


def echo(link: LinkThread) -> Callable[[Channel], None]:
    """What to give `serve_signalling` as `accept`, for a server in this link's loop."""

    def accept(channel: Channel) -> None:
        outbox = Outbox(channel, link)

        def answer(message: Message, payload: memoryview) -> None:
            if isinstance(message, Step):
                outbox.post(Answer(message.session, message.epoch, message.sequence, 0), payload)

        channel.on_message(answer)

    return accept


def main() -> None:
    """Serve until stdin ends."""
    token = sys.stdin.readline().strip()
    with LinkThread("echo agent") as link:
        _, port = link.submit(serve_signalling("127.0.0.1", 0, token, echo(link))).result()
        print(port, flush=True)
        sys.stdin.read()


@asynccontextmanager
async def serving(link: LinkThread, token: str, accept: Callable[[Channel], object] | None = None) -> AsyncIterator[str]:
    """Serves in this link's loop while the context lasts; gives the URL to connect to."""
    runner, port = await link.run(serve_signalling("127.0.0.1", 0, token, accept or echo(link)))
    yield f"http://127.0.0.1:{port}"
    await link.run(runner.cleanup())


async def start(token: str) -> tuple[asyncio.subprocess.Process, str]:
    """The same as a child process, and its URL."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.helpers.echo_agent", stdin=pipe, stdout=pipe)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write(f"{token}\n".encode())
    port = int(await child.stdout.readline())
    return child, f"http://127.0.0.1:{port}"


if __name__ == "__main__":
    main()
