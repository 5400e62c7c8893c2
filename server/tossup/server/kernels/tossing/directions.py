"""Random directions in bulk: PrivUnit's reports for many respondents.

Stage: answer to report, for nobody real. A device decides about real numbers exactly
(`mechanisms.vectors.sphere`); here they are floats of 53 binary digits. A decision can come out
 otherwise only where a number lies within some 2**-45 of a boundary, so that the distribution
of a report is that of the device's but for a chance below 2**-30 (256 components, each decided
once, and at most a million directions tried).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.tossing.source import random_bytes
from tossup.shared.mechanisms import PrivUnit

Floats = NDArray[np.float64]

#: Points that are looked at together: what they need fits a processor's cache.
_POINTS: Final = 1 << 14


def turned(design: PrivUnit, points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the digits of one fresh report for each point of the lattice, one row each."""
    directions = _around_axis(design, len(points))
    axis, parts = directions[:, :1], directions[:, 1 : design.dimension + 1]
    radius = float(design.lifted_radius)
    squared = (points**2).sum(axis=1, keepdims=True)
    height = np.sqrt(np.maximum(0.0, radius**2 - squared))
    # The mirror that turns the axis to the answer: see `PrivUnit`.
    inner = (points * parts).sum(axis=1, keepdims=True)
    aimed = parts - points * ((inner / (radius + height) - axis) / radius)
    levels = design.levels - 1
    dithered = levels * (1 + aimed) / 2 + _uniform(aimed.size).reshape(aimed.shape)
    digits: NDArray[np.int64] = np.clip(np.floor(dithered), 0, levels).astype(np.int64)
    return digits


def _around_axis(design: PrivUnit, n: int) -> Floats:
    """Return n directions, taken or drawn again by whether they lie in the axis's cap.

    A uniform point of a sphere has gaps between sorted cuts of [0, 1] as the squared sizes of its
    pairs of components, and each pair the direction of a point of a disc. The first pair decides,
    so the others are drawn for directions that are taken alone: the first gap is the least of all
    cuts, and what it leaves is cut uniformly again.
    """
    others = design.dimensions // 2 - 1
    sizes, pairs = _first_pairs(design, others, n)
    if not others:
        return pairs
    left = 1 - sizes
    found = np.empty((n, others + 1, 2))
    found[:, 0] = np.sqrt(sizes)[:, np.newaxis] * pairs
    cuts = np.sort(_uniform(n * (others - 1)).reshape(n, others - 1), axis=1)
    gaps = np.diff(cuts, axis=1, prepend=0.0, append=1.0) * left[:, np.newaxis]
    found[:, 1:] = np.sqrt(gaps)[:, :, np.newaxis] * _on_circle(n * others).reshape(n, others, 2)
    return found.reshape(n, design.dimensions)


def _first_pairs(design: PrivUnit, others: int, n: int) -> tuple[Floats, Floats]:
    """Return the squared sizes and the directions of n first pairs that are taken."""
    sizes, pairs = np.ones(n), np.empty((n, 2))
    missing = np.arange(n)
    while len(missing):
        # The least of as many uniform numbers as there are other pairs; 1 without any.
        if others:
            sizes[missing] = -np.expm1(np.log1p(-_uniform(len(missing))) / others)
        pairs[missing] = _on_circle(len(missing))
        anyway = uniform_below(design.keep, len(missing)) < design.lie
        in_cap = np.sqrt(sizes[missing]) * pairs[missing, 0] >= design.cap / (1 << 16)
        missing = missing[~(in_cap | anyway)]
    return sizes, pairs


def _on_circle(n: int) -> Floats:
    """Return n uniform points of the unit circle: of a square's points, those within the disc."""
    found = np.empty((n, 2))
    at = 0
    while at < n:
        points = 2 * _uniform(2 * min(n - at + (n - at) // 3 + 64, _POINTS)).reshape(-1, 2) - 1
        squared = np.einsum("ij,ij->i", points, points)
        inside = np.flatnonzero((squared < 1) & (squared > 0))[: n - at]
        found[at : at + len(inside)] = points[inside] / np.sqrt(squared[inside])[:, np.newaxis]
        at += len(inside)
    return found


def _uniform(n: int) -> Floats:
    """Return n uniform numbers of [0, 1), in parts of 2**53."""
    words = np.frombuffer(random_bytes(8 * n), dtype="<u8")
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
