"""Weights made to agree with what is known of the population: post-stratification and raking.

Only open facts will do: a margin is the size of groups that nobody needs to hide.
"""

from collections.abc import Hashable, Mapping
from dataclasses import replace

import numpy as np

from tossup.server.estimation.checks import labels_of, sizes_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.weighting.samples import Codes, Floats, Labels, Sample

#: A group's label for each row, and the size of each group in the population.
Margin = tuple[Labels, Mapping[Hashable, float]]


def post_stratified(sample: Sample, groups: Labels, sizes: Mapping[Hashable, float]) -> Sample:
    """Return the sample with weights that sum to the size of each group.

    Holt and Smith 1979, Journal of the Royal Statistical Society A 142:33-46.

    Parameters
    ----------
    sample
        With the weights of its sampling design.
    groups
        The group of each row.
    sizes
        How many people of the population are in each group; their ratios are enough.

    Returns
    -------
    Sample
        The same rows with other weights, and what they were made to agree with.

    Raises
    ------
    EstimationError
        If a row's group has no size, or a group with people has no row.
    """
    return raked(sample, (groups, sizes))


def raked(sample: Sample, *margins: Margin, precision: float = 1e-12, rounds: int = 1000) -> Sample:
    """Return the sample with weights that sum to the sizes of every margin.

    By iterative proportional fitting: Deming and Stephan 1940, Annals of Mathematical Statistics
    11:427-444. Standard errors then take out what the margins explain.

    Parameters
    ----------
    sample
        With the weights of its sampling design.
    *margins
        Labels of rows and sizes of groups, such as of regions and of ages.
    precision
        The largest relative miss of a size that is left.
    rounds
        How many rounds may pass until then.

    Returns
    -------
    Sample
        The same rows with other weights, and what they were made to agree with.

    Raises
    ------
    EstimationError
        As `post_stratified`; also if the margins differ in their total, or do not converge.
    """
    if not margins:
        raise EstimationError("at least one margin is needed")
    codes, sizes = zip(*(_checked(sample, *margin) for margin in margins), strict=True)
    totals = [size.sum() for size in sizes]
    if not np.allclose(totals, totals[0], rtol=1e-9):
        raise EstimationError("the margins must sum to the same population")
    weights = sample.weights
    for _ in range(rounds):
        weights = _fitted(sample, weights, codes, sizes)
        if _largest_miss(sample, weights, codes, sizes) <= precision:
            return replace(sample, weights=weights, margins=codes)
    raise EstimationError(
        f"raking did not agree with all margins within {rounds} rounds; they may contradict, or"
        " groups with few rows may need merging"
    )


def _fitted(
    sample: Sample, weights: Floats, codes: tuple[Codes, ...], sizes: tuple[Floats, ...]
) -> Floats:
    for groups, size in zip(codes, sizes, strict=True):
        now = np.bincount(groups, sample.counts * weights)
        weights = weights * (size / now)[groups]
    return weights


def _largest_miss(
    sample: Sample, weights: Floats, codes: tuple[Codes, ...], sizes: tuple[Floats, ...]
) -> float:
    return max(
        float(np.abs(np.bincount(groups, sample.counts * weights) / size - 1).max())
        for groups, size in zip(codes, sizes, strict=True)
    )


def _checked(
    sample: Sample, groups: Labels, sizes: Mapping[Hashable, float]
) -> tuple[Codes, Floats]:
    present, codes = labels_of(groups, len(sample.values), "the groups of a margin")
    if not np.bincount(codes, sample.counts).all():
        raise EstimationError("a group of a margin has rows of nobody alone; leave them out")
    sizes = sizes_of(sizes, "the size in the population")
    if unknown := [group for group in present if group not in sizes]:
        raise EstimationError(f"group {unknown[0]!r} has no size in the population")
    if absent := [group for group, size in sizes.items() if size and group not in present]:
        raise EstimationError(
            f"group {absent[0]!r} has nobody in the sample; merge it with another"
        )
    size = np.array([sizes[group] for group in present])
    if not (np.isfinite(size) & (size > 0)).all():
        raise EstimationError("the sizes of groups must be finite and above 0")
    return codes, size
