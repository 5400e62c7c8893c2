"""Make one dear answer in a process of its own, which goes last and whose memory is bounded.

Stage: results, beside the server. Run as ``python -m tossup.server.web.aside`` with what is asked
as JSON on its input; the answer's bytes are its output. The server's interpreter lock is never held
for it, a fault in it is nobody else's, and whatever memory it took is the system's again.
"""

import json
import os
import subprocess
import sys
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from tossup.server.config import Config
from tossup.server.refusals import Refused
from tossup.server.web.answers import MAKERS, Asked

#: Seconds of processor time, and bytes of address space, after which it is given up.
MOST_SECONDS: Final = 120
MOST_BYTES: Final = 2 << 30
_NICE: Final = 5


def make_aside(config: Config, day: date, asked: Asked) -> bytes:
    """Return the answer that a process of its own makes.

    Raises
    ------
    Refused
        If it needs more time or memory than it may have.
    """
    job = {"data": str(config.data), "day": day.isoformat(), "asked": asked.to_json()}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOSSUP_")}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tossup.server.web.aside"],
            input=json.dumps(job).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=10 * MOST_SECONDS,
            env=environment | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Refused(
            "this answer needs more time or memory than the server gives one; ask for less of it"
            " (days, one group), or analyse a copy of the data with tossup.server.estimation",
            "too-dear",
        ) from error
    return done.stdout


def _bound() -> None:
    with suppress(OSError, AttributeError):
        os.nice(_NICE)
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))


def main() -> None:
    """Make what the input asks for."""
    _bound()
    from tossup.server.store import SQLiteStore
    from tossup.server.web.app import create_app

    job = json.loads(sys.stdin.buffer.read())
    asked, day = Asked.from_json(job["asked"]), date.fromisoformat(job["day"])
    config = Config(data=Path(job["data"]))
    app = create_app(config, store=SQLiteStore(config.database, day=lambda: day), reading=True)
    services = app.extensions["tossup"]
    with app.test_request_context(asked.address or "/"):
        body = MAKERS[asked.kind](asked, services.store.survey(asked.survey_id))
    sys.stdout.buffer.write(body)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
