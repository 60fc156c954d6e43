"""Runs `sotto ask --json` in this (private) network namespace and adds what a capture of the loopback saw to its object.

Only for a namespace of one's own: `unshare --net --map-root-user python -m tests.helpers.loopback_capture QUESTION …`.
"""

import array
import fcntl
import json
import socket
import struct
import subprocess
import sys
import threading

from tests.helpers.running_sotto import command

SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
ETH_P_ALL, PACKET_OUTGOING, UDP = 3, 4, 17


def bring_loopback_up() -> None:
    """What `ip link set lo up` does."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = array.array("B", struct.pack("16sh14x", b"lo", 0))
        fcntl.ioctl(any_socket, SIOCGIFFLAGS, request)
        flags = struct.unpack_from("16sh", request)[1]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", flags | IFF_UP))


class Capture:
    """Counts UDP datagrams that leave over `lo`, and the bytes in them."""

    def __init__(self) -> None:
        self.packets = self.bytes = 0
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 64 * 1024 * 1024)
        self._socket.bind(("lo", 0))
        self._socket.settimeout(0.5)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                frame, address = self._socket.recvfrom(65536)
            except TimeoutError:
                continue
            if address[2] == PACKET_OUTGOING and len(frame) > 34 and frame[23] == UDP:
                self.packets += 1
                self.bytes += len(frame) - 14 - 20 - 8


if __name__ == "__main__":
    bring_loopback_up()
    capture = Capture()
    result = subprocess.run(command("ask", "--json", *sys.argv[1:]), capture_output=True, text=True)
    capture.end()
    if result.returncode:
        sys.exit(result.stderr)
    made = json.loads(result.stdout)
    print(json.dumps(made | {"captured_bytes": capture.bytes, "captured_packets": capture.packets}))
