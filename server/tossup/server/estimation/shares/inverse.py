"""Shares through the inverse of a channel, where a report says something about every answer.

With scores v whose mean given answer x is 1 for one option and 0 for all others, the average score
of the reports is the option's share, without bias, whatever the other shares are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import hypot, sqrt
from typing import Final

import numpy as np

from tossup.server.estimation.checks import Counts, check_counts
from tossup.server.estimation.designs.named import check_readout
from tossup.server.estimation.designs.scores import Floats, channel_array, share_scores
from tossup.server.estimation.intervals.coins import squares_of_shares, variances_given_answers
from tossup.server.estimation.intervals.interval import (
    Ends,
    Interval,
    Method,
    beyond,
    score_of_share,
)
from tossup.server.estimation.intervals.projection import norm_sub
from tossup.server.estimation.shares.answer_share import ReadShare, Shown
from tossup.server.estimation.shares.readout import Readout
from tossup.shared.mechanisms import ScoredChoice

_SCORED: Final = "a choice by score"


@dataclass(frozen=True)
class InverseShare(ReadShare):
    """The share of one option, as the average of what every report counts for.

    Attributes
    ----------
    tally
        Reports of each option.
    scores
        What a report of each option counts for.
    option
        The one whose share it is.
    least
        The variance of the scores that the coins alone must cause.
    squares
        The mean square of the scores of people with the answer, and of all others as they are
        estimated, cut to what is possible.
    """

    tally: tuple[int, ...]
    scores: tuple[float, ...]
    option: int
    least: float = 0.0
    squares: tuple[float, float] = (1.0, 0.0)

    @property
    def title(self) -> str:
        """What was estimated."""
        return f"Share of answer {self.option}"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "Answers were randomized by a choice by score, in which a report says something about"
            " every answer. The share is the average of what each report counts for, by the inverse"
            " of the channel (Chaudhuri and Mukerjee 1988); its interval is the score interval"
            " (Wilson 1927) with the other answers as they are estimated."
        )

    @cached_property
    def readout(self) -> Readout:
        """What a report of each option counts for, by the inverse of the channel."""
        return Readout(self.tally, self.scores, coins=self.least)

    @property
    def named(self) -> int:
        """Reports that name the option."""
        return self.tally[self.option]

    @cached_property
    def standard_error(self) -> float:
        """The estimated standard deviation of `value`, from the spread of the scores.

        Never nothing: see `coins.never_nothing`.
        """
        return sqrt(self.readout.variance() / self.n)

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of an answer of the same reports."""
        if not isinstance(other, InverseShare) or self.tally is not other.tally:
            return None
        return self.readout.covariance(other.readout)

    @property
    def interval_methods(self) -> Mapping[Method, Ends]:
        """The score interval alone; like `value` it may leave [0, 1]: see `score_of_share`."""
        return {"score": self._score}

    def _score(self, confidence: float) -> tuple[float, float]:
        return score_of_share(self.value, self.squares, self.standard_error, self.n, confidence)

    @property
    def respondents_standard_error(self) -> float:
        """The estimated standard deviation of `value` over the coins alone.

        The respondents are fixed, and the share is theirs. Its square is the mean of the scores'
        variances given the answers, over n: their mean square less the share.
        """
        return sqrt(max(self.readout.mean_square - self.value, self.least) / self.n)

    def shown_at(self, confidence: float) -> Shown:
        """Return the estimate for words and charts, within [0, 1].

        Its interval is the score interval's part from 0 to 1. Where the raw share is outside, it
        reaches further by as much as the likelihood of a normal estimate does that is compared
        with the best possible one, so it is never empty.
        """
        best, ends = self._best, self._score(confidence)
        down, up = (hypot(self.value - best, self.value - end) for end in ends)
        low, high = max(0.0, self.value - down), min(1.0, self.value + up)
        return Shown(best, Interval(low, high, confidence, "score-profile"))

    @property
    def design_p_value(self) -> float:
        """How likely an average so far outside [0, 1] is if every device followed the design.

        Normal approximation of the one-sided probability at the nearer end; 1 in between.
        """
        return beyond(self.value, self.standard_error)


def inverse_shares(counts: Counts, mechanism: ScoredChoice) -> tuple[InverseShare, ...]:
    """Return the shares of all options; they sum to 1.

    Parameters
    ----------
    counts
        Reports of each option.
    mechanism
        A choice by score.

    Returns
    -------
    tuple
        A raw share an option, in their order, with its score interval.

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit, or the channel has no inverse.

    References
    ----------
    Chaudhuri and Mukerjee 1988, *Randomized Response: Theory and Techniques*.

    Examples
    --------
    >>> from tossup.shared.mechanisms import Exponential
    >>> from tossup.shared.mechanisms.scores.base import in_a_row
    >>> shares = inverse_shares((33, 27, 24), Exponential(in_a_row(3), keep=2))
    >>> [round(share.value, 6) for share in shares]
    [0.541667, 0.166667, 0.291667]
    """
    check_readout(mechanism, "scores", _SCORED)
    tally = (*check_counts(counts, mechanism.counters),)  # an object for these reports alone
    channel, scores = channel_array(mechanism), share_scores(mechanism)
    coins = variances_given_answers(channel, scores).min(axis=0).tolist()
    nearest = np.array(norm_sub((np.array(tally) @ scores / sum(tally)).tolist()))
    squares = squares_of_shares(channel @ scores**2, nearest)
    return tuple(
        InverseShare(tally, tuple(own.tolist()), option, coins[option], squares[option])
        for option, own in enumerate(scores.T)
    )


def share_covariance(counts: Counts, mechanism: ScoredChoice) -> Floats:
    """Return the estimated covariance of the shares of `inverse_shares`: (D - x x') / n through V.

    Chaudhuri and Mukerjee 1988, *Randomized Response: Theory and Techniques*; D has the fractions
    x of reports on its diagonal, V the scores.

    Parameters
    ----------
    counts
        Reports of each option.
    mechanism
        A choice by score.

    Returns
    -------
    ndarray
        A row and a column an option; in squared shares.

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit, or the channel has no inverse.
    """
    check_readout(mechanism, "scores", _SCORED)
    tally = check_counts(counts, mechanism.counters)
    n = sum(tally)
    fractions, scores = np.array(tally) / n, share_scores(mechanism)
    spread = np.diag(fractions) - np.outer(fractions, fractions)
    covariance: Floats = scores.T @ spread @ scores / n
    return covariance


def respondents_share_covariance(counts: Counts, mechanism: ScoredChoice) -> Floats:
    """Return the covariance of `share_covariance` over the coins alone, for these respondents.

    The respondents are fixed. It is the average over people of the covariance of what their
    reports count for, with the answers as common as the nearest possible shares say.

    Parameters
    ----------
    counts
        Reports of each option.
    mechanism
        A choice by score.

    Returns
    -------
    ndarray
        A row and a column an option; in squared shares.

    Raises
    ------
    EstimationError
        If there is no report, the counts do not fit, or the channel has no inverse.
    """
    shares = norm_sub([share.value for share in inverse_shares(counts, mechanism)])
    scores = share_scores(mechanism)
    expected = np.array(shares) @ channel_array(mechanism)
    covariance: Floats = (scores.T @ (expected[:, None] * scores) - np.diag(shares)) / sum(
        check_counts(counts, mechanism.counters)
    )
    return covariance


def largest_variance(channel: Floats, scores: Floats) -> float:
    """Return n times the largest variance of an estimated share, over all populations.

    Parameters
    ----------
    channel
        ``channel[answer][report]``.
    scores
        ``scores[report][answer]``, whose means given an answer are 1 for it and 0 for others.

    Notes
    -----
    With m(x) the mean square of the scores given x, a population with share s of the option and
    all others giving the x of largest m has (1 - s) m(x) + s m(option) - s**2, which is largest
    at s = (m(option) - m(x)) / 2, cut to [0, 1].
    """
    squares = channel @ scores**2
    own = np.diag(squares)
    other = np.where(np.eye(len(own), dtype=bool), -np.inf, squares).max(axis=0)
    share = np.clip((own - other) / 2, 0, 1)
    return float(((1 - share) * other + share * own - share**2).max())
