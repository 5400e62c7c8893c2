"""Find what may be common: extend common prefixes, level by level.

What is found here are candidates. A few are there by chance, and that does no harm: each level
has its own respondents, and the last level, which no candidate was chosen by, decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.texts.hashing import (
    Buckets,
    Numbers,
    block_hashes,
    buckets_of,
    older_hashes,
)
from tossup.server.estimation.texts.sketch import Floats, Sketch, sketch
from tossup.shared.mechanisms import PrefixExtending

#: How many prefixes that nobody has are expected to be kept at a level, by chance.
FALSE_PREFIXES: Final = 32
#: So many buckets of extensions are looked up at a level; the rarest prefixes beyond are left.
MAX_WORK: Final = 1 << 27
_MOST_PREFIXES: Final = 256
_PASSES: Final = 5
#: Another look is worth it if the last one brought the error down to so much, or lower.
_CALMER: Final = 0.98


@dataclass(frozen=True, eq=False)
class _Extensions:
    """All prefixes of one level that extend those kept at the level before."""

    design: PrefixExtending
    level: int
    open: Sequence[int]
    ended: Sequence[int]
    blocks: Numbers
    hashes: Buckets

    @property
    def count(self) -> int:
        return len(self.open) * len(self.blocks) + len(self.ended)

    def prefixes(self, places: Sequence[int]) -> list[int]:
        unit = self.design.base ** self.design.step(self.level)
        found = []
        for place in places:
            older, new = divmod(place, len(self.blocks))
            if older < len(self.open):
                found.append(self.open[older] * unit + int(self.blocks[new]))
            else:
                found.append(self.ended[place - len(self.open) * len(self.blocks)] * unit)
        return found

    def buckets(self, places: Sequence[int]) -> Buckets:
        return buckets_of(self.design, self.level, self.prefixes(places))

    def sums(self, cells: Floats) -> NDArray[np.float32]:
        """Return the sum of every extension's cells."""
        narrow = np.concatenate([cells, cells], axis=1).astype(np.float32)
        sums = np.zeros((len(self.open), len(self.blocks)), dtype=np.float32)
        buckets = cells.shape[1]
        starts = older_hashes(self.design, self.level, self.open)
        for row, older, new in zip(narrow, starts, self.hashes, strict=True):
            for place, start in enumerate(older):
                # Seen from the older part's hash on, the new one's is the place: none is added.
                sums[place] += row[start : start + buckets].take(new)
        unit = self.design.base ** self.design.step(self.level)
        ended = buckets_of(self.design, self.level, [prefix * unit for prefix in self.ended])
        last = np.take_along_axis(cells, ended, axis=1).sum(axis=0)
        return np.concatenate([sums.ravel(), last.astype(np.float32)])


@dataclass(frozen=True, slots=True)
class Search:
    """What a search came up with.

    Attributes
    ----------
    texts
        Those that may be common, most common first.
    errors
        For each level but the last the standard error of a prefix that nobody has, as seen there.
    """

    texts: tuple[int, ...]
    errors: tuple[float, ...]


def search(counts: Sequence[int], design: PrefixExtending, *, others: bool) -> Search:
    """Return the texts that may be common.

    Parameters
    ----------
    counts
        The tally; its last level is not looked at.
    design
        Its mechanism.
    others
        Whether the text without characters is an answer, too.
    """
    kept, errors = [0], []
    for level in range(design.levels - 1):
        extensions = _extensions(design, level, kept)
        kept, error = _kept(extensions, sketch(counts, design, level))
        errors.append(error)
    return Search(tuple(text for text in kept if text or others), tuple(errors))


def cut(extensions: int, skewness: float = 0.0) -> float:
    """Return how many standard errors from 0 an extension is kept.

    So many that `FALSE_PREFIXES` of those that nobody has are kept, by the normal quantile and
    its first correction for skewness (Cornish and Fisher 1938).

    >>> round(cut(20_000), 2), round(cut(20_000, skewness=0.3), 2)
    (2.95, 3.33)
    """
    return skewed(-NormalDist().inv_cdf(min(0.1, FALSE_PREFIXES / extensions)), skewness)


def skewed(quantile: float, skewness: float) -> float:
    """Return the quantile of a skewed distribution for that of the normal one."""
    return quantile + skewness * (quantile**2 - 1) / 6


def most_prefixes(design: PrefixExtending, level: int) -> int:
    """Return how many prefixes are extended at a level, at most."""
    work = design.rows * int(design.base ** design.step(level))
    return min(_MOST_PREFIXES, max(1, MAX_WORK // work))


def _extensions(design: PrefixExtending, level: int, kept: Sequence[int]) -> _Extensions:
    blocks, hashes = block_hashes(design, level)
    has_ended = [level > 0 and not prefix % design.base for prefix in kept]
    pairs = list(zip(kept, has_ended, strict=True))
    goes_on = [prefix for prefix, ended in pairs if not ended]
    return _Extensions(
        design,
        level,
        goes_on[: most_prefixes(design, level)],
        [prefix for prefix, ended in pairs if ended],
        blocks,
        hashes,
    )


def _kept(extensions: _Extensions, level: Sketch) -> tuple[list[int], float]:
    """Return the extensions that are common enough, most common first, and the error of none.

    What is common is taken out of the sketch and the rest looked at again, until that makes the
    rest no calmer: otherwise one prefix of 30 % would lift all that collide with it.
    """
    common = _Common.of(extensions, level, [])
    for _ in range(_PASSES if extensions.count and level.n else 0):
        before, common = common.error, _more(common)
        if common.error > before * _CALMER:
            break
    order = np.argsort(-common.shares, kind="stable")
    good = [place for place in order.tolist() if common.shares[place] > common.least]
    return extensions.prefixes([common.places[place] for place in good]), common.error


@dataclass(frozen=True, eq=False)
class _Common:
    """Extensions that are common, and what is left of the sketch without them."""

    extensions: _Extensions
    level: Sketch
    places: Sequence[int]
    buckets: Buckets
    shares: Floats
    left: Floats
    error: float

    @classmethod
    def of(cls, extensions: _Extensions, level: Sketch, places: Sequence[int]) -> "_Common":
        buckets = extensions.buckets(places)
        shares = level.shares(buckets)
        left = level.without(buckets, shares)
        return cls(extensions, level, places, buckets, shares, left, level.error_of_none(left))

    @property
    def least(self) -> float:
        """The share above which an extension is kept."""
        return cut(max(1, self.extensions.count), self.level.skewness) * self.error

    def joined(self, places: Sequence[int]) -> "_Common":
        """Return these extensions with some more, solved together."""
        return self.of(self.extensions, self.level, [*self.places, *places])


def _more(common: _Common) -> _Common:
    """Return what was common, and what stands out of all other extensions.

    The largest are taken first, and all that are at least half as large: those that only collide
    with these are small once they are gone.
    """
    sums = common.extensions.sums(common.left)
    pool = np.setdiff1d(_largest(sums, common.least), common.places)
    buckets = common.extensions.buckets(pool.tolist())
    while len(pool):
        apart = np.take_along_axis(common.left, buckets, axis=1).sum(axis=0)
        taken = apart > max(common.least, apart.max() / 2)
        if not taken.any():
            break
        common = common.joined(pool[taken].tolist())
        pool, buckets = pool[~taken], buckets[:, ~taken]
    return common


def _largest(sums: NDArray[np.float32], least: float) -> NDArray[np.int64]:
    """Return the places of the largest sums above ``least``: as many as are extended, at most."""
    above = np.flatnonzero(sums > least)
    if len(above) > _MOST_PREFIXES:
        above = above[np.argpartition(-sums[above], _MOST_PREFIXES)[:_MOST_PREFIXES]]
    return above
