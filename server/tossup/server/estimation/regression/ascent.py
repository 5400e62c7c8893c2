"""Newton's ascent to the maximum of a likelihood, with the ways in which there is none."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.regression.errors import (
    NotIdentifiedError,
    RegressionError,
    SeparationError,
)
from tossup.server.estimation.regression.rows import INTERCEPT

Floats = NDArray[np.float64]

_STEPS: Final = 200
_HALVINGS: Final = 40
#: A step that moves the likelihood by less is as exact as the arithmetic allows.
_EXACT: Final = 1e-20
#: A likelihood that gains less than _FLAT by a step of _FAR standard deviations, so that a
#: standardized coefficient has an error above 60, rises for ever.
_FLAT: Final = 1e-7
_FAR: Final = 0.02


@dataclass(frozen=True, slots=True)
class Slope:
    """A log-likelihood near some coefficients.

    Attributes
    ----------
    likelihood
        The log-likelihood; -inf where it is impossible.
    score
        Its first derivatives.
    observed
        Its negated second derivatives.
    safe
        Returns an information that is never negative, for where ``observed`` is.
    """

    likelihood: float
    score: Floats
    observed: Floats
    safe: Callable[[], Floats]

    @classmethod
    def impossible(cls, size: int) -> "Slope":
        """Return the slope at so many coefficients under which the reports cannot be."""
        nothing = np.full((size, size), np.nan)
        return cls(-np.inf, nothing[0], nothing, lambda: nothing)


@dataclass(frozen=True, slots=True)
class Maximum:
    """Where a likelihood is highest."""

    coefficients: Floats
    slope: Slope


# A step may lead so far that numbers overflow; it is halved then, and nobody is warned of it.
@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def ascend(
    slope_at: Callable[[Floats], Slope], start: Floats, reach: Floats, names: list[str]
) -> Maximum:
    """Return the maximum of a likelihood.

    Newton's steps, halved until the likelihood does not fall; where its second derivatives are no
    guide, steps of the safe information, which always lead upward (Lange 1995, Journal of the
    Royal Statistical Society B 57:425-437).

    Parameters
    ----------
    slope_at
        The likelihood near coefficients.
    start
        Where it is possible.
    reach
        What makes a step one in standard deviations: see `Columns.reach`.
    names
        Of the coefficients, for messages.

    Raises
    ------
    SeparationError
        If it has no maximum at finite coefficients.
    RegressionError
        If the ascent does not end.
    """
    here, slope = start, slope_at(start)
    for _ in range(_STEPS):
        step = _step(slope)
        gain = float(slope.score @ step)
        reached = np.abs(reach @ step)
        if gain < _FLAT and reached.max() > _FAR:
            raise SeparationError(_no_finite(_farthest(names, reached)))
        if gain <= _EXACT * max(1.0, abs(slope.likelihood)):
            return Maximum(here + step, slope_at(here + step))
        moved = _halved(slope_at, here, step, slope.likelihood)
        if moved is None:
            return Maximum(here, slope)
        here, slope = moved
    raise RegressionError(f"the fit did not end within {_STEPS} steps; rescale the covariates")


def in_turn(*parts: Floats | float) -> Floats:
    """Return the reach of coefficients of several kinds, each with its own, one after the other."""
    blocks = [np.atleast_2d(np.asarray(part, dtype=np.float64)) for part in parts]
    ends = np.cumsum([0, *(len(block) for block in blocks)])
    found = np.zeros((ends[-1], ends[-1]))
    for start, end, block in zip(ends, ends[1:], blocks, strict=False):
        found[start:end, start:end] = block
    return found


def _farthest(names: list[str], reached: Floats) -> str:
    """Return whose coefficient rises for ever: the intercept's where that of no covariate does."""
    far = [
        place for place in np.flatnonzero(reached > _FAR) if not names[place].startswith(INTERCEPT)
    ]
    return names[max(far, key=lambda place: reached[place]) if far else int(reached.argmax())]


def _no_finite(name: str) -> str:
    """Return why a coefficient is infinite, and what to do."""
    if name.startswith(INTERCEPT):
        return (
            f"{name} has no finite estimate: where all covariates are 0, reports are as extreme as"
            " the design allows, or more, so that the share there is estimated as 0 or below, or as"
            " 1 or above. No covariate causes that; estimate the share itself, without a regression"
        )
    return (
        f"the coefficient of {name} has no finite estimate: some group's reports are as extreme as"
        " the design allows, or more. Leave the covariate out or merge its groups"
    )


def inverted(information: Floats) -> Floats:
    """Return the covariance that an information gives.

    Raises
    ------
    NotIdentifiedError
        If it tells nothing of some coefficient, so that it has no error.
    """
    try:
        covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    except np.linalg.LinAlgError:
        covariance = np.full_like(information, np.nan)
    if not (covariance.diagonal() > 0).all():
        raise NotIdentifiedError(
            "these reports tell nothing of some coefficient, so that it has no standard error; more"
            " reports are needed, or fewer covariates"
        )
    return covariance


def _step(slope: Slope) -> Floats:
    """Return Newton's step, or one by the safe information where Newton's may lead down."""
    information = slope.observed if _leads_up(slope.observed) else slope.safe()
    if _leads_up(information):
        with suppress(np.linalg.LinAlgError):  # singular but for rounding
            return np.asarray(np.linalg.solve(information, slope.score), dtype=np.float64)
    step, *_ = np.linalg.lstsq(information, slope.score, rcond=None)
    return np.asarray(step, dtype=np.float64)


def _leads_up(information: Floats) -> bool:
    """Return whether an information is positive definite."""
    try:
        np.linalg.cholesky(information)
    except np.linalg.LinAlgError:
        return False
    return True


def _halved(
    slope_at: Callable[[Floats], Slope], here: Floats, step: Floats, likelihood: float
) -> tuple[Floats, Slope] | None:
    """Return where the likelihood has not fallen; None if rounding hides all gain."""
    for _ in range(_HALVINGS):
        there = here + step
        slope = slope_at(there)
        if slope.likelihood >= likelihood - 1e-12 * abs(likelihood):
            return there, slope
        step = step / 2
    return None
