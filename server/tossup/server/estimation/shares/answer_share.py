"""What every estimated share of an answer offers, however it was estimated: the interface."""

from typing import ClassVar, Protocol

from tossup.server.estimation.intervals.interval import Interval
from tossup.server.estimation.shares.share import Method, Shown


class AnswerShare(Protocol):
    """The share of one answer, estimated from randomized reports.

    Attributes
    ----------
    usual
        The method of the interval that is shown unless another is asked for.
    """

    usual: ClassVar[Method]

    @property
    def n(self) -> int:
        """Number of reports the estimate rests on."""

    @property
    def named(self) -> int | None:
        """Reports that name the answer; None where reports name no answer."""

    @property
    def value(self) -> float:
        """The raw estimate: unbiased, and outside [0, 1] when the coins fell so."""

    @property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`."""

    @property
    def respondents_standard_error(self) -> float:
        """That over the coins alone: whoever answered is fixed, and the share is theirs."""

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for in `value`."""

    @property
    def design_p_value(self) -> float:
        """How likely so extreme reports are if every device followed the design."""

    def interval(self, confidence: float, method: Method) -> Interval:
        """Return a confidence interval; like `value` it may leave [0, 1]."""

    def shared_interval(self, confidence: float, method: Method, *, among: int) -> Interval:
        """Return one of ``among`` intervals that hold together with the given confidence."""

    @property
    def shown(self) -> Shown:
        """The estimate for words and charts, within [0, 1], with a 95 % interval."""

    def shown_at(self, confidence: float) -> Shown:
        """Return `shown` with an interval at another confidence."""
