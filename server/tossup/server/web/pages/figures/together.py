"""What a page says of all shares of a choice together: which one leads, and a view of them."""

from dataclasses import dataclass
from typing import Final

from tossup.server.estimation.shares.together import MOST_OPTIONS
from tossup.server.kinds.told.leading import Lead, Leading
from tossup.server.results import AnswerEstimate, QuestionResult

#: At most so many options are named from which the leading one is not told apart.
MOST_NAMED: Final = 5
#: Shares that differ by less than this are printed alike.
_ALIKE: Final = 0.0005


@dataclass(frozen=True, slots=True)
class Together:
    """The largest estimate of a choice, and what goes with it.

    Attributes
    ----------
    leading
        The largest estimate and how far it is ahead.
    leads
        The differences that are listed; none where there are too many options.
    has_covariance
        Whether the download has the covariance of all estimates.
    possible
        The estimates with the nearest possible shares; none where the estimates are these.
    """

    leading: Leading
    leads: tuple[Lead, ...]
    has_covariance: bool
    possible: tuple[tuple[AnswerEstimate, float], ...]

    @property
    def near(self) -> tuple[AnswerEstimate, ...]:
        """The options that are named as not told apart from the leading one."""
        return self.leading.not_told_apart[:MOST_NAMED]

    @property
    def more(self) -> int:
        """How many others it is not told apart from either."""
        return len(self.leading.not_told_apart) - len(self.near)


def together(result: QuestionResult) -> Together | None:
    """Return what is said of all shares; None for questions with fewer than two estimates."""
    part = result.total
    if part.leading is None:
        return None
    leads = part.leading.leads
    covariance = part.told.covariance and part.told.covariance.population
    return Together(
        leading=part.leading,
        leads=leads if len(leads) < MOST_OPTIONS else (),
        has_covariance=covariance is not None,
        possible=_possible(part.estimates, part.told.possible),
    )


def _possible(
    estimates: tuple[AnswerEstimate, ...], shares: tuple[float, ...]
) -> tuple[tuple[AnswerEstimate, float], ...]:
    """Return the view beside the estimates, unless it is what they say."""
    pairs = tuple(zip(estimates, shares, strict=False))
    if all(abs(estimate.value - share) < _ALIKE for estimate, share in pairs):
        return ()
    return pairs
