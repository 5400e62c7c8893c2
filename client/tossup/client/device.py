"""The device: all that the SDK does, raising typed errors, which `Client` turns into outcomes.

Stage: answer to upload.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final, TypeVar

from tossup.client.answering import answer, repeat, validate, validate_attributes
from tossup.client.asking import now
from tossup.client.errors import (
    LedgerDamaged,
    ManifestRefused,
    NoConsent,
    NotAsked,
    OutboxDamaged,
    PreviewAgain,
    SurveyClosed,
    TransportError,
    Unreachable,
    VersionMissing,
    suppress,
)
from tossup.client.registry import (
    Manifests,
    Standing,
    change_standing,
    note_server,
    publisher_of,
    standing,
    verified,
)
from tossup.client.results import FlushResult, Spending, Status, WaveStatus
from tossup.client.settings import Settings
from tossup.client.store import ledger, outbox
from tossup.client.store.database import Connection, Database
from tossup.client.store.ledger import Caps, Ledger
from tossup.client.store.outbox import Box
from tossup.client.store.places import read_mark, write_mark
from tossup.client.upload.transport import Response, Server, Transport, problem_of
from tossup.shared.errors import TossupError
from tossup.shared.survey import Question, Survey

if TYPE_CHECKING:
    from tossup.client.asking.raises import Raise
    from tossup.client.preview import Preview
    from tossup.client.upload.uploader import Progress

T = TypeVar("T")

#: How many of the versions that a device missed a call fetches; the next call goes on from there.
FETCHED_AT_ONCE: Final = 16
#: The code of the problem that there are more of them to be fetched.
BEHIND: Final = "behind"


class Device:
    """One survey on one device's store.

    Parameters
    ----------
    transport
        What the host app sends requests by, if it does not want ours.
    """

    def __init__(self, settings: Settings, transport: Transport | None = None) -> None:
        self._settings = settings
        self._link = settings.link
        self._publisher = publisher_of(settings.link)
        self._database = Database(settings.store)
        self._manifests = Manifests(settings.link)
        sender = _LazyTransport(settings.ca_file) if transport is None else transport
        self._server = Server(settings.link, sender, settings.timeout_seconds)

    # Surveys

    def survey(self) -> Survey:
        """Fetch and verify the manifest; fall back to the stored one when offline.

        One that is not open yet is returned: there is time to prepare.

        Raises
        ------
        SurveyClosed, ManifestRefused, Misconfigured, Unreachable, StoreError
        """
        survey = self._newest()
        if now.is_over(survey):
            now.check_open(survey)
        return survey

    def manifest(self) -> bytes:
        """Return what `survey` returns, as it was signed."""
        digest = self.survey().digest
        return self._in_store(lambda connection: self._manifests.envelope(connection, digest))

    def _newest(self) -> Survey:
        try:
            envelope = self._fetch()
            return self._in_store(lambda connection: self._accept(connection, envelope))
        except (TransportError, Unreachable) as error:
            return self._stored_survey(error)

    def _fetch(self) -> bytes:
        try:
            return self._server.manifest()
        except SurveyClosed:
            self._in_store(lambda connection: change_standing(connection, self._link, closed=True))
            raise

    def _fetch_missed(self, missing: VersionMissing) -> None:
        """Fetch versions between what this device knows and a newer one, and accept them all.

        Each is kept when it is got, so that no call begins anew.

        Raises
        ------
        ManifestRefused
            If one is not what the one after it names, or does not follow from those known.
        Unreachable
            If the server cannot be reached, or there are more than `FETCHED_AT_ONCE` to fetch.
            Nothing new is believed then.
        """
        wanted = self._transact(lambda c: self._manifests.follow(c, missing))
        for _ in range(FETCHED_AT_ONCE):
            if wanted is None:
                return
            wanted = self._keep_version(wanted, missing)
        if wanted is not None:
            raise Unreachable(
                f"this device missed more versions of the survey than the {FETCHED_AT_ONCE} that it"
                " fetches at a time. What it has got is kept: call again to go on, and the newest"
                " is followed once all are here",
                BEHIND,
            )

    def _keep_version(self, digest: str, last: VersionMissing) -> str | None:
        """Fetch a version and keep it; return which is to be fetched next, up to the last."""
        envelope = self._fetch_version(digest)

        def keep_and_follow(connection: Connection) -> str | None:
            self._manifests.keep(connection, verified(envelope, self._link), envelope)
            return self._manifests.follow(connection, last)

        return self._transact(keep_and_follow)

    def _fetch_version(self, digest: str) -> bytes:
        try:
            envelope = self._server.version(digest)
        except TransportError as error:
            reason, code = str(error), problem_of(error)
        else:
            if verified(envelope, self._link).digest != digest:
                raise ManifestRefused(f"the server gives another one than the version {digest}")
            return envelope
        raise Unreachable(
            f"a version of the survey that this device missed was not got: {reason}", code
        )

    def preview(self, names: Sequence[str] | None = None, language: object = None) -> "Preview":
        """Return what answering can send, from the stored manifest if there is one."""
        from tossup.client.preview import preview
        from tossup.shared.mechanisms.binary.majority import what_a_cap_lets_learn

        survey = self._in_store(self._known) or self.survey()
        for_life = what_a_cap_lets_learn(self._settings.publisher_cap)
        shown = replace(preview(survey, names, language), for_life=for_life or None)
        return self._in_store(lambda connection: self._with_raises(connection, survey, shown))

    def _with_raises(self, connection: Connection, survey: Survey, shown: "Preview") -> "Preview":
        """Return the preview with what a new version asks more, and keep that it was shown."""
        before = self._raised(connection, survey)
        asked = [question.id for question in shown.questions if question.id in before]
        if not asked:
            return shown
        from tossup.client.asking.raises import note_preview

        note_preview(connection, survey, asked)
        questions = (
            replace(q, raised_from=before[q.id].raised_from) if q.id in before else q
            for q in shown.questions
        )
        changes = dict.fromkeys(words for name in asked for words in before[name].promises)
        return replace(shown, questions=tuple(questions), changes=tuple(changes))

    def _raised(self, connection: Connection, survey: Survey | None) -> "Mapping[str, Raise]":
        """Return what the newest version that can be read asks more than those before it."""
        versions = self._manifests.versions(connection) if survey and survey.version > 1 else ()
        if len(versions) < 2:
            return {}
        from tossup.client.asking.raises import raised

        return raised(connection, versions)

    def _known(self, connection: Connection) -> Survey | None:
        """Return the newest survey that needs no network: stored, or handed on by the app."""
        handed = self._settings.manifest
        if handed is None:
            return self._manifests.newest(connection)
        survey = self._manifests.handed_on(connection, handed)
        _choose_turns(connection, survey)
        return survey

    def _accept(self, connection: Connection, envelope: bytes) -> Survey:
        survey = self._manifests.accept(connection, envelope)
        _choose_turns(connection, survey)
        state = standing(connection, self._link)
        is_of_uploads = state.failures > 0 and state.problem != BEHIND
        kept = state.problem if is_of_uploads else None
        change_standing(connection, self._link, closed=False, problem=kept)
        self._box(connection).requeue(
            lambda r: (r.code, r.manifest) == (outbox.MANIFEST_MISSING, survey.digest)
        )
        return survey

    def _stored_survey(self, error: TransportError | Unreachable) -> Survey:
        problem = problem_of(error) if isinstance(error, TransportError) else error.code

        def note(connection: Connection) -> Survey | None:
            change_standing(connection, self._link, problem=problem)
            if standing(connection, self._link).closed:
                return None
            return self._known(connection)

        survey = self._in_store(note)
        if survey is None and self._in_store(lambda c: standing(c, self._link).closed):
            raise SurveyClosed
        if survey is None:
            raise Unreachable(f"no manifest is stored on this device, and: {error}")
        return survey

    # Answers

    def answer(self, answers: object, wave: object = None, manifest: object = None) -> None:
        """Toss, and store the reports durably; only by that version, if a manifest is named.

        Raises
        ------
        ClientError
            Anything that `tossup.client.errors` lists; then nothing was spent or stored.
        """
        self._store_reports(lambda connection: self._answer(connection, answers, wave, manifest))

    def repeat(self, attributes: object, wave: object = None) -> None:
        """Report again in this wave what is kept, and store that durably.

        Raises
        ------
        ClientError
            Anything that `tossup.client.errors` lists; then nothing was stored.
        """
        self._store_reports(lambda connection: self._repeat(connection, attributes, wave))

    def _store_reports(self, work: Callable[[Connection], int | None]) -> None:
        """Run work that returns the ledger's length; fetch the manifest if it returns None.

        An answer erases nothing.
        """
        handed = self._settings.manifest
        if handed is not None and self._chooses_turns(handed):
            self._in_store(self._known)
        entries = None if self._knows_nothing() else self._in_store(work, erases=False)
        if entries is None:
            entries = self._fetch_and(work)
        if entries is None:
            raise Unreachable
        with suppress(OSError):  # the answer is durable; the mark only guards it further
            write_mark(self._database.mark_path, entries)

    def _knows_nothing(self) -> bool:
        """Return whether the store, which is not there yet, need not be asked before the server."""
        wanted = self._settings
        is_there = wanted.manifest is not None or os.path.exists(wanted.store)
        return not is_there and not wanted.require_consent

    def _fetch_and(self, work: Callable[[Connection], T]) -> T:
        """Fetch the manifest, store it, and run work, all in one transaction.

        If work is refused, the manifest is stored all the same: the next answer needs no network.
        """
        try:
            envelope = self._fetch()
        except (TransportError, Unreachable) as error:
            self._stored_survey(error)  # refuses, unless another process has stored one by now
            return self._in_store(work, erases=False)

        def accept_and_work(connection: Connection) -> T:
            self._accept(connection, envelope)
            return work(connection)

        if self._chooses_turns(envelope):
            self._in_store(lambda connection: self._accept(connection, envelope))
            return self._in_store(work, erases=False)
        try:
            return self._in_store(accept_and_work, erases=False)
        except TossupError:
            with suppress(TossupError):
                self._in_store(lambda connection: self._accept(connection, envelope))
            raise

    def _chooses_turns(self, envelope: bytes) -> bool:
        """Return whether coins may choose waves with this manifest.

        The choice is committed by itself, since a choice that is undone with a refused answer
        would be made again.
        """
        return verified(envelope, self._link).waves is not None

    def _answer(
        self, connection: Connection, answers: object, wave: object, manifest: object
    ) -> int | None:
        """Answer within a transaction. Return the ledger's length, or None without a manifest."""
        survey = self._answerable(connection)
        if survey is None:
            return None
        if manifest not in (None, survey.digest):
            raise PreviewAgain
        wanted = self._settings
        caps = Caps(
            question=wanted.question_cap,
            publisher=wanted.publisher_cap,
            device=wanted.device_cap,
            delta=wanted.delta_cap,
        )
        given = validate(survey, answers)
        number = _turn(connection, survey, wave)
        asked = [question for question in survey.questions if question.id in given.questions]
        book = self._about(connection, asked)
        raised = self._raised(connection, survey)
        return answer(connection, book, survey, given, caps=caps, wave=number, raised=raised)

    def _repeat(self, connection: Connection, attributes: object, wave: object) -> int | None:
        survey = self._answerable(connection)
        if survey is None:
            return None
        given = validate_attributes(survey, attributes)
        number = _turn(connection, survey, wave)
        book = self._about(connection, survey.questions)
        return repeat(connection, book, survey, given, number)

    def _answerable(self, connection: Connection) -> Survey | None:
        """Return the survey if the respondent agrees and it takes answers today."""
        state = standing(connection, self._link)
        if state.consent is False or (state.consent is None and self._settings.require_consent):
            raise NoConsent
        if state.closed:
            raise SurveyClosed
        survey = self._known(connection)
        if survey is not None:
            note_server(connection, self._link)
            now.check_open(survey)
        return survey

    def _about(self, connection: Connection, questions: Iterable[Question]) -> Ledger:
        """Return the ledger about questions; refuse it if its mark says that it was longer once."""
        topics = [question.topic for question in questions]
        book = ledger.about(connection, self._publisher, topics)
        if book.totals.entries < read_mark(self._database.mark_path):
            raise LedgerDamaged
        return book

    # Uploads

    def flush(self, limit: int | None = None, *, force: bool = False) -> FlushResult:
        """Send what is due, unless another process or thread is at it.

        Raises
        ------
        StoreError
            If the store cannot be used. What the server acknowledged before stays acknowledged.
        """
        with self._database.sole_flusher() as free:
            from tossup.client.upload.uploader import Progress, Uploader

            if not free:
                return self._result(Progress(problem="flushing"))
            uploader = Uploader(
                self._link,
                self._server,
                self._manifests,
                self._in_store,
                status=self._waiting,
                limit=limit,
            )
            return self._result(uploader.run(force=force))

    def _result(self, progress: "Progress") -> FlushResult:
        status = progress.status or self._in_store(lambda c: self._waiting(c, self._box(c)))
        return status.left(progress.problem, sent=progress.sent, withdrawn=progress.withdrawn)

    # The respondent's rights

    def consent(self, *, agrees: bool) -> None:
        """Store what the respondent said."""
        self._in_store(lambda c: change_standing(c, self._link, consent=agrees))

    def withdraw(self) -> None:
        """Delete what never left, mark the rest for withdrawal, and take consent back.

        What was spent stays spent: a report that may have been seen cannot be unseen.
        """
        self._in_store(self._withdraw)

    def _withdraw(self, connection: Connection) -> None:
        reports = outbox.read(connection, self._publisher, self._link.survey)
        outbox.remove(connection, [report for report in reports if not report.attempted])
        left = [report for report in reports if report.attempted]
        outbox.write(connection, [outbox.to_withdraw(report) for report in left])
        from tossup.client.store import memory

        memory.forget(connection, self._publisher, self._link.survey)
        change_standing(connection, self._link, consent=False, retry_at=0, delay=0)

    def status(self) -> Status:
        """Return where this survey and this device stand."""
        return self._in_store(lambda c: self._status_of(c, self._box(c)))

    def _waiting(self, connection: Connection, box: Box) -> Status:
        """Return the part of a status that is about uploads, which no answer makes dearer."""
        from tossup.client.upload.verdicts import remaining

        state = standing(connection, self._link)
        states = box.count()
        return Status(
            pending=states["pending"],
            withdrawing=states["withdrawing"],
            unwithdrawn=states["unwithdrawn"],
            quarantined=box.quarantined(),
            problem=state.problem,
            retry_after_seconds=remaining(state.retry_at, state.delay, now.clock()),
            outbox_repairs=outbox.repairs(connection),
        )

    def _status_of(self, connection: Connection, box: Box) -> Status:
        survey = self._manifests.newest(connection)
        book = self._about(connection, survey.questions if survey and survey.waves else ())
        state = standing(connection, self._link)
        return self._waiting(connection, box)._replace(
            sent=outbox.count_sent(connection, self._publisher, self._link.survey),
            publisher=self._spending(book, self._publisher, self._settings.publisher_cap),
            device=self._spending(book, None, self._settings.device_cap),
            answered_topics=book.names(connection, self._publisher),
            consent=state.consent,
            closed=state.closed or (survey is not None and now.is_over(survey)),
            waves=self._waves(connection, book, survey, state),
            raised=tuple(self._raised(connection, survey)),
        )

    def _waves(
        self, connection: Connection, book: Ledger, survey: Survey | None, state: Standing
    ) -> WaveStatus | None:
        if survey is None or survey.waves is None:
            return None
        from tossup.client.asking import turns

        wave = turns.current(survey)
        asked_in = turns.ensure(connection, survey)
        shut = state.closed or not now.is_on(survey)
        stopped = shut or state.consent is False or wave not in asked_in
        open_ = (
            None
            if wave is None or stopped
            else now.due(connection, book, survey, wave, survey.questions)
        )
        return WaveStatus(
            now=wave,
            last=survey.waves.count,
            asked_in=tuple(sorted(asked_in)),
            to_ask=tuple(question.id for question in open_.toss) if open_ else (),
            to_repeat=tuple(open_.again) if open_ else (),
        )

    def _spending(self, book: Ledger, publisher: str | None, cap: Fraction) -> Spending:
        spent, delta = book.totals.odds(publisher), book.totals.delta(publisher)
        return Spending(spent, cap, delta, self._settings.delta_cap)

    # The store

    def _box(self, connection: Connection) -> Box:
        return Box(connection, self._publisher, self._link.survey)

    def _in_store(self, work: Callable[[Connection], T], *, erases: bool = True) -> T:
        """Run work in one durable transaction; after fetching versions that it misses, again."""
        try:
            return self._transact(work, erases=erases)
        except VersionMissing as missing:
            needed = missing
        self._fetch_missed(needed)
        return self._transact(work, erases=erases)

    def _transact(self, work: Callable[[Connection], T], *, erases: bool = True) -> T:
        """Run work in one durable transaction; if reports are damaged, rebuild and run it again."""
        try:
            return self._database.run(work, erases=erases)
        except OutboxDamaged:
            self._repair()
        return self._database.run(work, erases=erases)

    def _repair(self) -> None:
        def rebuild(connection: Connection) -> None:
            with self._database.second_look() as reader:
                outbox.rebuild(connection, reader)

        self._database.run(rebuild)


def _turn(connection: Connection, survey: Survey, wave: object) -> int:
    """Return the wave that reports are for, 0 without waves, if it is one of this device's."""
    if survey.waves is None and wave is None:
        return 0
    from tossup.client.asking import turns

    number = turns.wanted(survey, wave)
    if number and number not in turns.ensure(connection, survey):
        raise NotAsked
    return number


def _choose_turns(connection: Connection, survey: Survey) -> None:
    """Let coins choose the waves in which this device is asked, if they have not yet."""
    if survey.waves is not None:
        from tossup.client.asking import turns

        turns.ensure(connection, survey)


class _LazyTransport:
    """Imports the standard library's HTTP with the first request: answering needs none."""

    def __init__(self, ca_file: str | None) -> None:
        self._ca_file = ca_file
        self._transport: Transport | None = None

    def request(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: int,
    ) -> Response:
        if self._transport is None:
            from tossup.client.upload.urllib_transport import UrllibTransport

            self._transport = UrllibTransport(self._ca_file)
        return self._transport.request(method, url, headers, body, timeout_seconds)
