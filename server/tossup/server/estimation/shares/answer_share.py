"""What every estimated share of an answer offers, however its reports are read."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from tossup.server.estimation.checks import checked_confidence
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Ends, Interval, Method
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate


@dataclass(frozen=True, slots=True)
class Shown:
    """An estimate as words and charts show it: cut to [0, 1], with an interval that fits.

    For reading only. Sum, average, compare and export the raw value: cutting biases it
    (+0.024 for a true share of 0 and 200 two-coin reports).
    """

    value: float
    interval: Interval


def check_answer_share(share: object) -> None:
    """Refuse what is not the share of an answer, estimated from one tally of reports.

    Raises
    ------
    EstimationError
        If it is another estimate, such as a weighted share, or none.
    """
    if not isinstance(share, AnswerShare):
        raise EstimationError(
            f"{type(share).__name__} is no share of an answer from one tally; make one by"
            " estimate(yes=, n=, design=)"
        )


class AnswerShare(Estimate):
    """The share of one answer, estimated from randomized reports.

    Attributes
    ----------
    usual
        The method of the interval that is shown unless another is asked for.
    """

    __slots__ = ()

    usual: ClassVar[Method] = "score"

    @property
    @abstractmethod
    def n(self) -> int:
        """Number of reports the estimate rests on."""

    @property
    def named(self) -> int | None:
        """Reports that name the answer; None where reports name no answer."""
        return None

    @property
    @abstractmethod
    def value(self) -> float:
        """The raw estimate: unbiased, and outside [0, 1] when the coins fell so."""

    @property
    @abstractmethod
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`."""

    @property
    @abstractmethod
    def respondents_standard_error(self) -> float:
        """That over the coins alone: whoever answered is fixed, and the share is theirs."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for in `value`."""

    @property
    @abstractmethod
    def interval_methods(self) -> Mapping[Method, Ends]:
        """What makes an interval by each method that there is."""

    def interval(
        self, confidence: float = 0.95, method: Method | Literal["usual"] = "usual"
    ) -> Interval:
        """Return a confidence interval; like `value` it may leave [0, 1].

        Parameters
        ----------
        confidence
            In (0, 1).
        method
            One of `interval_methods`; ``"usual"`` is the one named by `usual`.

        Raises
        ------
        EstimationError
            If the confidence is outside its range, or there is no such method.
        """
        return self.shared_interval(confidence, method, among=1)

    def shared_interval(
        self, confidence: float = 0.95, method: Method | Literal["usual"] = "usual", *, among: int
    ) -> Interval:
        """Return one of ``among`` intervals that hold together with the given confidence.

        Bonferroni: each is made at 1 - (1 - confidence) / among. See `interval`.
        """
        if method == "usual":
            method = self.usual
        single = 1 - (1 - checked_confidence(confidence)) / among
        made = self.interval_methods.get(method)
        if made is None:
            raise EstimationError(f"method ({method!r}) must be {self._known}")
        low, high = made(single)
        return Interval(low, high, confidence, method, among)

    @property
    def _known(self) -> str:
        return f"one of {', '.join(self.interval_methods)}"

    def anytime_interval(self, confidence: float = 0.95) -> Interval:
        """Return an interval that, with the given confidence, holds at every look together."""
        del confidence
        raise TypeError(f"this server has no interval for every look at {type(self).__name__}")

    @property
    def shown(self) -> Shown:
        """The estimate for words and charts, within [0, 1], with a 95 % interval: never empty."""
        return self.shown_at(0.95)

    def shown_at(self, confidence: float) -> Shown:
        """Return `shown` with an interval at another confidence.

        It is the profile-likelihood one over possible shares.
        """
        return Shown(self._best, self.interval(confidence, "profile"))

    @property
    def _best(self) -> float:
        """The most likely share from 0 to 1."""
        return min(max(self.value, 0.0), 1.0)

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the share."""
        return (self.line(self.called, self.interval(confidence)),)


class ReadShare(AnswerShare):
    """A share that is a linear readout of reports of several kinds: all of it follows from that.

    Subclasses say what reports count for, and which intervals there are.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def readout(self) -> Readout:
        """What each kind of report counts for."""

    @property
    def n(self) -> int:
        """Number of reports the estimate rests on."""
        return self.readout.n

    @property
    def value(self) -> float:
        """The raw estimate: unbiased, and negative or above 1 when the coins fell so."""
        return self.readout.value

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for in `value`."""
        return self.readout.ends

    def anytime_interval(self, confidence: float = 0.95) -> Interval:
        """Return an interval that holds at every look together: see `score_sequence`."""
        return self.readout.anytime(confidence)
