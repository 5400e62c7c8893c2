"""Regressions in which an answer is known through its randomized report alone.

As outcome (`outcome`: two answers, `multinomial`: several) or as predictor of something else
(`predictor` of a yes or no, `linear_predictor` of a number), or with some who deny it (`denial`).
Every row has its own channel, so that different coins and direct questions stand in
one model. All are fitted by maximum likelihood (`ascent`), and coefficients are of the *answer*:
on the scale that a regression on the truth would have.
"""

from tossup.server.estimation.regression.denial import DenialRegression, regress_with_denial
from tossup.server.estimation.regression.errors import (
    NotIdentifiedError,
    RegressionError,
    SeparationError,
)
from tossup.server.estimation.regression.grouped import GroupedRegression, regress_grouped
from tossup.server.estimation.regression.linear_predictor import (
    LinearPredictorRegression,
    regress_number_on,
)
from tossup.server.estimation.regression.multinomial import MultinomialRegression, regress_choice
from tossup.server.estimation.regression.outcome import Regression, likelihood_ratio, regress
from tossup.server.estimation.regression.predictor import PredictorRegression, regress_on
from tossup.server.estimation.regression.told import Predictions

__all__ = [
    "DenialRegression",
    "GroupedRegression",
    "LinearPredictorRegression",
    "MultinomialRegression",
    "NotIdentifiedError",
    "Predictions",
    "PredictorRegression",
    "Regression",
    "RegressionError",
    "SeparationError",
    "likelihood_ratio",
    "regress",
    "regress_choice",
    "regress_grouped",
    "regress_number_on",
    "regress_on",
    "regress_with_denial",
]
