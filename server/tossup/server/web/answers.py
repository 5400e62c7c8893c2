"""Answers from results: made once for many askers, kept, and made aside where they are costly.

Stage: results to HTTP. Many may ask at once, anonymously, and what they cost the server must not
keep a report waiting:

- one computation for each survey, revision and query, however many wait for it; its bytes are
  kept, the longest unused forgotten first;
- a process of its own (`tossup.server.web.aside`) makes a costly answer, at most once a minute, two
  at a time: one for views without filters, one for all others, so that no choice of filters keeps
  the first from being made. Until then the older answer goes out, and says when it was made;
- only a part of the server's threads may wait for any of this. Further askers are told to come
  again: reports keep the other threads.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from math import ceil
from typing import Any, Final

from flask import Response

from tossup.server.kinds import kind_of
from tossup.server.refusals import Busy, Refused
from tossup.server.store.base import Store
from tossup.server.store.records import SurveyRecord
from tossup.server.web.middleware.compression import takes_packed
from tossup.server.web.middleware.copies import hold_copy
from tossup.server.web.middleware.packed import PackedResponse, unpack, unpacked_size
from tossup.server.web.middleware.problems import when_to_retry
from tossup.shared.survey import Question

#: Bytes of answers that are kept; costly ones are kept compressed.
MOST_BYTES: Final = 64 << 20
#: A costly answer is made anew after so many seconds at the earliest.
FRESH_SECONDS: Final = 60.0
#: So many costly answers are made at once, each in a process of its own; and cheap ones here.
SLOTS: Final = 2
#: An asker waits so long for a costly answer, then comes again.
PATIENCE_SECONDS: Final = 15.0

#: Whoever is to come again is told to wait at least, and at most, so long.
_WAITS: Final = (5, 60)

#: An answer that takes more processor time than this twice in a row is made aside from then on: the
#: first of its kind also imports modules and compiles templates.
_DEAR_SECONDS: Final = 0.3
#: An answer that makes more estimates, or reads more counters or joint reports, is made aside; of
#: estimates and counters together so many parts of each.
#: An estimate of an option, in a group or on a day, takes 0.3 to 0.6 ms on a page or in JSON,
#: whatever the mechanism (measured with 2 to 256 options, 0 to 64 groups and 10 days), and a
#: counter 10 us. A joint report that was committed by itself takes 0.1 ms.
_MOST_ESTIMATES: Final = 450
_MOST_ROWS: Final = 20_000
_MOST_JOINT_REPORTS: Final = 1000
#: Answers with estimates of every day; pages draw days together, as `MOST_MARKS` at most.
_BY_DAY: Final = ("json", "csv")
#: At most so many weeks, months or years a page draws.
MOST_MARKS: Final = 12
_MOST_SLOW: Final = 4096


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked: everything that an answer depends on but the survey's revision.

    Attributes
    ----------
    kind
        The name of its maker; see `maker`.
    survey_id, query
        The survey, and the filters, sorted by name.
    language
        The language of labels or of a page, where the answer has one.
    address
        The path and query of a page, whose links keep them; empty for what has no links.
    as_of
        When it is made, where that may be a while ago; the answer then says so.
    """

    kind: str
    survey_id: str
    query: tuple[tuple[str, str], ...]
    language: str | None = None
    address: str = ""
    as_of: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON types."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Asked":
        """Return what `to_json` wrote."""
        return cls(**{**value, "query": tuple((name, v) for name, v in value["query"])})


@dataclass(frozen=True, slots=True)
class Answer:
    """The bytes of an answer; a costly one says when it was made, or why it was refused.

    Attributes
    ----------
    data
        The bytes that are kept: compressed of a costly answer, and as they are of any other.
    """

    data: bytes
    as_of: datetime | None = None
    refusal: Refused | None = None

    @property
    def is_packed(self) -> bool:
        """Whether `data` is compressed."""
        return self.as_of is not None

    @property
    def size(self) -> int:
        """How many bytes are written."""
        return unpacked_size(self.data) if self.is_packed else len(self.data)

    @property
    def body(self) -> bytes:
        """The bytes as they are written, for one visitor.

        Raises
        ------
        Busy
            If they are many, and too many visitors need a copy at once.
        """
        hold_copy(self.size)
        return unpack(self.data) if self.is_packed else self.data

    def response(self, content_type: str) -> Response:
        """Return it as a response.

        Raises
        ------
        Busy
            As `body`, if it is to be unpacked for this visitor.
        """
        if self.is_packed:
            if not takes_packed():
                hold_copy(self.size)
            return PackedResponse(self.data, content_type=content_type)
        return Response(self.data, content_type=content_type)


Maker = Callable[[Asked, SurveyRecord], bytes]
Aside = Callable[[Asked], bytes]

#: The maker of each kind of answer; the modules with the routes fill it.
MAKERS: Final[dict[str, Maker]] = {}


def maker(kind: str) -> Callable[[Maker], Maker]:
    """Register a function that makes one kind of answer, inside an application's context."""

    def register(make: Maker) -> Maker:
        MAKERS[kind] = make
        return make

    return register


@dataclass(frozen=True, slots=True)
class _Kept:
    """An answer, the revision it was made at, and when (monotonic) if it was costly."""

    answer: Answer
    revision: object
    made: float | None = None


class NotReady(Refused):
    """A costly answer is being made; come again when it is likely there."""

    def __init__(self, seconds: int) -> None:
        super().__init__(
            "this survey is large: the answer is being worked out aside, and reports go first;"
            f" ask again in {seconds} seconds",
            "preparing",
            seconds,
        )


class Answers:
    """Answers that were made or are being made. Safe to share between threads.

    Parameters
    ----------
    store
        Tells how much there is to read.
    aside
        Makes a costly answer away from this process, and returns it compressed.
    waiting
        How many threads may make cheap answers or wait, together.
    most_bytes
        Bytes of answers that are kept.
    now
        Seconds of a clock that never goes back.
    """

    def __init__(
        self,
        store: Store,
        aside: Aside,
        *,
        waiting: int,
        most_bytes: int = MOST_BYTES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._aside = aside
        self._most_bytes = most_bytes
        self._now = now
        self._lock = threading.Lock()
        self._kept: OrderedDict[Asked, _Kept] = OrderedDict()
        self._bytes = 0
        self._flights: dict[tuple[Asked, object], Future[_Kept]] = {}
        # What is being made aside and since when, with filters and without.
        self._lanes: dict[bool, tuple[Asked, float]] = {}
        self._took: OrderedDict[tuple[str, str], float] = OrderedDict()
        self._slow: OrderedDict[tuple[str, str], int] = OrderedDict()  # how often in a row
        self._places = threading.Semaphore(max(1, waiting))
        self._inline = threading.Semaphore(SLOTS)

    def get(self, asked: Asked, record: SurveyRecord, revision: object) -> Answer:
        """Return the answer: kept, or made now; or a costly one of up to a minute ago.

        ``revision`` is all that may change it.

        Raises
        ------
        NotReady
            If a costly answer is being made and there is none yet.
        Refused
            If it is too costly to be made.
        Busy
            If too many wait already.
        """
        kept = self._known(asked, revision)
        answer = kept.answer if kept else self._made(asked, record, revision)
        if answer.refusal is not None:
            raise answer.refusal
        return answer

    def _made(self, asked: Asked, record: SurveyRecord, revision: object) -> Answer:
        with self._place():
            if self._is_dear(asked, record):
                return self._dear(asked, revision)
            return self._cheap(asked, record, revision)

    def _known(self, asked: Asked, revision: object) -> _Kept | None:
        """Return the kept answer of this revision, or a costly one of less than a minute ago."""
        with self._lock:
            kept = self._kept.get(asked)
            if kept is None:
                return None
            self._kept.move_to_end(asked)
            if kept.revision == revision or self._is_fresh(kept):
                return kept
            return None

    def _is_fresh(self, kept: _Kept) -> bool:
        return kept.made is not None and self._now() - kept.made < FRESH_SECONDS

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(blocking=False):
            raise Busy
        try:
            yield
        finally:
            self._places.release()

    def _cheap(self, asked: Asked, record: SurveyRecord, revision: object) -> Answer:
        """Make an answer in this thread, or wait for whoever makes it."""
        flight, is_mine = self._flight(asked, revision)
        if is_mine:
            self._land(flight, asked, revision, lambda: self._made_here(asked, record, revision))
        return flight.result().answer

    def _made_here(self, asked: Asked, record: SurveyRecord, revision: object) -> _Kept:
        with self._inline:
            start = time.thread_time()
            body = MAKERS[asked.kind](asked, record)
            self._note(asked, is_slow=time.thread_time() - start > _DEAR_SECONDS)
        return _Kept(Answer(body), revision)

    def _note(self, asked: Asked, *, is_slow: bool) -> None:
        """Count how often in a row answers of a survey were costly beyond expectation."""
        with self._lock:
            before = self._slow.pop((asked.kind, asked.survey_id), 0)
            if is_slow:
                self._slow[asked.kind, asked.survey_id] = before + 1
            if len(self._slow) > _MOST_SLOW:
                self._slow.popitem(last=False)

    def _dear(self, asked: Asked, revision: object) -> Answer:
        """Have an answer made aside; give out an older one where there is one."""
        with self._lock:
            older = self._kept.get(asked)
            flight = self._flights.get((asked, None))
            is_mine = flight is None and bool(asked.query) not in self._lanes
            if is_mine:
                self._lanes[bool(asked.query)] = asked, self._now()
                flight = self._flights[asked, None] = Future()
        if is_mine and flight is not None:
            self._begin_aside(flight, asked, revision)
        if older is not None:
            return older.answer
        if flight is None:
            raise NotReady(self._seconds_until(asked))
        try:
            return flight.result(PATIENCE_SECONDS).answer
        except TimeoutError:
            raise NotReady(self._seconds_until(asked)) from None

    def _begin_aside(self, flight: "Future[_Kept]", asked: Asked, revision: object) -> None:
        """Have an answer made by another thread; where none can be had, the next to ask may."""
        try:
            threading.Thread(target=self._run_aside, args=(flight, asked, revision)).start()
        except (RuntimeError, MemoryError):
            with self._lock:
                del self._lanes[bool(asked.query)], self._flights[asked, None]
            flight.set_exception(Busy())

    def _seconds_until(self, asked: Asked) -> int:
        """Return in how many seconds an answer is likely there: as others of its survey took.

        One of which nothing is known is likely made for as long again as it has been already. What
        another answer keeps waiting comes after that one.
        """
        with self._lock:
            making = self._lanes.get(bool(asked.query))
            left = 0.0
            if making is not None:
                spent = self._now() - making[1]
                usual = self._took.get((making[0].kind, making[0].survey_id), 0.0)
                left = usual - spent if usual > spent else spent
            if making is None or making[0] != asked:
                left += self._took.get((asked.kind, asked.survey_id), 0.0)
        least, most = _WAITS
        return min(max(least, ceil(left)), most)

    def _run_aside(self, flight: "Future[_Kept]", asked: Asked, revision: object) -> None:
        try:
            self._land(flight, asked, None, lambda: self._made_aside(asked, revision))
        finally:
            with self._lock:
                _, begun = self._lanes.pop(bool(asked.query))
                self._took.pop((asked.kind, asked.survey_id), None)
                self._took[asked.kind, asked.survey_id] = self._now() - begun
                if len(self._took) > _MOST_SLOW:
                    self._took.popitem(last=False)

    def _made_aside(self, asked: Asked, revision: object) -> _Kept:
        when = datetime.now(UTC).replace(second=0, microsecond=0)
        try:
            packed = self._aside(replace(asked, as_of=when.strftime("%Y-%m-%dT%H:%MZ")))
        except Refused as refusal:
            if when_to_retry(refusal, refusal.code):
                raise
            # It is kept like an answer: what cannot be made is not tried for every asker.
            return _Kept(Answer(b"", when, refusal), revision, self._now())
        return _Kept(Answer(packed, when), revision, self._now())

    def _flight(self, asked: Asked, revision: object) -> tuple["Future[_Kept]", bool]:
        """Return the computation under way, and whether the caller is to begin it."""
        with self._lock:
            flight = self._flights.get((asked, revision))
            if flight is not None:
                return flight, False
            flight = self._flights[asked, revision] = Future()
            return flight, True

    def _land(
        self,
        flight: "Future[_Kept]",
        asked: Asked,
        revision: object,
        make: Callable[[], _Kept],
    ) -> None:
        """Make an answer, keep it, and give it to all who wait; or give them what went wrong."""
        try:
            kept = make()
        except BaseException as error:
            with self._lock:
                del self._flights[asked, revision]
            flight.set_exception(error)
            return
        with self._lock:
            self._keep(asked, kept)
            del self._flights[asked, revision]
        flight.set_result(kept)

    def _keep(self, asked: Asked, kept: _Kept) -> None:
        before = self._kept.pop(asked, None)
        self._bytes += len(kept.answer.data) - (len(before.answer.data) if before else 0)
        self._kept[asked] = kept
        while self._bytes > self._most_bytes:
            _, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest.answer.data)

    def _is_dear(self, asked: Asked, record: SurveyRecord) -> bool:
        with self._lock:
            if self._slow.get((asked.kind, asked.survey_id), 0) > 1:
                return True
        return is_dear(asked.kind, self._store, record)


def is_dear(kind: str, store: Store, record: SurveyRecord) -> bool:
    """Return whether an answer may take more than 300 ms of a processor.

    The number of estimates, in groups and on days, and of counters or stored reports decides. A
    costly answer that this misses is noticed when it was made twice.
    """
    survey = record.survey
    if kind == "choose-two":
        return False
    if kind.startswith("joint"):
        return record.reports > _MOST_JOINT_REPORTS
    groups = 1 + sum(len(attribute.options) for attribute in survey.attributes)
    if any(_is_heavy(question) for question in survey.questions):
        return True
    counters, days = store.tally_size(survey.id, _MOST_ROWS)
    days = days if kind in _BY_DAY else min(days, MOST_MARKS)
    estimates = (groups + days) * sum(_estimates(question) for question in survey.questions)
    return estimates / _MOST_ESTIMATES + counters / _MOST_ROWS >= 1


def _estimates(question: Question) -> int:
    """Return how many estimates a slice has, in units of a share's work."""
    return max(kind_of(question).work(question.mechanism), len(question.answer_ids))


def _is_heavy(question: Question) -> bool:
    return kind_of(question).is_heavy(question.mechanism)
