"""Regressions in which an answer is known through its randomized report alone.

As outcome (`outcome`: two answers, `multinomial`: several) or as predictor of something else
(`predictor`). Every row has its own channel, so that different coins and direct questions stand in
one model. All are fitted by maximum likelihood (`ascent`), and coefficients are of the *answer*:
on the scale that a regression on the truth would have.
"""

from tossup.server.estimation.regression.errors import (
    NotIdentifiedError,
    RegressionError,
    SeparationError,
)
from tossup.server.estimation.regression.multinomial import MultinomialRegression, regress_choice
from tossup.server.estimation.regression.outcome import Regression, likelihood_ratio, regress
from tossup.server.estimation.regression.predictor import PredictorRegression, regress_on

__all__ = [
    "MultinomialRegression",
    "NotIdentifiedError",
    "PredictorRegression",
    "Regression",
    "RegressionError",
    "SeparationError",
    "likelihood_ratio",
    "regress",
    "regress_choice",
    "regress_on",
]
