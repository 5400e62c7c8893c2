"""The likeliest shares of a table: as plain expectation and maximization finds them, sooner."""

import numpy as np
import pytest

from tossup.server.estimation import estimate_joint
from tossup.server.estimation.designs.named import design_of
from tossup.server.estimation.joint.likeliest import along, likeliest
from tossup.shared.mechanisms import KaryRandomizedResponse

LARGEST = (KaryRandomizedResponse(16), KaryRandomizedResponse(16))


def observed(designs, n, seed):
    """Return a table of reports of n people whose answers have uneven shares."""
    random = np.random.default_rng(seed)
    sizes = [design.reports for design in designs]
    truth = random.dirichlet(np.full(np.prod(sizes), 0.3)).reshape(sizes)
    channels = [np.array(design_of(design).rows, dtype=float).T for design in designs]
    reports = along(channels, truth).ravel()
    return channels, random.multinomial(n, reports / reports.sum()).reshape(sizes)


def plain(channels, fractions, steps):
    """Return what so many steps of expectation and maximization lead to."""
    shares = np.full(fractions.shape, 1 / fractions.size)
    for _ in range(steps):
        expected = along(channels, shares)
        shares = shares * along([channel.T for channel in channels], fractions / expected)
    return shares


def shortfall(channels, fractions, shares):
    """Return by how much the log likelihood a report is below the highest, at most.

    It is concave, so that its steepest slope towards any answer bounds what is left to gain.
    """
    ratio = fractions / along(channels, shares)
    return along([channel.T for channel in channels], ratio).max() - 1


def test_it_is_where_plain_steps_lead():
    """To 1e-8 in every share, of twenty thousand steps."""
    channels, counts = observed([KaryRandomizedResponse(3)] * 2, 2000, seed=1)
    found = likeliest(channels, counts / counts.sum())

    assert pytest.approx(plain(channels, counts / counts.sum(), 20_000), abs=1e-8) == found


@pytest.mark.parametrize("n", [300, 1_000_000])
def test_the_largest_table_is_as_likely_as_can_be(n):
    """Within 1e-8 a report, by the slope of a concave function, of which 0 is the best."""
    channels, counts = observed(LARGEST, n, seed=2)
    fractions = counts / n
    found = likeliest(channels, fractions)

    assert found.min() >= 0
    assert pytest.approx(1, abs=1e-9) == found.sum()
    assert shortfall(channels, fractions, found) < 1e-8
    assert shortfall(channels, fractions, plain(channels, fractions, 20)) > 1e-4


def test_a_table_is_worked_out_once():
    """What every cell needs is not computed for every cell: 14 s for the largest table."""
    _, counts = observed(LARGEST, 1000, seed=3)
    table = estimate_joint(counts, LARGEST)

    assert table.covariance is table.covariance
    assert table.standard_errors() is table.standard_errors()
    assert table.shown is table.shown
