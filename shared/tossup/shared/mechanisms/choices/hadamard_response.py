"""Hadamard response: a report is a place in a row of signs."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.choices.oracle import BlockOracle


@dataclass(frozen=True, slots=True)
class HadamardResponse(BlockOracle):
    """Send a place of Sylvester's matrix, more likely where the true option's row has a plus.

    Option x has row x + 1 of the smallest matrix with more than k rows; the sign at place y is
    the parity of the common bits of x + 1 and y. Any two rows agree at half of the places, so
    that q = 1/2.

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    keep, lie
        Positive integers, keep > lie; half the number of places times keep + lie at most 2**32.

    References
    ----------
    Acharya, Sun and Zhang 2019, the high-privacy form.

    Examples
    --------
    >>> HadamardResponse(16).reports, HadamardResponse(16).rates
    (32, (Fraction(1, 2), Fraction(3, 4)))
    """

    name: ClassVar[str] = "hadamard-response/1"
    counting: ClassVar[Counting] = "hadamard"
    example_fields = ((2, 3, 1), (16, 3, 1), (100, 5, 2), (1024, 9, 1))
    options: int
    keep: int = 3
    lie: int = 1

    def __post_init__(self) -> None:
        self._check()

    @classmethod
    def from_odds(cls, odds: Fraction, options: int) -> Self:
        """Return the design with exactly these odds."""
        return cls(options, *odds.as_integer_ratio())

    @property
    def reports(self) -> int:
        """The smallest power of two above the number of options."""
        return 1 << self.options.bit_length()

    @property
    def block_size(self) -> int:
        """Half of the places: every row but the first has as many pluses as minuses."""
        return self.reports // 2

    @property
    def meeting_size(self) -> int:
        """A quarter of the places: rows are orthogonal."""
        return self.reports // 4

    def in_block(self, option: int, report: int) -> bool:
        """Return whether the row has a plus at this place."""
        return not _parity(option + 1, report)

    def member(self, option: int, place: int) -> int:
        """Return a place with a plus."""
        return _with_parity(option + 1, place, 0)

    def other(self, option: int, place: int) -> int:
        """Return a place with a minus."""
        return _with_parity(option + 1, place, 1)


def _parity(row: int, place: int) -> int:
    return (row & place).bit_count() & 1


def _with_parity(row: int, place: int, parity: int) -> int:
    """Return a number with the given parity of bits in common with a row.

    All bits but one are those of ``place``; the row's lowest bit then decides the parity.
    """
    low = row & -row
    spread = place + (place & -low)  # make room for the lowest bit: the bits above it move up
    return spread | low * (_parity(row, spread) ^ parity)
