"""What the tests of deploying share: the guide's blocks, its files, and free ports."""

import re
import socket
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "server/deploy"
GUIDE = ROOT / "docs/how-to/deploy.md"


def blocks(language: str) -> list[str]:
    """Return the blocks of the guide in one language."""
    return re.findall(rf"```{language}\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
