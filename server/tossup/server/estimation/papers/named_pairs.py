"""Designs of two samples with different coins, by name; each parameter is a pair."""

from collections.abc import Mapping
from typing import Final

from tossup.server.estimation.designs.named import Named, fitting
from tossup.server.estimation.papers.two_samples import (
    Sample,
    TwoSamples,
    cheating_detection,
    stochastic_lie_detector,
    unrelated_unknown,
)

_PAIRS: Final[Mapping[str, Named]] = {
    "unrelated-unknown": Named(("p",), unrelated_unknown, ("forced_yes", "forced_no")),
    "lie-detector": Named(("p",), stochastic_lie_detector),
    "cheating": Named(
        ("forced_yes",),
        lambda first, second, forced_yes, forced_no=(0, 0): cheating_detection(
            first, second, yes=forced_yes, no=forced_no
        ),
        ("forced_no",),
    ),
}


def two_samples_named(
    name: str, first: Sample, second: Sample, parameters: Mapping[str, object]
) -> TwoSamples:
    """Return what two samples tell under a design of two samples, by its name.

    Parameters
    ----------
    name
        ``unrelated-unknown``, ``lie-detector`` or ``cheating``.
    first, second
        Yes reports and all reports of each sample.
    parameters
        As in `design_named`, each a pair: of the first sample and of the second.

    Raises
    ------
    EstimationError
        As `design_named`.
    """
    given = fitting(name, _PAIRS[name], parameters)
    found: TwoSamples = _PAIRS[name].make(first, second, **given)
    return found
