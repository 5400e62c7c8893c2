# ruff: noqa: N818 - each is named for what happened, which is what a reader looks for
"""What may become of a call: its outcome, and the error that ``strict=True`` raises in its place.

::

    TossupError
    └── ClientError                what the SDK raises on purpose; carries its Outcome
        ├── AlreadyAnswered        the topic was answered before
        ├── AnswerRefused          an answer outside the declared ones
        ├── CapExceeded            a lifetime cap would be exceeded
        ├── OddsRaised             a new version asks more, and was not previewed
        ├── PreviewAgain           another version was shown than the one that is known now
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

import contextlib
import sys
from collections.abc import Container, Iterator
from enum import Enum, unique
from types import CodeType, FrameType, TracebackType
from typing import ClassVar

from tossup.shared.errors import TossupError


@unique
class Outcome(Enum):
    """The result of a call to the SDK. ``explanation`` says what happened, why, and what next."""

    QUEUED = "queued"
    STORED = "stored"
    ALREADY_ANSWERED = "already-answered"
    REFUSED_ANSWER = "refused-answer"
    REFUSED_CAP = "refused-cap"
    ODDS_RAISED = "odds-raised"
    PREVIEW_AGAIN = "preview-again"
    REFUSED_MANIFEST = "refused-manifest"
    CLOSED = "closed"
    NOT_OPEN = "not-open"
    NOT_ASKED = "not-asked"
    NO_CONSENT = "no-consent"
    STORE_UNAVAILABLE = "store-unavailable"
    STORE_TOO_NEW = "store-too-new"
    LEDGER_DAMAGED = "ledger-damaged"
    UNREACHABLE = "unreachable"
    MISCONFIGURED = "misconfigured"
    FAILED = "failed"

    @property
    def explanation(self) -> str:
        """What happened, why, and what to do next; it never contains an answer."""
        return _EXPLANATIONS[self]


_EXPLANATIONS = {
    Outcome.QUEUED: (
        "The coins were tossed and the randomized report is safely stored on this device."
        " Call flush() to send it, now or later, from any process."
    ),
    Outcome.STORED: (
        "What the respondent decided about taking part is stored on this device."
        " After a withdrawal, call flush() to have sent reports withdrawn from the server."
    ),
    Outcome.ALREADY_ANSWERED: (
        "This device has answered the topic before, in this survey or another of the same"
        " publisher, and a topic is answered once for life, or once a wave where a survey has"
        " waves. Nothing was tossed; nothing is to do."
    ),
    Outcome.REFUSED_ANSWER: (
        "An answer is not one of the declared ones, so nothing was tossed, spent or stored."
        " Give True or False to yes/no questions, an int or a finite number where a question asks"
        " for one, an option's id to the others and to attributes; preview() lists them."
    ),
    Outcome.REFUSED_CAP: (
        "An answer costs more than this app allows for one question, or these answers together"
        " would exceed the lifetime cap for this publisher or this device, so none was tossed."
        " preview() shows what each costs, status() what is spent; the host app sets the caps."
    ),
    Outcome.ODDS_RAISED: (
        "A new version of the survey costs more for a question than this device knew, or takes back"
        " what was promised: private results, how long reports are kept, what travels together."
        " Nothing was tossed. Show the respondent preview(), which says what it was and is; then"
        " answer."
    ),
    Outcome.PREVIEW_AGAIN: (
        "The survey has another version now than the one that the respondent was shown. Nothing was"
        " tossed. Show preview() again, and give answer() the manifest that it names."
    ),
    Outcome.REFUSED_MANIFEST: (
        "The survey's manifest is not one that the pinned publisher signed for this survey, or is"
        " older than one seen before. Nothing was tossed. Check the link and its key, or ask the"
        " publisher."
    ),
    Outcome.CLOSED: (
        "The survey is closed: the server says so, or its last day is over by this device's clock."
        " Nothing was tossed. Nothing is to do, unless that clock is wrong."
    ),
    Outcome.NOT_OPEN: (
        "The survey is not open yet by this device's clock, or that clock is not set, so that"
        " nobody can tell. Nothing was tossed. Set the clock if it is wrong; else try again later."
    ),
    Outcome.NOT_ASKED: (
        "This device is not asked now: no wave of the survey is on today, or its coins chose other"
        " waves. Nothing was tossed; status() says which waves there are. Nothing is to do."
    ),
    Outcome.NO_CONSENT: (
        "The respondent has not consented, or has withdrawn. Nothing was tossed."
        " Call consent(True) once they agree."
    ),
    Outcome.STORE_UNAVAILABLE: (
        "The device's store cannot be written: the disk is full, the folder is read-only, or"
        " another process holds it. Nothing was spent or sent. Free the store and try again."
    ),
    Outcome.STORE_TOO_NEW: (
        "A newer version of tossup than this one wrote the device's store, so this one cannot tell"
        " what was spent. Nothing was tossed, sent or changed, and nothing is lost. Upgrade tossup"
        " in this app, and keep the store."
    ),
    Outcome.LEDGER_DAMAGED: (
        "The device's ledger of past answers is damaged or missing, so another answer could"
        " reveal the truth. Nothing is tossed any more. Put no older copy in its place: that has"
        " forgotten answers, too. Leave it as it is and take part on another device, or move its"
        " files away and accept that what was answered here may be asked, and tossed, again."
    ),
    Outcome.UNREACHABLE: (
        "The survey is not known on this device yet and the server cannot be reached."
        " Nothing was tossed. Try again when there is a connection; status() names the cause."
    ),
    Outcome.MISCONFIGURED: (
        "The client was not set up correctly: the link, the key, the store or a cap is invalid,"
        " or the server knows no such survey. status().problem and the logger tossup say which."
    ),
    Outcome.FAILED: (
        "An unexpected error occurred inside the SDK and was kept from the host app. Nothing"
        " more was done. status().problem and the logger tossup name its type; report it."
    ),
}


class ClientError(TossupError):
    """Base of every error that the SDK raises on purpose, with the `Outcome` it stands for."""

    outcome: ClassVar[Outcome] = Outcome.FAILED

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message or self.outcome.explanation)

    @property
    def reason(self) -> str:
        """What was refused, as its outcome's value, and why."""
        return f"{self.outcome.value}: {self}"


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


class PreviewAgain(ClientError):
    """The respondent was shown another version of the survey; nothing was tossed."""

    outcome = Outcome.PREVIEW_AGAIN


class ManifestRefused(ClientError):
    """The manifest must not be followed; nothing was tossed."""

    outcome = Outcome.REFUSED_MANIFEST


class VersionMissing(ManifestRefused):
    """A manifest names a version before it that this device does not know.

    Attributes
    ----------
    digest
        That version's.
    version
        Its number.
    """

    def __init__(self, message: str | None = None, digest: str = "", version: int = 0) -> None:
        super().__init__(message)
        self.digest = digest
        self.version = version


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
    """No manifest is known on this device and the server cannot be reached.

    Attributes
    ----------
    code
        Under which `status()` shows it.
    """

    outcome = Outcome.UNREACHABLE

    def __init__(self, message: str | None = None, code: str = "not-our-server") -> None:
        super().__init__(message)
        self.code = code


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


# What a signal's handler of the host app raises belongs to the app. A handler runs between any two
# steps of a call, so its error, meant to end a task that takes too long perhaps, would look like a
# failed request or a damaged store. Who catches errors that are not of the types above asks here.


def pass_on(error: Exception) -> None:
    """Raise what a signal's handler raised, if that is where the error comes from."""
    raised = of_a_handler(error)
    if raised is not None:
        raise raised


def of_a_handler(error: Exception) -> Exception | None:
    """Return what a signal's handler raised amid a call, if the error is that or was made of it.

    What it raised before, and the host app was about to deal with when it called, is not meant.
    """
    handlers = _handlers()
    return next((e for e in _chain(error) if _is_raised_by(handlers, e)), None)


class suppress(contextlib.suppress):  # noqa: N801 - as in the standard library
    """Suppress errors as `contextlib.suppress` does, but not what a signal's handler raised."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        """Return whether the error goes no further."""
        if not super().__exit__(kind, error, traceback):
            return False
        return not isinstance(error, Exception) or of_a_handler(error) is None


def _chain(error: Exception) -> Iterator[Exception]:
    """Yield an error and those that it was raised for; urllib keeps one as its reason."""
    seen: list[object] = []
    rest: list[object] = [error]
    while rest:
        one = rest.pop()
        if isinstance(one, Exception) and one not in seen:
            seen.append(one)
            rest += [one.__context__, one.__cause__, getattr(one, "reason", None)]
            yield one


def _is_raised_by(handlers: Container[CodeType], error: Exception) -> bool:
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code in handlers:
            return _is_amid_a_call(step.tb_frame)
        step = step.tb_next
    return False


def _is_amid_a_call(frame: FrameType | None) -> bool:
    """Return whether a frame, or one that led to it, is the SDK's."""
    package = __name__.rpartition(".")[0]
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith(package):
            return True
        frame = frame.f_back
    return False


def _handlers() -> set[CodeType]:
    signal = sys.modules.get("signal")  # whoever set a handler has imported it
    if signal is None:
        return set()
    handlers = map(signal.getsignal, signal.valid_signals())
    return {code for handler in handlers if callable(handler) for code in _code(handler)}


def _code(handler: object) -> Iterator[CodeType]:
    """Yield the code of a handler: a function, a method, a partial of one, or a callable object."""
    handler = getattr(handler, "func", handler)
    handler = getattr(handler, "__func__", handler)
    if not hasattr(handler, "__code__"):
        handler = getattr(type(handler).__call__, "__func__", type(handler).__call__)
    code = getattr(handler, "__code__", None)
    if isinstance(code, CodeType):
        yield code
