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
#: So many extensions are tried at a level, at most; prefixes beyond that are left, rarest first.
MAX_EXTENSIONS: Final = 1 << 22
_MOST_PREFIXES: Final = 256
_PASSES: Final = 8


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


def search(counts: Sequence[int], design: PrefixExtending, *, others: bool) -> list[int]:
    """Return the texts that may be common, most common first.

    Parameters
    ----------
    counts
        The tally; its last level is not looked at.
    design
        Its mechanism.
    others
        Whether the text without characters is an answer, too.
    """
    kept = [0]
    for level in range(design.levels - 1):
        extensions = _extensions(design, level, kept)
        found = sketch(counts, design, level)
        kept = _kept(extensions, found) if found.n else []
    return [text for text in kept if text or others]


def cut(extensions: int) -> float:
    """Return how many standard errors from 0 an extension is kept.

    >>> round(cut(20_000), 2)
    2.95
    """
    return -NormalDist().inv_cdf(min(0.1, FALSE_PREFIXES / extensions))


def most_prefixes(design: PrefixExtending, level: int) -> int:
    """Return how many prefixes are extended at a level, at most."""
    blocks = int(design.base ** design.step(level))
    return min(_MOST_PREFIXES, max(1, MAX_EXTENSIONS // blocks))


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


def _kept(extensions: _Extensions, level: Sketch) -> list[int]:
    """Return the extensions that are common enough, most common first.

    What is surely common is taken out of the sketch and the rest looked at again, until nothing
    new stands out: otherwise one prefix of 30 % would lift all that collide with it.
    """
    if not extensions.count:
        return []
    threshold = cut(extensions.count)
    places: NDArray[np.int64] = np.empty(0, dtype=np.int64)
    buckets, shares = buckets_of(extensions.design, extensions.level, []), np.empty(0)
    for _ in range(_PASSES):
        left = level.without(buckets, shares)
        least = threshold * level.error_of_none(left)
        tried = np.union1d(places, _largest(extensions.sums(left), least))
        tried_buckets = buckets_of(
            extensions.design, extensions.level, extensions.prefixes(tried.tolist())
        )
        found = level.shares(tried_buckets)
        good = found > least
        done = np.array_equal(tried[good], places)
        places, buckets, shares = tried[good], tried_buckets[:, good], found[good]
        if done:
            break
    order = np.argsort(-shares, kind="stable")
    return extensions.prefixes(places[order].tolist())


def _largest(sums: NDArray[np.float32], least: float) -> NDArray[np.int64]:
    """Return the places of the largest sums above ``least``, as many as are extended."""
    above = np.flatnonzero(sums > least)
    if len(above) > _MOST_PREFIXES:
        above = above[np.argpartition(-sums[above], _MOST_PREFIXES)[:_MOST_PREFIXES]]
    return above
