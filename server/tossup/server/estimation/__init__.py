"""Estimates: what a tally of randomized reports says about the true shares, and how surely.

Stage: tally to page. Everything here works on counts and on the exact channel of the design;
cost grows with the number of answers, never with the number of reports. Regressions and weighted
samples alone take rows.

One room each:

- counts that people bring from articles: one call (`papers.asking`), or a table (`papers.studies`);
- how answers were randomized, and what a report counts for (`designs`);
- shares of answers, whatever the mechanism (`shares`), by the arithmetic of counts (`intervals`);
- numbers (`numbers`), vectors (`vectors`) and texts that nobody listed (`texts`);
- what forged reports and people who do not follow the design could do (`doubts`);
- two groups, waves or designs compared (`comparing`), answers to several questions (`joint`);
- weights, strata, clusters and finite populations (`weighting`), regressions (`regression`);
- the results of a survey, fetched from its server or read from an export (`published`);
- what every result can say of itself (`telling`).
"""

from importlib import import_module
from typing import TYPE_CHECKING

from tossup.server.estimation.comparing.comparison import Difference, Ratio
from tossup.server.estimation.comparing.pairwise import Pairs, changes, compare_pairs
from tossup.server.estimation.comparing.significance import Comparable, Significance, same_shares
from tossup.server.estimation.comparing.trend import Trend, pooled, trend
from tossup.server.estimation.designs.design import (
    Design,
    crosswise,
    custom,
    direct,
    disguised_response,
    forced_response,
    kuk,
    mangat,
    triangular,
    two_coins,
    unrelated_question,
    warner,
)
from tossup.server.estimation.designs.named import design_named
from tossup.server.estimation.doubts.forged import Forged, forged_interval, forged_intervals
from tossup.server.estimation.doubts.honesty import (
    Anchored,
    Supposed,
    anchored,
    if_some_answer_at_random,
    if_some_deny,
)
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval, Method
from tossup.server.estimation.intervals.projection import norm_sub
from tossup.server.estimation.intervals.sequence import score_sequence
from tossup.server.estimation.joint.association import Association, independence, odds_ratio, phi
from tossup.server.estimation.joint.correlation import answer_correlation
from tossup.server.estimation.joint.tables import (
    Conditional,
    JointEstimate,
    estimate_joint,
    tabulate,
)
from tossup.server.estimation.numbers.histogram import distribution_view
from tossup.server.estimation.numbers.statistics import (
    NumberEstimate,
    PointEstimate,
    design_p_value,
    estimate_histogram,
    estimate_numbers,
)
from tossup.server.estimation.papers.asking import estimate, estimate_counts
from tossup.server.estimation.papers.studies import estimate_table
from tossup.server.estimation.papers.tables import MomentEstimate, estimate_moments
from tossup.server.estimation.papers.two_samples import (
    TwoSamples,
    Unknown,
    cheating_detection,
    stochastic_lie_detector,
    unrelated_unknown,
)
from tossup.server.estimation.published.reading import fetch, read_results
from tossup.server.estimation.published.results import Published, PublishedQuestion, PublishedSlice
from tossup.server.estimation.shares.answer_share import AnswerShare, Shown
from tossup.server.estimation.shares.answers import anytime_interval, estimate_answers
from tossup.server.estimation.shares.cards import CardsShare
from tossup.server.estimation.shares.inverse import (
    InverseShare,
    inverse_shares,
    respondents_share_covariance,
    share_covariance,
)
from tossup.server.estimation.shares.likelihood import LikelihoodShare
from tossup.server.estimation.shares.points import PointsEstimate, estimate_points
from tossup.server.estimation.shares.several import SeveralEstimate, estimate_several
from tossup.server.estimation.shares.share import ShareEstimate, estimate_share, estimate_yes
from tossup.server.estimation.shares.shares import SharesEstimate, estimate_shares, named_or_not
from tossup.server.estimation.shares.statements import (
    StatementsEstimate,
    StatementShare,
    estimate_statements,
)
from tossup.server.estimation.shares.together import SharesCovariance, shares_covariance
from tossup.server.estimation.telling.frames import PandasMissingError, to_frame
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result, Results
from tossup.server.estimation.vectors.moments import (
    CovarianceEstimate,
    EntryEstimate,
    VectorEstimate,
    estimate_vector,
    nearest_covariance,
    vector_p_value,
)
from tossup.server.estimation.weighting.calibration import post_stratified, raked
from tossup.server.estimation.weighting.finite import FiniteEstimate, finite_total, horvitz_thompson
from tossup.server.estimation.weighting.samples import Sample, sample
from tossup.server.estimation.weighting.scrambled import scrambled
from tossup.server.estimation.weighting.weighted import (
    WeightedDifference,
    WeightedShare,
    weighted_share,
)
from tossup.shared.mechanisms import TwoCoin

if TYPE_CHECKING:
    from tossup.server.estimation.regression import (
        DenialRegression,
        GroupedRegression,
        LinearPredictorRegression,
        MultinomialRegression,
        NotIdentifiedError,
        Predictions,
        PredictorRegression,
        Regression,
        RegressionError,
        SeparationError,
        likelihood_ratio,
        regress,
        regress_choice,
        regress_grouped,
        regress_number_on,
        regress_on,
        regress_with_denial,
    )

__all__ = [
    "Anchored",
    "AnswerShare",
    "Association",
    "CardsShare",
    "Comparable",
    "Conditional",
    "CovarianceEstimate",
    "DenialRegression",
    "Design",
    "Difference",
    "EntryEstimate",
    "EstimationError",
    "FiniteEstimate",
    "Forged",
    "GroupedRegression",
    "Interval",
    "InverseShare",
    "JointEstimate",
    "LikelihoodShare",
    "Line",
    "LinearPredictorRegression",
    "Method",
    "MomentEstimate",
    "MultinomialRegression",
    "NotIdentifiedError",
    "NumberEstimate",
    "Pairs",
    "PandasMissingError",
    "PointEstimate",
    "PointsEstimate",
    "Predictions",
    "PredictorRegression",
    "Published",
    "PublishedQuestion",
    "PublishedSlice",
    "Ratio",
    "Regression",
    "RegressionError",
    "Result",
    "Results",
    "Sample",
    "SeparationError",
    "SeveralEstimate",
    "ShareEstimate",
    "SharesCovariance",
    "SharesEstimate",
    "Shown",
    "Significance",
    "StatementShare",
    "StatementsEstimate",
    "Supposed",
    "Trend",
    "TwoCoin",
    "TwoSamples",
    "Unknown",
    "VectorEstimate",
    "WeightedDifference",
    "WeightedShare",
    "anchored",
    "answer_correlation",
    "anytime_interval",
    "changes",
    "cheating_detection",
    "compare_pairs",
    "crosswise",
    "custom",
    "design_named",
    "design_p_value",
    "direct",
    "disguised_response",
    "distribution_view",
    "estimate",
    "estimate_answers",
    "estimate_counts",
    "estimate_histogram",
    "estimate_joint",
    "estimate_moments",
    "estimate_numbers",
    "estimate_points",
    "estimate_several",
    "estimate_share",
    "estimate_shares",
    "estimate_statements",
    "estimate_table",
    "estimate_vector",
    "estimate_yes",
    "fetch",
    "finite_total",
    "forced_response",
    "forged_interval",
    "forged_intervals",
    "horvitz_thompson",
    "if_some_answer_at_random",
    "if_some_deny",
    "independence",
    "inverse_shares",
    "kuk",
    "likelihood_ratio",
    "mangat",
    "named_or_not",
    "nearest_covariance",
    "norm_sub",
    "odds_ratio",
    "phi",
    "pooled",
    "post_stratified",
    "raked",
    "read_results",
    "regress",
    "regress_choice",
    "regress_grouped",
    "regress_number_on",
    "regress_on",
    "regress_with_denial",
    "respondents_share_covariance",
    "same_shares",
    "sample",
    "score_sequence",
    "scrambled",
    "share_covariance",
    "shares_covariance",
    "stochastic_lie_detector",
    "tabulate",
    "to_frame",
    "trend",
    "triangular",
    "two_coins",
    "unrelated_question",
    "unrelated_unknown",
    "vector_p_value",
    "warner",
    "weighted_share",
]


def __getattr__(name: str) -> object:
    """Import regressions when they are first asked for: a server answers without them."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.regression"), name)
    globals()[name] = found
    return found
