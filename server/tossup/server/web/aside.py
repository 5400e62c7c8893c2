"""Make one costly answer in a process of its own, of low priority and bounded memory.

Stage: results, beside the server. `tossup.server.web.serving.aside` is the program that runs there.
The server's interpreter lock is never held for it, a fault in it hurts no other request, and all
of its memory goes back to the system.
"""

import json
import os
import subprocess
import sys
from datetime import date
from typing import Final

from tossup.server.config import Config
from tossup.server.refusals import Refused
from tossup.server.web.answers import Asked

#: Seconds of processor time, and bytes of address space, after which the answer is given up.
MOST_SECONDS: Final = 120
MOST_BYTES: Final = 2 << 30
#: Bytes of an answer before it is compressed, and of a page, which each visitor gets in a frame of
#: its own; a longer one is given up.
MOST_ANSWER_BYTES: Final = 48 << 20
MOST_PAGE_BYTES: Final = 16 << 20


def make_aside(config: Config, day: date, asked: Asked) -> bytes:
    """Return the answer that a process of its own makes and compresses.

    Raises
    ------
    Refused
        If it needs more time or memory than it may have, or is too long.
    """
    job = {
        "data": str(config.data),
        "public_url": config.public_url,
        "database_url": config.database_url,
        "replica_url": config.replica_url,
        "day": day.isoformat(),
        "asked": asked.to_json(),
    }
    environment = {k: v for k, v in os.environ.items() if not k.startswith("TOSSUP_")}
    try:
        done = subprocess.run(
            [sys.executable, "-m", "tossup.server.web.serving.aside"],
            input=json.dumps(job).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=10 * MOST_SECONDS,
            env=environment | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            check=True,
        )
    except (subprocess.SubprocessError, OSError) as error:
        raise Refused(
            "this answer needs more time or memory than the server gives one, or is longer than it"
            " sends; ask for less of it (days, one group), or analyse a copy of the data with"
            " tossup.server.estimation",
            "too-dear",
        ) from error
    return done.stdout
