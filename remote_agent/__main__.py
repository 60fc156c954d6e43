"""The agent's command line: `sotto-agent serve` on a machine that lends its layers; `embedded` is for the desktop alone."""

import argparse
import logging
import re
import secrets
import sys
from pathlib import Path


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = argparse.ArgumentParser(prog="sotto-agent", description="Runs the middle layers of a language model for a desktop.")
    commands = parser.add_subparsers(dest="command", required=True)
    serve = commands.add_parser("serve", help="serve desktops on this machine until interrupted")
    serve.add_argument("--model", required=True, type=Path, help="a GGUF file or a folder")
    serve.add_argument("--models-directory", type=Path, help="where converted models are kept")
    serve.add_argument(
        "--layers",
        default="0:",
        metavar="A:B",
        help="the layers to offer, from A up to but not including B; all if left out, which noise needs",
    )
    serve.add_argument("--port", type=int, default=0, help="where to listen on 127.0.0.1; any free port if left out")
    serve.add_argument("--device", help="cuda, mps or cpu; chosen by itself if left out")
    serve.add_argument("--dtype", choices=["float32", "float16", "bfloat16"], help="what to compute in")
    serve.add_argument(
        "--metrics-port", type=int, help="health and Prometheus figures on this port of 127.0.0.1; nowhere if left out"
    )
    serve.add_argument("--log-addresses", action="store_true", help="leave network addresses in the log")
    commands.add_parser("embedded", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.command == "embedded":
        logging.basicConfig(level=logging.WARNING, format="%(asctime)s agent %(name)s %(levelname)s %(message)s")
        from remote_agent.service import embedded

        return embedded.main()
    return _serve(options)


def _serve(options: argparse.Namespace) -> int:
    from platformdirs import user_data_path

    from remote_agent.link.errors import LinkError
    from remote_agent.segment.errors import SegmentError
    from remote_agent.service.config import AgentConfig
    from remote_agent.service.errors import ServiceError
    from remote_agent.service.logs import log_as_json
    from remote_agent.service.server import AgentServer, serve_until_interrupted

    if not all(0 <= port <= 65_535 for port in (options.port, options.metrics_port or 0)):
        return _fail("A port is a number from 0 to 65535; 0 is any free one.")
    bounds = re.fullmatch(r"(\d+):(-?\d+)?", options.layers)
    if bounds is None:
        return _fail("Layers are given as A:B, for example --layers 4:28; the end may be counted from the last layer, 1:-1.")
    log_as_json(addresses=options.log_addresses)
    token = secrets.token_hex(32)
    config = AgentConfig(
        model=options.model,
        models_directory=options.models_directory or user_data_path("sotto-agent", appauthor=False) / "models",
        first_layer=int(bounds[1]),
        last_layer=None if bounds[2] is None else int(bounds[2]),
        port=options.port,
        token=token,
        device=options.device,
        dtype=options.dtype,
        monitoring_port=options.metrics_port,
    )
    try:
        server = AgentServer(config)
        server.start()
    except (SegmentError, LinkError, ServiceError) as error:
        return _fail(str(error))
    print(f"The agent serves this machine at http://127.0.0.1:{server.port}\nToken: {token}", flush=True)
    serve_until_interrupted(server)
    return 0


def _fail(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
