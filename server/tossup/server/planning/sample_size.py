"""How many must answer: for a margin, for the power of a test, and for a difference of groups.

Every number returned is the smallest that truly reaches what was asked: it is checked, and one
less is checked to miss it. (The R package rr 1.4.2 stops at the first number within 0.01 *below*
the power asked for: 795 where 1,135 are needed.) Normal approximations, as usual in planning.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import expm1, floor, inf, log1p, sqrt
from statistics import NormalDist
from typing import Any, Final

from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import AnyDesign, design_of, stands_alone
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import rate_for_errors
from tossup.server.planning.errors import (
    PlanningError,
    count,
    odds_above_one,
    probability,
    share_of,
)
from tossup.server.planning.search import fewest

_NORMAL: Final = NormalDist()

#: One design for all, or the share of respondents that answers under each.
Designs = AnyDesign | Sequence[tuple[float, AnyDesign]]


class _Parts(tuple[tuple[float, Design], ...]):
    """Parts of respondents with their designs, read once from whatever stands for them."""


def symmetric(odds: Fraction) -> Design:
    """Return the symmetric yes/no design of given odds; two coins at 3.

    Raises
    ------
    PlanningError
        If the odds are not above 1.
    """
    low = 1 / (1 + odds_above_one(odds))
    return Design("randomized response", ((1 - low, low), (low, 1 - low)))


def standard_error(designs: Designs, share: float, n: int) -> float:
    """Return the standard error of an estimated share, at a true share.

    Of the maximum-likelihood estimate; with one design, sqrt(rate (1 - rate) / n) / (p - q).
    """
    designs = _parts(designs)
    return 1 / sqrt(count(n, "n") * _information(designs, share))


def margin(designs: Designs, n: int, confidence: float = 0.95, share: float | None = None) -> float:
    """Return half the width of the interval that n respondents will give.

    Parameters
    ----------
    designs
        What they answer under.
    n
        How many.
    confidence
        In (0, 1).
    share
        The true share; where the margin is widest if not given. Where coins never change an answer
        that nearly all give, reports agree, and intervals have a width all the same.
    """
    designs = _parts(designs)
    z = _NORMAL.inv_cdf((1 + probability(confidence, "confidence")) / 2)
    shares = _LADDER if share is None else (share,)
    return z * max(max(standard_error(designs, at, n), _agreeing(designs, at, n)) for at in shares)


def respondents_for_margin(
    designs: Designs, wanted: float, confidence: float = 0.95, share: float | None = None
) -> int:
    """Return the fewest respondents whose margin is at most the one wanted.

    >>> respondents_for_margin(symmetric(Fraction(3)), 0.05)
    1537
    """
    designs = _parts(designs)
    probability(wanted, "margin")
    return fewest(lambda n: margin(designs, n, confidence, share) <= wanted)


def odds_for_margin(wanted: float, n: int, confidence: float = 0.95) -> Fraction:
    """Return the smallest odds, to a thousandth, at which n respondents reach a margin.

    Raises
    ------
    PlanningError
        If even direct answers of n respondents would miss it.

    >>> odds_for_margin(0.05, 1537)
    Fraction(3, 1)
    """
    probability(wanted, "margin")
    z = _NORMAL.inv_cdf((1 + probability(confidence, "confidence")) / 2)
    room = wanted * sqrt(4 * count(n, "n")) / z
    if room <= 1:
        raise PlanningError(
            f"{n} respondents miss a margin of {wanted} even without coins; ask more, or allow more"
        )
    odds = Fraction(max(1001, floor(1000 * (room + 1) / (room - 1)) - 1), 1000)
    while margin(symmetric(odds), n, confidence) > wanted:
        odds += Fraction(1, 1000)
    return odds


def odds_each(total: Fraction, questions: int) -> Fraction:
    """Return the odds that each of several questions may have under a total, rounded down.

    Odds of independent coins multiply.

    >>> odds_each(Fraction(9), 2)
    Fraction(3, 1)
    """
    total = odds_above_one(total)
    count(questions, "questions")
    each = Fraction(floor(float(total) ** (1 / questions) * 1000) + 1, 1000)
    while each**questions > total:
        each -= Fraction(1, 1000)
    if each <= 1:
        raise PlanningError(f"odds of {total} are too few for {questions} questions")
    return each


def design_effect(design: AnyDesign, share: float) -> float:
    """Return how many randomized answers tell as much as one direct answer.

    One, and what coins add to its variance, share (1 - share): for two coins
    1 + (3/4) / (share (1 - share)). Infinite where that is beyond all floats.

    >>> round(design_effect(symmetric(Fraction(3)), 0.2), 2)
    5.69
    """
    own = probability(share, "share") * (1 - share)
    told = sum(part / (1 + _of_coins(each, share) / own) for part, each in _parts(design))
    return 1 / told if told else inf


def power(
    designs: Designs,
    share: float,
    *,
    n: int,
    against: float = 0.0,
    level: float = 0.05,
    sides: int = 2,
) -> float:
    """Return the chance that a test tells a share from another, with n respondents.

    The test rejects where the estimate is farther from ``against`` than z times its standard error
    under ``against``; where all reports agree under ``against``, by one that does not.

    Parameters
    ----------
    designs
        What they answer under.
    share, against
        The true share, and the one to refute.
    n
        How many respondents.
    level
        The chance of a false alarm, in (0, 1).
    sides
        1: only a larger share counts; 2: a smaller one too.
    """
    designs = _parts(designs)
    errors = (standard_error(designs, share, n), standard_error(designs, against, n))
    if not errors[1]:
        return _chance_of_proof(designs, share, against, n) if sides == 2 or share > against else 0
    return _power(share - against, *errors, level, sides)


def respondents_for_power(
    designs: Designs,
    share: float,
    wanted: float,
    *,
    against: float = 0.0,
    level: float = 0.05,
    sides: int = 2,
) -> int:
    """Return the fewest respondents with whom a test reaches a power, by normal approximation.

    Summed over all reports there can be, the two-sided score test of a share of 0.05, 0.1, 0.2 or
    0.5 against 0 at odds of 3 and 9 has a power of 79.7 to 81.9 % with 130 respondents or more,
    where 80 % are asked for; with fewer, since reports are whole, 75 to 84 %.

    >>> respondents_for_power(symmetric(Fraction(3)), 0.2, 0.8)
    157
    """
    designs = _parts(designs)
    _apart(share, against, sides)
    probability(wanted, "power")
    return fewest(
        lambda n: power(designs, share, n=n, against=against, level=level, sides=sides) >= wanted
    )


def power_between(
    designs: Designs,
    first: float,
    second: float,
    *,
    n: int,
    null: float | None = None,
    level: float = 0.05,
    sides: int = 2,
) -> float:
    """Return the chance that a test tells two groups of n respondents each apart.

    Parameters
    ----------
    designs
        What both answer under.
    first, second
        Their true shares.
    n
        Respondents in each.
    null
        The share that both have if there is no difference; their mean if not given.
    level, sides
        As in `power`.
    """
    designs = _parts(designs)
    common = (share_of(first, "first") + share_of(second, "second")) / 2 if null is None else null
    spread = sqrt(sum(standard_error(designs, share, n) ** 2 for share in (first, second)))
    under_null = sqrt(2) * standard_error(designs, common, n)
    return _power(first - second, spread, under_null, level, sides)


def respondents_per_group(
    designs: Designs,
    first: float,
    second: float,
    wanted: float = 0.8,
    *,
    level: float = 0.05,
    sides: int = 2,
) -> int:
    """Return the fewest respondents in each of two groups with whom a test reaches a power.

    >>> respondents_per_group(symmetric(Fraction(3)), 0.1, 0.2)
    1377
    """
    designs = _parts(designs)
    _apart(first, second, sides)
    probability(wanted, "power")
    return fewest(
        lambda n: power_between(designs, first, second, n=n, level=level, sides=sides) >= wanted
    )


#: Shares at which the widest margin is looked for; symmetric designs have it at 1/2.
_LADDER: Final = tuple(i / 1000 for i in range(1001))


def _information(designs: Designs, share: float) -> float:
    """Return the Fisher information of one report about the share, averaged over designs."""
    share_of(share, "share")
    return sum(part * _one(design, share) for part, design in _parts(designs))


def _chance_of_proof(designs: Designs, share: float, against: float, n: int) -> float:
    """Return the chance of a report that nobody sends under a share: one refutes it."""
    none = 0.0
    for part, design in _parts(designs):
        without, with_it = (float(rate) for rate in design.rates)
        rate, never = (without + (with_it - without) * at for at in (share, against))
        if never in {0, 1}:
            other = abs(rate - never)
            none += part * n * log1p(-other) if other < 1 else -inf
    return -expm1(none)


def _agreeing(designs: Designs, share: float, n: int) -> float:
    """Return the least standard error that is estimated under coins that never change an answer.

    Where all reports agree, or nearly so: see `coins.rate_for_errors`. 0 for all other coins.
    """
    tells, never = 0.0, False
    for part, design in _parts(designs):
        without, with_it = rates = float(design.rates[0]), float(design.rates[1])
        asked = max(1, round(part * n))
        least, most = rate_for_errors(0, asked, rates), rate_for_errors(asked, asked, rates)
        rate = without + (with_it - without) * share
        rate = max(rate, least) if 0 in rates else rate
        rate = min(rate, most) if 1 in rates else rate
        never = never or not {0, 1}.isdisjoint(rates)
        tells += part * (with_it - without) ** 2 / (rate * (1 - rate))
    return 1 / sqrt(n * tells) if never else 0.0


def _parts(designs: Designs) -> _Parts:
    """Return parts of respondents with their designs; all of them with one."""
    if isinstance(designs, _Parts):
        return designs
    pairs: Any = [] if stands_alone(designs) else designs
    try:
        if isinstance(pairs, Sequence) and pairs and all(map(_is_part, pairs)):
            return _checked(_Parts((float(part), design_of(design)) for part, design in pairs))
        return _Parts([(1.0, design_of(designs))])  # type: ignore[arg-type]  # checked there
    except EstimationError as error:
        raise PlanningError(
            f"{designs!r} is neither a design nor parts of respondents by design: {error}"
        ) from error


def _checked(parts: _Parts) -> _Parts:
    """Return parts of respondents that are some, and together no more than all."""
    if not all(0 <= part <= 1 for part, _ in parts) or not 0 < sum(p for p, _ in parts) < 1 + 1e-9:
        raise PlanningError(
            "parts of respondents must be from 0 to 1, and together above 0 and at most 1, not"
            f" {', '.join(f'{part:g}' for part, _ in parts)}"
        )
    return parts


def _is_part(pair: object) -> bool:
    """Return whether it is a part of respondents and a design, and no row of a channel."""
    match pair:
        case (int() | float() | Fraction(), second):
            return not isinstance(second, int | float | Fraction)
    return False


def _of_coins(design: Design, share: float) -> float:
    """Return n times the variance of an estimated share given the answers: that of coins alone."""
    without, with_it = (
        float(rate * (1 - rate) / (design.rates[1] - design.rates[0]) ** 2) for rate in design.rates
    )
    return (1 - share) * without + share * with_it


def _one(design: Design, share: float) -> float:
    without, with_it = (float(rate) for rate in design.rates)
    rate = without + (with_it - without) * share
    spread = rate * (1 - rate)
    return (with_it - without) ** 2 / spread if spread > 0 else inf


def _power(effect: float, error: float, null_error: float, level: float, sides: int) -> float:
    if sides not in {1, 2}:
        raise PlanningError(f"sides ({sides}) must be 1 or 2")
    threshold = -_NORMAL.inv_cdf(probability(level, "level") / sides) * null_error
    if error == 0:
        return float(abs(effect) > threshold)
    above = _NORMAL.cdf((effect - threshold) / error)
    return above if sides == 1 else above + _NORMAL.cdf((-effect - threshold) / error)


def _apart(share: float, against: float, sides: int) -> None:
    if share == against or (sides == 1 and share < against):
        raise PlanningError(f"no test can tell a share of {share} from {against}; name another")
