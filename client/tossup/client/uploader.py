"""Send what is in the outbox, exactly as it is, until the server has acknowledged it.

Stage: upload. Between two requests everything is in the store, so a process may die anywhere:
a report goes out again as the same bytes under the same id, and the server counts an id once.
Reports leave in the order of their random ids, one question and one wave a request, so that
neither order nor company tells which answers were given together. For the same reason a request
withdraws one report: a list of ids would join the answers of all questions and all waves.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol, TypeVar

from tossup.client import backoff, outbox
from tossup.client.database import Connection
from tossup.client.errors import LedgerDamaged
from tossup.client.link import Link
from tossup.client.outbox import Report
from tossup.client.registry import Manifests, change_standing, publisher_of, standing
from tossup.client.results import Status
from tossup.client.server import Server
from tossup.client.verdicts import CLOSED, FINAL, Accepted, Later, Refused, TooLarge, Verdict
from tossup.shared import wire
from tossup.shared.errors import WireError
from tossup.shared.survey import Survey
from tossup.shared.waves import WAVE
from tossup.shared.wire import Batch, Receipt

BATCH_REPORTS: Final = 1000
BATCH_BYTES: Final = 64 * 1024

T = TypeVar("T")

WAITING: Final = "waiting"


class InStore(Protocol):
    """Runs a function in one durable transaction and returns what it returns."""

    def __call__(self, work: Callable[[Connection], T], /) -> T: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Parcel:
    """One request: what it carries, and the stored reports it is about."""

    path: str
    media_type: str
    body: bytes
    reports: Sequence[Report]


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
    """Empties the outbox of one survey, reports first, then withdrawals.

    Every answer of the server is stored in the same transaction that takes the next parcel.

    Parameters
    ----------
    status
        Returns where the device stands. It is asked in the transaction that ends the flush.
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
        status: Callable[[Connection], Status],
        limit: int | None = None,
    ) -> None:
        self._link = link
        self._server = server
        self._manifests = manifests
        self._in_store = in_store
        self._status = status
        self._limit = limit
        self._batch_limit = BATCH_REPORTS

    def run(self, *, force: bool = False) -> Progress:
        """Send until nothing is left, the limit is reached, or a request fails."""
        progress = Progress()
        parcel = self._in_store(partial(self._first, progress=progress, force=force))
        while parcel is not None:
            verdict = self._server.post(
                parcel.path, parcel.media_type, parcel.body, len(parcel.reports)
            )
            settle = partial(self._settle_and_next, parcel=parcel, verdict=verdict)
            progress, parcel = self._in_store(partial(settle, progress=progress))
        return progress

    def _first(self, connection: Connection, progress: Progress, *, force: bool) -> Parcel | None:
        if force:
            outbox.requeue(
                connection,
                publisher_of(self._link),
                self._link.survey,
                lambda r: r.code not in FINAL,
            )
        if not force and self._must_wait(connection):
            progress.problem = WAITING
        return self._next_or_end(connection, progress)

    def _must_wait(self, connection: Connection) -> bool:
        """Return whether there is something to send, and it is not due yet."""
        state = standing(connection, self._link)
        due = not backoff.remaining(state.retry_at, state.delay, backoff.now())
        if due:
            return False
        reports = outbox.read(connection, publisher_of(self._link), self._link.survey)
        return any(report.state in ("pending", "withdrawing") for report in reports)

    def _settle_and_next(
        self, connection: Connection, parcel: Parcel, verdict: Verdict, progress: Progress
    ) -> tuple[Progress, Parcel | None]:
        progress = self._settle(connection, verdict, parcel.reports, progress)
        return progress, self._next_or_end(connection, progress)

    def _next_or_end(self, connection: Connection, progress: Progress) -> Parcel | None:
        """Return the next parcel; if there is none to send now, note where the device stands."""
        parcel = None if progress.problem else self._next(connection, progress)
        if parcel is None:
            with suppress(LedgerDamaged):  # what the server acknowledged is stored all the same
                progress.status = self._status(connection)
        return parcel

    def _next(self, connection: Connection, progress: Progress) -> Parcel | None:
        waiting = outbox.read(connection, publisher_of(self._link), self._link.survey)
        pending = [report for report in waiting if report.state == "pending"]
        return self._next_reports(connection, progress, pending) or self._next_withdrawal(waiting)

    def _next_reports(
        self, connection: Connection, progress: Progress, pending: list[Report]
    ) -> Parcel | None:
        """Return the next batch, and note that it may reach the server from now on."""
        room = self._batch_limit
        if self._limit is not None:
            room = min(room, self._limit - progress.offered)
        while pending and room > 0:
            survey = self._manifests.by_digest(connection, pending[0].manifest)
            parcel = survey and _parcel(pending, survey, room)
            if parcel:
                _note_attempt(connection, parcel.reports)
                return parcel
            # Without its manifest, or against it, a report cannot be sent: say so, keep it.
            outbox.write(connection, _quarantined(pending.pop(0), outbox.MANIFEST_MISSING))
        return None

    def _next_withdrawal(self, waiting: Sequence[Report]) -> Parcel | None:
        reports = [report for report in waiting if report.state == "withdrawing"][:1]
        if not reports:
            return None
        body = wire.encode_withdrawal(self._link.survey, [report.id for report in reports])
        return Parcel("/v1/withdrawals", wire.WITHDRAWALS_TYPE, body, reports)

    def _settle(
        self,
        connection: Connection,
        verdict: Verdict,
        reports: Sequence[Report],
        progress: Progress,
    ) -> Progress:
        """Store what the server's answer means, and return the progress with it."""
        match verdict:
            case Accepted(receipt):
                return self._recorded(connection, reports, receipt, progress)
            case Later(problem, asked):
                self._postpone(connection, problem, asked)
                return replace(progress, problem=problem)
            case TooLarge():
                self._batch_limit = max(1, len(reports) // 2)
            case Refused(code):
                refused = tuple(wire.Failure(place, code) for place in range(len(reports)))
                return self._recorded(connection, reports, Receipt(0, refused), progress)
        return progress

    def _recorded(
        self,
        connection: Connection,
        reports: Sequence[Report],
        receipt: Receipt,
        progress: Progress,
    ) -> Progress:
        """Store what became of each report; wait with those that were not refused for good."""
        self._record(connection, reports, receipt)
        progress = _advanced(progress, reports, receipt)
        passing = [failure.code for failure in receipt.failed if failure.code not in FINAL]
        if not passing:
            return progress
        self._postpone(connection, passing[0], None)
        return replace(progress, problem=passing[0])

    def _record(self, connection: Connection, reports: Sequence[Report], receipt: Receipt) -> None:
        codes = {failure.index: failure.code for failure in receipt.failed}
        for index, sent in enumerate(reports):
            report = outbox.find(connection, sent.id)
            if report is not None and report.state == sent.state:
                _conclude(connection, report, codes.get(index))
        closed = {"closed": True} if CLOSED in codes.values() else {}
        change_standing(
            connection, self._link, failures=0, retry_at=0, delay=0, problem=None, **closed
        )

    def _postpone(self, connection: Connection, problem: str, asked: int | None) -> None:
        failures = standing(connection, self._link).failures + 1
        delay = backoff.delay_after(failures, asked)
        change_standing(
            connection,
            self._link,
            failures=failures,
            retry_at=backoff.now() + delay,
            delay=delay,
            problem=problem,
        )


def _advanced(progress: Progress, reports: Sequence[Report], receipt: Receipt) -> Progress:
    if reports[0].state == "withdrawing":
        return replace(progress, withdrawn=progress.withdrawn + receipt.received)
    offered = progress.offered + len(reports)
    return replace(progress, offered=offered, sent=progress.sent + receipt.received)


def _note_attempt(connection: Connection, reports: Sequence[Report]) -> None:
    for report in reports:
        if not report.attempted:
            outbox.write(connection, replace(report, attempted=True))


def _conclude(connection: Connection, report: Report, code: str | None) -> None:
    """Write what the server made of one report or of one withdrawal."""
    if code is not None and code not in FINAL:
        return
    if report.state == "withdrawing":
        if code is None:
            outbox.remove(connection, report)
        else:
            outbox.write(connection, replace(report, state="unwithdrawn", code=code))
    elif code is None:
        outbox.write(connection, outbox.acknowledged(report))
    else:
        outbox.write(connection, _quarantined(report, code))


def _quarantined(report: Report, code: str) -> Report:
    return replace(report, state="quarantined", code=code)


def _parcel(pending: Sequence[Report], survey: Survey, room: int) -> Parcel | None:
    """Return as many reports like the first one as fit, and their bytes."""
    alike = [report for report in pending if _company(report) == _company(pending[0])]
    count = min(len(alike), room)
    try:
        body = _encode(alike[:count], survey)
        while len(body) > BATCH_BYTES and count > 1:
            count = max(1, count // 2)
            body = _encode(alike[:count], survey)
    except WireError:
        return None
    return Parcel("/v1/reports", wire.REPORTS_TYPE, body, alike[:count])


def _company(report: Report) -> tuple[object, ...]:
    """Return what reports of one request share: also the wave, so that none joins two waves."""
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
