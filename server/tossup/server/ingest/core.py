"""The ingest core: bytes in, a receipt out once everything is durable.

Stage: ingest. It knows nothing of HTTP: a Flask view, where a thread waits for the commit, and the
server's road of reports, where a future does, are thin adapters to it.
"""

from collections.abc import Callable
from typing import Final

from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.group import Result, Withdrawal, Work
from tossup.server.ingest.shards import ShardedWriter
from tossup.server.ingest.writer import Writer
from tossup.server.refusals import Busy, Refused
from tossup.server.store.base import Store
from tossup.server.store.records import ManifestUnknown
from tossup.shared.survey import Survey
from tossup.shared.wire import Receipt, decode_withdrawal

#: Who waits longer for a commit is asked to send the same again.
PATIENCE_SECONDS: Final = 30
Received = Callable[[str, str, int], None]


class WouldWait(Exception):  # noqa: N818 - reads as the condition
    """It cannot be done without waiting for the store."""


class Ingest:
    """Receives reports and withdrawals, each exactly once.

    Parameters
    ----------
    store
        Where manifests stand.
    writer
        Commits; shared by all threads.
    received
        Told of what is durable: the survey's id, ``reports`` or ``withdrawals``, and how many.
    """

    def __init__(
        self,
        store: Store,
        writer: Writer | ShardedWriter,
        received: Received = lambda _survey, _of, _number: None,
    ) -> None:
        self._store = store
        self._writer = writer
        self._received = received
        self._manifests: dict[str, Survey] = {}  # those of the store, which never change

    def receive(self, body: bytes) -> Receipt:
        """Store the reports of a body and return the receipt; duplicates count as received.

        Raises
        ------
        WireError
            If the body is not what the protocol allows.
        Refused
            If its manifest is unknown, its survey not open, or the server busy.
        StorageFailed
            If they could not be stored: none of them is.
        """
        return self.commit(self.reports(body))

    def withdraw(self, body: bytes) -> Receipt:
        """Take reports back; the receipt is the same whether an id was known or not.

        Raises
        ------
        WireError, Refused, StorageFailed
            As for `receive`.
        """
        return self.commit(self.withdrawal(body))

    def reports(self, body: bytes, *, at_once: bool = False) -> Work:
        """Return the reports of a body, as work to commit.

        Raises
        ------
        WouldWait
            If it must be ``at_once``, and the manifest is not in memory yet.
        WireError, Refused
            As for `receive`.
        """
        return decode_reports(body, self._in_memory if at_once else self._manifest)

    def withdrawal(self, body: bytes, *, at_once: bool = True) -> Work:  # noqa: ARG002
        """Return the withdrawal in a body, as work to commit; it never waits.

        Raises
        ------
        WireError
            If the body is not what the protocol allows.
        """
        return Withdrawal(*decode_withdrawal(body))

    def commit(self, work: Work) -> Receipt:
        """Commit work, and wait for it in this thread.

        Raises
        ------
        Refused, StorageFailed
            As for `receive`.
        """
        ticket = self._writer.submit(work)
        try:
            number = ticket.result(PATIENCE_SECONDS)
        except TimeoutError:
            # It may still be committed: the client sends the same ids again, which count once.
            raise Busy from None
        return self._receipt(work, number)

    def submit(self, work: Work, then: Callable[[Receipt | Exception], None]) -> None:
        """Commit work; ``then`` is called once, from another thread, with what came of it.

        Raises
        ------
        Busy
            If too much waits; ``then`` is not called.
        """

        def settled(result: Result) -> None:
            then(self._receipt(work, result) if isinstance(result, int) else result)

        self._writer.submit(work, settled)

    def store_seconds(self) -> float:
        """Return how long each commit waits for the store, however little is committed."""
        return self._writer.store_seconds()

    def _receipt(self, work: Work, number: int) -> Receipt:
        if isinstance(work, Withdrawal):
            self._received(work.survey_id, "withdrawals", number)
        else:
            self._received(work.survey.id, "reports", number)
        return Receipt(number)

    def _in_memory(self, digest: str) -> Survey:
        if digest not in self._manifests:
            raise WouldWait
        return self._manifests[digest]

    def _manifest(self, digest: str) -> Survey:
        try:
            survey = self._manifests[digest] = self._store.manifest(digest)
        except ManifestUnknown as error:
            raise Refused(str(error), "manifest-unknown") from error
        return survey
