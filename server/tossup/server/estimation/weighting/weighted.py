"""Shares from a sample with weights, strata and clusters: for all, for a domain, and apart.

Reports count for what a readout says, but as rows: their weights and clusters differ, so the mean
and its variance are over rows, not over kinds of reports, which a readout counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from tossup.server.estimation.comparing.comparison import Difference
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.scores import floats_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.binomial import tail_from, tail_to
from tossup.server.estimation.intervals.coins import variances_given_answers
from tossup.server.estimation.intervals.distributions import t_quantile
from tossup.server.estimation.intervals.interval import Interval, beyond, wilson
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate
from tossup.server.estimation.telling.wording import channel_in_words
from tossup.server.estimation.weighting.samples import Floats, Sample
from tossup.shared.mechanisms.base import Channel

#: Rates of reports that are nearer to 0 or 1 are these, but for rounding: all reports agree.
_AGREED: Final = 1e-12


@dataclass(frozen=True, eq=False)
class WeightedShare(Estimate):
    """The share of yes in the population that a weighted sample stands for.

    The Hajek estimator: the weighted mean of the reports' unbiased values, sum(w r) / sum(w).
    It needs no population size, and differs from Horvitz and Thompson's (`horvitz_thompson`)
    wherever the weights do not sum to it.

    Attributes
    ----------
    sample
        Reports and their place in the survey's design.
    domain
        Whether each row belongs to the domain asked about. Rows outside it still tell how many
        primary sampling units there are.

    Raises
    ------
    EstimationError
        If nobody is in the domain.
    """

    sample: Sample
    domain: Floats

    def __post_init__(self) -> None:
        if not self.sample.counts @ self.domain:
            raise EstimationError("nobody in the sample is in this domain")

    @property
    def n(self) -> int:
        """How many respondents are in the domain."""
        return int(self.sample.counts @ self.domain)

    @property
    def value(self) -> float:
        """The raw estimate; it may lie outside [0, 1]."""
        return float((self.sample.counts * self._parts) @ self.sample.values)

    @property
    def standard_error(self) -> float:
        """The linearized standard error, between primary sampling units within strata.

        It is never below what the coins alone cause. Where all reports agree it is that, and where
        they hardly vary it is that with four reports more: see `coins.score_variance`.

        Raises
        ------
        EstimationError
            If a stratum, or the domain, is one primary sampling unit alone.
        """
        self.sample.degrees_in(self.domain > 0)
        return sqrt(max(self.sample.variance(self.influence, self._parts), self._agreed))

    @property
    def degrees_of_freedom(self) -> int:
        """Primary sampling units with somebody of the domain, less strata with somebody.

        Raises
        ------
        EstimationError
            If there are none left.
        """
        degrees = self.sample.degrees_in(self.domain > 0)
        if degrees < 1:
            raise EstimationError(
                "one primary sampling unit a stratum leaves no degrees of freedom; merge similar"
                " strata"
            )
        return degrees

    @property
    def effective_n(self) -> float:
        """How many reports of a simple random sample would tell the report rate as well."""
        (rate, gap), rates = self._rate(), self.sample.design.rates
        possible = min(max(rate, float(min(rates))), float(max(rates)))
        if min(possible, 1 - possible) < _AGREED:  # Kish looks at weights alone
            return self._effective_by_weights
        return possible * (1 - possible) / (gap * self.standard_error) ** 2

    @property
    def _effective_by_weights(self) -> float:
        """Kish 1965, *Survey Sampling*, section 8.2."""
        return float(1 / (self.sample.counts @ self._parts**2))

    @property
    def _agreed(self) -> float:
        """The variance of the share where all reports agree; 0 where they do not."""
        agreed = self.sample.agreed(self.domain > 0, self._effective_by_weights)
        if agreed is None:
            return 0.0
        return float((self.sample.counts * self._parts**2) @ agreed)

    def covariance_with(self, other: object) -> float | None:
        """Return the linearized covariance with the share of another domain of this sample.

        That with which the variance of the difference is the one of `WeightedDifference`.
        """
        if not isinstance(other, WeightedShare) or self.sample is not other.sample:
            return None
        apart = 0.0 if self._is_of(other) else self.variance_apart(other)
        return (self.standard_error**2 + other.standard_error**2 - apart) / 2

    def _is_of(self, other: "WeightedShare") -> bool:
        """Return whether it is of the same domain."""
        return bool((self.domain == other.domain).all())

    def variance_apart(self, other: "WeightedShare") -> float:
        """Return the variance of its difference to another domain's share of this sample."""
        influence, parts = self.influence - other.influence, self._parts - other._parts
        return max(self.sample.variance(influence, parts), self._agreed + other._agreed)

    def n_united(self, domains: "Sequence[WeightedShare]") -> int:
        """Return how many respondents are in any of several domains of this sample."""
        return int(self.sample.counts @ np.any([share.domain > 0 for share in domains], axis=0))

    def interval(self, confidence: float = 0.95, method: str | None = None) -> Interval:
        """Return a confidence interval for the share.

        Parameters
        ----------
        confidence
            In (0, 1).
        method
            ``"score"``: Wilson's at the effective number of reports (Korn and Graubard 1998,
            Survey Methodology 24:193-201, with Wilson's interval for Clopper and Pearson's, and
            their fewer reports where clusters leave few degrees of freedom); for one yes/no design.
            ``"t"``: the estimate and Student's quantile, as R's survey does. If not given, the
            first where it can be had.
        """
        method = method or ("score" if self._is_yes_no else "t")
        if method == "score":
            (rate, gap), n = self._rate(), self._effective_n(confidence)
            without = float(self.sample.design.rates[0])
            ends = wilson(rate * n, n, confidence)
            # Where reports agree, the estimate is an end, and beyond it by rounding.
            low, *_, high = sorted([*((end - without) / gap for end in ends), self.value])
            return Interval(low, high, confidence, method)
        if method != "t":
            raise EstimationError(f"method ({method!r}) must be one of score, t")
        half = t_quantile(confidence, self.degrees_of_freedom) * self.standard_error
        return Interval(self.value - half, self.value + half, confidence, method)

    def _effective_n(self, confidence: float) -> float:
        """Return the effective number of reports, fewer by what few clusters leave unknown."""
        if self.sample.clusters is None:
            return self.effective_n
        simple = t_quantile(confidence, self.n - 1)
        return self.effective_n * (simple / t_quantile(confidence, self.degrees_of_freedom)) ** 2

    @property
    def channel(self) -> Channel:
        """``channel[answer][report]`` = Pr[report | answer]."""
        return self.sample.design.rows

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share of yes in the population, weighted (Hajek)"

    @property
    def design_p_value(self) -> float:
        """How likely reports so extreme are if every device followed the design.

        At a share of 0 or 1 reports are independent, whatever the clusters, so weights alone
        matter: for one yes/no design the binomial probability of the weighted report rate at
        the effective number of reports (Kish), without weights that of `estimate`; else the
        normal one of the estimate, with the variance of the coins.
        """
        if self._is_yes_no:
            (rate, _), n = self._rate(), self._effective_by_weights
            low, high = sorted(map(float, self.sample.design.rates))
            if rate < low:
                return tail_to(rate * n, n, low)
            return tail_from(rate * n, n, high) if rate > high else 1.0
        nearest = round(min(max(self.value, 0.0), 1.0))
        coins = max(_coins(design)[nearest] for design in self.sample.designs)
        return beyond(self.value, sqrt(coins / self._effective_by_weights))

    @property
    def facts(self) -> dict[str, str]:
        """The design, what weights and clusters cost, and whether such reports can be."""
        effective = f", effective n {self.effective_n:,.1f}" if self._is_yes_no else ""
        label = "Designs" if len(self.sample.designs) > 1 else "Design"
        return {
            label: self._designs_in_words,
            "Sample": f"{self.degrees_of_freedom} degrees of freedom{effective}",
            **self._warned,
        }

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            f"Answers were randomized ({self._designs_in_words}). The share is the"
            " weighted mean of the reports' unbiased values (Hajek), its standard error the"
            " linearized one between primary sampling units within strata (Binder 1983), and its"
            f" interval {self._interval_in_words}."
        )

    @property
    def _designs_in_words(self) -> str:
        return "; ".join(channel_in_words(one.name, one.rows) for one in self.sample.designs)

    @property
    def _interval_in_words(self) -> str:
        if self._is_yes_no:
            return "Wilson's at the effective number of reports (Korn and Graubard 1998)"
        return "by Student's quantile"

    @property
    def _is_yes_no(self) -> bool:
        """Whether all rows have one yes/no design."""
        first, *others = self.sample.designs
        return not others and [len(row) for row in first.rows] == [2, 2]

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the share."""
        return (self.line(self.called, self.interval(confidence)),)

    @property
    def influence(self) -> Floats:
        """How much a respondent of each row moves `value`; calibration leaves residuals."""
        plain: Floats = (self.sample.values - self.value) * self._parts / self.sample.weights
        influence: Floats = self.sample.weights * residuals(self.sample, plain)
        return influence

    @property
    def _parts(self) -> Floats:
        """Each respondent's part of the weight of the domain."""
        weights: Floats = self.sample.weights * self.domain
        parts: Floats = weights / (self.sample.counts @ weights)
        return parts

    def _rate(self) -> tuple[float, float]:
        without, with_it = (float(rate) for rate in self.sample.design.rates)
        rate = without + (with_it - without) * self.value
        return min(max(rate, 0.0), 1.0), with_it - without


@dataclass(frozen=True, eq=False)
class WeightedDifference(Estimate):
    """The share of one domain less that of another, in the same sample.

    Domains may share strata and clusters, so their errors may go together.
    """

    first: WeightedShare
    second: WeightedShare

    def __post_init__(self) -> None:
        if self.first.sample is not self.second.sample:
            raise EstimationError("both domains must be of one sample; else use Difference")
        if self.first._is_of(self.second):
            raise EstimationError("both domains are the same people, so they do not differ")

    @property
    def value(self) -> float:
        """The raw difference."""
        return self.first.value - self.second.value

    @property
    def standard_error(self) -> float:
        """The linearized standard error, never below what the coins alone cause."""
        for share in (self.first, self.second):
            share.sample.degrees_in(share.domain > 0)
        return sqrt(self.first.variance_apart(self.second))

    @property
    def degrees_of_freedom(self) -> int:
        """Primary sampling units with somebody of either domain, less strata with somebody."""
        both = (self.first.domain > 0) | (self.second.domain > 0)
        degrees = self.first.sample.degrees_in(both)
        if degrees < 1:
            raise EstimationError(
                "one primary sampling unit a stratum leaves no degrees of freedom; merge similar"
                " strata"
            )
        return degrees

    @property
    def n(self) -> int:
        """How many respondents are in either domain."""
        return self.first.n_united((self.first, self.second))

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Difference of the shares of two domains of one sample"

    @property
    def facts(self) -> dict[str, str]:
        """Both domains."""
        return {"First": str(self.first), "Second": str(self.second)}

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            f"{self.first.procedure} The difference has the linearized standard error of both"
            " domains together, and its interval is the MOVER one (Zou and Donner 2008)."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the difference."""
        interval = self.interval(confidence)
        return (Line("difference", self.value, self.standard_error, interval),)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the MOVER interval, from that of each domain's share: see `Difference`."""
        return Difference(self.first, self.second).interval(confidence)


def weighted_share(sample: Sample, domain: ArrayLike | None = None) -> WeightedShare:
    """Return the share of yes in the population, or in a part of it.

    Parameters
    ----------
    sample
        Made by `tossup.server.estimation.sample`.
    domain
        Whether each row belongs to it; everybody if not given.

    Returns
    -------
    WeightedShare
        The share of yes, raw.

    Raises
    ------
    EstimationError
        If it is no sample, the domain is not one truth value a row, or nobody is in it.

    References
    ----------
    Hajek 1971, in *Foundations of Statistical Inference*, 236.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> from tossup.server.estimation.weighting.samples import sample
    >>> rows = sample([1, 0, 1, 0], two_coins(), weights=[2, 1, 2, 1], counts=[40, 60, 20, 80])
    >>> share = weighted_share(rows)
    >>> round(share.value, 4), share.n
    (0.4231, 200)
    """
    if not isinstance(sample, Sample):
        raise EstimationError(f"{sample!r} is no sample; make one by sample(reports, design)")
    rows = len(sample.values)
    chosen = np.ones(rows, dtype=bool) if domain is None else np.asarray(domain)
    if chosen.shape != (rows,) or chosen.dtype != np.bool_:
        raise EstimationError(f"domain must be one True or False a row: {rows}")
    return WeightedShare(sample, chosen.astype(float))


def _values(design: Design) -> Floats:
    """Return what a report of each kind counts for."""
    return np.array([float(value) for value in design.report_values()])


def _rows(design: Design) -> Floats:
    return floats_of(design)


def _coins(design: Design) -> Floats:
    """Return the variance of what a report counts for, given a no and given a yes."""
    return variances_given_answers(_rows(design), _values(design))


def residuals(sample: Sample, influence: Floats) -> Floats:
    """Return what calibration to margins leaves of an influence.

    The residuals of its weighted regression on the margins: Deville and Sarndal 1992, JASA
    87:376-382.
    """
    if not sample.margins:
        return influence
    columns = np.hstack([np.eye(margin.max() + 1)[margin] for margin in sample.margins])
    root = np.sqrt(sample.counts * sample.weights)
    fit, *_ = np.linalg.lstsq(columns * root[:, None], influence * root, rcond=None)
    left: Floats = influence - columns @ fit
    return left
