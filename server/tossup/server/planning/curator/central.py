"""What a trusted curator would have got: the same (epsilon, delta), all answers in one hand.

The queries of a survey, with every noise that suits them and the error it leaves. Sensitivities
are those of one person answering differently among n known people, but for counts of people,
histograms and second moments: there one person more or less, unless told otherwise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Final

from tossup.server.planning.curator import sensitivity
from tossup.server.planning.curator.elastic import Join, Table, smooth_elastic
from tossup.server.planning.curator.gaussian import analytic_sigma, classic_sigma
from tossup.server.planning.curator.noise import (
    Gaussian,
    Geometric,
    Laplace,
    Noise,
    Staircase,
    noisy_max_gap,
)
from tossup.server.planning.curator.wishart import SMALLEST_DELTA, wishart
from tossup.server.planning.errors import PlanningError, count, positive, probability

#: Whom every figure here trusts.
TRUSTS: Final = "a curator who sees every true answer, and everyone who can reach the curator"


@dataclass(frozen=True, slots=True)
class Query:
    """Numbers that a curator would publish.

    Attributes
    ----------
    name
        What is asked, in words.
    l1, l2
        How far one person moves all of them together: sum of distances, Euclidean distance.
    answers
        How many numbers.
    step
        They are whole multiples of it; None if they may be anything.
    """

    name: str
    l1: float
    l2: float
    answers: int = 1
    step: float | None = None


@dataclass(frozen=True, slots=True)
class CentralAnswer:
    """One way to answer, and how far off it is.

    Attributes
    ----------
    mechanism
        ``laplace``, ``geometric``, ``staircase``, ``gaussian-classic``, ``gaussian-analytic``,
        ``additive-wishart``, ``smooth-laplace`` or ``noisy-max``.
    standard_deviation
        Of the noise of each number, of Wishart noise that of the squares; None for a choice.
    error
        Alpha: with probability 1 - beta every number is within it.
    delta
        Of the promise; 0 where the noise needs none.
    source
        The publication.
    """

    mechanism: str
    standard_deviation: float | None
    error: float
    delta: float
    source: str


def people() -> Query:
    """Return the query for how many people there are, or say yes, of an unknown number."""
    return Query("count", 1, 1, step=1)


def share(n: int) -> Query:
    """Return the query for the share of yes among n people."""
    return Query("share", 1 / count(n, "n"), 1 / n, step=1 / n)


def mean(low: float, high: float, n: int) -> Query:
    """Return the query for the mean of n numbers clipped to [low, high]."""
    moved = sensitivity.mean_global(low, high, n)
    return Query("mean", moved, moved)


def histogram(options: int, *, replaced: bool = False) -> Query:
    """Return the query for how many people chose each option.

    Parameters
    ----------
    options
        How many counts are published at once.
    replaced
        Whether a neighbour chooses differently (two counts move) instead of being absent (one).
    """
    count(options, "options")
    return Query("histogram", 2 if replaced else 1, sqrt(2) if replaced else 1, options, step=1)


def second_moments(components: int, norm: float, *, replaced: bool = False) -> Query:
    """Return the query for the sums of products of all pairs of components, squares included.

    The vectors have at most this Euclidean norm. The products of one person, each pair once, sum
    to at most norm**2 (components + 1) / 2, and the root of the sum of their squares is at most
    norm**2. Those of two vectors are at most twice as far apart in sum, and sqrt(2) norm**2 as a
    distance: |v v' - w w'|**2 = |v|**4 + |w|**4 - 2 <v, w>**2.

    Parameters
    ----------
    components
        Of a person's vector.
    norm
        The largest there is.
    replaced
        Whether a neighbour has another vector instead of being absent.
    """
    count(components, "components")
    squared = positive(norm, "norm") ** 2
    pairs, people = components * (components + 1) // 2, 1 + replaced
    moved = people * squared * (components + 1) / 2
    return Query("second moments", moved, sqrt(people) * squared, pairs)


def answer_second_moments(
    components: int,
    norm: float,
    epsilon: float,
    delta: float = 0.0,
    beta: float = 0.05,
    *,
    replaced: bool = False,
) -> tuple[CentralAnswer, ...]:
    """Return every mechanism for `second_moments`; with a delta also additive Wishart noise.

    Wishart noise makes the sums a matrix that some people could have; it is never offered for
    delta = 0, since no such noise is private then, nor for one below 1e-12: see
    `tossup.server.planning.curator.wishart`. It hides one row, gone or come. A neighbour with
    another vector is both: with epsilon / 2 and d each, Pr <= e**(epsilon / 2) (e**(epsilon / 2)
    Pr' + d) + d, so that d (1 + e**(epsilon / 2)) is delta.

    Examples
    --------
    >>> ways = answer_second_moments(3, 1.0, epsilon=0.5, delta=1e-6)
    >>> [way.mechanism for way in ways]
    ['laplace', 'gaussian-classic', 'gaussian-analytic', 'additive-wishart']

    Raises
    ------
    PlanningError
        If an argument is outside its range.
    """
    query = second_moments(components, norm, replaced=replaced)
    ways = answer(query, epsilon, delta, beta)
    half = epsilon / 2
    row = (half, delta / (1 + exp(half))) if replaced else (epsilon, delta)
    if row[1] < SMALLEST_DELTA:
        return ways
    noise = wishart(components, norm, *row)
    return (*ways, _described(noise.name, noise, query, delta, beta))


def answer(
    query: Query, epsilon: float, delta: float = 0.0, beta: float = 0.05
) -> tuple[CentralAnswer, ...]:
    """Return every mechanism that suits a query, in a fixed order, with its error.

    Parameters
    ----------
    query
        What is asked.
    epsilon
        Above 0.
    delta
        In [0, 1); normal noise is offered above 0 alone, the classic one for epsilon below 1.
    beta
        The chance that some error is larger than said.

    Examples
    --------
    >>> names = answer(histogram(10_000), epsilon=1)
    >>> [(way.mechanism, round(way.error, 1)) for way in names]
    [('laplace', 12.2), ('geometric', 12), ('staircase', 12.2)]

    Raises
    ------
    PlanningError
        If an argument is outside its range.
    """
    noises: list[tuple[str, Noise, float]] = [("laplace", Laplace(query.l1, epsilon), 0.0)]
    if query.step is not None:
        noises.append(("geometric", Geometric(query.l1, epsilon, query.step), 0.0))
    moved = query.l1 if query.answers == 1 else query.step
    if moved is not None:  # of several numbers, each that moves costs its part of epsilon
        noises.append(("staircase", Staircase(moved, epsilon * moved / query.l1), 0.0))
    if delta:
        noises += _normal(query, epsilon, delta)
    return tuple(_described(name, noise, query, given, beta) for name, noise, given in noises)


def median(
    values: Sequence[float],
    *,
    low: float,
    high: float,
    epsilon: float,
    delta: float,
    beta: float = 0.05,
) -> CentralAnswer:
    """Return the error of the median of clipped numbers, with noise of its smooth sensitivity."""
    smoothness = sensitivity.beta_of(epsilon, delta)
    moved = sensitivity.median_smooth(values, low, high, smoothness)
    return _smooth(moved, epsilon, delta, beta)


def join_count(
    query: Table | Join, rows: int, epsilon: float, delta: float, beta: float = 0.05
) -> CentralAnswer:
    """Return the error of a count over equijoins, with noise of its smooth elastic sensitivity."""
    return _smooth(smooth_elastic(query, epsilon, delta, rows), epsilon, delta, beta)


def most_chosen(
    options: int, epsilon: float, beta: float = 0.05, *, replaced: bool = False
) -> CentralAnswer:
    """Return how many people fewer the option named most chosen has at most, but for beta.

    Parameters
    ----------
    options
        How many can be named.
    epsilon
        Above 0.
    beta
        The chance that it has still fewer.
    replaced
        Whether a neighbour chooses differently instead of being absent: one count rises and
        another falls, which takes twice the noise.
    """
    gap = noisy_max_gap(2 if replaced else 1, epsilon, options, beta)
    return CentralAnswer("noisy-max", None, gap, 0.0, "Dwork and Roth 2014, claim 3.9")


def _normal(query: Query, epsilon: float, delta: float) -> list[tuple[str, Noise, float]]:
    analytic = Gaussian(analytic_sigma(query.l2, epsilon, delta))
    found: list[tuple[str, Noise, float]] = [("gaussian-analytic", analytic, delta)]
    if epsilon < 1:
        classic = Gaussian(classic_sigma(query.l2, epsilon, delta))
        found.insert(0, ("gaussian-classic", classic, delta))
    return found


def _described(name: str, noise: Noise, query: Query, delta: float, beta: float) -> CentralAnswer:
    source = "Balle and Wang 2018, theorem 8" if name == "gaussian-analytic" else noise.source
    error = noise.error(beta, query.answers)
    return CentralAnswer(name, noise.standard_deviation, error, delta, source)


def _smooth(moved: float, epsilon: float, delta: float, beta: float) -> CentralAnswer:
    if not moved:
        raise PlanningError("the query cannot move, so there is nothing to hide")
    noise = Laplace(2 * moved, epsilon)
    source = "Nissim, Raskhodnikova and Smith 2007, corollary 2.4"
    error = noise.error(probability(beta, "beta"))
    return CentralAnswer("smooth-laplace", noise.standard_deviation, error, delta, source)
