"""The likelihood of one share, where the chance of each kind of report is linear in the share.

Reports of several kinds, and of several designs, are told together: a report of kind k under design
i has chance no + share x (yes - no). The log-likelihood is concave in the share, so it has one top.
"""

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import Floats
from tossup.server.estimation.intervals.distributions import chi_squared_tail
from tossup.server.estimation.intervals.interval import normal_quantile
from tossup.server.estimation.intervals.profile import last_likely, profile
from tossup.shared.mechanisms.base import Channel

#: In place of a chance of 0, so that nothing is divided by it.
_TINY: Final = 1e-290
#: Fewer reports expected than this are counted with others in the test of the design.
_FEWEST_EXPECTED: Final = 5


@dataclass(frozen=True)
class Likelihood:
    """How likely counts of reports are at each share of yes.

    Attributes
    ----------
    parts
        Reports of each kind with their channel, ``rows[answer][report]`` of no and of yes; a part
        a design, of different people. Not all counts are 0.

    Examples
    --------
    >>> from fractions import Fraction
    >>> quarter, rest = Fraction(1, 4), Fraction(3, 4)
    >>> found = Likelihood((((600, 400), ((rest, quarter), (quarter, rest))),))
    >>> round(found.best, 6), round(1 / sqrt(found.information(found.best)), 4)
    (0.3, 0.031)
    """

    parts: tuple[tuple[tuple[int, ...], Channel], ...]

    @cached_property
    def n(self) -> int:
        """Number of reports of all designs."""
        return sum(sum(counts) for counts, _ in self.parts)

    # The columns of all parts, one after another.

    @cached_property
    def counts(self) -> Floats:
        """Reports of each kind."""
        return np.array([count for counts, _ in self.parts for count in counts], dtype=float)

    @cached_property
    def part_sizes(self) -> Floats:
        """Reports of each part."""
        return np.array([sum(counts) for counts, _ in self.parts], dtype=float)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """The part of each column."""
        return np.repeat(np.arange(len(self.parts)), [len(counts) for counts, _ in self.parts])

    @cached_property
    def sizes(self) -> Floats:
        """The reports of each column's part."""
        sizes: Floats = self.part_sizes[self._places]
        return sizes

    @cached_property
    def no(self) -> Floats:
        """The chance of each kind of report given a no."""
        return np.array([float(p) for _, rows in self.parts for p in rows[0]])

    @cached_property
    def delta(self) -> Floats:
        """How much likelier each kind of report is given a yes."""
        columns = [zip(*rows, strict=True) for _, rows in self.parts]
        return np.array([float(yes - no) for part in columns for no, yes in part])

    def by_part(self, columns: Floats) -> Floats:
        """Return the sum of each part's columns."""
        return np.bincount(self._places, columns, len(self.parts)).astype(float)

    def chances(self, share: float) -> Floats:
        """Return the chance of each kind of report at a share, never quite 0."""
        chances: Floats = np.maximum(self.no + share * self.delta, _TINY)
        return chances

    def slope(self, share: float) -> float:
        """Return the slope of the log-likelihood: the score."""
        return float(self.counts @ (self.delta / self.chances(share)))

    def information(self, share: float) -> float:
        """Return the expected information (Fisher 1925): one over the variance of the share."""
        return float(self.sizes @ (self.delta**2 / self.chances(share)))

    def slopes(self, share: float) -> Floats:
        """Return the score of each part."""
        return self.by_part(self.counts * self.delta / self.chances(share))

    def informations(self, share: float) -> Floats:
        """Return the expected information of each part."""
        return self.by_part(self.sizes * self.delta**2 / self.chances(share))

    def likeliest(self, low: float, high: float) -> float:
        """Return the likeliest share between two: the likelihood has one top."""
        if self.slope(low) <= 0:
            return low
        return last_likely(lambda share: self.slope(share) > 0, low, high)

    @property
    def bounds(self) -> tuple[float, float]:
        """The widest range of shares for which every chance is from 0 to 1; it holds [0, 1]."""
        with np.errstate(divide="ignore"):
            zero = -self.no / self.delta
        return float(max(zero[self.delta > 0])), float(min(zero[self.delta < 0]))

    @cached_property
    def best(self) -> float:
        """The likeliest share from 0 to 1."""
        return self.likeliest(0.0, 1.0)

    @property
    def inside(self) -> float:
        """`best`, but half a report inside where a kind of report would be impossible.

        Nothing is told for certain by finitely many reports.
        """
        moved = self.delta != 0
        if (self.chances(self.best)[moved] > _TINY).all():
            return self.best
        return (self.n * self.best + 0.5) / (self.n + 1)

    def score(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the shares whose score is within z deviations, under that share.

        Rao 1948, Proceedings of the Cambridge Philosophical Society 44:50-57. Beyond 0 and 1 score
        and information go on as they are there: no population has such a share.
        """
        z = normal_quantile(confidence)
        return self._end(z), self._end(-z)

    def _end(self, z: float) -> float:
        """Return where the score, which falls, is z deviations."""
        for edge, passed in ((0.0, self._z(0.0) <= z), (1.0, self._z(1.0) >= z)):
            if passed:
                information = self.information(edge)
                return edge + self.slope(edge) / information - z / sqrt(information)
        return last_likely(lambda share: self._z(share) > z, 0.0, 1.0)

    def _z(self, share: float) -> float:
        return self.slope(share) / sqrt(self.information(share))

    def likely(self, confidence: float) -> tuple[float, float]:
        """Return the ends of the shares from 0 to 1 that are likely: see `profile`."""
        return profile(self.log_likelihood, self.best, confidence)

    def log_likelihood(self, share: float) -> float:
        """Return the log-likelihood of a share, in nats, up to a constant."""
        return float(self.counts @ np.log(self.chances(share)))

    @property
    def fit(self) -> float:
        """The p-value of Pearson's test of fit; 1 where no degree of freedom is left.

        Kinds with fewer than five reports expected are counted together.
        """
        statistic, cells = 0.0, 0
        expected = self.sizes * self.chances(self.best)
        for part in range(len(self.parts)):
            own = self._places == part
            told = _gathered(self.counts[own], expected[own])
            statistic += sum((count - size) ** 2 / size for count, size in told)
            cells += len(told) - 1
        df = cells - (0 < self.best < 1)
        return chi_squared_tail(statistic, df) if df > 0 else 1.0


def _gathered(counts: Floats, expected: Floats) -> list[tuple[float, float]]:
    """Return counts and expected ones, those rarely expected together as one."""
    often = expected >= _FEWEST_EXPECTED
    told = list(zip(counts[often].tolist(), expected[often].tolist(), strict=True))
    rest = float(counts[~often].sum()), float(expected[~often].sum())
    if rest[1] >= _FEWEST_EXPECTED or not told:
        return [*told, rest]
    (count, size), *others = sorted(told, key=lambda cell: cell[1])
    return [(count + rest[0], size + rest[1]), *others]
