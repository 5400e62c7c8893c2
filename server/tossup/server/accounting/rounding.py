"""Arithmetic of figures that must never understate: sixty digits, then rounded up.

A few operations at sixty digits leave a relative error far below 1e-50; results are raised by
that and rounded up to forty digits. Sums of what was written down stay exact. Operators (+, -) are
not used on Decimals: they would round to the caller's context.
"""

from collections.abc import Mapping
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal
from typing import Final

from tossup.shared.errors import AccountingError

_DIGITS: Final = 40
_MOST_TIMES: Final = 10**9
_SMALLEST_DELTA: Final = Decimal("1e-300")
_MARGIN: Final = Decimal("1" + "." + "0" * 49 + "1")

#: Sixty digits, and exponents that neither overflow nor vanish.
PRECISE: Final = Context(prec=60, Emax=MAX_EMAX, Emin=MIN_EMIN)
#: The same, rounded up: exact as long as sixty digits hold the result.
UPWARD: Final = Context(prec=60, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN)

_RESULT: Final = Context(prec=_DIGITS, rounding=ROUND_CEILING, Emax=MAX_EMAX, Emin=MIN_EMIN)


def raised(computed: Decimal) -> Decimal:
    """Return a figure of forty digits that is at least the value computed at sixty.

    >>> raised(Decimal(2).ln(PRECISE)) > Decimal(2).ln(PRECISE)
    True
    """
    return _RESULT.multiply(computed, _MARGIN)


def joint_delta(deltas: Mapping[Decimal, int]) -> Decimal:
    """Return 1 - prod (1 - delta)**times, rounded up; a single delta comes back as it was.

    >>> joint_delta({Decimal("0.5"): 2, Decimal(0): 9}) - Decimal("0.75") < Decimal("1e-39")
    True
    """
    positive = {delta: times for delta, times in deltas.items() if delta}
    if sum(positive.values()) <= 1:
        return next(iter(positive), Decimal(0))
    # 1 - delta must keep sixty digits of the smallest delta.
    digits = PRECISE.prec - min(delta.adjusted() for delta in positive)
    wide = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
    kept = Decimal(1)
    for delta, times in positive.items():
        kept = wide.multiply(kept, wide.power(wide.subtract(Decimal(1), delta), Decimal(times)))
    return raised(wide.subtract(Decimal(1), kept))


def checked_times(times: int, what: str = "times") -> int:
    """Return a count of at least 1.

    Raises
    ------
    AccountingError
        If it is no integer, below 1, or above 10**9.
    """
    if type(times) is not int or not 1 <= times <= _MOST_TIMES:
        raise AccountingError(f"{what} ({times}) must be an integer from 1 to {_MOST_TIMES}")
    return times


def checked_probability(probability: Decimal, what: str) -> Decimal:
    """Return a Decimal in [0, 1).

    Raises
    ------
    AccountingError
        If it is no Decimal, not a number, below 0, 1 and above (a certain leak), or above 0 and
        below 1e-300 (which would need endless digits).
    """
    if not isinstance(probability, Decimal) or not probability.is_finite():
        raise AccountingError(f"{what} ({probability}) must be a finite Decimal, no float")
    if not 0 <= probability < 1:
        raise AccountingError(f"{what} ({probability}) must be in [0, 1)")
    if 0 < probability < _SMALLEST_DELTA:
        raise AccountingError(f"{what} ({probability}) must be 0 or at least {_SMALLEST_DELTA}")
    return probability
