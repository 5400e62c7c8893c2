"""Exact odds: composed without rounding, shown as an epsilon, found for an epsilon asked.

Odds of answers given together multiply, exactly. Epsilon is the natural logarithm of the odds; it
is computed with directed rounding and never used to sample. Where odds may fail with a chance,
the delta, the chances add up.
"""

from collections.abc import Iterable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import prod

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief, rounded

_PRECISE = Context(prec=60)
_LARGEST_READ = 20  # a denominator that people take in
_LARGEST_SHOWN = 10**12  # and one that is shown
_LARGEST_CHANCE = 10**30
_LARGEST_SUM = 1 << 16  # of the two weights of a coin


def compose(odds: Iterable[Fraction]) -> Fraction:
    """Return the odds of answers given together: their product (sequential composition).

    >>> compose([Fraction(3)] * 4)
    Fraction(81, 1)
    """
    return prod(odds, start=Fraction(1))


def epsilon(odds: Fraction, digits: int = 4) -> Decimal:
    """Return ln(odds), rounded up, so that the figure shown never understates the cost.

    >>> epsilon(Fraction(3))
    Decimal('1.0987')

    Raises
    ------
    MechanismError
        If the odds are below 1.
    """
    if odds < 1:
        raise MechanismError(f"odds ({brief(odds)}) must be at least 1")
    numerator, denominator = Decimal(odds.numerator), Decimal(odds.denominator)
    exact = _PRECISE.subtract(_PRECISE.ln(numerator), _PRECISE.ln(denominator))
    unit = Decimal(1).scaleb(-digits)
    return max(Decimal(0), exact).quantize(unit, rounding=ROUND_CEILING, context=_PRECISE)


def odds_as_text(odds: Fraction) -> str:
    """Return odds to one: a ratio, and if its integers are large a decimal that is rounded up.

    >>> odds_as_text(Fraction(5, 2)), odds_as_text(Fraction(1062238464, 354079489))
    ('5/2:1', '1062238464/354079489:1, about 3.00:1')
    >>> odds_as_text(Fraction(1001, 1000) ** 2048), odds_as_text(Fraction(3**10_000))
    ('about 7.75:1', 'about 1.64e+4771:1')
    """
    if odds.denominator <= _LARGEST_READ:
        return f"{brief(odds)}:1"
    if odds > _LARGEST_SHOWN:
        return f"about {rounded(odds, up=True)}:1"
    whole, hundredths = divmod(-(-100 * odds.numerator // odds.denominator), 100)
    about = f"about {whole}.{hundredths:02}:1"
    return f"{odds}:1, {about}" if odds.denominator < _LARGEST_SHOWN else about


def chance_as_text(delta: Fraction) -> str:
    """Return a chance as "1 in so many", never smaller than it is.

    >>> [chance_as_text(Fraction(*delta)) for delta in ((2, 10**6), (3, 7), (0, 1), (1, 2**16384))]
    ['1 in 500,000', '1 in 2', 'none', '1 in 1.18e+4932']
    """
    if not delta:
        return "none"
    one_in = delta.denominator // delta.numerator
    shown = f"{one_in:,}" if one_in < _LARGEST_CHANCE else rounded(Fraction(one_in), up=False)
    return f"1 in {shown}"


def promise_as_text(odds: Fraction, delta: Fraction) -> str:
    """Return odds to one, and the chance for which they are not promised, if there is one.

    >>> promise_as_text(Fraction(3), Fraction(0))
    '3:1'
    >>> promise_as_text(Fraction(3), Fraction(1, 10**6))
    '3:1, but for a chance of at most 1 in 1,000,000 to tell more'
    """
    if not delta:
        return odds_as_text(odds)
    return f"{odds_as_text(odds)}, but for a chance of at most {chance_as_text(delta)} to tell more"


def largest_odds(asked: Decimal, answers: int = 2, limit: int = MAX_WEIGHT_SUM) -> Fraction:
    """Return the largest ratio of integers keep/lie that does not exceed e**asked.

    The weights keep + (answers - 1) lie sum to at most ``limit``; every SDK can toss 2**32. A
    rational epsilon other than 0 has an irrational exponential (Lindemann), so one ratio is the
    largest; a walk through the Stern-Brocot tree finds it.

    >>> largest_odds(Decimal("1.0986122887"))
    Fraction(3, 1)
    >>> float(largest_odds(Decimal(1), answers=5))
    2.718281828459045

    Raises
    ------
    MechanismError
        If epsilon is not a finite number above 0, or so small or large that no weights fit.
    """
    if not asked.is_finite() or not 0 < asked <= 20:
        raise MechanismError(f"epsilon ({asked}) must be above 0 and at most 20")
    exact = _PRECISE.exp(asked)
    bound = Fraction(_PRECISE.next_minus(exact))
    best = _best_below(bound, answers - 1, limit)
    if best <= 1:
        raise MechanismError(f"epsilon ({asked}) is too small: its weights do not fit in {limit}")
    return best


def largest_root(odds: Fraction, degree: int = 2) -> Fraction:
    """Return the largest a/b with (a/b)**degree at most the odds and a + b at most 2**16.

    For reports whose odds are a power of those of one coin.

    >>> largest_root(Fraction(9, 4)), f"{float(largest_root(Fraction(3))):.6f}"
    (Fraction(3, 2), '1.732051')
    >>> largest_root(Fraction(81), degree=4)
    Fraction(3, 1)

    Raises
    ------
    MechanismError
        If there is none above 1.
    """
    numerator, denominator = odds.as_integer_ratio()
    # With m = degree, the m-th root of n / d is that of n d**(m - 1), over d; the integer root
    # rounds down, and not at all if it is exact.
    power = numerator * denominator ** (degree - 1) << 64 * degree
    root = Fraction(_integer_root(power, degree), denominator << 64)
    best = _best_below(root, 1, _LARGEST_SUM)
    if best <= 1:
        ordinal = {2: "square", 3: "cube"}.get(degree, f"{degree}th")
        raise MechanismError(
            f"odds ({brief(odds)}) have no {ordinal} root above 1 within {_LARGEST_SUM}"
        )
    return best


def _integer_root(power: int, degree: int) -> int:
    """Return the largest integer whose ``degree``-th power is at most ``power``."""
    low, high = 0, 1 << -(-power.bit_length() // degree)
    while high - low > 1:
        middle = low + high >> 1
        low, high = (middle, high) if middle**degree <= power else (low, middle)
    return low


def _best_below(bound: Fraction, others: int, limit: int) -> Fraction:
    """Return the largest a/b <= bound with a + others * b <= limit, by the Stern-Brocot tree."""
    low, high = (0, 1), (1, 0)
    while True:
        # Walk as far as possible towards `high` (raising `low`), then towards `low`.
        steps = min(_raises(low, high, bound), _room(low, high, others, limit))
        low = (low[0] + steps * high[0], low[1] + steps * high[1])
        if _room(low, high, others, limit) < 1 or bound == Fraction(*low):
            return Fraction(*low)
        steps = min(_lowers(low, high, bound), _room(high, low, others, limit))
        high = (high[0] + steps * low[0], high[1] + steps * low[1])
        if _room(low, high, others, limit) < 1:
            return Fraction(*low)


def _room(start: tuple[int, int], step: tuple[int, int], others: int, limit: int) -> int:
    """Return how many steps keep the weight sum of start + steps * step within the limit."""
    return (limit - start[0] - others * start[1]) // (step[0] + others * step[1])


def _raises(low: tuple[int, int], high: tuple[int, int], bound: Fraction) -> int:
    """Return the most steps s with (low + s * high) <= bound."""
    above = high[0] * bound.denominator - high[1] * bound.numerator
    below = low[1] * bound.numerator - low[0] * bound.denominator
    return below // above


def _lowers(low: tuple[int, int], high: tuple[int, int], bound: Fraction) -> int:
    """Return the most steps s with (high + s * low) > bound."""
    above = high[0] * bound.denominator - high[1] * bound.numerator
    below = low[1] * bound.numerator - low[0] * bound.denominator
    return (above - 1) // below
