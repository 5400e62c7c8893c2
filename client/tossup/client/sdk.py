"""`Client`: what a host app holds. It returns values and, unless asked to, never raises.

Stage: the host app's side of the device. `tossup.client.device` does all work. It is
imported when first needed, so that importing the SDK costs an app next to nothing. What a call
returns when something fails is imported before, since an import may be what fails.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from tossup.client.errors import (
    AnswerRefused,
    ClientError,
    ManifestRefused,
    Misconfigured,
    Outcome,
    UnexpectedError,
    of_a_handler,
    suppress,
)
from tossup.client.results import FlushResult, Status
from tossup.shared.errors import AnswerError, ManifestError

if TYPE_CHECKING:
    import os
    from fractions import Fraction

    from tossup.client.device import Device
    from tossup.client.preview import Preview
    from tossup.client.settings import Settings
    from tossup.client.upload.transport import Transport
    from tossup.shared.survey import Survey

P = ParamSpec("P")
T = TypeVar("T")


class Client:
    """Answer one survey on one device.

    A client may be shared by threads, survives forks, and needs no closing. Several clients, in
    any number of processes, may use one store, and should: the caps are kept per store.

    Parameters
    ----------
    url
        The survey's link, ``https://host/v1/surveys/<id>``, with or without
        ``#key=<publisher key>``. ``http://`` only to this machine itself.
    publisher_key
        The publisher's key, 32 bytes or base64url: whose signature a manifest must carry. May
        be left out if the link carries it; must agree if both are there.
    store
        Path of the device's one file for ledger and outbox, made when first needed: absolute, or
        from the home folder, ``~/...``. Without it, ``tossup/device.db`` in the user's data
        folder, so that all apps of a user that leave it out share one ledger.
    question_cap
        The most that one question may ever cost, over all of its waves, as odds: 9 by default, at
        which a report that is read tells the truth 9 times in 10 at most. A dearer question is
        refused, whatever else is left.
    publisher_cap, device_cap
        The most that may be spent for life with one publisher, and on this device altogether,
        as odds. 729 allows six two-coin answers, 6561 eight.
    delta_cap
        The most that may add up, on this device and for life, of the chance for which a report
        may tell more than its odds: 0 for none, or a `Fraction` below 1; one in 100,000 by
        default. Most mechanisms leave no such chance.
    strict
        Raise the errors of `tossup.client.errors` instead of returning outcomes.
    require_consent
        Toss nothing before ``consent(True)``.
    manifest
        The survey's signed manifest, as `manifest` of another client returned it, to be verified
        and used where the store has no newer one: an app with many respondents fetches it once.
    transport
        What sends requests, instead of the standard library's HTTP.
    ca_file
        Further certificates to trust, in PEM, beside the system's.
    timeout_seconds
        For each request, from 1 to 3600.

    Raises
    ------
    Misconfigured
        With ``strict=True`` only; else every call returns `Outcome.MISCONFIGURED`.

    Examples
    --------
    >>> client = Client("https://survey.example/v1/surveys/habits", store="/tmp/tossup.db")
    >>> client.answer({"ever_tried": True})
    <Outcome.MISCONFIGURED: 'misconfigured'>
    """

    def __init__(
        self,
        url: str,
        publisher_key: bytes | str | None = None,
        *,
        store: "str | os.PathLike[str] | None" = None,
        question_cap: "int | Fraction" = 9,
        publisher_cap: "int | Fraction" = 729,
        device_cap: "int | Fraction" = 6561,
        delta_cap: "int | Fraction | None" = None,
        strict: bool = False,
        require_consent: bool = False,
        manifest: bytes | None = None,
        transport: "Transport | None" = None,
        ca_file: "str | os.PathLike[str] | None" = None,
        timeout_seconds: int = 10,
    ) -> None:
        self._strict = strict
        self._transport = transport
        self._device: Device | None = None
        self._refused: str | None = None
        self._settings, self._misconfigured = _attempt(
            _checked,
            url=url,
            publisher_key=publisher_key,
            store=store,
            question_cap=question_cap,
            publisher_cap=publisher_cap,
            device_cap=device_cap,
            delta_cap=delta_cap,
            require_consent=require_consent,
            manifest=manifest,
            ca_file=ca_file,
            timeout_seconds=timeout_seconds,
        )
        self._conclude(self._misconfigured)

    def survey(self) -> "Survey | None":
        """Fetch the survey, verify it and return it; the stored one when offline.

        Returns
        -------
        Survey or None
            None if there is none to trust, or it is closed; `status()` and ``strict`` say why.
            One that is not open yet is returned, and answered once it is.
        """
        survey, failure = _attempt(lambda: self._ready().survey())
        self._conclude(failure)
        return survey

    def manifest(self) -> bytes | None:
        """Fetch the survey as `survey` does, and return it as signed bytes, to be handed on.

        Returns
        -------
        bytes or None
            What ``Client(..., manifest=...)`` takes, in this process or another; None if there
            is no survey to trust, or it is closed.
        """
        manifest, failure = _attempt(lambda: self._ready().manifest())
        self._conclude(failure)
        return manifest

    def answer(
        self,
        answers: Mapping[str, object],
        wave: int | None = None,
        *,
        manifest: str | None = None,
    ) -> Outcome:
        """Toss the coins for these answers and store the randomized reports durably.

        No network is used once the survey is known. When this returns `Outcome.QUEUED` the
        reports survive any crash, and the same reports will be sent whatever happens.

        Parameters
        ----------
        answers
            By id: True or False for yes/no questions, an option's id for choices, a list of ids
            where several may be ticked, a list of all ids, best first, for an order, a ``str``
            for a text, an ``int`` for whole numbers, an ``int``, finite ``float``, ``Decimal`` or
            ``Fraction`` for numbers (clipped to the declared bounds), a list of such numbers for a
            vector (scaled down to the declared norm), and the option's id for every public
            attribute. Surveys with linkage ``joint`` take all questions at once, the others any
            number of them.
        wave
            For a survey that asks in waves: which one this is for, from 1. By default the one
            that is on today, by the device's clock (UTC).
        manifest
            ``Preview.manifest`` of what the respondent was shown. If the survey has another
            version by now, nothing is tossed: PREVIEW_AGAIN.

        Returns
        -------
        Outcome
            QUEUED if at least one new topic was answered; topics answered before are left out.
            In a later wave of a survey that tosses once for life, the answer is not looked at,
            and what was tossed is reported again; NOT_ASKED outside of this device's waves.
        """
        failure = _attempt(self._answer, answers, wave, manifest)[1]
        del answers  # so that no traceback of ours leads to it
        return self._outcome(failure, Outcome.QUEUED)

    def repeat(
        self, attributes: Mapping[str, object] | None = None, wave: int | None = None
    ) -> Outcome:
        """Report again in this wave what was tossed in an earlier one; nobody is asked.

        For surveys whose waves toss once for life. It costs nothing more, however often: every
        report is made from what is kept, which is randomized, and never from the answer.

        Parameters
        ----------
        attributes
            The option's id for every public attribute, as in `answer`.
        wave
            Which wave this is for; by default the one that is on today.

        Returns
        -------
        Outcome
            QUEUED if there was anything to report; ALREADY_ANSWERED if it has been in this wave;
            NOT_ASKED if no wave is on, or nothing is kept on this device.
        """
        failure = _attempt(lambda: self._ready().repeat(attributes or {}, wave))[1]
        return self._outcome(failure, Outcome.QUEUED)

    def preview(
        self, answers: Mapping[str, object] | None = None, *, language: str | None = None
    ) -> "Preview | None":
        """Return exactly what can be sent, and with which odds; nothing is tossed.

        Parameters
        ----------
        answers
            Only its keys are looked at: the questions to preview. All of them by default.
        language
            One of ``Preview.languages``, for the survey's own texts and labels; its first one by
            default.

        Returns
        -------
        Preview or None
            None if the survey is not known, does not ask one of these, or has no such language.
        """
        shown, failure = _attempt(self._preview, answers, language)
        del answers
        self._conclude(failure)
        return shown

    def flush(self, limit: int | None = None, *, force: bool = False) -> FlushResult:
        """Send the stored reports and withdrawals. Any process may do so, at any time.

        Never raises for a network that fails: the result says what is left and when to return.

        Parameters
        ----------
        limit
            Send at most this many reports.
        force
            Do not wait for the back-off of an earlier failure, and try again what was set aside
            for another reason than the server's refusal of its bytes.
        """
        result, failure = _attempt(lambda: self._ready().flush(limit, force=force))
        self._conclude(failure)
        if result is None:
            return self._unfinished(failure)
        if not self._strict:
            with suppress(Exception):
                from tossup.client.refusals import warn_of_upload

                warn_of_upload(result)
        return result

    def status(self) -> Status:
        """Return what is stored and spent, and what stands in the way."""
        status, failure = _attempt(lambda: self._ready().status())
        if status is None:
            self._conclude(failure)
            return Status(trouble=_outcome_of(failure), problem=self._refused)
        return status._replace(problem=self._refused) if self._refused else status

    def consent(self, agrees: bool) -> Outcome:  # noqa: FBT001 - it is the answer to a question
        """Store whether the respondent agrees to take part.

        Returns
        -------
        Outcome
            STORED if it is durable now.
        """
        failure = _attempt(lambda: self._ready().consent(agrees=agrees is True))[1]
        return self._outcome(failure, Outcome.STORED)

    def withdraw(self) -> Outcome:
        """Delete unsent reports, have sent ones withdrawn by the next `flush()`, end consent.

        What was spent stays spent. Answers are refused until ``consent(True)``.

        Returns
        -------
        Outcome
            STORED if it is durable now.
        """
        failure = _attempt(lambda: self._ready().withdraw())[1]
        return self._outcome(failure, Outcome.STORED)

    def _unfinished(self, failure: Exception | None) -> FlushResult:
        """Return what is still waiting after a flush that failed, if it can be told."""
        status = _attempt(lambda: self._ready().status())[0]
        reason = _outcome_of(failure).value
        return FlushResult(reason=reason) if status is None else status.left(reason)

    def _answer(
        self, answers: Mapping[str, object], wave: int | None, manifest: str | None
    ) -> None:
        self._ready().answer(answers, wave, manifest)

    def _preview(self, answers: Mapping[str, object] | None, language: str | None) -> "Preview":
        return self._ready().preview(None if answers is None else tuple(answers), language)

    def _ready(self) -> "Device":
        if self._settings is None:
            raise self._misconfigured or Misconfigured()
        if self._device is None:
            from tossup.client.device import Device

            self._device = Device(self._settings, self._transport)
        return self._device

    def _outcome(self, failure: Exception | None, done: Outcome) -> Outcome:
        """Return what became of a call: done, if nothing failed."""
        self._conclude(failure)
        return done if failure is None else _outcome_of(failure)

    def _conclude(self, failure: Exception | None) -> None:
        """Remember why a call was refused, if it was; raise that if strict, else log it once.

        What a signal's handler of the host app raised goes on, strict or not.
        """
        self._refused = None
        if failure is None:
            return
        if not isinstance(failure, ClientError):
            raise failure
        self._refused = failure.reason
        if self._strict:
            raise failure
        with suppress(Exception):  # what cannot be imported now is not said
            from tossup.client.refusals import warn_of_refusal

            warn_of_refusal(failure)


def _checked(**settings: Any) -> "Settings":
    from tossup.client.settings import checked

    return checked(**settings)


def _attempt(
    work: Callable[P, T], *args: P.args, **kwargs: P.kwargs
) -> tuple[T | None, Exception | None]:
    """Return what work returns, or the error it raised, stripped of everything it has seen."""
    try:
        return work(*args, **kwargs), None
    except Exception as error:  # nothing of ours may reach the host app
        return None, _stripped(error)


def _stripped(error: Exception) -> Exception:
    """Return the error anew: without traceback, cause or context, whose frames hold answers."""
    raised = of_a_handler(error)
    if raised is not None:
        raised.__context__ = raised.__cause__ = None
        return raised.with_traceback(None)
    match error:
        case ClientError():
            return type(error)(str(error))
        case AnswerError():
            return AnswerRefused(str(error))
        case ManifestError():
            return ManifestRefused(str(error))
        case _:
            return UnexpectedError(
                f"unexpected {type(error).__name__} inside the SDK; nothing more was done"
            )


def _outcome_of(failure: Exception | None) -> Outcome:
    return failure.outcome if isinstance(failure, ClientError) else Outcome.FAILED
