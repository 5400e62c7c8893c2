"""What reports tell of a vector: the means of its components, and their covariance if asked."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import cast

from tossup.server.estimation import (
    CovarianceEstimate,
    EntryEstimate,
    VectorEstimate,
    estimate_vector,
    vector_p_value,
)
from tossup.server.estimation.comparing.change import Measured, of_answers
from tossup.server.kinds.told.base import Json, Told, ToldLine, estimated
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import VectorMechanism


@dataclass(frozen=True)
class VectorTold(Told):
    """Means of components, each with an interval of its own and one for all together."""

    @property
    def domain(self) -> VectorAnswer:
        """The vectors that the question takes."""
        return cast("VectorAnswer", self.question.domain)

    @property
    def norm(self) -> Fraction:
        """The largest norm of an answer."""
        return self.domain.norm

    @cached_property
    def vector(self) -> VectorEstimate | None:
        """The means, and the covariance where products are asked for; None when suppressed."""
        if self.suppressed:
            return None
        mechanism = cast("VectorMechanism", self.question.mechanism)
        return estimate_vector(self.counts, mechanism, self.domain, self.confidence)

    @property
    def covariance_of_components(self) -> CovarianceEstimate | None:
        """That of the components; None when suppressed, and where products are not asked for."""
        return self.vector.covariance if self.vector else None

    @property
    def lines(self) -> tuple[ToldLine, ...]:
        """A line a component."""
        means = self.vector.means if self.vector else ()
        return tuple(
            ToldLine(
                mean.names[0], {"statistic": "mean", "component": mean.names[0], **_joint(mean)}
            )
            for mean in means
        )

    @property
    def entries(self) -> tuple[ToldLine, ...]:
        """A line an entry of the covariance."""
        found = self.covariance_of_components
        return tuple(
            ToldLine(
                pair_name(*entry.names),
                {"statistic": "covariance", "components": list(entry.names), **_joint(entry)},
            )
            for entry in (found.entries if found else ())
        )

    def to_json(self) -> Json:
        """Return the covariance and the nearest possible one, where products are asked for."""
        found = self.covariance_of_components
        if not self.domain.moments:
            return {}
        if found is None:
            return {"covariance": None}
        view = {
            "view": "nearest-positive-semidefinite",
            "matrix": [list(row) for row in found.projected],
        }
        entries = [entry.to_json() for entry in self.entries]
        return {"covariance": {"entries": entries, "view": view}}

    @property
    def measured(self) -> dict[str, Measured]:
        """The mean of every component."""
        return {mean.names[0]: mean for mean in self.vector.means} if self.vector else {}

    @property
    def covariance_of_waves(self) -> float:
        """That of components of vectors within the norm."""
        return of_answers(2 * float(self.domain.norm))

    @property
    def design_p_value(self) -> float | None:
        """That of a mean so far outside its bounds."""
        return vector_p_value(self.vector, self.domain) if self.vector else None


def pair_name(first: str, second: str) -> str:
    """Return what the covariance of two components is called."""
    return f"covariance of {first} and {second}"


def _joint(entry: EntryEstimate) -> Json:
    joint = entry.joint
    together = {"joint_low": joint.low, "joint_high": joint.high, "intervals": joint.intervals}
    return {**estimated(entry), **together}
