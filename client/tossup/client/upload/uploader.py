"""Send what is in the outbox, exactly as it is, until the server has acknowledged it.

Stage: upload. What leaves is stored before, so a process may die anywhere: a report goes
out again as the same bytes under the same id, and the server counts an id once.
Reports leave in the order of their random ids, one question and one wave a request, so that
neither order nor neighbours tell which answers were given together. For the same reason a request
withdraws one report: a list of ids would join the answers of all questions and all waves.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Final, Protocol, TypeVar

from tossup.client.asking import now
from tossup.client.errors import TransportError, pass_on
from tossup.client.registry import Manifests, change_standing, publisher_of, standing
from tossup.client.results import Status
from tossup.client.settings import Link
from tossup.client.store import outbox
from tossup.client.store.database import Connection
from tossup.client.store.outbox import Box, Report
from tossup.client.upload.transport import Server, problem_of
from tossup.client.upload.verdicts import (
    CLOSED,
    FINAL,
    Accepted,
    Later,
    Refused,
    TooLarge,
    Verdict,
    delay_after,
    judge,
    remaining,
)
from tossup.shared import wire
from tossup.shared.errors import WireError
from tossup.shared.survey import WAVE, Survey
from tossup.shared.wire import Batch, Receipt

BATCH_REPORTS: Final = 1000
BATCH_BYTES: Final = 64 * 1024
ROUND_REQUESTS: Final = 16

T = TypeVar("T")

WAITING: Final = "waiting"


class InStore(Protocol):
    """Runs a function in one durable transaction and returns what it returns.

    ``erases`` says whether it may erase anything, as it does once the server has a report.
    """

    def __call__(  # noqa: D102
        self, work: Callable[[Connection], T], /, *, erases: bool = True
    ) -> T: ...


@dataclass(frozen=True, slots=True)
class Parcel:
    """One request: what it carries, and the stored reports it is about.

    ``start`` is the place where it begins among all that waits, as it was read; ``end`` is that
    after it.
    """

    path: str
    media_type: str
    body: bytes
    reports: Sequence[Report]
    start: int = 0
    end: int = 0


#: Requests that are noted in one transaction and settled in the next.
Round = Sequence[Parcel]


@dataclass(slots=True)
class Progress:
    """What one flush has done so far, and why it stopped early, if it did.

    ``offered`` counts reports that the server took or refused; ``status`` is where the device
    stands after the last step, if that could be told.
    """

    offered: int = 0
    sent: int = 0
    withdrawn: int = 0
    problem: str | None = None
    status: Status | None = None


class Uploader:
    """Empties the outbox of one survey, reports first, then withdrawals, in rounds of requests.

    One transaction notes which reports a round sends, before any of them leaves. The next one
    stores every answer of the server to the round and takes the round after it. So a flush
    commits once a round, and once at the end. If the process dies within a round, what the server
    took goes out once more, and is counted once.

    All that waits is read at the beginning and at the end, and a round reads what it is about: a
    year's reports, one a request, take a time that grows with their number and not with its square.

    Parameters
    ----------
    status
        Returns where the device stands with its uploads. It is asked in the transaction that ends
        the flush.
    limit
        Send at most this many reports; None for all.
    """

    def __init__(
        self,
        link: Link,
        server: Server,
        manifests: Manifests,
        in_store: InStore,
        *,
        status: Callable[[Connection, Box], Status],
        limit: int | None = None,
    ) -> None:
        self._link = link
        self._server = server
        self._manifests = manifests
        self._in_store = in_store
        self._status = status
        self._limit = limit
        self._batch_limit = BATCH_REPORTS
        self._waiting: Sequence[Report] = ()  # as they were read at the beginning

    def run(self, *, force: bool = False) -> Progress:
        """Send until nothing is left, the limit is reached, or a request fails."""
        progress = Progress()
        round_ = self._in_store(partial(self._first, progress=progress, force=force), erases=False)
        while round_:
            settle = partial(self._settle_and_next, round_=round_, verdicts=self._send(round_))
            progress, round_ = self._in_store(partial(settle, progress=progress))
        return progress

    def _send(self, round_: Round) -> Sequence[Verdict]:
        """Return what became of the parcels, up to the first that was not simply taken."""
        verdicts: list[Verdict] = []
        for parcel in round_:
            verdicts.append(self._verdict(parcel))
            match verdicts[-1]:
                case Accepted(Receipt(failed=())):
                    continue
            break
        return verdicts

    def _verdict(self, parcel: Parcel) -> Verdict:
        """Send a parcel, and return what became of it."""
        try:
            response = self._server.post(parcel.path, parcel.media_type, parcel.body)
        except TransportError as error:
            return Later(problem_of(error))
        return judge(response, len(parcel.reports))

    def _box(self, connection: Connection, only: Sequence[Report] | None = None) -> Box:
        ids = None if only is None else [report.id for report in only]
        return Box(connection, publisher_of(self._link), self._link.survey, only=ids)

    def _first(self, connection: Connection, progress: Progress, *, force: bool) -> Round:
        outbox.index(connection)
        box = self._box(connection)
        if force:
            box.requeue(lambda report: report.code not in FINAL)
        elif self._must_wait(connection, box):
            progress.problem = WAITING
        self._plan(box, self._room(progress))
        return self._next_or_end(connection, box, progress, at=0)

    def _must_wait(self, connection: Connection, box: Box) -> bool:
        """Return whether there is something to send, and it is not due yet."""
        state = standing(connection, self._link)
        due = not remaining(state.retry_at, state.delay, now.clock())
        return not due and bool(box.reports("pending", "withdrawing"))

    def _settle_and_next(
        self, connection: Connection, round_: Round, verdicts: Sequence[Verdict], progress: Progress
    ) -> tuple[Progress, Round]:
        box = self._box(connection, [r for parcel in round_ for r in parcel.reports])
        taken = [r for parcel in round_[: len(verdicts) - 1] for r in parcel.reports]
        if taken:
            progress = self._recorded(connection, box, taken, {}, progress)
        last = round_[len(verdicts) - 1]
        progress = self._settle(connection, box, verdicts[-1], last.reports, progress)
        _note_unsent(box, [r for parcel in round_[len(verdicts) :] for r in parcel.reports])
        at = last.start if isinstance(verdicts[-1], TooLarge) else last.end
        return progress, self._next_or_end(connection, box, progress, at)

    def _next_or_end(self, connection: Connection, box: Box, progress: Progress, at: int) -> Round:
        """Return the next round; if there is none to send now, note where the device stands."""
        round_ = () if progress.problem else self._next(connection, box, progress, at)
        if not round_:
            progress.status = self._status(connection, self._box(connection))
        return round_

    def _next(self, connection: Connection, box: Box, progress: Progress, at: int) -> Round:
        """Return the next round, and note that its reports may reach the server from now on."""
        room = self._room(progress)
        round_ = self._round(connection, box, at, room)
        while not round_ and self._plan(self._box(connection), room):
            round_ = self._round(connection, box, 0, room)
        sent = [report for parcel in round_ for report in parcel.reports]
        _note_attempt(box, [report for report in sent if report.state == "pending"])
        return round_

    def _room(self, progress: Progress) -> int:
        """Return how many reports may be sent from now on, in a round and by the limit."""
        most = BATCH_REPORTS * ROUND_REQUESTS
        return most if self._limit is None else min(most, self._limit - progress.offered)

    def _plan(self, box: Box, room: int) -> bool:
        """Note what is to be sent: reports, and once there are none, withdrawals; if any is."""
        pending = _together(box.reports("pending")) if room > 0 else ()
        self._waiting = pending or box.reports("withdrawing")
        return bool(self._waiting)

    def _round(self, connection: Connection, box: Box, at: int, room: int) -> Round:
        return tuple(islice(self._parcels(connection, box, at, room), ROUND_REQUESTS))

    def _parcels(self, connection: Connection, box: Box, at: int, room: int) -> Iterator[Parcel]:
        """Take into parcels what waits, from a place on and as it stands now, while there is room.

        Who has withdrawn a report meanwhile, or removed it, has it left out.
        """
        while at < len(self._waiting) and (room > 0 or self._waiting[at].state != "pending"):
            end = self._end_of_alike(at, room)
            box.read([report.id for report in self._waiting[at:end]])
            places = [p for p in range(at, end) if _is_as_sent(box, self._waiting[p])]
            reports = [r for p in places if (r := box.find(self._waiting[p].id))]
            parcel = self._parcel(connection, reports) if reports else None
            if parcel:
                end = places[len(parcel.reports) - 1] + 1
                yield replace(parcel, start=at, end=end)
                room -= len(parcel.reports)
            elif reports:  # without its manifest, or against it, it cannot be sent: say so, keep it
                box.put([_quarantined(reports[0], outbox.MANIFEST_MISSING)])
                end = places[0] + 1
            at = end

    def _end_of_alike(self, at: int, room: int) -> int:
        """Return the place after those from a place on that may share a request."""
        company, end = _company(self._waiting[at]), at + 1
        if self._waiting[at].state == "withdrawing":
            return end
        most = min(at + room, at + self._batch_limit, len(self._waiting))
        while end < most and _company(self._waiting[end]) == company:
            end += 1
        return end

    def _parcel(self, connection: Connection, reports: Sequence[Report]) -> Parcel | None:
        """Return as many of some alike reports as fit; None if the first cannot be sent."""
        if reports[0].state == "withdrawing":
            body = wire.encode_withdrawal(self._link.survey, [reports[0].id])
            return Parcel("/v1/withdrawals", wire.WITHDRAWALS_TYPE, body, reports)
        survey = self._manifests.by_digest(connection, reports[0].manifest)
        return _parcel(reports, survey) if survey else None

    def _settle(
        self,
        connection: Connection,
        box: Box,
        verdict: Verdict,
        reports: Sequence[Report],
        progress: Progress,
    ) -> Progress:
        """Store what the server's answer means, and return the progress with it."""
        match verdict:
            case Accepted(receipt):
                codes = {failure.index: failure.code for failure in receipt.failed}
                return self._recorded(connection, box, reports, codes, progress)
            case Later(problem, asked):
                self._postpone(connection, problem, asked)
                return replace(progress, problem=problem)
            case TooLarge():
                self._batch_limit = max(1, len(reports) // 2)
            case Refused(code):
                codes = dict.fromkeys(range(len(reports)), code)
                return self._recorded(connection, box, reports, codes, progress)
        return progress

    def _recorded(
        self,
        connection: Connection,
        box: Box,
        reports: Sequence[Report],
        codes: Mapping[int, str],
        progress: Progress,
    ) -> Progress:
        """Store what became of each report; wait with those that were not refused for good.

        Parameters
        ----------
        codes
            Why reports were not taken, by their place; the server has the others.
        """
        _conclude(box, [(report, codes.get(index)) for index, report in enumerate(reports)])
        closed = {"closed": True} if CLOSED in codes.values() else {}
        change_standing(
            connection, self._link, failures=0, retry_at=0, delay=0, problem=None, **closed
        )
        progress = _advanced(progress, reports, codes)
        passing = [code for code in codes.values() if code not in FINAL]
        if not passing:
            return progress
        self._postpone(connection, passing[0], None)
        return replace(progress, problem=passing[0])

    def _postpone(self, connection: Connection, problem: str, asked: int | None) -> None:
        failures = standing(connection, self._link).failures + 1
        delay = delay_after(failures, asked)
        change_standing(
            connection,
            self._link,
            failures=failures,
            retry_at=now.clock() + delay,
            delay=delay,
            problem=problem,
        )


def _advanced(progress: Progress, reports: Sequence[Report], codes: Mapping[int, str]) -> Progress:
    """Return the progress after a round, which holds either reports or withdrawals."""
    received = len(reports) - len(codes)
    if reports[0].state == "withdrawing":
        return replace(progress, withdrawn=progress.withdrawn + received)
    offered = progress.offered + len(reports)
    return replace(progress, offered=offered, sent=progress.sent + received)


def _note_attempt(box: Box, reports: Sequence[Report]) -> None:
    box.put([replace(report, attempted=True) for report in reports if not report.attempted])


def _note_unsent(box: Box, reports: Sequence[Report]) -> None:
    """Note that reports did not leave after all, so that a withdrawal may still delete them."""
    kept = [report for report in reports if _is_as_sent(box, report)]
    box.put([report for report in kept if not report.attempted])


def _is_as_sent(box: Box, report: Report) -> bool:
    """Return whether nobody has withdrawn a report, or removed it, since it was taken."""
    found = box.find(report.id)
    return found is not None and found.state == report.state


def _conclude(box: Box, sent: Sequence[tuple[Report, str | None]]) -> None:
    """Write what the server made of reports or of withdrawals: a code, or None if it took them."""
    final = [
        (r, code) for r, code in sent if (code is None or code in FINAL) and _is_as_sent(box, r)
    ]
    box.remove([r for r, code in final if r.state == "withdrawing" and code is None])
    box.put([_concluded(r, code) for r, code in final if r.state != "withdrawing" or code])


def _concluded(report: Report, code: str | None) -> Report:
    if code is None:
        return outbox.acknowledged(report)
    if report.state == "withdrawing":
        return replace(report, state="unwithdrawn", code=code)
    return _quarantined(report, code)


def _quarantined(report: Report, code: str) -> Report:
    return replace(report, state="quarantined", code=code)


def _parcel(alike: Sequence[Report], survey: Survey) -> Parcel | None:
    """Return as many of some reports, from the first on, as fit, and their bytes."""
    count = len(alike)
    try:
        body = _encode(alike, survey)
        while len(body) > BATCH_BYTES and count > 1:
            count = max(1, count // 2)
            body = _encode(alike[:count], survey)
    except WireError as error:
        pass_on(error)
        return None
    return Parcel("/v1/reports", wire.REPORTS_TYPE, body, alike[:count])


def _together(pending: Sequence[Report]) -> Sequence[Report]:
    """Return reports so that those which may share a request follow one another.

    Else they stay in the order of their ids, as do the first of each request.
    """
    alike: dict[tuple[object, ...], list[Report]] = {}
    for report in pending:
        alike.setdefault(_company(report), []).append(report)
    return list(chain.from_iterable(alike.values()))


def _company(report: Report) -> tuple[object, ...]:
    """Return what all reports of a request share; the wave too, so that none joins two waves."""
    return report.manifest, report.question, report.attributes.get(WAVE)


def _encode(reports: Sequence[Report], survey: Survey) -> bytes:
    questions, attributes = reports[0].columns, reports[0].attributes
    return wire.encode_batch(
        Batch(
            manifest=survey.digest,
            ids=tuple(report.id for report in reports),
            columns={name: tuple(r.columns[name] for r in reports) for name in questions},
            attributes={name: tuple(r.attributes[name] for r in reports) for name in attributes},
        ),
        survey,
    )
