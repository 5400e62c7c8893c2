"""Estimates: what a tally of randomized reports says about the true shares, and how surely.

Stage: tally to page. Everything here works on counts and on the exact channel of the design;
cost grows with the number of answers, never with the number of reports. Regressions and weighted
samples alone take rows.

One file each:

- one call for what people bring (`asking`), or for a table of studies (`studies`), with designs
  by name (`named`);
- one share (`share`), the likeliest one from reports of many kinds or several designs
  (`likelihood`), all shares of a choice (`shares`) or of several options (`several`), a share
  by moments (`tables`), and designs that only papers have (`design`, `two_samples`);
- the share of every answer, whatever its mechanism (`answers`, with what all offer in
  `answer_share`): where a report says something about every answer, by the inverse of the
  channel (`inverse`); from numbers of red cards (`cards`); of two statements, from two samples
  that ask both (`statements`, on `two_rates`); mean points of an order (`points`);
- how the errors of all shares go together (`together`), and an interval of how far two of them are
  apart (`apart`);
- an interval and its score form (`interval`), exact binomial tails (`binomial`), the profile
  likelihood over possible shares (`profile`), an interval for all looks together (`sequence`),
  what forged reports (`forged`) and misbehaving people (`honesty`) could do, other
  distributions (`distributions`);
- two groups, waves or designs compared (`comparison`), several together (`pairwise`), on raw
  reports where these tell as much (`significance`), a share over time (`trend`), answers to several
  questions (`joint`) and how they go together (`association`), an answer and an open number
  (`correlation`);
- weights, strata and clusters (`samples`, `weighted`, `calibration`), finite populations
  (`finite`), numbers told only by chance (`scrambled`);
- regressions (`regression`);
- numbers: what each report counts for (`scores`), mean, variance, quantiles and shares of points
  (`numbers`), the likeliest distribution as a view (`histogram`);
- vectors: means of components and their covariance (`vectors`), caps of the sphere (`caps`);
- texts that nobody listed (`texts`, a package of its own): which are common, and how common;
- a survey's results, fetched from its server or read from an export (`published`);
- what every result can do (`result`): its words (`wording`), its picture (`picture`), its rows as
  a DataFrame (`frames`).
"""

from tossup.server.estimation.answer_share import AnswerShare
from tossup.server.estimation.answers import anytime_interval, estimate_answers
from tossup.server.estimation.asking import estimate, estimate_counts
from tossup.server.estimation.association import Association, independence, odds_ratio, phi
from tossup.server.estimation.calibration import post_stratified, raked
from tossup.server.estimation.cards import CardsShare
from tossup.server.estimation.comparison import Difference, Ratio
from tossup.server.estimation.correlation import answer_correlation
from tossup.server.estimation.design import (
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
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.finite import FiniteEstimate, finite_total, horvitz_thompson
from tossup.server.estimation.forged import Forged, forged_interval, forged_intervals
from tossup.server.estimation.frames import PandasMissingError, to_frame
from tossup.server.estimation.histogram import distribution_view
from tossup.server.estimation.honesty import (
    Anchored,
    Supposed,
    anchored,
    if_some_answer_at_random,
    if_some_deny,
)
from tossup.server.estimation.interval import Interval
from tossup.server.estimation.inverse import (
    InverseShare,
    inverse_shares,
    respondents_share_covariance,
    share_covariance,
)
from tossup.server.estimation.joint import Conditional, JointEstimate, estimate_joint, tabulate
from tossup.server.estimation.likelihood import LikelihoodShare
from tossup.server.estimation.named import design_named
from tossup.server.estimation.numbers import (
    NumberEstimate,
    PointEstimate,
    design_p_value,
    estimate_histogram,
    estimate_numbers,
)
from tossup.server.estimation.pairwise import Pairs, changes, compare_pairs
from tossup.server.estimation.points import PointsEstimate, estimate_points
from tossup.server.estimation.projection import norm_sub
from tossup.server.estimation.published import (
    Published,
    PublishedQuestion,
    PublishedSlice,
    fetch,
    read_results,
)
from tossup.server.estimation.regression import (
    DenialRegression,
    GroupedRegression,
    LinearPredictorRegression,
    MultinomialRegression,
    NotIdentifiedError,
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
from tossup.server.estimation.result import Line, Result, Results
from tossup.server.estimation.samples import Sample, sample
from tossup.server.estimation.scrambled import scrambled
from tossup.server.estimation.sequence import confidence_sequence, score_sequence
from tossup.server.estimation.several import SeveralEstimate, estimate_several
from tossup.server.estimation.share import (
    Method,
    ShareEstimate,
    Shown,
    estimate_share,
    estimate_yes,
)
from tossup.server.estimation.shares import SharesEstimate, estimate_shares, named_or_not
from tossup.server.estimation.significance import Comparable, Significance, same_shares
from tossup.server.estimation.statements import (
    StatementsEstimate,
    StatementShare,
    estimate_statements,
)
from tossup.server.estimation.studies import estimate_table
from tossup.server.estimation.tables import MomentEstimate, estimate_moments
from tossup.server.estimation.together import SharesCovariance, shares_covariance
from tossup.server.estimation.trend import Trend, pooled, trend
from tossup.server.estimation.two_samples import (
    TwoSamples,
    Unknown,
    cheating_detection,
    stochastic_lie_detector,
    unrelated_unknown,
)
from tossup.server.estimation.vectors import (
    CovarianceEstimate,
    EntryEstimate,
    VectorEstimate,
    estimate_vector,
    nearest_covariance,
    vector_p_value,
)
from tossup.server.estimation.weighted import WeightedDifference, WeightedShare, weighted_share
from tossup.shared.mechanisms import TwoCoin

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
    "confidence_sequence",
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
