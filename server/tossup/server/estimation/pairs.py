"""How often one report names two options: what the covariance of shares needs."""

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels import kernel_of
from tossup.server.kernels.blocks import BlockKernel
from tossup.shared.mechanisms import FrequencyOracle
from tossup.shared.mechanisms.choices.masks import MaskOracle

Matrix = NDArray[np.float64]


def named_together(oracle: FrequencyOracle, shares: NDArray[np.float64]) -> Matrix:
    """Return the chance that a report supports both of two options, for every two of them.

    Parameters
    ----------
    oracle
        The mechanism.
    shares
        The share of each option among respondents. The diagonal of the result means nothing.
    """
    if isinstance(oracle, MaskOracle):
        neither, one = (float(rate) for rate in oracle.pair_rates)
        held = np.add.outer(shares, shares)
        return neither + (one - neither) * held
    kernel = kernel_of(oracle)
    if not isinstance(kernel, BlockKernel):
        raise TypeError(f"this server has no covariance for {oracle.name}; upgrade tossup")
    return kernel.together(shares)


def off_diagonal(matrix: Matrix) -> Matrix:
    """Return the matrix with zeros on its diagonal."""
    return matrix - np.diag(np.diag(matrix))
