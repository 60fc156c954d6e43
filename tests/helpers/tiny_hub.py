"""A Hugging Face Hub of a few files on 127.0.0.1, as far as `snapshot_download` asks for one."""

import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

COMMIT = "a" * 40


class TinyHub:
    """Serves `folder` as the model `org/tiny`; `asked` lists the paths of all requests. `broken`: files end in the middle."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[str] = []
        self.broken = False

    @contextmanager
    def running(self) -> Iterator[str]:
        """The hub's address while it runs."""
        server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            server.server_close()
            thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self) -> None:
                self.answer(body=False)

            def do_GET(self) -> None:
                self.answer(body=True)

            def log_message(self, *arguments: object) -> None:
                pass

            def answer(self, body: bool) -> None:
                path = unquote(urlsplit(self.path).path)
                hub.asked.append(path)
                if path.startswith("/api/models/org/tiny/revision/"):
                    names = [{"rfilename": file.name} for file in sorted(hub.folder.iterdir())]
                    self.send(json.dumps({"id": "org/tiny", "sha": COMMIT, "siblings": names}).encode(), body)
                elif path.startswith("/api/models/org/tiny/tree/"):
                    entries = [
                        {"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "b" * 40}
                        for file in sorted(hub.folder.iterdir())
                    ]
                    self.send(json.dumps(entries).encode(), body)
                elif path.startswith("/org/tiny/resolve/") and (hub.folder / path.rsplit("/", 1)[1]).is_file():
                    self.send((hub.folder / path.rsplit("/", 1)[1]).read_bytes(), body, file=True)
                else:
                    self.send_response(404)
                    self.send_header("X-Error-Code", "RepoNotFound")
                    self.send_header("Content-Length", "0")
                    self.end_headers()

            def send(self, data: bytes, body: bool, file: bool = False) -> None:
                start = 0
                wanted = self.headers.get("Range", "")
                if file and body and wanted.startswith("bytes="):
                    start = int(wanted.removeprefix("bytes=").split("-")[0])
                    self.send_response(206)
                    self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
                else:
                    self.send_response(200)
                self.send_header("Content-Length", str(len(data) - start))
                self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
                self.send_header("X-Repo-Commit", COMMIT)
                self.send_header("Accept-Ranges", "bytes")
                self.end_headers()
                if body:
                    half = hub.broken and file and len(data) > 10_000
                    self.wfile.write(data[start : start + (len(data) - start) // 2] if half else data[start:])
                    self.close_connection = True

        return Handler
