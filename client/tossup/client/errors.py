# ruff: noqa: N818 - each is named for what happened, which is what a reader looks for
"""Every error of the device SDK, as one tree. Host apps see them only with ``strict=True``.

::

    TossupError
    └── ClientError                what the SDK raises on purpose; carries its Outcome
        ├── AlreadyAnswered        the topic was answered before
        ├── AnswerRefused          an answer outside the declared ones
        ├── CapExceeded            a lifetime cap would be exceeded
        ├── OddsRaised             a new version asks more, and was not previewed
        ├── ManifestRefused        not the pinned publisher's manifest, or a rollback
        │   └── VersionMissing         it follows one that is fetched first; never leaves the SDK
        ├── SurveyClosed           the survey takes no more answers
        ├── SurveyNotOpen          it takes none yet, or the device's clock is not set
        ├── NotAsked               no wave is on, or not one of this device's
        ├── NoConsent              the respondent has not agreed
        ├── Misconfigured          link, key, store, caps
        ├── UnexpectedError        a bug, or a host app's own code failing
        ├── StoreError             the device's store
        │   ├── StoreUnavailable       full, read-only, busy
        │   ├── StoreTooNew            written by a newer SDK
        │   ├── LedgerDamaged          fail closed
        │   └── OutboxDamaged          set aside and rebuilt; never leaves the SDK
        └── Unreachable            no manifest known, and no server
    TransportError                 one request failed; it is tried again later
    └── TLSFailure                 the server's certificate or the TLS handshake

A message says what happened, why, and what to do next. It never contains an answer.
"""

from typing import ClassVar

from tossup.client.outcome import Outcome
from tossup.shared.errors import TossupError


class ClientError(TossupError):
    """Base of every error that the SDK raises on purpose, with the `Outcome` it stands for."""

    outcome: ClassVar[Outcome] = Outcome.FAILED

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.outcome.explanation)


class AlreadyAnswered(ClientError):
    """This device answered the topic before; nothing was tossed."""

    outcome = Outcome.ALREADY_ANSWERED


class AnswerRefused(ClientError):
    """An answer is outside the declared ones; nothing was tossed."""

    outcome = Outcome.REFUSED_ANSWER


class CapExceeded(ClientError):
    """The answers would exceed a lifetime cap; nothing was tossed."""

    outcome = Outcome.REFUSED_CAP


class OddsRaised(ClientError):
    """A new version costs more for a question or takes back a promise; nothing was tossed."""

    outcome = Outcome.ODDS_RAISED


class ManifestRefused(ClientError):
    """The manifest must not be followed; nothing was tossed."""

    outcome = Outcome.REFUSED_MANIFEST


class VersionMissing(ManifestRefused):
    """A manifest names a version before it that this device does not know.

    Attributes
    ----------
    digest
        That version's.
    """

    def __init__(self, message: str | None = None, digest: str = "") -> None:
        super().__init__(message)
        self.digest = digest


class SurveyClosed(ClientError):
    """The survey takes no more answers: the server says so, or its last day is over."""

    outcome = Outcome.CLOSED


class SurveyNotOpen(ClientError):
    """The survey's first day has not come, or the clock is not set; nothing was tossed."""

    outcome = Outcome.NOT_OPEN


class NotAsked(ClientError):
    """This device is not asked in this wave; nothing was tossed."""

    outcome = Outcome.NOT_ASKED


class NoConsent(ClientError):
    """The respondent has not agreed, or has withdrawn."""

    outcome = Outcome.NO_CONSENT


class Misconfigured(ClientError):
    """The link, the key, the store or a cap is invalid."""

    outcome = Outcome.MISCONFIGURED


class UnexpectedError(ClientError):
    """An error nobody planned for. Only its type is named, since its text could hold an answer."""

    outcome = Outcome.FAILED


class Unreachable(ClientError):
    """No manifest is known on this device and the server cannot be reached."""

    outcome = Outcome.UNREACHABLE


class StoreError(ClientError):
    """The device's store cannot do what is needed."""

    outcome = Outcome.STORE_UNAVAILABLE


class StoreUnavailable(StoreError):
    """The store cannot be opened, locked or written now."""


class StoreTooNew(StoreError):
    """A newer SDK wrote the store, so this one cannot tell what was spent."""

    outcome = Outcome.STORE_TOO_NEW


class LedgerDamaged(StoreError):
    """The ledger does not add up, so no further answer may be tossed."""

    outcome = Outcome.LEDGER_DAMAGED


class OutboxDamaged(StoreError):
    """A stored report does not match its checksum. The outbox is set aside and rebuilt."""


class TransportError(TossupError):
    """A request got no answer: no network, no server, or a connection that broke."""


class TLSFailure(TransportError):
    """The server's certificate was not accepted, or the TLS handshake failed."""
