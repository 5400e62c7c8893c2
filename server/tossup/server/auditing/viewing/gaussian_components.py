"""How a component of a report with normal noise is distributed: densities of whole steps."""

import numpy as np

from tossup.server.auditing.events import Chances
from tossup.server.auditing.viewing.marginals import Marginals
from tossup.shared.mechanisms import EntryGaussian

#: Of floats alone. Windows of fewer sigmas than this have noise that wraps around again.
_ERROR = 1e-12
_SIGMAS = 40


def of_gaussian(mechanism: EntryGaussian) -> Marginals:
    """Return the probabilities of digits, noise that wraps around counted in."""
    own, other = (_digits(mechanism, size) for size in (mechanism.radius, 0))
    up = float(other[mechanism.window + 1 :].sum())
    return Marginals(own, other, both_up=up * up, error=_ERROR)


def _digits(mechanism: EntryGaussian, size: int) -> Chances:
    """Return the probabilities of the digits of a component that is of this size in the answer."""
    sigma, levels = np.sqrt(mechanism.squared), mechanism.levels
    rounds = int(_SIGMAS * sigma / levels) + 1
    steps = np.arange(levels) - mechanism.window - size
    weights = sum(
        np.exp(-((steps + turn * levels) ** 2) / (2 * mechanism.squared))
        for turn in range(-rounds, rounds + 1)
    )
    chances: Chances = weights / np.sum(weights)
    return chances
