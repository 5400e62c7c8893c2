"""Mean points of options that people put in an order: what reports of one option tell."""

from dataclasses import dataclass

from tossup.server.estimation.checks import Counts
from tossup.server.estimation.shares.share import ShareEstimate
from tossup.server.estimation.shares.shares import estimate_shares
from tossup.shared.mechanisms import RankedChoice


@dataclass(frozen=True, slots=True)
class PointsEstimate(ShareEstimate):
    """The mean points of one option, over all orders: 1 where it is first, 0 where it is last.

    A report names it with a chance that is linear in its points, so the fraction of reports that
    do tells their mean as it would tell a share, with the same intervals. In between, ranks have
    the points of `RankedChoice.points`.
    """

    called = "points"

    @property
    def respondents_standard_error(self) -> float:
        """`standard_error`: what the coins add is at most that, and reports do not tell how much.

        It depends on how the option's ranks are spread, beside their mean points.
        """
        return self.standard_error

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Mean points"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        last, first = self.rates
        return (
            f"Each device sent one option of an order: one that is ranked first with probability"
            f" {first}, last with {last}, and in between by its rank. The mean points are estimated"
            f" without bias as (fraction of reports that name the option - {last}) / ({first} -"
            f" {last}), with Wilson's (1927) score interval of that fraction."
        )


def estimate_points(counts: Counts, mechanism: RankedChoice) -> tuple[PointsEstimate, ...]:
    """Return the mean points of all options.

    Parameters
    ----------
    counts
        Reports of each option.
    mechanism
        The weights by rank.

    Returns
    -------
    tuple
        Mean points an option, from 0 to 1 but for chance, in the order of the options.

    Raises
    ------
    EstimationError
        If there is no report, or the counts are not one an option.

    Examples
    --------
    >>> [points.value for points in estimate_points((50, 30, 20), RankedChoice((6, 4, 2)))]
    [1.0, 0.4, 0.1]
    """
    options = estimate_shares(counts, mechanism).options
    return tuple(PointsEstimate(o.counts, o.channel, o.design, among=o.among) for o in options)
