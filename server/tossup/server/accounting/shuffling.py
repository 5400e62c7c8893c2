"""What mixing reports adds, for those who trust the mixer.

Reports that arrive without names and in random order hide each other. By "hiding among the clones"
the reports of n people reveal about one of them no more than a pair of counts does: of the n - 1
others, C ~ Bin(n - 1, e**-epsilon0) sent a report that could stand for this one, split by fair
coins. The promise holds only if nobody who reads the reports sees their order, time or origin, and
the mixer does not tell. The promise of each report by itself always holds. Both are returned, that
one first.

The sum is that of Feldman, McMillan and Talwar 2021, Hiding among the clones (arXiv:2012.12803),
theorem 3.2, for mechanisms of local (epsilon0, 0)-DP; their closed form is several times looser.

The exact sum (`clones.Clones`) is floating point; the delta asked for is lowered by more than its
error before solving. It stays in the standard library, and so here, because one pass over the
likely values of C is enough: about 10,000 steps for a million people.
"""

from dataclasses import dataclass
from decimal import Decimal
from math import log1p
from typing import Final

from tossup.server.accounting.clones import Clones
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.rounding import checked_probability, checked_times, raised
from tossup.shared.errors import AccountingError

#: Whom an amplified promise trusts, in words for a page.
TRUSTS: Final = (
    "whoever mixes the reports, not to tell their order or origin, and that all these people"
    " follow the design"
)

_MOST_REPORTS: Final = 10**9
_LARGEST_LOCAL: Final = 20
#: Below this, floats hardly tell the two answers apart, and there is nothing to gain.
_SMALLEST_LOCAL: Final = Decimal("1e-9")
_SMALLEST_DELTA: Final = Decimal("1e-30")


@dataclass(frozen=True, slots=True)
class Amplified:
    """What holds for one of n mixed reports.

    Attributes
    ----------
    local
        What always holds, without trust in anyone.
    mixed
        What holds if those named in `trusts` keep their word; never above `local` in epsilon.
    reports
        How many reports are mixed, this one included.
    trusts
        Whom the second promise trusts.
    """

    local: Guarantee
    mixed: Guarantee
    reports: int
    trusts: str = TRUSTS


def clones(local: Guarantee, reports: int, delta: Decimal) -> Amplified:
    """Return the smallest epsilon that the clones' exact sum allows at this delta.

    Parameters
    ----------
    local
        What each single report promises; its delta must be 0.
    reports
        How many people's reports are mixed, one each; up to 10**9.
    delta
        In (0, 1).

    Raises
    ------
    AccountingError
        If an argument is outside these ranges, or epsilon is above 20.

    Examples
    --------
    >>> from fractions import Fraction
    >>> mixed = clones(Guarantee.of_odds(Fraction(3)), 10_000, Decimal("1e-6")).mixed
    >>> mixed.shown()
    (Decimal('0.0609'), Decimal('0.000001'))
    """
    _check(local, reports, delta)
    if local.epsilon < _SMALLEST_LOCAL:
        return Amplified(local, local, reports)
    pair = Clones(float(local.epsilon), reports, float(delta))
    return _amplified(local, reports, delta, Decimal(log1p(pair.least_excess()) * (1 + 1e-14)))


def _check(local: Guarantee, reports: int, delta: Decimal) -> None:
    if local.delta:
        raise AccountingError(f"clones need a local delta of 0, not {local.delta}")
    if local.epsilon > _LARGEST_LOCAL:
        raise AccountingError(f"epsilon ({local.epsilon}) must be at most {_LARGEST_LOCAL} here")
    if checked_times(reports, "reports") > _MOST_REPORTS:
        raise AccountingError(f"reports ({reports}) must be at most {_MOST_REPORTS}")
    if checked_probability(delta, "delta") < _SMALLEST_DELTA:
        raise AccountingError(f"delta ({delta}) must be at least {_SMALLEST_DELTA} here")


def _amplified(local: Guarantee, reports: int, delta: Decimal, epsilon: Decimal) -> Amplified:
    """Return both promises; where mixing gains nothing, the local one twice."""
    if epsilon >= local.epsilon:
        return Amplified(local, local, reports)
    return Amplified(local, Guarantee(raised(epsilon), delta), reports)
