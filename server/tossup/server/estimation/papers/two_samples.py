"""Two samples with different coins: a second unknown, such as the share of people who lie.

One yes rate tells one number. Two random halves with different designs tell two: the prevalence
of an unrelated question that nobody knows, how many deny, or how many say no whatever the device
says. Their price is a large standard error; look at it before choosing such a design. Two rates
are solved for, and some unknowns are ratios, so none is a readout, which is one mean of one sample.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt
from statistics import NormalDist
from typing import Final

from tossup.server.estimation.checks import check_counts, whole_counts
from tossup.server.estimation.comparing.apart import summed
from tossup.server.estimation.designs.design import (
    Design,
    Probability,
    forced_response,
    probability,
)
from tossup.server.estimation.designs.named import AnyDesign, Named, design_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import rate_for_errors
from tossup.server.estimation.intervals.interval import (
    Interval,
    normal_interval,
    normal_quantile,
    wilson,
)
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import NormalEstimate, Result

#: yes reports and all reports of one sample
Sample = tuple[int, int]
_Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Unknown(NormalEstimate):
    """One of the numbers that two samples tell.

    Attributes
    ----------
    value
        Raw; it may lie outside [0, 1].
    standard_error
        By the delta method, with binomial variances of divisor n - 1; of a sample in which all
        reports agree, at the nearest rate that the design allows (`rate_for_errors`).
    samples
        The counts that it is made of.
    pulls
        How far a standard error of each sample's rate moves it.
    slopes
        How far each sample's rate moves it, by itself.
    """

    value: float
    standard_error: float
    called = "value"
    samples: tuple[Sample, Sample] | None = None
    pulls: tuple[float, float] = (0.0, 0.0)
    slopes: tuple[float, float] = (0.0, 0.0)

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return the MOVER interval, from the score interval of each sample's rate.

        Zou, Huang and Zhang 2009, Computational Statistics and Data Analysis 53:1080-1085; of a
        ratio of rates along its tangent, as its standard error is.
        """
        if self.samples is None:
            return normal_interval(self.value, self.standard_error, confidence)
        known = [
            (yes / n, Interval(*wilson(yes, n, confidence), confidence, "score"))
            for yes, n in self.samples
        ]
        low, high = summed(known, self.slopes, lambda *_: 0.0)
        away = self.value - sum(b * rate for b, (rate, _) in zip(self.slopes, known, strict=True))
        return Interval(low + away, high + away, confidence, "mover-score")

    @property
    def n(self) -> int | None:
        """Reports of both samples."""
        return None if self.samples is None else sum(n for _, n in self.samples)

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with another number that one call told of the same samples."""
        if not isinstance(other, Unknown) or self.samples is None:
            return None
        if self.samples is not other.samples:  # equal counts may be of other people
            return None
        return sum(own * its for own, its in zip(self.pulls, other.pulls, strict=True))

    @property
    def title(self) -> str:
        """What was estimated."""
        return "A number that two samples tell"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return _PROCEDURE


_PROCEDURE = (
    "Two random samples answered under different coins; their two report rates are solved for the"
    " two unknowns, with standard errors by the delta method (binomial variances of divisor n - 1)"
    " and MOVER intervals of the score intervals of both rates (Zou, Huang and Zhang 2009)."
)


#: Unknowns that say how many are dishonest, or honest, and a share of them worth finding.
_DISHONEST = {"cheating", "honest"}
_NOTABLE = 0.1


def _power(error: float) -> float:
    """Return about the chance that a two-sided test at 5 % tells that share from none."""
    if not error:
        return 1.0
    z, effect = normal_quantile(0.95), _NOTABLE / error
    return NormalDist().cdf(effect - z) + NormalDist().cdf(-effect - z)


@dataclass(frozen=True)
class TwoSamples(Mapping[str, Unknown], Result):
    """What two samples under different coins tell, by name.

    Attributes
    ----------
    design
        What the pair of samples is called.
    unknowns
        The numbers by name.
    n
        Reports of both samples.
    """

    design: str
    unknowns: dict[str, Unknown]
    n: int

    @property
    def title(self) -> str:
        """What was estimated; its power to find dishonesty before anything else."""
        for name in _DISHONEST & self.unknowns.keys():
            error = self.unknowns[name].standard_error
            return f"{self.design}, power {_power(error):.2f} to tell {_NOTABLE:.0%} from none"
        return self.design

    def __getitem__(self, name: str) -> Unknown:
        return self.unknowns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.unknowns)

    def __len__(self) -> int:
        return len(self.unknowns)

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        return _PROCEDURE

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the numbers."""
        return tuple(
            found.line(name, found.interval(confidence)) for name, found in self.unknowns.items()
        )


def unrelated_unknown(
    first: Sample,
    second: Sample,
    *,
    p: tuple[Probability, Probability],
    forced_yes: tuple[Probability, Probability] = (0, 0),
    forced_no: tuple[Probability, Probability] = (0, 0),
) -> TwoSamples:
    """Return ``share`` of yes, and ``prevalence`` of yes to the unrelated question.

    Parameters
    ----------
    first, second
        Yes reports and all reports of each sample.
    p
        Pr[the question itself is asked] in each sample, where one is asked at all.
    forced_yes, forced_no
        Pr[forced yes] and Pr[forced no] in each sample, of all. On paper there are none; of an
        `UnrelatedQuestion` they are ``forced`` over ``total``.

    Returns
    -------
    TwoSamples
        Both shares by name, raw, with MOVER intervals.

    Raises
    ------
    EstimationError
        If counts or probabilities are outside their ranges, forced answers leave nothing, or both
        designs are the same.

    References
    ----------
    Greenberg, Abul-Ela, Simmons and Horvitz 1969, JASA 64:520-539, section 4.
    """
    asked, yes, no = _pair(p), _pair(forced_yes), _pair(forced_no)
    free = (1 - yes[0] - no[0], 1 - yes[1] - no[1])
    if min(free) <= 0:
        raise EstimationError("forced answers of a sample must leave some that are not forced")
    share, prevalence = _solve(
        (free[0] * asked[0], free[1] * asked[1]),
        (free[0] * (1 - asked[0]), free[1] * (1 - asked[1])),
    )

    def unforced(solved: Callable[[_Pair], float]) -> Callable[[_Pair], float]:
        return lambda rates: solved((rates[0] - yes[0], rates[1] - yes[1]))

    return _told(
        "Unrelated question of unknown prevalence",
        first,
        second,
        {"share": unforced(share), "prevalence": unforced(prevalence)},
        possible=((yes[0], 1 - no[0]), (yes[1], 1 - no[1])),
    )


def stochastic_lie_detector(
    first: Sample, second: Sample, *, p: tuple[Probability, Probability]
) -> TwoSamples:
    """Return ``share`` of yes, and ``honest``: the share of them who admit it.

    A no reports no with p, else yes; a yes reports yes if honest, else no.

    Parameters
    ----------
    first, second
        Yes reports and all reports of each sample; two reports or more.
    p
        Of each sample, from 0 to 1; the two differ.

    Returns
    -------
    TwoSamples
        Both numbers by name, raw, with MOVER intervals.

    Raises
    ------
    EstimationError
        If counts or probabilities are outside their ranges, both designs are the same, or the share
        is estimated as 0.

    References
    ----------
    Moshagen, Musch and Erdfelder 2012, Behavior Research Methods 44:222-231.
    """
    no_says_no = _pair(p)
    admitted, others = _solve((1.0, 1.0), (1 - no_says_no[0], 1 - no_says_no[1]))

    def share(rates: _Pair) -> float:
        return 1 - others(rates)

    def honest(rates: _Pair) -> float:
        if share(rates) == 0:
            raise EstimationError("the estimated share is 0, so nobody's honesty can be told")
        return admitted(rates) / share(rates)

    return _told("Stochastic lie detector", first, second, {"share": share, "honest": honest})


def cheating_detection(
    first: Sample,
    second: Sample,
    *,
    yes: tuple[Probability, Probability] | None = None,
    no: tuple[Probability, Probability] = (0, 0),
    designs: tuple[AnyDesign, AnyDesign] | None = None,
) -> TwoSamples:
    """Return the shares of ``honest_yes``, ``honest_no`` and ``cheating``, who always say no.

    Parameters
    ----------
    first, second
        Yes reports and all reports of each sample.
    yes, no
        Pr[forced yes] and Pr[forced no] in each sample; both sum to less than 1. With forced
        noes, the symmetric form.
    designs
        Instead of both: the yes/no design of each sample. With two crosswise designs it is the
        extended crosswise model, with two triangular ones the triangular model, of people who do
        not follow the instruction and give report 0 whatever is true. Where these give report 1
        instead, count report 0 as yes in both counts and designs.

    Returns
    -------
    TwoSamples
        The three shares by name, raw; they sum to 1.

    Raises
    ------
    EstimationError
        If forced answers are impossible, or both designs tell the same, or counts do not fit.

    References
    ----------
    Clark and Desharnais 1998, Psychological Methods 3:160-168; symmetric form: Ostapczuk,
    Moshagen, Zhao and Musch 2009, Journal of Educational and Behavioral Statistics 34:267-287;
    triangular: Meisters, Hoffmann and Musch 2022, Sociological Methods and Research; extended
    crosswise: Heck, Hoffmann and Moshagen 2018, Behavior Research Methods 50:1895-1905.

    Examples
    --------
    >>> found = cheating_detection((300, 1000), (500, 1000), designs=(
    ...     "triangular p=1/4", "triangular p=3/4"))
    >>> {name: round(unknown.value, 6) for name, unknown in found.items()}
    {'honest_yes': 0.2, 'honest_no': 0.4, 'cheating': 0.4}
    """
    if (designs is None) == (yes is None):
        raise EstimationError("give forced answers (yes, and no), or the designs of both samples")
    if designs is None:
        designs = _forced(yes, no)
    elif tuple(no) != (0, 0):
        raise EstimationError("designs have their forced answers; leave no out")
    said_by_no, said_by_yes = _rates_of(designs)
    honest_yes, honest_no = _solve(said_by_yes, said_by_no)
    return _told(
        "Cheating detection",
        first,
        second,
        {
            "honest_yes": honest_yes,
            "honest_no": honest_no,
            "cheating": lambda rates: 1 - honest_yes(rates) - honest_no(rates),
        },
    )


#: Every design of two samples that is estimated, by its name.
PAIRS: Final[Mapping[str, Named]] = {
    "unrelated-unknown": Named(("p",), unrelated_unknown, ("forced_yes", "forced_no")),
    "lie-detector": Named(("p",), stochastic_lie_detector),
    "cheating": Named(
        ("forced_yes",),
        lambda first, second, forced_yes, forced_no=(0, 0): cheating_detection(
            first, second, yes=forced_yes, no=forced_no
        ),
        ("forced_no",),
    ),
}


def two_samples_named(
    name: str, first: Sample, second: Sample, parameters: Mapping[str, object]
) -> TwoSamples:
    """Return what two samples tell under a design of two samples, by its name.

    Parameters
    ----------
    name
        One of `PAIRS`, such as ``cheating``.
    first, second
        Yes reports and all reports of each sample.
    parameters
        As in `design_named`, each a pair: of the first sample and of the second.

    Raises
    ------
    EstimationError
        As `design_named`.
    """
    found: TwoSamples = PAIRS[name].make(first, second, **PAIRS[name].fitting(name, parameters))
    return found


def _forced(yes: object, no: object) -> tuple[Design, Design]:
    """Return the forced-response design of each sample."""
    first, second = (
        forced_response(yes=forced_yes, no=forced_no)
        for forced_yes, forced_no in zip(_two(yes), _two(no), strict=True)
    )
    return first, second


def _rates_of(designs: tuple[AnyDesign, AnyDesign]) -> tuple[_Pair, _Pair]:
    """Return Pr[report yes | no] in both samples, and Pr[report yes | yes]."""
    if isinstance(designs, str) or not isinstance(designs, Sequence) or len(designs) != 2:
        raise EstimationError(f"designs must be two, one a sample, not {designs!r}")
    (first_no, first_yes), (second_no, second_yes) = (design_of(one).rates for one in designs)
    return (float(first_no), float(second_no)), (float(first_yes), float(second_yes))


def _pair(values: tuple[Probability, Probability]) -> _Pair:
    first, second = (float(probability(value, "a probability")) for value in _two(values))
    return first, second


def _two(values: object) -> Sequence[Probability]:
    if not isinstance(values, Sequence) or isinstance(values, str) or len(values) != 2:
        raise EstimationError(f"two probabilities are needed, one a sample, not {values!r}")
    return values


def _solve(a: _Pair, b: _Pair) -> tuple[Callable[[_Pair], float], Callable[[_Pair], float]]:
    """Return x and y of a x + b y = rate in both samples, as functions of the two rates."""
    determinant = a[0] * b[1] - a[1] * b[0]
    if determinant == 0:
        raise EstimationError("both samples use the same design, so they tell one number, not two")
    return (
        lambda rates: (rates[0] * b[1] - rates[1] * b[0]) / determinant,
        lambda rates: (a[0] * rates[1] - a[1] * rates[0]) / determinant,
    )


def _told(
    design: str,
    first: Sample,
    second: Sample,
    functions: dict[str, Callable[[_Pair], float]],
    possible: tuple[_Pair, _Pair] = ((0.0, 1.0), (0.0, 1.0)),
) -> TwoSamples:
    """Return what two samples tell; ``possible`` are the ends of their chances of a yes."""
    samples = _counted(first), _counted(second)
    pairs = zip(samples, possible, strict=True)
    rates, variances = zip(*(_rate(*sample, ends) for sample, ends in pairs), strict=True)
    unknowns = {}
    for name, function in functions.items():
        slopes = _slopes(function, rates)
        pulls = slopes[0] * sqrt(variances[0]), slopes[1] * sqrt(variances[1])
        unknowns[name] = Unknown(function(rates), hypot(*pulls), samples, pulls, slopes)
    return TwoSamples(design, unknowns, sum(n for _, n in samples))


def _counted(sample: Sample) -> Sample:
    counts = () if isinstance(sample, str) else whole_counts(sample)
    if len(counts) != 2:
        raise EstimationError(f"a sample is (yes reports, all reports), not {sample!r}")
    yes, n = counts
    if yes > n:
        raise EstimationError(f"yes ({yes}) must not be above n ({n})")
    return yes, n


def _rate(yes: int, n: int, possible: _Pair) -> tuple[float, float]:
    check_counts((n - yes, yes), 2)
    if n == 1:
        raise EstimationError("a sample of one report has no spread; two or more are needed")
    rate = rate_for_errors(yes, n, possible)
    return yes / n, rate * (1 - rate) / (n - 1)


def _slopes(function: Callable[[_Pair], float], rates: _Pair) -> _Pair:
    """Return how far each of two rates moves a function of them: a ratio of linear ones, at most.

    The slopes are central differences.
    """
    step, (x, y) = 1e-5, rates
    by_x = (function((x + step, y)) - function((x - step, y))) / (2 * step)
    by_y = (function((x, y + step)) - function((x, y - step))) / (2 * step)
    return by_x, by_y
