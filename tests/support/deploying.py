"""What the tests of deploying share: the guide's blocks, its files, and free ports."""

import re
import secrets
import socket
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "server/deploy"
GUIDE = ROOT / "docs/how-to/deploy.md"


def blocks(language: str) -> list[str]:
    """Return the blocks of the guide in one language."""
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


def free_port() -> int:
    """Return a port that nobody listens on, and that nobody is given until it is bound.

    It lies below those that the system gives to whoever asks for any, or connects. A socket with
    its name, held as long as this process lives, keeps it from the tests that run beside.
    """
    given = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    first = max(int(given[0]), 4096)
    while True:
        port = first // 2 + secrets.randbelow(first - first // 2)
        name = socket.socket(socket.AF_UNIX)
        try:
            name.bind(f"\0tossup-port-{port}")
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            name.close()
        else:
            name.detach()
            return port
