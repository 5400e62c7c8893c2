"""Start real servers quickly, one after the other, and let each die at a chosen statement.

It runs in a process of its own. Every line on its input is ``FOLDER STATEMENTS when DAYS SYNC``: it
forks, and the child serves FOLDER, or the database of TOSSUP_DATABASE_URL, until it has run that
many SQL statements since it was ready, then kills itself with SIGKILL ``before`` or ``after`` the
last of them; 0 means never. Its clock is so many DAYS ahead, and every commit takes SYNC
milliseconds more. The child prints ``ready PID URL``; when it has ended, the parent prints
``ended``.
"""

import os
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

from stores import open_wrapped

from tossup.server.clock import today
from tossup.server.config import Config
from tossup.server.store.sql.pool import Connection
from tossup.server.web.app import create_app
from tossup.server.web.serving.run import serve


class Dying:
    """A connection that counts statements, once armed, and ends its process."""

    left = 0
    when = "before"
    sync_seconds = 0.0

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def execute(self, sql: str, parameters: tuple[object, ...] = ()) -> object:
        Dying.left -= 1
        last = Dying.left == 0  # remembered here: other threads count on
        if last and Dying.when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if sql == "COMMIT":
            time.sleep(Dying.sync_seconds)
        rows = self._connection.execute(sql, parameters)
        if last:
            os.kill(os.getpid(), signal.SIGKILL)
        return rows

    def close(self) -> None:
        self._connection.close()


def child(folder: str, statements: int, when: str, days: int, sync: int) -> None:
    url = os.environ.get("TOSSUP_DATABASE_URL")
    # Under load a survey has ten million reports, the most by default, in half a minute.
    config = Config(data=Path(folder), database_url=url, port=0, threads=4, max_reports=100_000_000)
    store = open_wrapped(config, Dying, day=lambda: today() + timedelta(days=days))
    Dying.sync_seconds = sync / 1000

    def ready(url: str) -> None:
        print(f"ready {os.getpid()} {url}\n", end="", flush=True)
        # Only now: a thread of the server's own may run a statement at any time, and be the last.
        Dying.left, Dying.when = statements, when

    serve(config, ready, app=create_app(config, store=store))


def main() -> None:
    for line in sys.stdin:
        folder, statements, when, days, sync = line.split()
        pid = os.fork()
        if pid == 0:
            child(folder, int(statements), when, int(days), int(sync))
            os._exit(0)
        os.waitpid(pid, 0)
        print("ended", flush=True)
