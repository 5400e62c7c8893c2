"""How the errors of all shares of a question go together, whatever the mechanism."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.designs.named import is_mechanism
from tossup.server.estimation.intervals.coins import floored
from tossup.server.estimation.shares.inverse import (
    inverse_shares,
    respondents_share_covariance,
    share_covariance,
)
from tossup.server.estimation.shares.points import estimate_points
from tossup.server.estimation.shares.several import estimate_several
from tossup.server.estimation.shares.shares import SharesEstimate, estimate_shares
from tossup.server.estimation.shares.statements import estimate_statements
from tossup.shared.mechanisms import (
    Mechanism,
    RankedChoice,
    ScoredChoice,
    SeveralMechanism,
    UnrelatedQuestion,
)

Matrix = NDArray[np.float64]

#: More options have no matrix: nobody reads a thousand rows, and every page view would pay for it.
#: Choices by score, orders and several options never have more.
MOST_OPTIONS: Final = 64

TOO_MANY: Final = f"more than {MOST_OPTIONS} options"
NOT_TOGETHER: Final = (
    "reports are counted option by option, which does not tell how often two are ticked together"
)
_RANKS_UNKNOWN: Final = (
    "what the coins add to mean points depends on how ranks are spread, which is not told"
)


@dataclass(frozen=True, slots=True, eq=False)
class SharesCovariance:
    """The estimated covariance of all estimates of a question, in both conventions.

    Both are possible ones, without negative eigenvalues but for rounding, and their diagonals are
    the squares of the standard errors.

    Attributes
    ----------
    population
        Respondents count as a random sample: both they and the coins vary. None if not told.
    respondents
        The respondents are fixed, and only the coins vary. None if not told.
    reason
        Why one of them is missing, or both; empty where none is.
    """

    population: Matrix | None
    respondents: Matrix | None
    reason: str = ""

    def among(self, places: Sequence[int]) -> "SharesCovariance":
        """Return the covariance of some of the estimates, by their places."""
        population, respondents = (
            None if matrix is None else matrix[np.ix_(places, places)]
            for matrix in (self.population, self.respondents)
        )
        return SharesCovariance(population, respondents, self.reason)


def shares_covariance(counts: Counts, mechanism: Mechanism) -> SharesCovariance:
    """Return the covariance of the estimates of a question, from its tally.

    For a choice of one option these are the shares that `estimate_answers` gives, for a
    `RankedChoice` mean points, and for several options those of `estimate_several` that some
    report asks.

    Parameters
    ----------
    counts
        The mechanism's tally, one number a counter.
    mechanism
        A mechanism for a question whose answers are listed.

    Returns
    -------
    SharesCovariance
        Two matrices, a row and a column an estimate, in squared shares; or why there is none.

    Raises
    ------
    EstimationError
        If there is no report, or the counts do not fit.

    Examples
    --------
    >>> from tossup.shared.mechanisms import KaryRandomizedResponse
    >>> found = shares_covariance((50, 30, 20), KaryRandomizedResponse(3, keep=3, lie=1))
    >>> found.population.round(6).tolist()[0]
    [0.015625, -0.009375, -0.00625]
    """
    covariance = _COVARIANCES.get(mechanism.readout) if is_mechanism(mechanism) else None
    return covariance(counts, mechanism) if covariance else _of_named(counts, mechanism)


def _of_named(counts: Counts, mechanism: Mechanism) -> SharesCovariance:
    return _of_shares(estimate_shares(counts, mechanism))


def _of_shares(shares: SharesEstimate) -> SharesCovariance:
    if len(shares.options) > MOST_OPTIONS:
        return SharesCovariance(None, None, TOO_MANY)
    coins = shares.respondents_covariance
    population = shares.covariance
    if shares.oracle:
        # Raw shares may be those of no respondents, and a covariance made of them impossible.
        possible = np.array(shares.possible)
        asked = (np.diag(possible) - np.outer(possible, possible)) / shares.n
        population = floored(coins + asked, np.array(shares.standard_errors()))
    return SharesCovariance(
        population, floored(coins, np.array(shares.respondents_standard_errors()))
    )


def _of_scored(counts: Counts, mechanism: ScoredChoice) -> SharesCovariance:
    shares = inverse_shares(counts, mechanism)
    return SharesCovariance(
        floored(
            share_covariance(counts, mechanism),
            np.array([share.standard_error for share in shares]),
        ),
        floored(
            respondents_share_covariance(counts, mechanism),
            np.array([share.respondents_standard_error for share in shares]),
        ),
    )


def _of_points(counts: Counts, mechanism: RankedChoice) -> SharesCovariance:
    points = SharesEstimate(estimate_points(counts, mechanism))
    return SharesCovariance(points.covariance, None, _RANKS_UNKNOWN)


def _of_several(counts: Counts, mechanism: SeveralMechanism) -> SharesCovariance:
    """Where a report asks one option, those of different options are of different people."""
    if mechanism.asked_share * mechanism.options > 1:
        return SharesCovariance(None, None, NOT_TOGETHER)
    asked = [option for option in estimate_several(counts, mechanism).options if option]
    errors = np.array([option.standard_error for option in asked])
    return SharesCovariance(np.diag(errors**2), None, NOT_TOGETHER)


def _of_statements(counts: Counts, mechanism: UnrelatedQuestion) -> SharesCovariance:
    found = estimate_statements(counts, mechanism)
    own, other = (share.standard_error**2 for share in found.statements)
    population = np.array([[own, found.covariance], [found.covariance, other]])
    return SharesCovariance(population, None, NOT_TOGETHER)


#: What finds the covariance of other readouts than that of reports which name answers.
_COVARIANCES: Final[Mapping[str, Callable[[Counts, Any], SharesCovariance]]] = {
    "asked": _of_several,
    "samples": _of_statements,
    "scores": _of_scored,
    "points": _of_points,
}
