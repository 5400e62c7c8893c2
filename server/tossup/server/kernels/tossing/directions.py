"""Random directions in bulk: PrivUnit's reports for many respondents.

Stage: answer to report, for nobody real. A device decides about real numbers exactly
(`mechanisms.vectors.sphere`); here they are floats of 53 binary digits. A decision can come out
 otherwise only where a number lies within some 2**-45 of a boundary, so that the distribution
of a report is that of the device's but for a chance below 2**-30 (256 components, each decided
once, and at most a million directions tried).
"""

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.tossing.source import random_bytes
from tossup.shared.mechanisms import PrivUnit

Floats = NDArray[np.float64]


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
    """Return n directions, taken or drawn again by whether they lie in the axis's cap."""
    found = np.empty((n, design.dimensions))
    missing = np.arange(n)
    while len(missing):
        found[missing] = _directions(design.dimensions, len(missing))
        anyway = uniform_below(design.keep, len(missing)) < design.lie
        in_cap = found[missing, 0] >= design.cap / (1 << 16)
        missing = missing[~(in_cap | anyway)]
    return found


def _directions(dimensions: int, n: int) -> Floats:
    """Return n uniform points of a sphere: gaps between sorted cuts, spread over discs' points."""
    pairs = dimensions // 2
    cuts = np.sort(_uniform(n * (pairs - 1)).reshape(n, pairs - 1), axis=1)
    gaps = np.diff(cuts, axis=1, prepend=0.0, append=1.0)
    discs = _in_disc(n * pairs)
    sizes: Floats = np.sqrt(gaps.reshape(-1, 1) / (discs**2).sum(axis=1, keepdims=True)) * discs
    return sizes.reshape(n, dimensions)


def _in_disc(n: int) -> Floats:
    """Return n uniform points of the unit disc: those of the square that lie within."""
    found = np.empty((n, 2))
    missing = np.arange(n)
    while len(missing):
        found[missing] = 2 * _uniform(2 * len(missing)).reshape(-1, 2) - 1
        squared = (found[missing] ** 2).sum(axis=1)
        missing = missing[(squared >= 1) | (squared == 0)]
    return found


def _uniform(n: int) -> Floats:
    """Return n uniform numbers of [0, 1), in parts of 2**53."""
    words = np.frombuffer(random_bytes(8 * n), dtype="<u8")
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
