"""Every two of several groups, or each wave and the next: compared together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import overload

from tossup.server.estimation.comparing.comparison import Difference
from tossup.server.estimation.comparing.significance import Comparable
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Interval, Method
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Result


@dataclass(frozen=True, slots=True)
class Pair:
    """Two of several groups.

    Attributes
    ----------
    names
        Of the first and the second group.
    difference
        First less second.
    interval
        Holds together with those of all other pairs (Bonferroni).
    p_value, adjusted
        Of this pair alone, and Holm's: reject where it is at most the level wanted for all pairs
        together.
    """

    names: tuple[str, str]
    difference: Difference
    interval: Interval
    p_value: float
    adjusted: float

    @property
    def name(self) -> str:
        """Both names."""
        return " - ".join(self.names)


@dataclass(frozen=True)
class Pairs(Sequence[Pair], Result):
    """Several pairs of groups, compared together; made by `compare_pairs` and `changes`."""

    pairs: tuple[Pair, ...]

    @overload
    def __getitem__(self, place: int) -> Pair: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Pair, ...]: ...

    def __getitem__(self, place: int | slice) -> Pair | tuple[Pair, ...]:
        """Return one pair, or several."""
        return self.pairs[place]

    def __len__(self) -> int:
        return len(self.pairs)

    @property
    def title(self) -> str:
        """How many."""
        return f"Differences of {len(self)} pairs of groups, together"

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        pair, *_ = self.pairs
        return (
            f"{pair.difference.procedure} All {len(self)} intervals hold together at the stated"
            " confidence (Bonferroni); p-values are adjusted by Holm's (1979) method."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the differences, their intervals shared among them and p-values adjusted."""
        return tuple(
            Line(
                pair.name,
                pair.difference.value,
                pair.difference.standard_error,
                self._interval(pair, confidence),
                pair.difference.n,
                pair.adjusted,
            )
            for pair in self.pairs
        )

    def _interval(self, pair: Pair, confidence: float) -> Interval:
        if confidence == pair.interval.confidence:
            return pair.interval
        return pair.difference.shared_interval(confidence, "score", among=len(self))


def compare_pairs(
    groups: Mapping[str, Comparable], confidence: float = 0.95, method: Method = "score"
) -> Pairs:
    """Compare every two of several groups, first less second in the order given.

    Parameters
    ----------
    groups
        Shares by the names of groups; two or more.
    confidence
        Of all intervals together, in (0, 1).
    method
        Of the shares' intervals: ``"score"``, or what they have otherwise.

    Returns
    -------
    Pairs
        n (n - 1) / 2 pairs of n groups, with intervals (Bonferroni) and p-values (Holm 1979).

    Raises
    ------
    EstimationError
        If there are fewer than two groups, or one is no share, or has no such interval.
    """
    return _pairs(tuple(combinations(groups.items(), 2)), confidence, method)


def changes(
    waves: Mapping[str, Comparable], confidence: float = 0.95, method: Method = "score"
) -> Pairs:
    """Return how the share changed from each wave to the next: the later one less the earlier.

    For waves of different people; who answers twice under fresh coins is not independent.

    Parameters
    ----------
    waves
        Shares by the names of waves, in the order of time; two or more.
    confidence
        Of all intervals together, in (0, 1).
    method
        Of the shares' intervals: ``"score"``, or what they have otherwise.

    Returns
    -------
    Pairs
        A `Pair` a step, each with its interval and p-values.

    Raises
    ------
    EstimationError
        If there are fewer than two waves, or one is no share, or has no such interval.
    """
    steps = tuple((later, earlier) for earlier, later in pairwise(waves.items()))
    return _pairs(steps, confidence, method)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return Holm's adjusted p-values, in the order given.

    Holm 1979, Scandinavian Journal of Statistics 6:65-70.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return tuple(adjusted)


_Named = tuple[str, Comparable]


def _pairs(pairs: Sequence[tuple[_Named, _Named]], confidence: float, method: Method) -> Pairs:
    if not pairs:
        raise EstimationError("two groups or more are needed for a comparison")
    differences = [Difference(first[1], second[1]) for first, second in pairs]
    p_values = [difference.significance().p_value for difference in differences]
    together = zip(pairs, differences, p_values, holm(p_values), strict=True)
    return Pairs(
        tuple(
            Pair(
                (first[0], second[0]),
                difference,
                difference.shared_interval(confidence, method, among=len(pairs)),
                p_value,
                adjusted,
            )
            for (first, second), difference, p_value, adjusted in together
        )
    )
