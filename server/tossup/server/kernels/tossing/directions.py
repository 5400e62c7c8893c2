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

#: Components that are looked at together: what they need fits a processor's cache.
_COMPONENTS: Final = 1 << 15


def turned(design: PrivUnit, points: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the digits of one fresh report for each point of the lattice, one row each."""
    sizes, pairs = _first_pairs(design, len(points))
    digits = np.empty(points.shape, dtype=np.uint8)
    rows = max(1, _COMPONENTS // design.dimensions)
    for start in range(0, len(points), rows):
        part = slice(start, start + rows)
        directions = _completed(design, sizes[part], pairs[part])
        digits[part] = _rounded(design, directions, points[part])
    return digits


def _rounded(design: PrivUnit, directions: Floats, points: NDArray[np.int64]) -> Floats:
    """Return reports of directions around the axis, once it is turned to the answers."""
    axis, parts = directions[:, :1], directions[:, 1 : design.dimension + 1]
    radius, steps = float(design.lifted_radius), points.astype(np.float64)
    squared = np.einsum("ij,ij->i", steps, steps)[:, np.newaxis]
    height = np.sqrt(np.maximum(0.0, radius**2 - squared))
    # The mirror that turns the axis to the answer: see `PrivUnit`.
    inner = np.einsum("ij,ij->i", steps, parts)[:, np.newaxis]
    aimed = parts - steps * ((inner / (radius + height) - axis) / radius)
    levels = design.levels - 1
    dithered = levels * (1 + aimed) / 2 + _uniform(aimed.size).reshape(aimed.shape)
    digits: Floats = np.clip(np.floor(dithered), 0, levels)
    return digits


def _completed(design: PrivUnit, sizes: Floats, pairs: Floats) -> Floats:
    """Return the directions whose first pairs of components are given.

    A uniform point of a sphere has gaps between sorted cuts of [0, 1] as the squared sizes of its
    pairs of components, and each pair the direction of a uniform point of a circle. The first gap
    is the least of all cuts, and what it leaves is cut uniformly again.
    """
    n, others = len(sizes), design.dimensions // 2 - 1
    if not others:
        return pairs
    left = 1 - sizes
    found = np.empty((n, others + 1, 2))
    found[:, 0] = np.sqrt(sizes)[:, np.newaxis] * pairs
    cuts = np.sort(_uniform(n * (others - 1)).reshape(n, others - 1), axis=1)
    gaps = np.diff(cuts, axis=1, prepend=0.0, append=1.0) * left[:, np.newaxis]
    found[:, 1:] = np.sqrt(gaps)[:, :, np.newaxis] * _on_circle(n * others).reshape(n, others, 2)
    return found.reshape(n, design.dimensions)


def _first_pairs(design: PrivUnit, n: int) -> tuple[Floats, Floats]:
    """Return the squared sizes and the directions of the first pairs of n directions.

    The first pair tells whether a direction lies in the axis's cap, so the others are drawn for
    directions that are taken alone.
    """
    others = design.dimensions // 2 - 1
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
    """Return n uniform points of the unit circle."""
    angles = 2 * np.pi * _uniform(n)
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _uniform(n: int) -> Floats:
    """Return n uniform numbers of [0, 1), in parts of 2**53."""
    words = np.frombuffer(random_bytes(8 * n), dtype="<u8")
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53
