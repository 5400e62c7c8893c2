"""Scores: what each report counts for, so that an average of scores estimates without bias.

For any statistic that is a mean over people, sum over answers i of share_i t_i, scores v with
sum over reports y of Pr[y | i] v_y = t_i for every i make the average score of the reports an
unbiased estimate of it, whatever the shares. Among many such v, the ones taken here have the
smallest variance when all answers are equally common.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.shared.mechanisms import GridMechanism, TableMechanism

Floats = NDArray[np.float64]

#: How far expected scores may be off their targets, of the largest target: far below what any
#: number of reports tells.
_LARGEST_RESIDUAL = 1e-5
#: From this residual on, no further directions of a smooth channel are taken.
_GOOD_RESIDUAL = 1e-7
#: Smooth scores are taken where they vary less by this part.
_WORTH = 0.01
#: Eigenvalues below this part of the largest may be those of rounding, not of the channel.
_DOUBTFUL = 1e-10
_ROUNDING = 1e-13
#: Directions of a smooth channel that are tried: normal noise tells of six to ten.
_MOST_DIRECTIONS = 32


def checked_tally(counts: Counts, mechanism: Any) -> Floats:
    """Return the counts of a mechanism for numbers as floats.

    Raises
    ------
    EstimationError
        If the mechanism is of another kind, or the counts are not one non-negative integer a
        report, or all 0.
    """
    if getattr(mechanism, "answer_kind", None) != "number":
        raise EstimationError("numbers are estimated from reports of a mechanism for numbers")
    return np.array(check_counts(counts, mechanism.counters), dtype=np.float64)


@lru_cache(maxsize=8)
def channel_array(mechanism: TableMechanism) -> Floats:
    """Return Pr[report | answer] as floats, from the integer weights."""
    weights = np.array(mechanism.weights, dtype=np.float64)
    channel: Floats = weights / weights[0].sum()
    return channel


def floats_of(design: Design) -> Floats:
    """Return the channel of a design as floats, a row an answer."""
    return np.array([[float(p) for p in row] for row in design.rows])


@lru_cache(maxsize=64)
def mean_scores(mechanism: GridMechanism) -> Floats:
    """Return the scores of the mean, in steps: the mechanism's own values where it has them.

    >>> from tossup.shared.mechanisms import Duchi
    >>> mean_scores(Duchi(points=3)).tolist()
    [-1.0, 3.0]
    """
    values = mechanism.values
    if values is not None:
        return np.array([float(value) for value in values])
    return solve(mechanism, np.arange(mechanism.answers, dtype=np.float64)[:, None])[:, 0]


@lru_cache(maxsize=64)
def square_scores(mechanism: GridMechanism) -> Floats:
    """Return the scores of the mean square, in squared steps."""
    return solve(mechanism, np.arange(mechanism.answers, dtype=np.float64)[:, None] ** 2)[:, 0]


@lru_cache(maxsize=8)
def share_scores(mechanism: TableMechanism) -> Floats:
    """Return the scores of the shares of all answers: one column an answer."""
    return solve(mechanism, np.eye(mechanism.answers))


def solve(mechanism: TableMechanism, targets: Floats) -> Floats:
    """Return scores, one column a target, of least variance under equally common answers.

    Raises
    ------
    EstimationError
        If reports of this mechanism do not tell the targets.
    """
    channel = channel_array(mechanism)
    weighted = channel / channel.mean(axis=0)
    products = weighted @ channel.T
    try:
        solved: Floats = np.linalg.solve(products, targets)
    except np.linalg.LinAlgError:
        solved = np.full(targets.shape, np.nan)
    scores: Floats = weighted.T @ solved
    if not _is_calm(solved, scores, channel, targets):
        sizes, directions = np.linalg.eigh(products)
        if sizes[0] < _DOUBTFUL * sizes[-1]:
            parts = _directions(sizes[::-1], directions[:, ::-1], targets)
            smooth = _smoothest(parts, weighted, channel, targets)
            if _residual(channel, smooth, targets) <= _LARGEST_RESIDUAL:
                scores = _calmer(scores, smooth, channel)
    if not _residual(channel, scores, targets) <= _LARGEST_RESIDUAL:
        raise EstimationError(f"reports of {mechanism.name} do not tell this statistic")
    return scores


def _is_calm(solved: Floats, scores: Floats, channel: Floats, targets: Floats) -> bool:
    """Return whether no smooth scores vary less by `_WORTH`, without a look at directions.

    Targets that lack some directions of the products P differ by r from the targets t, and what is
    lacking varies by r' inverse(P) r = r' inverse(P) t: at most the largest of r times the sum of
    what was solved.
    """
    largest = _LARGEST_RESIDUAL * float(np.abs(targets).max())
    return largest * float(np.abs(solved).sum()) <= _WORTH * _varying(scores, channel)


def _calmer(scores: Floats, smooth: Floats, channel: Floats) -> Floats:
    """Return the smooth scores if they vary less by `_WORTH` or more, and the scores otherwise."""
    if np.isnan(scores).any():
        return smooth
    exact, smoothed = (_varying(each, channel) for each in (scores, smooth))
    return scores if (1 - _WORTH) * exact <= smoothed else smooth


def _varying(scores: Floats, channel: Floats) -> float:
    """Return the mean square of scores under equally common answers, of all targets together."""
    return float((channel.mean(axis=0) @ scores**2).sum())


def _directions(sizes: Floats, directions: Floats, targets: Floats) -> Iterator[Floats]:
    """Yield the solution's parts, from the direction that reports tell best."""
    told = islice(zip(sizes, directions.T, strict=True), _MOST_DIRECTIONS)
    for size, direction in told:
        if size <= _ROUNDING * sizes[0]:
            return
        yield np.outer(direction, direction @ targets) / size


def _smoothest(
    parts: Iterator[Floats], weighted: Floats, channel: Floats, targets: Floats
) -> Floats:
    """Return scores of the fewest directions that meet the targets.

    Where rows of a table change smoothly, as with normal noise, the last directions hold nothing
    but the rounding of its integers. Scores that met the targets there, too, would vary wildly.
    """
    scores: Floats = np.zeros((channel.shape[1], targets.shape[1]))
    for part in parts:
        scores = scores + weighted.T @ part
        if _residual(channel, scores, targets) <= _GOOD_RESIDUAL:
            break
    return scores


def _residual(channel: Floats, scores: Floats, targets: Floats) -> float:
    """Return how far expected scores are off their targets, of the largest target."""
    return float(np.abs(channel @ scores - targets).max() / np.abs(targets).max())
