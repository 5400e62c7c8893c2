"""Send what is in the outbox, exactly as it is, until the server has acknowledged it.

Stage: upload. Between two requests everything is in the store, so a process may die anywhere:
a report goes out again as the same bytes under the same id, and the server counts an id once.
Reports leave in the order of their random ids, one question a request, so that neither order nor
company tells which answers were given together.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from tossup.client import backoff, outbox
from tossup.client.database import Connection
from tossup.client.link import Link
from tossup.client.outbox import Report
from tossup.client.registry import Manifests, change_standing, publisher_of, standing
from tossup.client.server import Server
from tossup.client.verdicts import CLOSED, Accepted, Later, Refused, TooLarge, Verdict
from tossup.shared import wire
from tossup.shared.errors import WireError
from tossup.shared.survey import Survey
from tossup.shared.wire import Batch, Receipt

BATCH_REPORTS: Final = 1000
BATCH_BYTES: Final = 64 * 1024

T = TypeVar("T")
InStore = Callable[[Callable[[Connection], T]], T]


@dataclass(slots=True)
class Progress:
    """What one flush has done so far."""

    sent: int = 0
    withdrawn: int = 0
    problem: str | None = None


class Uploader:
    """Empties the outbox of one survey.

    Parameters
    ----------
    in_store
        Runs a function in one durable transaction.
    """

    def __init__(
        self, link: Link, server: Server, manifests: Manifests, in_store: InStore[object]
    ) -> None:
        self._link = link
        self._server = server
        self._manifests = manifests
        self._in_store: Callable[..., object] = in_store
        self._batch_limit = BATCH_REPORTS

    def run(self, limit: int | None = None) -> Progress:
        """Send reports, at most ``limit``, then withdrawals; stop at the first failure."""
        progress = Progress()
        while progress.problem is None and (limit is None or progress.sent < limit):
            room = (
                self._batch_limit
                if limit is None
                else min(self._batch_limit, limit - progress.sent)
            )
            if not self._send_reports(room, progress):
                break
        while progress.problem is None and self._send_withdrawals(progress):
            pass
        return progress

    def _send_reports(self, room: int, progress: Progress) -> bool:
        """Send one batch. Return whether there was anything to send."""
        parcel = self._take(lambda connection: self._next_parcel(connection, room))
        if parcel is None:
            return False
        reports, body = parcel
        verdict = self._server.post("/v1/reports", wire.REPORTS_TYPE, body, len(reports))
        self._settle(verdict, reports, progress)
        return True

    def _send_withdrawals(self, progress: Progress) -> bool:
        reports = self._take(self._next_withdrawals)
        if not reports:
            return False
        body = wire.encode_withdrawal(self._link.survey, [report.id for report in reports])
        verdict = self._server.post("/v1/withdrawals", wire.WITHDRAWALS_TYPE, body, len(reports))
        self._settle(verdict, reports, progress)
        return True

    def _take(self, work: Callable[[Connection], T]) -> T:
        return self._in_store(work)  # type: ignore[return-value]

    def _next_parcel(
        self, connection: Connection, room: int
    ) -> tuple[Sequence[Report], bytes] | None:
        """Return the next batch and its bytes, and note that it may reach the server from now."""
        pending = self._in_state(connection, "pending")
        while pending:
            survey = self._manifests.by_digest(connection, pending[0].manifest)
            parcel = survey and _parcel(pending, survey, room)
            if parcel:
                for report in parcel[0]:
                    if not report.attempted:
                        outbox.write(connection, replace(report, attempted=True))
                return parcel
            # Without its manifest, or against it, a report cannot be sent: say so, keep it.
            outbox.write(connection, _quarantined(pending.pop(0), "manifest-missing"))
        return None

    def _next_withdrawals(self, connection: Connection) -> list[Report]:
        return self._in_state(connection, "withdrawing")[: self._batch_limit]

    def _in_state(self, connection: Connection, state: outbox.State) -> list[Report]:
        reports = outbox.read(connection, publisher_of(self._link), self._link.survey)
        return [report for report in reports if report.state == state]

    def _settle(self, verdict: Verdict, reports: Sequence[Report], progress: Progress) -> None:
        """Act on the server's answer, durably."""
        match verdict:
            case Accepted(receipt):
                self._in_store(lambda connection: self._record(connection, reports, receipt))
                accepted = receipt.received
                if reports[0].state == "withdrawing":
                    progress.withdrawn += accepted
                else:
                    progress.sent += accepted
            case Later(problem, asked):
                progress.problem = problem
                self._in_store(lambda connection: self._postpone(connection, problem, asked))
            case TooLarge():
                self._batch_limit = max(1, len(reports) // 2)
            case Refused(code):
                refused = Receipt(0, tuple(wire.Failure(i, code) for i in range(len(reports))))
                self._in_store(lambda connection: self._record(connection, reports, refused))

    def _record(self, connection: Connection, reports: Sequence[Report], receipt: Receipt) -> None:
        codes = {failure.index: failure.code for failure in receipt.failed}
        kept = {
            r.id: r for r in outbox.read(connection, publisher_of(self._link), self._link.survey)
        }
        for index, sent in enumerate(reports):
            report = kept.get(sent.id)
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


def _conclude(connection: Connection, report: Report, code: str | None) -> None:
    """Write what the server made of one report or of one withdrawal."""
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


def _parcel(
    pending: Sequence[Report], survey: Survey, room: int
) -> tuple[Sequence[Report], bytes] | None:
    """Return as many reports like the first one as fit, and their bytes."""
    first = pending[0]
    alike = [r for r in pending if (r.manifest, r.question) == (first.manifest, first.question)]
    count = min(len(alike), room)
    try:
        body = _encode(alike[:count], survey)
        while len(body) > BATCH_BYTES and count > 1:
            count = max(1, count // 2)
            body = _encode(alike[:count], survey)
    except WireError:
        return None
    return alike[:count], body


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
