"""A bound close to the optimum for many different mechanisms, by losses on a grid.

Randomized response with epsilon between two grid points is replaced by one that also says which of
the two it stands for, in such parts that forgetting this gives the first one back. So it reveals
no less, its losses lie on the grid, and losses on a grid add up in a table of bounded size. The
cost is of second order in the grid's step (Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022,
Connect the dots). There is none where all epsilons are multiples of a step, such as those of two
decimals.

Chances are integers over a power of ten, always rounded up; the losses of two sums are added as
one product of decimals that hold a whole table each. Where a table gets too long, the largest
losses count as certain proof, and the smallest are raised to the smallest kept.
"""

from bisect import insort
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_FLOOR, Context, Decimal
from math import gcd
from typing import Final

from tossup.server.accounting.composition import (
    Parts,
    checked_parts,
    joint_slack,
    sequential_epsilon,
    without_delta,
)
from tossup.server.accounting.guarantee import Guarantee
from tossup.server.accounting.rounding import PRECISE, checked_probability, raised
from tossup.shared.errors import AccountingError

#: Mechanisms at most; beyond, a grid that can be worked through is too coarse to help.
MOST_MECHANISMS: Final = 4096
#: Digits of a table, about: a second or two.
_WORK: Final = 1 << 22
#: The same where epsilons lie on a grid, with half of the losses: worth some seconds.
_MORE_WORK: Final = 3 << 22
#: Digits of a chance beyond those of the slack: a table of 100,000 cells adds 1e-12 of it.
_GUARD: Final = 17
#: Digits of what may be cut off an end of a table, of the slack: less than 1e-12 of it each time.
_CUT: Final = 12
#: Digits that are worth their time.
SMALLEST_SLACK: Final = Decimal("1e-200")

_EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)


@dataclass(frozen=True, slots=True)
class _Table:
    """Chances, as integers, of losses from the top on; `proof` is that of losses without end."""

    top: int
    chances: list[int]
    proof: int = 0


@dataclass(frozen=True, slots=True)
class _Grid:
    """The step that losses are counted in, and in how many digits a chance is written.

    Where every epsilon is a number of steps, the losses of a sum are two steps apart.
    """

    step: Decimal
    digits: int
    exact: bool

    @property
    def apart(self) -> int:
        """How many steps there are from one loss of a table to the next."""
        return 2 if self.exact else 1

    def table(self, epsilon: Decimal) -> _Table:
        """Return the losses of one mechanism, of chances rounded up."""
        lower, chances = _split(epsilon, self)
        if self.exact:
            _, truth, lie, _ = chances
            return _Table(lower, [truth, *[0] * (lower - 1), lie])
        table = [0] * (2 * lower + 3)
        for place, chance in zip((0, 1, 2 * lower + 1, 2 * lower + 2), chances, strict=True):
            table[place] += chance
        return _Table(lower + 1, table)

    def power(self, table: _Table, times: int) -> _Table:
        """Return the losses of as many equal sums together."""
        half = self.power(table, times // 2) if times > 1 else None
        whole = self.added(half, half) if half else table
        return self.added(whole, table) if half and times % 2 else whole

    def added(self, one: _Table, other: _Table) -> _Table:
        """Return the losses of two sums together."""
        width = 2 * self.digits + 2  # a chance of both is at most that of a table, a bit above 1
        cells = len(one.chances) + len(other.chances) - 1
        product = _EXACT.multiply(*(_written(t.chances, width) for t in (one, other)))
        text, kept = str(product).zfill(cells * width), width - self.digits
        chances = [int(text[i : i + kept]) + 1 for i in range(0, len(text), width)]
        return self._cut(_Table(one.top + other.top, chances, one.proof + other.proof))

    def _cut(self, table: _Table) -> _Table:
        """Return the losses without the rarest at both ends."""
        most = 10 ** (_GUARD - _CUT)
        first, above = _rare(table.chances, most)
        last, below = _rare(table.chances[::-1], most)
        kept = table.chances[first : len(table.chances) - last]
        kept[-1] += below
        return _Table(table.top - self.apart * first, kept, table.proof + above)


def optimal_on_grid(parts: Parts, slack: Decimal) -> Guarantee:
    """Return a guarantee that holds, somewhat above that of `optimal`, for many mechanisms.

    Where all epsilons are multiples of one step that there is time for, it is above by less than
    1e-9 of itself, by rounding alone.

    Raises
    ------
    AccountingError
        If there are more than `MOST_MECHANISMS`, the slack is below 1e-200, or every epsilon is 0.
    """
    if checked_probability(slack, "slack") < SMALLEST_SLACK:
        raise AccountingError(f"slack ({slack}) must be at least {SMALLEST_SLACK} on a grid")
    total = sequential_epsilon(checked_parts(parts))
    pure = without_delta(parts)
    mechanisms = sum(pure.values())
    if mechanisms > MOST_MECHANISMS:
        raise AccountingError(f"a grid helps up to {MOST_MECHANISMS} mechanisms, not {mechanisms}")
    if not total:
        raise AccountingError("every epsilon is 0: there is nothing to bound")
    grid = _grid(pure, total, slack)
    epsilon = _least_epsilon(_whole(pure, grid), grid, slack)
    return Guarantee(min(total, epsilon), joint_slack(parts, slack))


def _whole(pure: Parts, grid: _Grid) -> _Table:
    """Return the losses of all mechanisms together; the shortest tables are added first."""
    tables = [
        grid.power(grid.table(part.epsilon), times) for part, times in pure.items() if part.epsilon
    ]
    tables.sort(key=_length)
    while len(tables) > 1:
        one, other, *tables = tables
        insort(tables, grid.added(one, other), key=_length)
    return tables[0]


def _length(table: _Table) -> int:
    return len(table.chances)


def _grid(pure: Parts, total: Decimal, slack: Decimal) -> _Grid:
    """Return a grid that holds all epsilons, or if too fine one there is time for."""
    digits = _GUARD - slack.adjusted()
    # Sums beyond this are rarer than what is cut (Hoeffding 1963, theorem 2).
    squares = sum(float(part.epsilon) ** 2 * times for part, times in pure.items())
    reach = min(total, Decimal((2 * 2.31 * (digits - _GUARD + _CUT + 1) * squares) ** 0.5))
    epsilons = [part.epsilon for part in pure]
    unit = min(int(epsilon.as_tuple().exponent) for epsilon in epsilons)
    common = gcd(*(int(epsilon.scaleb(-unit, PRECISE)) for epsilon in epsilons))
    exact = Decimal(common).scaleb(unit, PRECISE)
    # The last tables reach so far, the first ones in all to the total: the middle of the two.
    middle = PRECISE.sqrt(PRECISE.multiply(reach, total))
    work = PRECISE.multiply(middle, Decimal(4 * digits))
    if PRECISE.divide(work, exact) <= _MORE_WORK:
        return _Grid(exact, digits, exact=True)
    return _Grid(PRECISE.divide(work, Decimal(_WORK)), digits, exact=False)


def _split(epsilon: Decimal, grid: _Grid) -> tuple[int, tuple[int, ...]]:
    """Return the grid point below epsilon, and the chances of the losses around it and below 0.

    In order: of the point above and of it, of its negative and the other one's.
    """
    wide = Context(prec=2 * grid.digits + PRECISE.prec, Emax=MAX_EMAX, Emin=MIN_EMIN)
    lower = int(wide.divide(epsilon, grid.step).to_integral_value(ROUND_FLOOR))
    low, high = (wide.exp(wide.multiply(grid.step, Decimal(lower + i))) for i in (0, 1))
    odds = wide.exp(epsilon)
    lie = wide.divide(Decimal(1), wide.add(odds, Decimal(1)))
    share = wide.divide(wide.subtract(odds, low), wide.subtract(high, low))
    above = Decimal(0) if grid.exact else wide.multiply(lie, share)
    below = wide.subtract(lie, above)
    chances = wide.multiply(above, high), wide.multiply(below, low), below, above
    return lower, tuple(int(wide.scaleb(chance, Decimal(grid.digits))) + 1 for chance in chances)


def _written(chances: list[int], width: int) -> Decimal:
    """Return one number that holds every chance in as many digits."""
    return Decimal("".join([f"{chance:0{width}d}" for chance in chances]))


def _rare(chances: list[int], most: int) -> tuple[int, int]:
    """Return how many chances from the first on have a sum of at most so much, and their sum."""
    whole = 0
    for place, chance in enumerate(chances):
        if whole + chance > most:
            return place, whole
        whole += chance
    return 0, 0


def _least_epsilon(table: _Table, grid: _Grid, slack: Decimal) -> Decimal:
    """Return ln of the largest (Pr - slack) / Pr' over the most telling losses, rounded up.

    It grows as long as the next loss tells more than all before it, and falls from there on. Pr'
    is kept as a multiple of what one more of the last loss would add.
    """
    ratio = PRECISE.exp(PRECISE.multiply(Decimal(-grid.apart), grid.step))
    here = PRECISE.subtract(Decimal(table.proof), slack.scaleb(grid.digits, PRECISE))
    there, last = Decimal(0), table.top
    for place, chance in enumerate(table.chances):
        smaller = PRECISE.multiply(there, ratio)
        if there and here >= smaller:
            break
        last = table.top - grid.apart * place
        here = PRECISE.add(here, Decimal(chance))
        there = PRECISE.add(smaller, Decimal(chance))
    if here <= 0:
        return Decimal(0)
    loss = PRECISE.multiply(grid.step, Decimal(last))
    return max(Decimal(0), raised(PRECISE.add(loss, PRECISE.ln(PRECISE.divide(here, there)))))
