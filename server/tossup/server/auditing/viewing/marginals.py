"""How one component of a reported vector is distributed."""

from dataclasses import dataclass

from tossup.server.auditing.events import Chances


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """Probabilities of the digits of a report.

    Attributes
    ----------
    own
        Of the component along the axis of the largest answer on that axis; those of its negative
        are these in reverse.
    other
        Of a component that is 0 in the answer.
    both_up
        That two components that are 0 in the answer are both above the middle.
    error
        How far a sum of these may be off, in proportion.
    """

    own: Chances
    other: Chances
    both_up: float
    error: float
