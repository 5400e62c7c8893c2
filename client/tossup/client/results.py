"""What `flush()` and `status()` tell a host app, as values.

Named tuples, since they are imported with the SDK and dataclasses would triple the time of that.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from tossup.client.errors import Outcome

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

_REASONS = {
    "waiting": "An earlier upload failed; the next try is due in retry_after_seconds, or now with"
    " flush(force=True).",
    "flushing": "Another process or thread is sending already; nothing is to do.",
    "offline": "The server could not be reached. Nothing is lost; flush again later.",
    "tls": "The server's certificate was not accepted. Check the clock, the trust store, ca_file.",
    "not-our-server": "Something else answered in the server's place, perhaps a captive portal.",
    "manifest-unknown": "The server does not hold the survey that the reports answer, perhaps after"
    " a restore from a backup. The reports are kept; flush again later.",
    "survey-not-open": "The survey has not opened yet. The reports are kept; flush again later.",
}


class FlushResult(NamedTuple):
    """What a flush did.

    Attributes
    ----------
    sent, withdrawn
        Reports acknowledged by the server, and withdrawals confirmed by it, in this call.
    pending, quarantined, unwithdrawn
        Reports still to be sent, reports refused for good, and reports that the server would not
        withdraw, in the store now; None if the store could not be asked.
    retry_after_seconds
        When the next try is due; 0 if at once.
    reason
        Why it stopped before everything was sent: a short code, or None if it did not.
    """

    sent: int = 0
    withdrawn: int = 0
    pending: int | None = None
    quarantined: int | None = None
    unwithdrawn: int | None = None
    retry_after_seconds: int = 0
    reason: str | None = None

    @property
    def explanation(self) -> str:
        """What happened, why, and what to do next."""
        if self.reason is None:
            return " ".join(self._left())
        by_outcome = {outcome.value: outcome.explanation for outcome in Outcome}
        default = f"The server answered {self.reason}. Nothing is lost; flush again later."
        return _REASONS.get(self.reason) or by_outcome.get(self.reason) or default

    def _left(self) -> Iterator[str]:
        if self.pending:
            yield "The limit is reached; flush again to send the rest."
        else:
            yield "Everything that could be sent has been answered by the server."
        if self.quarantined:
            yield (
                f"It has refused {self.quarantined} report(s) for good; they are kept aside, and"
                " status() counts them by code."
            )
        if self.unwithdrawn:
            yield f"It would not withdraw {self.unwithdrawn} report(s), which it may still count."


class Spending(NamedTuple):
    """What has been spent of the lifetime caps, exactly: odds multiply, chances add up.

    Attributes
    ----------
    odds, cap
        The factor by which reports may have moved anyone's odds, and the most allowed.
    delta, delta_cap
        The chance, at worst, that some report told more than its odds; and the most allowed on
        this device altogether. Most mechanisms leave none.
    """

    odds: "Fraction | int" = 1
    cap: "Fraction | int" = 1
    delta: "Fraction | int" = 0
    delta_cap: "Fraction | int" = 0

    def __str__(self) -> str:
        """Return what is spent, in words."""
        from fractions import Fraction

        from tossup.shared.odds import chance_as_text, odds_as_text

        odds, cap = (odds_as_text(Fraction(figure)) for figure in (self.odds, self.cap))
        spent = f"odds {odds} of {cap}, for life"
        if not self.delta:
            return spent
        chance, most = (chance_as_text(Fraction(d)) for d in (self.delta, self.delta_cap))
        return f"{spent}, but for a chance of at most {chance} (of {most}) that more was told"

    @property
    def epsilon(self) -> "Decimal":
        """ln(odds), rounded up."""
        from fractions import Fraction

        from tossup.shared.odds import epsilon

        return epsilon(Fraction(self.odds))


class WaveStatus(NamedTuple):
    """Where a survey that asks in waves stands on this device.

    Attributes
    ----------
    now
        The wave that is on today, by the device's clock (UTC); None before, after and between.
    last
        The number of the last wave; the first is 1.
    asked_in
        The waves in which this device may report: all, or those that its coins chose.
    to_ask
        Questions to be asked now, since coins may be tossed for their answers. None where the
        survey is closed or the respondent has withdrawn.
    to_repeat
        Questions whose kept report can be sent again now, by ``repeat()``, without asking.
    """

    now: int | None
    last: int
    asked_in: tuple[int, ...]
    to_ask: tuple[str, ...]
    to_repeat: tuple[str, ...]


class Status(NamedTuple):
    """Where this survey and this device stand.

    Attributes
    ----------
    pending, sent, withdrawing, unwithdrawn
        Reports to be sent; acknowledged; to be withdrawn from the server; and those that the
        server would not withdraw.
    quarantined
        Reports that the server refused for good, counted by its code. They are kept.
    publisher, device
        What this device has spent with the survey's publisher, and altogether.
    answered_topics
        The publisher's topics that this device has answered, for life.
    consent
        What the respondent said; None if they were never asked.
    closed
        Whether the survey takes no more answers: the server said so, or its last day is over.
    problem
        Why this client's last call was refused: the outcome's value, a colon, and the reason.
        If it was not, the code of the last failed request (``tls`` for certificate trouble), or
        None.
    retry_after_seconds
        When the next upload is due; 0 if at once.
    outbox_repairs
        How often damaged reports were set aside and the outbox rebuilt.
    waves
        What is to be done in the wave that is on; None for a survey that asks once.
    raised
        Questions that cost more in a new version than this device knew, or of whose reports less
        is promised: they are answered once they have been previewed.
    trouble
        Why the rest of this status could not be read, or None.
    """

    pending: int = 0
    sent: int = 0
    withdrawing: int = 0
    unwithdrawn: int = 0
    quarantined: Mapping[str, int] = MappingProxyType({})
    publisher: Spending = Spending()
    device: Spending = Spending()
    answered_topics: tuple[str, ...] = ()
    consent: bool | None = None
    closed: bool = False
    problem: str | None = None
    retry_after_seconds: int = 0
    outbox_repairs: int = 0
    waves: WaveStatus | None = None
    raised: tuple[str, ...] = ()
    trouble: Outcome | None = None

    def left(self, reason: str | None, *, sent: int = 0, withdrawn: int = 0) -> FlushResult:
        """Return the result of a flush that leaves the device like this."""
        return FlushResult(
            sent=sent,
            withdrawn=withdrawn,
            pending=self.pending,
            quarantined=sum(self.quarantined.values()),
            unwithdrawn=self.unwithdrawn,
            retry_after_seconds=self.retry_after_seconds,
            reason=reason,
        )
