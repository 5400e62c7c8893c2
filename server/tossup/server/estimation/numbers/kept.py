"""How the reports of one device go together, where it makes them through the same memo.

Stage: estimates to a difference, from the design alone. In two waves a device uses the same kept
bits, so what its reports count for is not independent, even given its answers. Which reports are
of one device is not known; this finds the worst that it can be.
"""

from functools import lru_cache
from itertools import combinations_with_replacement, product

import numpy as np

from tossup.server.estimation.designs.scores import Floats, mean_scores
from tossup.shared.mechanisms import DBitFlip


@lru_cache(maxsize=64)
def least_covariance(mechanism: DBitFlip) -> float:
    """Return the least covariance of two reports of a device in a mean, in squared steps.

    Over all ways in which people's answers in two waves may go together; 0 if it is never below.
    Tossed afresh it would be that of the answers, -(points - 1)**2 / 4, where half are at either
    bound and all change sides. A shared memo can make it larger or smaller: kept bits that serve
    both waves agree, but where few buckets are asked, one that is asked in both waves holds the
    answer in one of them at most.

    For answers i and j in the two waves, of a share P[i, j] of the people, it is the sum of
    P[i, j] G[i, j], with G of `second_moments`, less the product of both means. Given the first
    mean that is linear in P, under two linear constraints, so the least is that of a P of at most
    two pairs (i, j); between two pairs it is a quadratic in the share of the one.
    """
    moments = second_moments(mechanism).ravel()
    points = np.arange(mechanism.points, dtype=np.float64)
    first, second = (axis.ravel() for axis in np.meshgrid(points, points, indexing="ij"))
    apart, further = first[:, None] - first, second[:, None] - second
    square = -apart * further
    linear = moments[:, None] - moments - first * further - second * apart
    with np.errstate(divide="ignore", invalid="ignore"):
        lowest = np.where(square > 0, -linear / (2 * square), 0.0)
    shares = np.clip(lowest, 0.0, 1.0)
    found = square * shares**2 + linear * shares + (moments - first * second)
    return float(min(found.min(), 0.0))


def second_moments(mechanism: DBitFlip) -> Floats:
    """Return the expected product of two reports' scores in a mean, by the answers in two waves.

    Both reports are through one memo: about a bucket that holds both answers or neither they share
    the kept bit, about any other they have kept bits of their own.
    """
    asked, points, windows = mechanism.asked, mechanism.points, mechanism.windows
    scores = mean_scores(mechanism).reshape(windows, *(2,) * asked)
    again = mechanism.again_keep + mechanism.again_lie
    for axis in range(1, asked + 1):  # what a kept mask counts for, over the fresh coins
        turned = np.flip(scores, axis)
        scores = (mechanism.again_keep * scores + mechanism.again_lie * turned) / again
    found = np.zeros((points, points))
    pairs = combinations_with_replacement(range(points), 2)
    for first, (one, other) in product(range(windows), pairs):
        held = [mechanism.truth(first, answer) for answer in (one, other)]
        found[one, other] += _product(mechanism, scores[first], held) / windows
    upper: Floats = np.triu(found, 1)
    return found + upper.T


def _product(mechanism: DBitFlip, counted: Floats, held: list[int]) -> float:
    """Return the expected product of what two kept masks count for, given the true masks."""
    asked, right = mechanism.asked, mechanism.keep / (mechanism.keep + mechanism.lie)
    mine, others = counted, counted
    for place in range(asked):
        axis = asked - 1 - place  # the first axis is the highest bit
        one, other = (true >> place & 1 for true in held)
        if one != other:  # kept bits of their own: each is averaged by itself
            mine, others = (
                _averaged(array, axis, right if true else 1 - right)
                for array, true in ((mine, one), (others, other))
            )
    together = mine * others
    for place in range(asked):
        axis = asked - 1 - place
        if together.shape[axis] > 1:
            together = _averaged(together, axis, right if held[0] >> place & 1 else 1 - right)
    return float(together.item())


def _averaged(array: Floats, axis: int, ones: float) -> Floats:
    """Return the average over a bit that is 1 with this probability."""
    zero, one = (array.take([bit], axis=axis) for bit in (0, 1))
    averaged: Floats = (1 - ones) * zero + ones * one
    return averaged
