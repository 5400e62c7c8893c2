"""The ingest core: bytes in, a receipt out once everything is durable.

Stage: ingest. It knows nothing of HTTP: the Flask view is one thin adapter to it.
"""

from collections.abc import Callable
from typing import Final

from tossup.server.ingest.commit import Withdrawal, Work
from tossup.server.ingest.decoding import decode_reports
from tossup.server.ingest.writer import Writer
from tossup.server.refusals import Busy, Refused
from tossup.server.store.base import ManifestUnknown, Store
from tossup.shared.survey import Survey
from tossup.shared.wire import Receipt, decode_withdrawal

_PATIENCE_SECONDS: Final = 30
Received = Callable[[str, str, int], None]


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
        self, store: Store, writer: Writer, received: Received = lambda _survey, _of, _number: None
    ) -> None:
        self._store = store
        self._writer = writer
        self._received = received

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
        return self._commit(decode_reports(body, self._manifest))

    def withdraw(self, body: bytes) -> Receipt:
        """Take reports back; the receipt is the same whether an id was known or not.

        Raises
        ------
        WireError, Refused, StorageFailed
            As for `receive`.
        """
        return self._commit(Withdrawal(*decode_withdrawal(body)))

    def _commit(self, work: Work) -> Receipt:
        try:
            number = self._writer.submit(work).result(_PATIENCE_SECONDS)
        except TimeoutError:
            # It may still be committed: the client sends the same ids again, which count once.
            raise Busy from None
        if isinstance(work, Withdrawal):
            self._received(work.survey_id, "withdrawals", number)
        else:
            self._received(work.survey.id, "reports", number)
        return Receipt(number)

    def _manifest(self, digest: str) -> Survey:
        try:
            return self._store.manifest(digest)
        except ManifestUnknown as error:
            raise Refused(str(error), "manifest-unknown") from error
