"""Questions about a number: ``{integers = [0, 10]}`` and ``{numbers = [0, 100], step = 0.5}``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tossup.server.exact import exact
from tossup.server.kinds.base import Wanted
from tossup.server.kinds.choosing import memo as memo_designs
from tossup.server.kinds.choosing import number as number_designs
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import GridMechanism


@dataclass(frozen=True, slots=True)
class Numbers:
    """Bounds, step, and whether answers are whole."""

    low: Fraction
    high: Fraction
    step: Fraction
    whole: bool

    @property
    def labels(self) -> Sequence[str]:
        """None: a number has no options."""
        return ()

    def domain(self, options: tuple[str, ...]) -> Grid:
        """Return the grid.

        Raises
        ------
        ManifestError
            If the question has options, or the bounds and the step do not fit each other.
        """
        if options:
            raise ManifestError("a number takes no options")
        return Grid(self.low, self.high, self.step, whole=self.whole)

    def mechanism(self, domain: Domain, wanted: Wanted) -> GridMechanism:
        """Return the design for the grid."""
        if not isinstance(domain, Grid):
            raise TypeError("numbers are chosen from a grid")
        if wanted.mechanism in memo_designs.NAMES and wanted.delta is None:
            return memo_designs.for_counter(
                domain, wanted.mechanism, wanted.odds, wanted.memory, wanted.asked
            )
        return number_designs.for_number(domain, wanted.mechanism, wanted.odds, wanted.delta)


def read_integers(value: Mapping[str, Any]) -> Numbers | None:
    """Return whole numbers from low to high; None if this is not what the table says."""
    match value:
        case {"integers": [low, high], **rest} if not rest and type(low) is type(high) is int:
            return Numbers(Fraction(low), Fraction(high), Fraction(1), whole=True)
    return None


def read_numbers(value: Mapping[str, Any]) -> Numbers | None:
    """Return numbers from low to high in steps; None if this is not what the table says."""
    match value:
        case {"numbers": [low, high], "step": step, **rest} if not rest:
            return Numbers(exact(low), exact(high), exact(step), whole=False)
    return None
