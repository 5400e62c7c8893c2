"""Wishart noise on a matrix of second moments: what a trusted curator may add, and may not claim.

The sums of products of all rows, A'A, are published as A'A + W with W a Wishart matrix of k
degrees of freedom and scale norm**2 I: as if k more people with normal answers were in the data,
so that the result is a matrix of second moments itself.

**How private it is, exactly.** One row v more moves the result by v v'. The density of W at X is
proportional to det(X)**((k - d - 1) / 2) exp(-tr(X) / (2 norm**2)), so the two densities at X have
the ratio (1 - v' X**-1 v)**((k - d - 1) / 2) exp(|v|**2 / (2 norm**2)), and 0 where X - v v' has a
negative eigenvalue. It depends on X through q = |v|**2 / (norm**2 v' X**-1 v) alone, and for
X = W times |v|**2 / norm**2 that is chi-squared with m = k - d + 1 degrees of freedom. For
|v| = norm the two matrices are exactly as easy to tell apart as q and q + 1, with
q chi-squared; shorter rows move it by less. For m >= 2 its density is log-concave, the events that
tell most are half-lines, and delta grows with the shift. That gives delta as two tails.

**Why there is no pure epsilon.** q + 1 is never below 1, and q is with a positive probability: such
a matrix proves that the row is not in the data. Claims of (epsilon, 0) for Wishart noise (Jiang,
Xie and Zhang 2016; Imtiaz and Sarwate 2016) miss that.

References
----------
Sheffet 2019, Old techniques in differentially private linear regression, ALT, PMLR 98:789-827,
where k = floor(d + 28 ln(4 / delta) / epsilon**2) is proven to suffice for epsilon below 1.
"""

from dataclasses import dataclass
from math import exp, expm1, log, sqrt
from typing import ClassVar, Final

from tossup.server.planning.curator.noise import LARGEST_EPSILON, Noise
from tossup.server.planning.errors import PlanningError, count, positive, probability

#: What the tails are computed to.
SMALLEST_DELTA: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Wishart(Noise):
    """A Wishart matrix less its mean: symmetric, and the same whatever the answers.

    Parameters
    ----------
    norm
        The largest Euclidean norm of a row; the scale matrix is its square times the identity.
    degrees
        Of freedom.
    """

    name: ClassVar = "additive-wishart"
    source: ClassVar = "Sheffet 2019, with the least degrees of freedom by exact tails"

    norm: float
    degrees: int

    def __post_init__(self) -> None:
        positive(self.norm, "norm")
        count(self.degrees, "degrees")

    @property
    def standard_deviation(self) -> float:
        """That of a diagonal entry, norm**2 sqrt(2 k); others have norm**2 sqrt(k)."""
        return self.norm**2 * sqrt(2 * self.degrees)

    def _error(self, beta: float) -> float:
        """Return the least a with a Chernoff bound of Pr[|chi-squared - k| > a] <= beta.

        Pr[chi-squared > k + t] <= ((k + t) / k)**(k / 2) exp(-t / 2), and the lower tail is
        lighter. Entries off the diagonal are lighter, too.
        """
        k, low, high = self.degrees, 0.0, 1.0

        def exponent(t: float) -> float:
            return k / 2 * log((k + t) / k) - t / 2

        while exponent(high) > log(beta / 2):
            low, high = high, 2 * high
        while low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if exponent(middle) > log(beta / 2) else (low, middle)
        return self.norm**2 * high


def wishart(components: int, norm: float, epsilon: float, delta: float) -> Wishart:
    """Return the least Wishart noise that is (epsilon, delta)-DP for one row more or less.

    Parameters
    ----------
    components
        Columns of the matrix of rows.
    norm
        The largest norm of a row.
    epsilon
        Above 0.
    delta
        From 1e-12 to 1. With 0 there is no such noise.

    Raises
    ------
    PlanningError
        If an argument is outside its range; for delta = 0 the message says why.

    Examples
    --------
    >>> wishart(3, 1, 0.5, 1e-6).degrees
    88
    """
    if delta == 0:
        raise PlanningError(
            "no Wishart noise is private with delta = 0: some matrices prove that a row is not in"
            " the data; ask for a delta, or for Laplace noise"
        )
    if not SMALLEST_DELTA <= probability(delta, "delta"):
        raise PlanningError(f"delta ({delta}) must be at least {SMALLEST_DELTA}")
    return Wishart(norm, least_degrees(components, epsilon, delta))


def least_degrees(components: int, epsilon: float, delta: float) -> int:
    """Return the fewest degrees of freedom for (epsilon, delta): at least one above components."""
    count(components, "components")
    if positive(epsilon, "epsilon") > LARGEST_EPSILON:
        raise PlanningError(f"epsilon ({epsilon}) must be at most {LARGEST_EPSILON}")
    few, enough = 1, 2
    while delta_of(enough, epsilon) > delta:
        few, enough = enough, 2 * enough
    while enough - few > 1:
        middle = (few + enough) // 2
        few, enough = (middle, enough) if delta_of(middle, epsilon) > delta else (few, middle)
    return enough + components - 1


def delta_of(excess: int, epsilon: float) -> float:
    """Return the exact delta of noise with ``excess`` = k - d + 1, from 2 on.

    The larger of two: F(a) - e**epsilon F(a - 1), for a row that is absent, and for one that is
    there G(b - 1) - e**epsilon G(b), with F and G the lower and the upper tail of chi-squared, at
    the points a and b where the ratio of densities is e**epsilon.
    """
    # Here and not above: the other arithmetic of planning needs no numpy.
    from tossup.server.estimation.intervals.distributions import chi_squared_below, chi_squared_tail

    power = excess / 2 - 1
    if not power:
        return -expm1(-0.5)  # Pr[q < 1], which proves absence; nothing else tells more
    absent = -1 / expm1(-(epsilon + 0.5) / power)
    found = chi_squared_below(absent, excess) - exp(epsilon) * chi_squared_below(absent - 1, excess)
    if epsilon >= 0.5:  # no matrix makes a row's presence so much likelier
        return found
    there = -1 / expm1(-(0.5 - epsilon) / power)
    present = chi_squared_tail(there - 1, excess) - exp(epsilon) * chi_squared_tail(there, excess)
    return max(found, present)
