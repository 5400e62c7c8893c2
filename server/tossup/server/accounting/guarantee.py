"""A promise of privacy as a frozen value: (epsilon, delta)."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Final, Self

from tossup.server.accounting.rounding import PRECISE, checked_probability, raised
from tossup.shared.errors import AccountingError
from tossup.shared.odds import epsilon as epsilon_of

_DIGITS: Final = 40
_UPWARD: Final = Context(prec=_DIGITS, rounding=ROUND_CEILING)
_SMALLEST: Final = Decimal("1e-100")
_LARGEST: Final = Decimal("1e17")


@dataclass(frozen=True, slots=True)
class Guarantee:
    """(epsilon, delta)-differential privacy: Pr[Y in S | x] <= e**epsilon Pr[Y in S | x'] + delta.

    Attributes
    ----------
    epsilon
        A Decimal: 0, or from 1e-100 to 1e17; never below the true cost.
    delta
        A Decimal in [0, 1): the chance, at worst, that the promise of epsilon does not hold.

    Raises
    ------
    AccountingError
        If either is a float (not the number that was written), NaN or outside its range.

    References
    ----------
    Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, definition 2.4.

    Examples
    --------
    >>> Guarantee.of_odds(Fraction(3)).shown()
    (Decimal('1.0987'), Decimal('0'))
    """

    epsilon: Decimal
    delta: Decimal = Decimal(0)

    def __post_init__(self) -> None:
        if not isinstance(self.epsilon, Decimal) or not self.epsilon.is_finite():
            raise AccountingError(f"epsilon ({self.epsilon}) must be a finite Decimal, no float")
        if self.epsilon and not _SMALLEST <= self.epsilon <= _LARGEST:
            raise AccountingError(
                f"epsilon ({self.epsilon}) must be 0, or from {_SMALLEST} to {_LARGEST}"
            )
        checked_probability(self.delta, "delta")

    @classmethod
    def of_odds(cls, odds: Fraction) -> Self:
        """Return the promise of a mechanism with these exact odds, to forty digits, rounded up."""
        return cls(epsilon_of(odds, _DIGITS))

    @property
    def odds(self) -> Decimal:
        """e**epsilon: the factor by which anyone's odds may move, but for delta; rounded up."""
        return raised(PRECISE.exp(self.epsilon)) if self.epsilon else Decimal(1)

    def shown(self, digits: int = 4) -> tuple[Decimal, Decimal]:
        """Return epsilon to so many decimals and delta to two significant digits, rounded up."""
        unit = Decimal(1).scaleb(-digits)
        epsilon = self.epsilon.quantize(unit, rounding=ROUND_CEILING, context=PRECISE)
        return epsilon, _two_digits(self.delta)


def of_ratios(odds: Fraction, delta: Fraction) -> Guarantee:
    """Return the promise of a mechanism with these exact odds and delta, both rounded up.

    >>> of_ratios(Fraction(3), Fraction(1, 3)).shown()
    (Decimal('1.0987'), Decimal('0.34'))
    """
    chance = _UPWARD.divide(Decimal(delta.numerator), Decimal(delta.denominator))
    return Guarantee(epsilon_of(odds, _DIGITS), chance)


def _two_digits(delta: Decimal) -> Decimal:
    if not delta:
        return Decimal(0)
    unit = Decimal(1).scaleb(delta.adjusted() - 1)
    return delta.quantize(unit, rounding=ROUND_CEILING, context=PRECISE).normalize()
