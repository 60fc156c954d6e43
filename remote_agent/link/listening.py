"""Listening for HTTP on one address, with a sentence where that cannot be."""

import errno

from aiohttp import web

from remote_agent.link.errors import LinkError, PortTaken


async def listening(app: web.Application, host: str, port: int, *, cancels: bool = False) -> tuple[web.AppRunner, int]:
    """Serve an application on host and port (0: any free one); return what ends it (`cleanup`), and the port.

    `cancels`: a request whose client has gone is cancelled. Raises `PortTaken`, or `LinkError` where it may not listen.
    """
    runner = web.AppRunner(app, access_log=None, handler_cancellation=cancels, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        await runner.cleanup()
        if error.errno == errno.EADDRINUSE:
            raise PortTaken(port) from error
        raise LinkError(f"This computer does not allow listening on {host}, port {port}. Choose another one.") from error
    return runner, runner.addresses[0][1]
