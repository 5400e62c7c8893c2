"""The road of reports and withdrawals: what waits for a commit is a future, and no thread.

Stage: HTTP to ingest. With a thread for each request that waits, the loop, 64 threads and the
writer fight for the interpreter: see ``docs/decisions/0025-an-asynchronous-server.md``. Checks,
answers and problem documents are those of the view: see `tossup.server.web.middleware.receiving`.
"""

import asyncio
from collections import deque
from contextlib import suppress
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Final

from flask import Flask

from tossup.server.ingest.core import PATIENCE_SECONDS, WouldWait
from tossup.server.ingest.group import Work
from tossup.server.refusals import Busy
from tossup.server.web.middleware.headers import complete
from tossup.server.web.middleware.problems import explain, problem
from tossup.server.web.middleware.receiving import Receiving, committing, receipt
from tossup.server.web.middleware.requests import body_of, check_host
from tossup.server.web.services import Services
from tossup.server.web.serving.admission import Admission
from tossup.server.web.serving.answer import Answer
from tossup.server.web.serving.environ import Environ
from tossup.server.web.serving.threads import started
from tossup.shared.wire import Receipt

#: Larger bodies are decoded in a thread, so that they keep no other request waiting. Two threads
#: would decode no faster: they take turns with the interpreter, the loop and the writer.
_MOST_AT_ONCE: Final = 4096
_DECODING_THREADS: Final = 1
#: What a report costs beside its bytes, in bytes of a batch that cost as much.
_LEAST_COST: Final = 512
#: Room for that many bytes at first, and at least: about 340 and 170 single reports. Larger bodies
#: have as much of their own: else four senders of large batches that come again at once would keep
#: out a third of the devices that send one report, and many devices them.
_START, _LEAST = 256 << 10, 128 << 10
#: Where it takes longer, too much waits; alone, a report takes a few milliseconds,
_LATE_SECONDS: Final = 0.02
#: and as long as so many commits wait for the disk: a report waits for two, that under way and its
#: own, and with twice as long there may be as much work in each as a slow disk leaves time for.
_COMMITS: Final = 4
#: What is refused for what it is waits about as long as a report that is committed. A client that
#: sends as fast as it is answered then has no more turns than others by sending what is refused.
_REFUSAL_SECONDS: Final = 0.01

Future = asyncio.Future[Receipt]
Result = Receipt | Exception


class Reports:
    """Answers requests whose view declares that it commits; called by one loop."""

    def __init__(self, app: Flask) -> None:
        self._services: Services = app.extensions["tossup"]
        self._hosts = self._services.config.hosts
        self._by_path = committing(app)
        self._settled = _Settled()
        self._small = Admission(_START, _LEAST, self._late_seconds)
        self._large = Admission(_START, _LEAST, self._late_seconds)
        self._pool = started(_DECODING_THREADS, "tossup-decoding")

    def receiving(self, environ: Environ) -> Receiving | None:
        """Return what the view of a request declares; None if Flask is to answer it."""
        if environ["REQUEST_METHOD"] != "POST":
            return None
        return self._by_path.get(environ["PATH_INFO"])

    async def answer(self, receiving: Receiving, environ: Environ, body: bytes) -> Answer:
        """Return the answer, after the durable commit of what it acknowledges."""
        try:
            check_host(environ, self._hosts)
            body = body_of(environ, lambda _: body, *receiving.media_types)
            admission = self._small if len(body) <= _MOST_AT_ONCE else self._large
            with admission.place(_LEAST_COST + len(body)):
                received = await self._committed(await self._work(receiving, body))
        except Exception as error:
            refused = self.refusal(error)
            if refused.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                await asyncio.sleep(_REFUSAL_SECONDS)
            return refused
        return _received(received, self._services.config.secure)

    def refusal(self, error: Exception, *, closing: bool = False) -> Answer:
        """Return the problem document of an error, and count it."""
        code, detail = explain(error)
        self._services.metrics.count_problem(code)
        return _problem(code, detail, self._services.config.secure, closing)

    def close(self) -> None:
        """Let go of the threads that decode."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _late_seconds(self) -> float:
        return _LATE_SECONDS + _COMMITS * self._services.ingest.store_seconds()

    async def _work(self, receiving: Receiving, body: bytes) -> Work:
        decode = partial(receiving.decode, self._services.ingest, body)
        if len(body) <= _MOST_AT_ONCE:
            with suppress(WouldWait):
                return decode(at_once=True)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, partial(decode, at_once=False))

    async def _committed(self, work: Work) -> Receipt:
        loop = asyncio.get_running_loop()
        future: Future = loop.create_future()
        self._services.ingest.submit(work, partial(self._settled.put, future))
        late = loop.call_later(PATIENCE_SECONDS, _give_up, future)
        try:
            return await future
        finally:
            late.cancel()


class _Settled:
    """Results on their way from the writer's thread to the loop: one call wakes it for a group."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[Future, Result]] = deque()
        self._is_called = False

    def put(self, future: Future, result: Result) -> None:
        """Give a future its result, soon; from any thread."""
        self._waiting.append((future, result))
        if not self._is_called:
            self._is_called = True
            try:
                future.get_loop().call_soon_threadsafe(self._deliver)
            except RuntimeError:  # the loop has ended, and nobody waits any more
                self._is_called = False

    def _deliver(self) -> None:
        self._is_called = False  # before the queue is emptied: what comes after this calls again
        while self._waiting:
            future, result = self._waiting.popleft()
            if future.done():
                continue
            if isinstance(result, Receipt):
                future.set_result(result)
            else:
                future.set_exception(result)


def _give_up(future: Future) -> None:
    # It may still be committed: the client sends the same ids again, which count once.
    if not future.done():
        future.set_exception(Busy())


@lru_cache(maxsize=1024)
def _received(received: Receipt, secure: bool) -> Answer:  # noqa: FBT001 - a key of the cache
    return Answer.of(complete(receipt(received), secure=secure, shared=True))


@lru_cache(maxsize=256)
def _problem(code: str, detail: str, secure: bool, closing: bool) -> Answer:  # noqa: FBT001
    response = complete(problem(code, detail), secure=secure, shared=True)
    return Answer.of(response, closing=closing)
