"""The program that makes one costly answer: a question as JSON on its input, bytes on its output.

Stage: results, beside the server. It has a low priority, and its time and memory are bounded. What
it cannot make it explains on its output as HTTP would; a mistake of ours is logged by its place.
"""

import json
import os
import sys
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final

from tossup.server.config import Config
from tossup.server.store import open_store
from tossup.server.web.answers import MAKERS, Asked
from tossup.server.web.app import create_app
from tossup.server.web.aside import (
    EXPLAINED,
    MOST_ANSWER_BYTES,
    MOST_BYTES,
    MOST_PAGE_BYTES,
    MOST_SECONDS,
    TooDear,
)
from tossup.server.web.middleware.packed import pack
from tossup.server.web.middleware.problems import explain

_NICE: Final = 5


def _bound() -> None:
    with suppress(OSError, AttributeError):
        os.nice(_NICE)
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def main() -> int:
    """Make what the input asks for; return the exit code."""
    _bound()
    try:
        said, code = _made(json.loads(sys.stdin.buffer.read())), 0
    except MemoryError:
        said, code = _explained(TooDear()), EXPLAINED
    except Exception as error:
        said, code = _explained(error), EXPLAINED
    sys.stdout.buffer.write(said)
    sys.stdout.buffer.flush()
    return code


def _made(job: dict[str, Any]) -> bytes:
    """Return the answer, compressed."""
    asked, day = Asked.from_json(job["asked"]), date.fromisoformat(job["day"])
    config = Config(
        data=Path(job["data"]),
        database_url=job["database_url"],
        replica_url=job["replica_url"],
        public_url=job["public_url"],
    )
    app = create_app(config, store=open_store(config, day=lambda: day), reading=True)
    services = app.extensions["tossup"]
    with app.test_request_context(asked.address or "/"):
        body = MAKERS[asked.kind](asked, services.store.survey(asked.survey_id))
    if len(body) > (MOST_PAGE_BYTES if asked.address else MOST_ANSWER_BYTES):
        raise TooDear
    return pack(body)


def _explained(error: Exception) -> bytes:
    code, detail = explain(error)
    return json.dumps({"code": code, "message": detail}).encode()


if __name__ == "__main__":
    sys.exit(main())
