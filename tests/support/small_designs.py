"""Designs so small that all their answers, reports and choices of coins can be gone through.

Each mechanism's own tests enumerate its designs; sweeps over a family go through all of them.
"""

from fractions import Fraction
from itertools import product

from tossup.shared.mechanisms import (
    MECHANISMS,
    DBitFlip,
    DiscreteGaussian,
    DiscreteLaplace,
    Duchi,
    Exponential,
    GridMechanism,
    HadamardResponse,
    Hybrid,
    KaryRandomizedResponse,
    LocalHashing,
    Mechanism,
    OneBitMean,
    OptimizedUnary,
    PermanentInstantaneous,
    PermuteAndFlip,
    PerOptionBits,
    Piecewise,
    ProjectiveGeometryResponse,
    RandomizedResponse,
    Rappor,
    SampledOptions,
    SquareWave,
    Staircase,
    SubsetSelection,
    SymmetricUnary,
    TruncatedGeometric,
    TwoCoin,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.scores.base import Utility, in_a_row

_WEIGHTS = [(2, 1), (3, 1), (5, 2)]

_TABLES: list[Mechanism] = [
    TwoCoin(),
    *(
        RandomizedResponse(((no_no, total - no_no), (yes_no, total - yes_no)))
        for total in range(2, 14)
        for no_no, yes_no in product(range(1, total), repeat=2)
        if no_no != yes_no
    ),
    *(
        KaryRandomizedResponse(options, keep, lie)
        for options in (2, 3, 4, 5, 7, 8, 16, 33, 100, 255, 256)
        for keep, lie in ((2, 1), (3, 1), (5, 2), (9, 1), (81, 1))
    ),
]
_MASKS: list[Mechanism] = [
    *(
        SubsetSelection(options, size, keep, lie)
        for options in (2, 3, 4, 5)
        for size in range(1, options)
        for keep, lie in _WEIGHTS
    ),
    SubsetSelection(7, 3),
    SubsetSelection(8, 2, 5, 2),
    *(SymmetricUnary(options, keep, lie) for options in (2, 3, 4) for keep, lie in _WEIGHTS),
    *(OptimizedUnary(options, keep, lie) for options in (2, 3) for keep, lie in _WEIGHTS),
    Rappor(2, 3, 1, 3, 2, 4),
    Rappor(2, 5, 2, 2, 1, 5),
    Rappor(3, 2, 1, 2, 1, 3),
]
_BLOCKS: list[Mechanism] = [
    *(
        HadamardResponse(options, keep, lie)
        for options in (2, 3, 4, 7, 8, 16)
        for keep, lie in _WEIGHTS
    ),
    *(
        kind(options, field, keep, lie)
        for kind in (ProjectiveGeometryResponse, LocalHashing)
        for options, field in ((2, 2), (3, 2), (5, 2), (4, 3), (16, 3), (7, 5), (31, 5), (5, 7))
        for keep, lie in _WEIGHTS
    ),
]
_PAIRS: list[Mechanism] = [
    PermanentInstantaneous(options, keep, lie, again_keep, again_lie)
    for options in (2, 3, 4, 7)
    for keep, lie in ((3, 1), (5, 2))
    for again_keep, again_lie in ((2, 1), (3, 1), (9, 4))
]
_BITS = [(3, 1, 4), (2, 1, 3), (5, 2, 7), (2, 1, 4), (4, 1, 8), (5, 3, 6)]
_SEVERAL: list[Mechanism] = [
    *(
        PerOptionBits(options, most, *weights)
        for options in (1, 2, 3, 4)
        for most in range(1, options + 1)
        for weights in _BITS
    ),
    *(
        SampledOptions(options, most, asked, keep, lie)
        for options in (1, 2, 3, 4, 5)
        for most in range(1, options + 1)
        for asked in range(1, min(options, 3) + 1)
        for keep, lie in ((3, 1), (2, 1), (5, 2))
    ),
    *(
        UnrelatedQuestion(own, other, forced)
        for own, other, forced in ((2, 1, 1), (7, 3, 5), (4, 1, 5), (7, 3, 1), (5, 4, 20))
    ),
]
#: Sums of weights are small enough to try every value of the draw.
_GRIDS: list[Mechanism] = [
    *(TruncatedGeometric(n, t) for n, t in [(2, (3, 1)), (3, (6, 3, 2)), (4, (60, 30, 14, 6))]),
    *(DiscreteLaplace(n, t) for n, t in [(2, (9, 5, 2)), (3, (40, 20, 11, 5, 2)), (2, (3, 1))]),
    *(DiscreteGaussian(n, t, 3, 2) for n, t in [(2, (9, 5, 2)), (3, (80, 42, 19, 7, 2, 1))]),
    *(Staircase(n, i, k, lie) for n, i, k, lie in [(2, 1, 3, 1), (5, 2, 5, 2), (4, 3, 3, 2)]),
    *(Duchi(n, k, lie) for n, k, lie in [(2, 3, 1), (3, 3, 1), (12, 7, 5), (101, 3, 2)]),
    *(Piecewise(n, w, k, 2) for n, w, k in [(2, 1, 3), (3, 5, 7), (9, 4, 5), (20, 1, 81)]),
    *(SquareWave(n, w, k, 1) for n, w, k in [(2, 1, 3), (3, 1, 2), (9, 4, 5)]),
    *(
        DBitFlip(points, asked, keep, lie, *again)
        for points, asked in [(2, 1), (2, 2), (3, 1), (4, 1)]
        for keep, lie, *again in [(2, 1, 2, 1), (3, 1, 3, 2), (1, 0, 2, 1)]
    ),
    *(
        OneBitMean(points, *coins)
        for points in (2, 3, 12)
        for coins in [(2, 1, 2, 1), (3, 1, 3, 2), (1, 0, 2, 1)]
    ),
    *(DBitFlip(points, asked, 2, 1, 2, 1) for points, asked in [(3, 2), (3, 3), (4, 2)]),
    *(
        Hybrid(n, w, 3, 1, places, ends)
        for n, w, places, ends in [(2, 1, 1, 1), (4, 3, 2, 5), (9, 6, 7, 3)]
    ),
]


def equal_others(options: int) -> Utility:
    """A point for the truth and none for the others."""
    return tuple(tuple(int(o == answer) for o in range(options)) for answer in range(options))


#: Choices by score whose weights have a sum small enough to try every value of the draw.
_SCORED: list[Mechanism] = [
    Exponential(in_a_row(2), 3),
    Exponential(in_a_row(3), 2),
    Exponential(in_a_row(3), 5, 2),
    Exponential(equal_others(5), 3),
    Exponential(((7, 3), (-2, 5)), 2),
    PermuteAndFlip(in_a_row(2), 4),
    PermuteAndFlip(in_a_row(3), 2),
    PermuteAndFlip(equal_others(4), 4),
]
_MOST_CELLS = 1 << 10
_SMALL = [*_TABLES, *_MASKS, *_BLOCKS, *_PAIRS, *_SEVERAL, *_GRIDS, *_SCORED]

#: Designs of two stages: all sequences of a few reports of one kept value can be gone through.
TWO_STAGES: list[Mechanism] = [
    *_PAIRS,
    *(
        Rappor(options, keep, lie, one, zero, out_of)
        for options in (2, 3)
        for keep, lie in ((3, 1), (5, 2))
        for one, zero, out_of in ((3, 2, 4), (3, 1, 4), (2, 1, 5))
    ),
]

#: Odds for which designs for numbers are swept.
GRID_ODDS = [Fraction(21, 20), Fraction(3, 2), Fraction(3), Fraction(19, 7), Fraction(81)]


def of(*kinds: type[Mechanism]) -> list:
    """Return the small designs of these kinds.

    Of a mechanism without any here, the first of its own examples, which is its smallest.
    """
    known = {type(design) for design in _SMALL}
    others = [kind.examples()[0] for kind in registered(*kinds) if not known & {kind}]
    fitting = [design for design in others if design.answers * design.reports <= _MOST_CELLS]
    return [*(design for design in _SMALL if isinstance(design, kinds)), *fitting]


def registered(*families: type[Mechanism]) -> list:
    """Return all registered mechanisms of some families, with those that are added later."""
    return [kind for kind in MECHANISMS.values() if issubclass(kind, families)]


def examples(*families: type[Mechanism], most_cells: int | None = None) -> list:
    """Return the examples of all registered mechanisms of some families.

    Parameters
    ----------
    most_cells
        Only those whose channel has at most so many; all by default.
    """
    return [
        design
        for kind in registered(*families)
        for design in kind.examples()
        if most_cells is None or design.answers * design.reports <= most_cells
    ]


def two_stages(kind: type[Mechanism]) -> list:
    """Return the designs of two stages of this kind."""
    return [design for design in TWO_STAGES if isinstance(design, kind)]


def on_grids(kind: type[GridMechanism]) -> list[GridMechanism]:
    """Return the kind's designs for grids and odds of all sizes."""
    return [kind.for_odds(points, odds) for points in (2, 3, 4, 7, 11, 32) for odds in GRID_ODDS]
