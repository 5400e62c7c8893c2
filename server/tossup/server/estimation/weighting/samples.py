"""A sample with weights, strata and clusters, each report turned into its unbiased value.

Weights, strata and clusters come from what is not protected (a quota cell, a region), never from
protected answers.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.checks import array_of, column_of, labels_of, respondents_of, sizes_of
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.designs.named import AnyDesign, design_of, one_a_row
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import score_variance, variances_given_answers

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Labels = Sequence[Hashable]


@dataclass(frozen=True)
class Sample:
    """Reports with their place in a survey's design; made by `sample`.

    Attributes
    ----------
    designs
        How reports came from answers: one design, or all that some row had.
    values
        The unbiased value of each row's report; see `Design.report_values`.
    noise
        An unbiased estimate of the coins' variance in each value.
    ways
        The place in `designs` of each row's.
    counts
        How many respondents a row stands for.
    weights
        Of each respondent.
    strata, clusters
        The number of each row's stratum, and of its cluster; no clusters if None.
    population
        Clusters (respondents, without clusters) of each stratum in the population; unknown, or
        much larger than the sample, if None.
    margins
        What the weights were calibrated to: category numbers of each row, a margin each.
    """

    designs: tuple[Design, ...]
    values: Floats
    noise: Floats
    ways: Codes
    counts: Floats
    weights: Floats
    strata: Codes
    clusters: Codes | None
    population: Floats | None
    margins: tuple[Codes, ...] = field(default=())

    @property
    def design(self) -> Design:
        """The design of all rows.

        Raises
        ------
        EstimationError
            If rows have several.
        """
        if len(self.designs) > 1:
            raise EstimationError(
                f"the rows have {len(self.designs)} designs; look at `designs`, and at intervals by"
                " t"
            )
        return self.designs[0]

    @property
    def n(self) -> int:
        """How many respondents."""
        return int(self.counts.sum())

    @property
    def units(self) -> Floats:
        """How many primary sampling units each stratum has."""
        if self.clusters is None:
            return np.bincount(self.strata, self.counts).astype(float)
        _, first = np.unique(self.clusters, return_index=True)
        return np.bincount(self.strata[first]).astype(float)

    @property
    def degrees_of_freedom(self) -> int:
        """Primary sampling units less strata."""
        return int(self.units.sum()) - len(self.units)

    def degrees_in(self, rows: NDArray[np.bool_]) -> int:
        """Return the degrees of freedom of a part of the sample.

        Primary sampling units that have somebody of it, less strata that have: Korn and Graubard
        1999, *Analysis of Health Surveys*, section 5.2, as R's survey counts them.

        Raises
        ------
        EstimationError
            If there is one such unit alone: how much such units differ is then unknown.
        """
        strata = self.strata[rows]
        if self.clusters is None:
            units, what = int(self.counts[rows].sum()), "respondent"
        else:
            units, what = len(np.unique(self.clusters[rows])), "cluster"
        if units < 2:
            raise EstimationError(
                f"all of it is one {what}, which leaves no degrees of freedom: how much others"
                " differ is unknown. Take a larger part, or merge"
            )
        return units - len(np.unique(strata))

    def variance(self, influence: Floats, share: Floats) -> float:
        """Return the linearized variance of a statistic.

        Between primary sampling units, within strata (Binder 1983, International Statistical
        Review 51:279-292). The finite population correction touches the sampling of people alone;
        their coins are tossed even in a census, and the variance is never below what they cause.

        Parameters
        ----------
        influence
            How much a respondent of each row moves the statistic.
        share
            How much a respondent's value weighs in it, for the coins.
        """
        between, coins = self._between(influence), self._coins(share)
        if self.population is None:
            return float(max(between.sum(), coins.sum()))
        fraction = self.units / self.population
        return float(max(((1 - fraction) * between + fraction * coins).sum(), coins.sum()))

    def agreed(self, chosen: NDArray[np.bool_], n: float) -> Floats | None:
        """Return the variance of each row's value where all chosen reports of each design agree.

        Coins that never change one answer then show no variance: see `coins.score_variance`.

        Parameters
        ----------
        chosen
            Rows of a domain.
        n
            How many respondents they count for.

        Returns
        -------
        array or None
            None where reports of one design differ.
        """
        found = np.zeros_like(self.values)
        for place, design in enumerate(self.designs):
            values = self.values[chosen & (self.ways == place) & (self.counts > 0)]
            if not values.size:
                continue
            if (values != values[0]).any():
                return None
            scores, channel = _scores(design)
            found[self.ways == place] = score_variance(
                np.where(scores == values[0], n, 0.0),
                scores,
                float(variances_given_answers(channel, scores).min()),
                channel.mean(axis=0),
            )
        return found

    @property
    def least(self) -> Floats:
        """The least variance that each row's coins cause, whatever the answer."""
        known = [float(variances_given_answers(*_scores(d)[::-1]).min()) for d in self.designs]
        return np.array(known)[self.ways]

    def _coins(self, share: Floats) -> Floats:
        """Return the variance that the coins of each stratum cause, as far as reports tell it."""
        each = self.counts * share**2
        told, least = (np.bincount(self.strata, each * by) for by in (self.noise, self.least))
        return np.maximum(told, least)

    def _between(self, influence: Floats) -> Floats:
        units = self.units
        if (units < 2).any():
            raise EstimationError(
                "a stratum has one primary sampling unit only, which leaves no degrees of freedom"
                " for its spread; merge it with a similar stratum"
            )
        totals, strata, counts = self._totals(influence)
        means = np.bincount(strata, counts * totals) / units
        squares = np.bincount(strata, counts * (totals - means[strata]) ** 2)
        between: Floats = squares * units / (units - 1)
        return between

    def _totals(self, influence: Floats) -> tuple[Floats, Codes, Floats]:
        """Return total, stratum and multiplicity of the primary sampling units."""
        if self.clusters is None:
            return influence, self.strata, self.counts
        totals = np.bincount(self.clusters, self.counts * influence).astype(float)
        _, first = np.unique(self.clusters, return_index=True)
        return totals, self.strata[first], np.ones(len(totals))


def sample(
    reports: ArrayLike,
    design: AnyDesign | Sequence[AnyDesign],
    *,
    weights: ArrayLike | None = None,
    counts: ArrayLike | None = None,
    strata: Labels | None = None,
    clusters: Labels | None = None,
    population: Mapping[Hashable, float] | float | None = None,
) -> Sample:
    """Return reports with their weights, strata and clusters, checked.

    Parameters
    ----------
    reports
        The report of each row, from 0.
    design
        A design with two answers, or a sequence of one a row.
    weights
        Above 0, one a row; 1 if not given. Only their ratios matter.
    counts
        How many respondents each row stands for; 1 if not given, and 0 for a row of nobody.
    strata, clusters
        A label a row. A cluster belongs to one stratum; the same label in two strata means two
        clusters.
    population
        How many clusters (respondents, without clusters) each stratum has, by label; a number
        alone without strata.

    Returns
    -------
    Sample
        The rows, each report as its unbiased value.

    Raises
    ------
    EstimationError
        If lengths differ, a value is outside its range, or a population is smaller than its sample.
    """
    several = one_a_row(design)
    given = _reports(reports)
    rows = len(given)
    designs = [design] * rows if several is None else several
    if len(designs) != rows:
        raise EstimationError(f"designs must be one for all rows or one a row: {rows}")
    known, values, noise, ways = _valued(given, designs)
    respondents = respondents_of(counts, rows)
    labels, codes = _codes(strata if strata is not None else [0] * rows, respondents, "strata")
    found = Sample(
        known,
        values,
        noise,
        ways,
        respondents,
        _positive(weights, rows, "weights"),
        codes,
        None if clusters is None else _nested(codes, clusters, respondents),
        _population(population, labels),
    )
    _check_population(found, labels)
    return found


def _check_population(found: Sample, labels: Sequence[Hashable]) -> None:
    """Refuse a population that is smaller than its sample: nobody is asked twice."""
    if found.population is None:
        return
    for label, units, size in zip(labels, found.units, found.population, strict=True):
        if units > size:
            where = f" of stratum {label!r}" if len(labels) > 1 else ""
            raise EstimationError(
                f"population ({size:g}){where} is smaller than its sample ({units:g}); it counts"
                " clusters, or respondents where there are none"
            )


def _reports(reports: ArrayLike) -> NDArray[Any]:
    given = array_of(reports, "reports")
    if given.ndim != 1 or not given.size:
        raise EstimationError("reports must be a sequence of one report a row, not empty")
    return given


def _valued(
    given: NDArray[Any], designs: Sequence[object]
) -> tuple[tuple[Design, ...], Floats, Floats, Codes]:
    """Return the different designs, each row's value, its coins' variance, and its design."""
    places: dict[int, int] = {}
    for design in designs:
        places.setdefault(id(design), len(places))
    which = np.array([places[id(design)] for design in designs])
    values, noise, known = np.empty(len(given)), np.empty(len(given)), []
    for source in {id(design): design for design in designs}.values():
        known.append(design_of(source))  # type: ignore[arg-type]  # checked there
        rows = which == len(known) - 1
        kinds = _kinds(given[rows], len(known[-1].rows[0]))
        values[rows] = np.array([float(value) for value in known[-1].report_values()])[kinds]
        noise[rows] = coin_variances(known[-1])[kinds]
    different = {design.rows: design for design in known}
    order = {rows: place for place, rows in enumerate(different)}
    ways = np.array([order[design.rows] for design in known], dtype=np.intp)[which]
    return tuple(different.values()), values, noise, ways


def _scores(design: Design) -> tuple[Floats, Floats]:
    """Return what a report of each kind counts for, and the channel as floats."""
    scores = np.array([float(value) for value in design.report_values()])
    return scores, np.array([[float(p) for p in row] for row in design.rows])


def coin_variances(design: Design) -> Floats:
    """Return, for each report, an unbiased estimate of the coins' variance in its value.

    The variance is v0 given a no and v1 given a yes; v0 + (v1 - v0) x value has that mean.
    """
    values = design.report_values()
    means = [sum(p * v for p, v in zip(row, values, strict=True)) for row in design.rows]
    squares = [sum(p * v * v for p, v in zip(row, values, strict=True)) for row in design.rows]
    no, yes = (s - m * m for s, m in zip(squares, means, strict=True))
    return np.array([float(no + (yes - no) * value) for value in values])


def _kinds(given: NDArray[Any], kinds: int) -> Codes:
    if not np.isin(given, np.arange(kinds)).all():
        raise EstimationError(f"every report must be an integer from 0 to {kinds - 1}")
    return given.astype(np.intp)


def _positive(given: ArrayLike | None, rows: int, what: str) -> Floats:
    if given is None:
        return np.ones(rows)
    values = column_of(given, rows, what)
    if not (values > 0).all():
        raise EstimationError(f"{what} must be above 0; leave out rows that count for nothing")
    return values


def _codes(given: Labels, respondents: Floats, what: str) -> tuple[list[Hashable], Codes]:
    """Return the labels that some respondent has, and their numbers; rows of nobody have 0."""
    labels_of(given, len(respondents), what)
    counted = respondents > 0
    labels, numbers = labels_of(
        [label for label, some in zip(given, counted.tolist(), strict=True) if some],
        int(counted.sum()),
        what,
    )
    codes = np.zeros(len(respondents), dtype=np.intp)
    codes[counted] = numbers
    return labels, codes


def _nested(strata: Codes, clusters: Labels, respondents: Floats) -> Codes:
    _, codes = labels_of(clusters, len(strata), "clusters")
    pairs = list(zip(strata.tolist(), codes.tolist(), strict=True))
    return _codes(pairs, respondents, "clusters")[1]


def _population(
    given: Mapping[Hashable, float] | float | None, labels: list[Hashable]
) -> Floats | None:
    if given is None:
        return None
    one = given if isinstance(given, Mapping) else dict.fromkeys(labels[:1], given)
    sizes = sizes_of(one, "population")
    if missing := [label for label in labels if label not in sizes]:
        raise EstimationError(f"population lacks the size of stratum {missing[0]!r}")
    return _positive([sizes[label] for label in labels], len(labels), "population")
