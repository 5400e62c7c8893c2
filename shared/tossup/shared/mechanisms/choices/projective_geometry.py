"""Projective geometry response: a report is a point, more likely on the true option's plane."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.choices.oracle import PrimeFieldOracle, dot
from tossup.shared.mechanisms.digits import from_digits, to_digits


@dataclass(frozen=True, slots=True)
class ProjectiveGeometryResponse(PrimeFieldOracle):
    """Send a point of a projective space, more likely if orthogonal to the true option's point.

    Options are the first k points of the smallest projective space over the integers modulo the
    prime ``field`` that has so many. The points orthogonal to one form a plane; any two planes
    meet in equally many points. With a prime near odds + 1 the variance comes close to that of
    subset selection, with two bytes a report instead of k bits.

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    field
        A prime of at most 1021.
    keep, lie
        Positive integers, keep > lie; all weights together at most 2**32.

    References
    ----------
    Feldman, Nelson, Nguyen and Talwar 2022.

    Examples
    --------
    >>> design = ProjectiveGeometryResponse(1024, field=3)
    >>> design.reports, design.block_size, design.meeting_size
    (1093, 364, 121)
    """

    name: ClassVar[str] = "projective-geometry-response/1"
    counting: ClassVar[Counting] = "projective"

    @property
    def dimension(self) -> int:
        """Number of coordinates of a point."""
        length = 2
        while _points(length, self.field) < self.options:
            length += 1
        return length

    @property
    def reports(self) -> int:
        """Number of points: (q**t - 1) / (q - 1) for prime q and t coordinates."""
        return _points(self.dimension, self.field)

    @property
    def block_size(self) -> int:
        """Number of points of a plane: the same with a coordinate less."""
        return _points(self.dimension - 1, self.field)

    @property
    def meeting_size(self) -> int:
        """Number of points that two planes share: the same with two coordinates less."""
        return _points(self.dimension - 2, self.field)

    def in_block(self, option: int, report: int) -> bool:
        """Return whether two points are orthogonal."""
        length, prime = self.dimension, self.field
        first, second = _point(option, prime, length), _point(report, prime, length)
        return not dot(first, second, prime)

    def member(self, option: int, place: int) -> int:
        """Return a point orthogonal to the option's: all coordinates but one are any point's."""
        return self._completed(option, _point(place, self.field, self.dimension - 1), product=0)

    def other(self, option: int, place: int) -> int:
        """Return another point: all coordinates but one are free when the product is to be 1."""
        return self._completed(option, to_digits(place, self.field, self.dimension - 1), product=1)

    def _completed(self, option: int, coordinates: Sequence[int], *, product: int) -> int:
        """Return the point with the coordinate that gives the product with the option's point.

        It stands where the option's point has its leading 1.
        """
        prime = self.field
        target = _point(option, prime, self.dimension)
        at = _leading(target)
        rest = dot(target[:at] + target[at + 1 :], coordinates, prime)
        return _number([*coordinates[:at], (product - rest) % prime, *coordinates[at:]], prime)


def _points(length: int, prime: int) -> int:
    """Return the number of points with this many coordinates."""
    return int((prime**length - 1) // (prime - 1))


def _point(number: int, prime: int, length: int) -> list[int]:
    """Return a point's coordinates: of those with equal ratios, the ones that lead with a 1.

    Points are numbered by the place of their leading 1, then by the coordinates before it. All
    places are gone through, wherever it stands: the time it takes does not tell.
    """
    at = sum(_points(place, prime) <= number for place in range(1, length))
    before = to_digits(number - _points(at, prime), prime, length)
    return [value + (place == at) for place, value in enumerate(before)]


def _leading(coordinates: list[int]) -> int:
    """Return the last place that is not 0."""
    return max(place * (value != 0) for place, value in enumerate(coordinates))


def _number(coordinates: list[int], prime: int) -> int:
    """Return the number of the point with coordinates in these ratios."""
    at = _leading(coordinates)
    scale = pow(coordinates[at], -1, prime)
    scaled = [value * scale % prime * (place < at) for place, value in enumerate(coordinates)]
    return _points(at, prime) + from_digits(scaled, prime)
