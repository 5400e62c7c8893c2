"""Questions about a vector: ``{vector = ["x", "y"], norm = 1}``, or ``moments`` for products."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from tossup.server.exact import exact
from tossup.server.kinds.base import Wanted
from tossup.server.kinds.choosing import vector as vector_designs
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import VectorMechanism
from tossup.shared.mechanisms.vectors.vector_laplace import MAX_DIMENSION

#: Steps that the norm has unless a file says otherwise. A coarse grid keeps the vector
#: mechanism's reports short; more entries than it takes have PrivUnit's, whatever the grid.
FEW_STEPS: Final = 32
MANY_STEPS: Final = 1024


@dataclass(frozen=True, slots=True)
class Vectors:
    """Labels of the components, norm, step if given, and whether products are asked for."""

    labels: Sequence[str]
    norm: Fraction
    step: Fraction | None
    moments: bool

    def domain(self, options: tuple[str, ...]) -> VectorAnswer:
        """Return the vectors with these components.

        Raises
        ------
        ManifestError
            If there are too few or too many, or the norm is not a whole number of steps.
        """
        if self.step is not None:
            return VectorAnswer(options, self.norm, self.step, self.moments)
        coarse = VectorAnswer(options, self.norm, Fraction(self.norm, FEW_STEPS), self.moments)
        if coarse.entries <= MAX_DIMENSION:
            return coarse
        return VectorAnswer(options, self.norm, Fraction(self.norm, MANY_STEPS), self.moments)

    def mechanism(self, domain: Domain, wanted: Wanted) -> VectorMechanism:
        """Return the design for as many entries as the domain has."""
        if not isinstance(domain, VectorAnswer):
            raise TypeError("vectors are chosen from a ball")
        return vector_designs.for_vector(
            domain.entries,
            domain.radius,
            wanted.mechanism,
            wanted.odds,
            wanted.delta,
            components=len(domain.components),
        )


def read_vector(value: Mapping[str, Any]) -> Vectors | None:
    """Return vectors with a norm, and a step if one is given; None for anything else."""
    return _read(value, "vector")


def read_moments(value: Mapping[str, Any]) -> Vectors | None:
    """Return vectors whose products are asked for as well; None for anything else."""
    return _read(value, "moments")


def _read(value: Mapping[str, Any], key: str) -> Vectors | None:
    rest = {name: part for name, part in value.items() if name not in {key, "norm", "step"}}
    labels = value[key]
    if rest or "norm" not in value or not isinstance(labels, list):
        return None
    if not all(isinstance(label, str) for label in labels):
        return None
    norm = exact(value["norm"])
    step = exact(value["step"]) if "step" in value else None
    return Vectors(labels, norm, step, key == "moments")
