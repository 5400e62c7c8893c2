"""Local hashing: hash the answer with a public random function, then randomize the hash."""

from dataclasses import dataclass
from typing import ClassVar

from tossup.shared.mechanisms.base import Counting
from tossup.shared.mechanisms.choices.oracle import PrimeFieldOracle, dot
from tossup.shared.mechanisms.digits import to_digits


@dataclass(frozen=True, slots=True)
class LocalHashing(PrimeFieldOracle):
    """Send a random linear hash function, and the answer's hash kept with weight ``keep``.

    An option is a vector of digits modulo the prime ``field``, a function its inner product with
    another vector. Two options collide under exactly 1 / field of the functions, so that p and q
    are exact, which they are not for the usual hashes of bytes.

    Parameters
    ----------
    options
        Number of options k, from 2 to 1024.
    field
        A prime of at most 1021: the number of hash values.
    keep, lie
        Positive integers, keep > lie; all weights together at most 2**32.

    References
    ----------
    Bassily and Smith 2015; Wang, Blocki, Li and Jha 2017, section 4.4.

    Examples
    --------
    >>> LocalHashing(1024, field=5).rates
    (Fraction(1, 5), Fraction(3, 7))
    """

    name: ClassVar[str] = "local-hashing/1"
    counting: ClassVar[Counting] = "hashes"

    @property
    def dimension(self) -> int:
        """Number of digits of an option."""
        length = 1
        while self.field**length < self.options:
            length += 1
        return length

    @property
    def block_size(self) -> int:
        """Number of functions: each gives the option one hash."""
        return int(self.field**self.dimension)

    @property
    def reports(self) -> int:
        """Functions times hashes: report = function x field + hash."""
        return self.block_size * self.field

    @property
    def meeting_size(self) -> int:
        """Number of functions under which two options collide."""
        return self.block_size // self.field

    def in_block(self, option: int, report: int) -> bool:
        """Return whether the function gives the option this hash."""
        function, found = divmod(report, self.field)
        return self._hash(function, option) == found

    def member(self, option: int, place: int) -> int:
        """Return a function, and the option's hash by it."""
        return place * self.field + self._hash(place, option)

    def other(self, option: int, place: int) -> int:
        """Return a function, and another hash."""
        function, shift = divmod(place, self.field - 1)
        return function * self.field + (self._hash(function, option) + 1 + shift) % self.field

    def _hash(self, function: int, option: int) -> int:
        prime, length = self.field, self.dimension
        return dot(to_digits(function, prime, length), to_digits(option, prime, length), prime)
