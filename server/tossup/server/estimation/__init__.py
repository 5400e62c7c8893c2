"""Estimates: what a tally of randomized reports says about the true shares, and how surely.

Stage: tally to page. Everything here works on counts and on the exact channel of the design;
cost grows with the number of answers, never with the number of reports.

One file each: an interval and its score form (`interval`), exact binomial tails (`binomial`),
the profile likelihood over possible shares (`profile`), one share (`share`), all shares of a
choice (`shares`); what each report counts for (`scores`), mean, variance and quantiles of numbers
(`numbers`), and the likeliest distribution as a view (`histogram`).
"""

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.histogram import distribution_view
from tossup.server.estimation.interval import Interval
from tossup.server.estimation.numbers import (
    NumberEstimate,
    PointEstimate,
    design_p_value,
    estimate_histogram,
    estimate_numbers,
)
from tossup.server.estimation.share import (
    Method,
    ShareEstimate,
    Shown,
    estimate_share,
    estimate_yes,
)
from tossup.server.estimation.shares import SharesEstimate, estimate_shares

__all__ = [
    "EstimationError",
    "Interval",
    "Method",
    "NumberEstimate",
    "PointEstimate",
    "ShareEstimate",
    "SharesEstimate",
    "Shown",
    "design_p_value",
    "distribution_view",
    "estimate_histogram",
    "estimate_numbers",
    "estimate_share",
    "estimate_shares",
    "estimate_yes",
]
