"""The discrete Gaussian mechanism on a grid: normal noise in whole steps, clipped at a margin.

No device computes an exponential: a manifest carries the whole numbers.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, islice
from typing import ClassVar, Final, Self, TypeVar

from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import MechanismError
from tossup.shared.figures import brief
from tossup.shared.mechanisms.base import RatioMechanism
from tossup.shared.mechanisms.checks import check_ratio, ratio
from tossup.shared.mechanisms.noise.truncated_geometric import Decay
from tossup.shared.mechanisms.numbers.base import MAX_REPORTS, check_points

#: What a design is made for unless its author says otherwise.
DEFAULT_DELTA: Final = Fraction(1, 10**6)

#: Answers times reports, at most: delta is then found within a second or two.
MAX_CELLS: Final = 1 << 22

#: Standard deviations tried, in ranges: from a 64th of one to 64.
_NARROWEST: Final = Decimal("0.015625")
_WIDEST: Final = Decimal(64)
_HALVINGS: Final = 40
#: How often, and by how much, noise is widened where rounding has moved delta.
_MORE: Final = 64
_SLIGHTLY: Final = Decimal("1.00001")

PRECISE: Final = Context(prec=40, rounding=ROUND_HALF_EVEN)
#: Strips of a standard deviation in which the noise beyond the margin is summed.
_STRIPS: Final = 256
#: A strip that adds less in proportion is the last one.
_NEGLIGIBLE: Final = Decimal("1e-12")


@dataclass(frozen=True)
class DiscreteGaussian(RatioMechanism, Decay):
    """Add discrete Gaussian noise to the answer and clip the sum beyond the declared range.

    The odds are those declared, keep / lie. They hold but for a chance of at most `delta`, which is
    no parameter: it follows from the integers, exactly, and so nobody can understate it. Mechanisms
    without a delta need fewer people for a mean; this one is for those who need normal noise.

    Parameters
    ----------
    points
        Grid points, from 2 to 1,024.
    tails
        ``tails[k]``: the weight of noise of at least k in one direction, k < points + margin;
        the margin is at least 1.
    keep, lie
        The declared odds: positive integers in lowest terms, keep > lie.

    References
    ----------
    Canonne, Kamath and Steinke 2020, definition 1 and theorem 7.

    Examples
    --------
    >>> design = DiscreteGaussian(2, (26, 14, 6, 1), keep=3, lie=1)
    >>> design.delta, design.largest_ratio
    (Fraction(3, 40), Fraction(6, 1))
    """

    name: ClassVar[str] = "discrete-gaussian/1"
    takes_delta: ClassVar[bool] = True
    in_manifests: ClassVar[Mapping[str, str]] = {"keep": "keep", "lie": "lie", "tails": "tails"}
    tells_order: ClassVar[bool] = False
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        check_ratio(self.keep, self.lie, self.name)
        if self.margin < 1:
            raise MechanismError(f"{self.name} takes a margin of at least one step")
        if self.delta_cells > MAX_CELLS:
            raise MechanismError(
                f"{self.name} over {self.points} points with a margin of {self.margin} has more"
                f" than {MAX_CELLS} cells to find its delta in; take a smaller margin"
            )

    @classmethod
    def examples(cls) -> tuple[Self, ...]:
        """Return the designs of its vectors."""
        return (
            cls(2, (26, 14, 6, 1), 3, 1),
            cls.for_odds(2, Fraction(3), Fraction(1, 10**6), 1),
            cls.for_odds(11, Fraction(3), Fraction(1, 10**6), 29),
            cls.for_odds(41, Fraction(5, 2), Fraction(1, 1000), 200),
        )

    @property
    def delta_cells(self) -> int:
        """Answers times reports."""
        return self.answers * self.reports

    @property
    def delta(self) -> Fraction:
        """The largest sum of Pr[y | x] - odds Pr[y | x'] where positive, over all pairs."""
        return exact_delta(self)

    @classmethod
    def for_odds(
        cls,
        points: int,
        odds: Fraction,
        delta: Fraction = DEFAULT_DELTA,
        margin: int | None = None,
    ) -> Self:
        """Return the design with the narrowest noise whose delta at these odds is at most this.

        Parameters
        ----------
        points, odds
            The grid's points; what is declared, above 1.
        delta
            In (0, 1). The design's own is at most this, and close to it.
        margin
            How many steps beyond either bound reports reach; three ranges by default, which is
            near the best for odds of 2 to 4. The server's survey files search for the best.

        Raises
        ------
        MechanismError
            If an argument is outside its range, or no weights up to 2**32 do.
        """
        check_points(points, cls.name)
        keep, lie = ratio(odds)
        margin = 3 * (points - 1) if margin is None else margin
        if type(margin) is not int or not 1 <= margin <= MAX_REPORTS // 4:
            raise MechanismError(f"margin ({brief(margin)}) must be from 1 to {MAX_REPORTS // 4}")
        if not 0 < delta < 1:
            raise MechanismError(f"delta ({brief(delta)}) must be above 0 and below 1")
        designs = _narrowest_first(
            lambda sigma: cls(points, gaussian_tails(points, margin, sigma), keep, lie),
            points - 1,
            delta,
        )
        for design in designs:
            if design.delta <= delta:
                return design
        raise MechanismError(
            f"no {cls.name} over {points} points has a delta of at most {brief(delta)} at"
            f" odds of {brief(odds)}: ask for higher odds or a larger delta"
        )


Design = TypeVar("Design", bound=DiscreteGaussian)


@lru_cache(maxsize=64)
def exact_delta(design: DiscreteGaussian) -> Fraction:
    """Return the largest sum over reports of max(0, Pr[y | x] - odds Pr[y | x']), over all pairs.

    If no noise is keep / lie times likelier than one a whole range larger, only the clipped ends
    count, between the first answer and the last. Otherwise all pairs are gone through, by their
    distance: of one distance they share all terms but for where the sum starts
    (docs/proofs/discrete-gaussian.md).
    """
    if _tells_between(design):
        most = max(_of_distance(design, distance) for distance in range(1, design.points))
    else:
        most = max(0, design.lie * design.tails[design.margin] - design.keep * design.tails[-1])
    return Fraction(most, design.lie * design.total)


def _tells_between(design: DiscreteGaussian) -> bool:
    sizes, span = design.sizes, design.points - 1
    last = len(sizes) - 1
    return any(
        design.lie * size > design.keep * sizes[min(noise + span, last)]
        for noise, size in enumerate(sizes)
    )


def _of_distance(design: DiscreteGaussian, distance: int) -> int:
    """Return the largest sum between an answer x and x + distance, times lie and the total.

    Noise is counted downwards from x, from -distance // 2, since only reports below the middle
    favour x, to where the lower end is clipped.
    """
    sizes, tails, keep, lie = design.sizes, design.tails, design.keep, design.lie
    first, end = -(distance // 2), len(sizes) - distance
    gains = (
        max(0, lie * sizes[abs(noise)] - keep * sizes[noise + distance])
        for noise in range(first, end)
    )
    sums = list(accumulate(gains, initial=0))
    return max(
        sums[noise - first] + max(0, lie * tails[noise] - keep * tails[noise + distance])
        for noise in range(design.margin, end + 1)
    )


def _narrowest_first(
    make: Callable[[Decimal], Design], span: int, delta: Fraction
) -> Iterator[Design]:
    """Yield designs that keep delta between the first and the last answer, narrowest noise first.

    All pairs of answers decide in the end, so more designs follow, each hardly wider.
    """

    def keeps(design: Design) -> bool:
        return Fraction(_of_distance(design, span), design.lie * design.total) <= delta

    narrow = PRECISE.multiply(_NARROWEST, Decimal(span))
    wide = PRECISE.multiply(_WIDEST, Decimal(span))
    for _ in range(_HALVINGS):
        tried = PRECISE.divide(PRECISE.add(narrow, wide), Decimal(2))
        narrow, wide = (narrow, tried) if keeps(make(tried)) else (tried, wide)
    for _ in range(_MORE):
        if keeps(design := make(wide)):
            yield design
        wide = PRECISE.multiply(wide, _SLIGHTLY)


def gaussian_tails(points: int, margin: int, sigma: Decimal) -> tuple[int, ...]:
    """Return tails whose noise of k steps weighs about exp(-k**2 / (2 sigma**2)) of a noise of 0.

    Weights are rounded up, so that none is 0.

    Parameters
    ----------
    sigma
        The standard deviation in steps, before clipping.
    """
    widest = points - 1 + margin
    sizes = [*islice(_densities(sigma, Decimal(0), Decimal(1)), widest), _beyond(sigma, widest)]
    total = PRECISE.subtract(PRECISE.multiply(_sum(sizes), Decimal(2)), sizes[0])
    # Rounding up adds at most one to each of the 2 * widest + 1 weights.
    scale = PRECISE.divide(Decimal(MAX_WEIGHT_SUM - 2 * widest - 1), total)
    whole = [int(PRECISE.multiply(scale, size)) + 1 for size in sizes]
    return tuple(accumulate(reversed(whole)))[::-1]


def _sum(numbers: list[Decimal]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = PRECISE.add(total, number)
    return total


def _densities(sigma: Decimal, start: Decimal, step: Decimal) -> Iterator[Decimal]:
    """Yield exp(-y**2 / (2 sigma**2)) at start, start + step, and so on."""
    size, factor, fall = _first(sigma, start, step)
    while True:
        yield size
        size, factor = PRECISE.multiply(size, factor), PRECISE.multiply(factor, fall)


def _first(sigma: Decimal, start: Decimal, step: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    """Return the density at start, the factor to the next, and the ratio by which that falls."""
    rate = PRECISE.divide(Decimal(-1), PRECISE.multiply(sigma, sigma))
    half = PRECISE.divide(PRECISE.multiply(rate, PRECISE.multiply(start, start)), Decimal(2))
    squared = PRECISE.multiply(rate, PRECISE.multiply(step, step))
    across = PRECISE.multiply(rate, PRECISE.multiply(start, step))
    factor = PRECISE.exp(PRECISE.add(across, PRECISE.divide(squared, Decimal(2))))
    return PRECISE.exp(half), factor, PRECISE.exp(squared)


def _beyond(sigma: Decimal, start: int) -> Decimal:
    """Return the sum of the densities from start on; wide noise by the middles of short strips.

    By operators, which take half the time of `_densities`: most of a design's.
    """
    strip = max(1, int(sigma) // _STRIPS)
    middle = PRECISE.divide(Decimal(2 * start + strip - 1), Decimal(2))
    density, factor, fall = _first(sigma, middle, Decimal(strip))
    with localcontext(PRECISE):
        total = density
        while density > total * _NEGLIGIBLE:
            density *= factor
            factor *= fall
            total += density
        return total * strip
