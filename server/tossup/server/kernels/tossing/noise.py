"""Noise of vectors in bulk: first digits of many uniform numbers decide nearly all of it.

Stage: answer to report, for nobody real. A device draws the digits of a uniform real number until
they decide (`tossup.shared.mechanisms.vectors.sphere`). Here 64 of them are drawn at once for many
respondents, and compared with bounds in whole parts of 2**64; the few numbers that these leave
undecided get more digits, one by one. So the noise has the device's own distribution.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.tossing.source import random_bytes
from tossup.shared.mechanisms import EntryGaussian, EntryLaplace, VectorLaplace
from tossup.shared.mechanisms.vectors.entry_gaussian import sums

Noise = NDArray[np.int64]
Words = NDArray[np.uint64]
#: Rising lower and upper bounds of thresholds, in parts of 2 to the power of 64 x words.
Thresholds = tuple[Sequence[int], Sequence[int]]

_WORD: Final = 64
_GUARD: Final = 64
#: By how much a product of floats may be off, and much more than it ever is.
_SLACK: Final = 1e-9
#: Proposals that are looked at together: what they need fits a processor's cache.
_PROPOSALS: Final = 2048
_UNTOLD: Final = np.iinfo(np.int64).min


def uniform_words(n: int) -> Words:
    """Return the first 64 binary digits of n uniform numbers of [0, 1)."""
    return np.frombuffer(random_bytes(8 * n), dtype="<u8")


def reached(thresholds: Callable[[int], Thresholds], n: int) -> Noise:
    """Return for each of n uniform numbers how many thresholds it reaches.

    Parameters
    ----------
    thresholds
        Returns bounds of all thresholds, for a number of words. A number reaches the upper bound
        for certain, and does not reach the lower one.
    """
    drawn = uniform_words(n)
    lows, highs = _as_words(thresholds)
    least = np.searchsorted(highs, drawn, side="right")
    most = np.searchsorted(lows, drawn, side="right")
    for place in np.flatnonzero(least != most).tolist():
        least[place] = _decided(thresholds, int(drawn[place]))
    return least


def _as_words(thresholds: Callable[[int], Thresholds]) -> tuple[Words, Words]:
    """Return both bounds; an upper one of 1 and more is the largest word, or beyond it none."""
    lows, highs = thresholds(1)
    inside = bisect_left(highs, 1 << _WORD)
    return (
        np.array([min(low, (1 << _WORD) - 1) for low in lows], dtype=np.uint64),
        np.array(highs[:inside], dtype=np.uint64),
    )


def _decided(thresholds: Callable[[int], Thresholds], drawn: int) -> int:
    """Return how many thresholds a number reaches, given its first word."""
    words = 1
    while True:
        words += 1
        drawn = drawn << _WORD | int(uniform_words(1)[0])
        lows, highs = thresholds(words)
        least, most = bisect_right(highs, drawn), bisect_right(lows, drawn)
        if least == most:
            return least


def laplace_noise(design: EntryLaplace, n: int) -> Noise:
    """Return noise for n respondents, one row each: discrete Laplace, drawn again beyond it."""
    found = np.empty(n * design.dimension, dtype=np.int64)
    thresholds = partial(_laplace_thresholds, design.fall, design.window)
    missing = np.arange(len(found))
    while len(missing):
        negative = uniform_below(2, len(missing))
        # The window's own size reaches one threshold; a number below all has a larger one.
        sizes = design.window + 1 - reached(thresholds, len(missing))
        found[missing] = np.where(negative, -sizes, sizes)
        missing = missing[(sizes > design.window) | (sizes < negative)]
    return found.reshape(n, design.dimension)


@lru_cache(maxsize=4)
def _laplace_thresholds(fall: int, window: int, words: int) -> Thresholds:
    """Return bounds of r**z, r = fall / 2**60, for z from window + 1 down to 1."""
    digits = _WORD * words + _GUARD
    step = fall << digits - 60
    lows, highs, low, high = [], [], 1 << digits, 1 << digits
    for _ in range(window + 1):
        low, high = low * step >> digits, -(-high * step >> digits)
        lows.append(low >> _GUARD)
        highs.append(-(-high >> _GUARD))
    return lows[::-1], highs[::-1]


def gaussian_noise(design: EntryGaussian, n: int) -> Noise:
    """Return noise for n respondents, one row each: discrete Gaussian."""
    sizes = reached(partial(_gaussian_thresholds, design.squared), n * design.dimension)
    noise = np.where(uniform_below(2, len(sizes)), -sizes, sizes)
    return noise.reshape(n, design.dimension)


@lru_cache(maxsize=4)
def _gaussian_thresholds(squared: int, words: int) -> Thresholds:
    """Return bounds of the probabilities of noise of at most 0, 1, ... steps, either way."""
    lows, highs, (least, most) = sums(squared, words)
    digits = _WORD * words
    return (
        [(low << digits) // most for low in lows],
        [-((-high << digits) // least) for high in highs],
    )


def spherical_noise(design: VectorLaplace, n: int) -> Noise:
    """Return noise for n respondents, one row each, by rejection as on a device."""
    found = np.empty((n, design.dimension), dtype=np.int64)
    at = 0
    while at < n:
        steps = _proposed(design)
        good = steps[_accepted(design, steps)][: n - at]
        found[at : at + len(good)] = good
        at += len(good)
    return found


def _proposed(design: VectorLaplace) -> Noise:
    """Return proposals of noise, one row each: the first half of a draw nearly always tells."""
    bounds, told = _proposals(design)
    draws = np.frombuffer(random_bytes(4 * _PROPOSALS * design.dimension), dtype="<u4")
    steps: Noise = told[draws >> 16]
    unsure = np.flatnonzero(steps == _UNTOLD)
    steps[unsure] = np.searchsorted(bounds, draws[unsure], side="right") - design.window
    return steps.reshape(_PROPOSALS, design.dimension)


@lru_cache(maxsize=4)
def _proposals(design: VectorLaplace) -> tuple[Words, Noise]:
    """Return the bounds of draws, and the step that the first half of a draw tells of."""
    bounds = np.array(design.proposal_bounds, dtype=np.uint64)
    first = np.arange(1 << 16, dtype=np.uint64) << np.uint64(16)
    last = first | np.uint64(0xFFFF)
    low, high = (np.searchsorted(bounds, draws, side="right") for draws in (first, last))
    return bounds, np.where(low == high, low - design.window, _UNTOLD)


def _accepted(design: VectorLaplace, noise: Noise) -> NDArray[np.bool_]:
    """Return which proposals are taken: floats tell nearly always, and integers else."""
    drawn = uniform_words(len(noise))
    chances = np.exp(_log_acceptance(design, noise))
    uniform = drawn / 2.0**_WORD
    taken: NDArray[np.bool_] = uniform < chances
    unsure = np.abs(uniform - chances) <= _SLACK
    for place in np.flatnonzero(unsure).tolist():
        ratio = design.acceptance(tuple(noise[place].tolist()))
        taken[place] = _happens(*ratio, int(drawn[place]))
    return taken


def _log_acceptance(design: VectorLaplace, noise: Noise) -> NDArray[np.float64]:
    sizes, (unit, falling) = _logs(design)
    norms = _roots_up(np.einsum("ij,ij->i", noise, noise))
    blocks, places = np.divmod(norms, design.distance)
    fallen = blocks * np.log(design.lie / design.keep)
    proposed = falling[np.abs(noise)].sum(axis=1)
    logs: NDArray[np.float64] = sizes[places] + fallen + design.dimension * unit - proposed
    return logs


@lru_cache(maxsize=4)
def _logs(
    design: VectorLaplace,
) -> tuple[NDArray[np.float64], tuple[float, NDArray[np.float64]]]:
    """Return logarithms of the weights of norms, and of those of proposed steps."""
    sizes = np.log(np.array(design.sizes, dtype=np.float64))
    unit, weights = design.proposal
    return sizes - sizes[0], (float(np.log(unit)), np.log(np.array(weights, dtype=np.float64)))


def _roots_up(squares: Noise) -> Noise:
    """Return square roots, rounded up: floats are exact for squares of integers below 2**53."""
    roots: Noise = np.ceil(np.sqrt(squares)).astype(np.int64)
    return roots


def _happens(numerator: int, denominator: int, drawn: int) -> bool:
    """Return whether a uniform number, whose first word is drawn, is below a ratio of integers."""
    whole = _WORD
    while True:
        low, rest = divmod(numerator << whole, denominator)
        if drawn != low or not rest:
            return drawn < low
        drawn = drawn << _WORD | int(uniform_words(1)[0])
        whole += _WORD
