"""Flask, for all that does not wait for a commit: each request has a thread until it is answered.

Stage: HTTP. Bodies are read before a thread is taken, and answers are sent after it is given back,
so that a slow client holds none.
"""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from flask import Flask

from tossup.server.web.serving.admission import Admission
from tossup.server.web.serving.answer import Answer, encoded
from tossup.server.web.serving.environ import Environ, with_body

#: So many requests may wait for a thread at first, and at least.
_START, _LEAST = 256, 16
#: Fewer may wait once they wait for longer.
_LATE_SECONDS: Final = 0.25


def started(threads: int, name: str) -> ThreadPoolExecutor:
    """Return a pool whose threads are there already.

    One that starts them when they are needed answers nobody where the system has none left by
    then, and does later what it refused.

    Raises
    ------
    RuntimeError
        If the system lets the process have no more threads.
    """
    pool, all_there = ThreadPoolExecutor(threads, name), threading.Barrier(threads + 1)
    try:
        for _ in range(threads):
            pool.submit(all_there.wait)
        all_there.wait()
    except BaseException:
        all_there.abort()
        pool.shutdown()
        raise
    return pool


class Threads:
    """Calls an application in threads."""

    def __init__(self, app: Flask, threads: int) -> None:
        self._call_flask = app.wsgi_app
        self._pool = started(threads, "tossup-request")
        self._waiting = Admission(_START, _LEAST, lambda: _LATE_SECONDS)

    async def answer(self, environ: Environ, body: bytes) -> Answer:
        """Return the application's answer.

        Raises
        ------
        Busy
            If too many requests wait for a thread.
        """
        began = self._waiting.enter(1)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._call, environ, body, began)

    def close(self) -> None:
        """Begin no request any more; those that run come to their end."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _call(self, environ: Environ, body: bytes, began: float) -> Answer:
        self._waiting.leave(1, began)
        started: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _error: Any = None) -> Any:
            started[:] = [(status, headers)]

        answered = self._call_flask(with_body(environ, body), start)
        try:
            parts = [part for part in answered if part]
        finally:
            close = getattr(answered, "close", None)
            if close is not None:
                close()
        [(status, headers)] = started
        # One part is not copied: many who read the same page slowly hold it once.
        whole = parts[0] if len(parts) == 1 else b"".join(parts)
        return Answer(int(status[:3]), encoded(headers), whole)
