"""What cannot be fitted.

RegressionError
├── NotIdentifiedError    several coefficients fit equally well
└── SeparationError       the likelihood has no maximum at finite coefficients
"""

from tossup.server.estimation.errors import EstimationError


class RegressionError(EstimationError):
    """Data that no regression can be fitted to. The message says which and why."""


class NotIdentifiedError(RegressionError):
    """A covariate is a combination of others, so its coefficient could be anything."""


class SeparationError(RegressionError):
    """The likelihood rises for ever as coefficients grow: the data never contradict it."""
