"""Designs for vectors, and bytes that anyone can recompute for their coins."""

from collections.abc import Callable
from hashlib import shake_128

from tossup.shared.mechanisms import (
    EntryGaussian,
    EntryLaplace,
    PrivUnit,
    VectorLaplace,
    VectorMechanism,
)
from tossup.shared.mechanisms.digits import from_digits

#: dimension, radius, window, keep, lie: all answers by all reports can be gone through.
TINY = [
    VectorLaplace(*design)
    for design in [
        (1, 1, 1, 3, 1),
        (1, 4, 9, 3, 1),
        (1, 7, 40, 5, 2),
        (2, 1, 2, 3, 1),
        (2, 2, 5, 9, 1),
        (2, 3, 4, 729, 1),
        (2, 4, 6, 3, 1),
        (3, 1, 2, 3, 1),
        (3, 2, 2, 11, 10),
    ]
]


LARGE = [VectorLaplace(2, 16, 2116), VectorLaplace(6, 32, 900, 19, 7), VectorLaplace(16, 8, 99)]


PRIVUNITS = [
    PrivUnit(*design)
    for design in [(1, 4, 22053), (2, 64, 14994), (3, 5, 0, 9, 1), (6, 64, 47000, 729, 1)]
]


GAUSSIANS = [
    EntryGaussian(*design)
    for design in [
        (1, 1, 40, 9),
        (2, 16, 1569, 20743),
        (3, 4, 200, 900, 19, 7),
        (16, 8, 99, 700, 729, 1),
    ]
]


#: dimension, radius, components, window, keep, lie; with products where these are fewer.
TINY_ENTRIES = [
    EntryLaplace(*design)
    for design in [
        (1, 1, 1, 1, 3, 1),
        (1, 7, 1, 40, 5, 2),
        (2, 2, 2, 5, 9, 1),
        (2, 3, 2, 4, 729, 1),
        (3, 1, 3, 2, 11, 10),
        (5, 1, 2, 1, 3, 1),
    ]
]
LARGE_ENTRIES = [
    EntryLaplace(2, 16, 2, 2353),
    EntryLaplace(5, 32, 2, 900, 19, 7),
    EntryLaplace(152, 32, 16, 47000),
]


def spelled(design: VectorMechanism) -> str:
    """Return what a test of this design is called by."""
    return f"{design.spec()}, norm {design.radius}"


def centre(design: VectorMechanism) -> int:
    """Return the answer for the vector of zeros."""
    return from_digits([design.radius] * design.dimension, 2 * design.radius + 1)


def replayed(log: list[int]) -> Callable[[int], bytes]:
    """Return bytes that anyone can recompute, and note how many are asked for."""

    def source(count: int) -> bytes:
        start = sum(log)
        log.append(count)
        return shake_128(b"vectors").digest(start + count)[start:]

    return source


def seeded(place: int) -> Callable[[int], bytes]:
    """Return bytes that are others for every place."""
    stream = iter(shake_128(b"%d" % place).digest(1 << 14))
    return lambda count: bytes(next(stream) for _ in range(count))
