"""What each kind of question says in a survey file: the interface."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Protocol

from tossup.shared.kinds.base import Domain
from tossup.shared.mechanisms import Mechanism


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a survey file asks of a question's coins.

    Attributes
    ----------
    mechanism
        The name as survey files write it; None for the kind's own choice.
    odds
        Odds as a ratio, or an epsilon as a decimal.
    delta
        The chance for which the odds need not hold; None if the file does not say.
    memory, asked
        For mechanisms with a memo: the odds of the bits that a device keeps, and how many buckets
        are asked; None if the file does not say.
    selected
        For an unrelated question: how often a sample asks its own statement, where it asks one.
    """

    mechanism: str | None
    odds: Fraction | Decimal
    delta: Fraction | None = None
    memory: Fraction | None = None
    asked: int | None = None
    selected: Fraction | None = None


class AnswerKind(Protocol):
    """The ``answers`` of one question, read and not yet made into a domain."""

    @property
    def labels(self) -> Sequence[str]:
        """Labels of the options that the answers are made of, if the answers name any."""

    def domain(self, options: tuple[str, ...]) -> Domain:
        """Return the domain, given the ids of the question's options.

        Raises
        ------
        ManifestError
            If there is none such.
        """

    def mechanism(self, domain: Domain, wanted: Wanted) -> Mechanism:
        """Return the coins that a file asks for.

        Raises
        ------
        MechanismError
            If there are none such.
        """
