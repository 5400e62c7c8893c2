"""What every mechanism is: a table of integer weights with a sampler that follows it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Self

from tossup.shared.coins import Coins
from tossup.shared.errors import AnswerError, MechanismError

Table = tuple[tuple[int, ...], ...]
Channel = tuple[tuple[Fraction, ...], ...]


class Mechanism(ABC):
    """A finite local mechanism: answers 0, ..., k - 1 in, reports out.

    Subclasses are frozen values. They give `weights` and a sampler, `_sample`, and tests prove
    by enumeration that the sampler follows the weights.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def weights(self) -> Table:
        """Integer weights: ``weights[answer][report]``, every row with the same sum."""

    @abstractmethod
    def _sample(self, answer: int, coins: Coins) -> int:
        """Return a report for a valid answer, without a branch on it."""

    @abstractmethod
    def spec(self) -> dict[str, object]:
        """Return the mechanism as it stands in a manifest (JSON types only)."""

    @classmethod
    @abstractmethod
    def from_spec(cls, parameters: Mapping[str, object], answers: int) -> Self:
        """Return the mechanism for a manifest's parameters (all keys but ``name``)."""

    @property
    def answers(self) -> int:
        """Number of answers; valid ones are 0, ..., answers - 1."""
        return len(self.weights)

    @property
    def reports(self) -> int:
        """Number of reports; possible ones are 0, ..., reports - 1."""
        return len(self.weights[0])

    def perturb(self, answer: int, coins: Coins | None = None) -> int:
        """Return the randomized report for an answer.

        Draws a number of random bytes that depends on the design alone, never on the answer.

        Parameters
        ----------
        answer
            The index of the true answer; exactly an ``int`` from 0 to ``answers - 1``.
        coins
            A fresh run of coins; the operating system's by default.

        Raises
        ------
        AnswerError
            If the answer is none of these. Nothing has been drawn then.
        """
        if type(answer) is not int or not 0 <= answer < self.answers:
            raise AnswerError(
                f"{self.name} takes the index of an answer, an int from 0 to {self.answers - 1}"
            )
        return self._sample(answer, Coins() if coins is None else coins)

    def channel(self) -> Channel:
        """Return the exact channel: ``channel[answer][report]`` = Pr[report | answer]."""
        return tuple(tuple(Fraction(w, sum(row)) for w in row) for row in self.weights)

    @property
    def odds(self) -> Fraction:
        """The exact guarantee: the largest Pr[y | x] / Pr[y | x'] over reports and answers.

        A report moves anyone's odds between two answers by at most this factor;
        epsilon = ln(odds) (Dwork and Roth 2014, definition 2.4, applied to one answer).
        """
        return max(Fraction(max(column), min(column)) for column in zip(*self.weights, strict=True))


def check_weights(weights: Table, limit: int) -> None:
    """Refuse a table that cannot be sampled, protects nobody, or tells nothing.

    Raises
    ------
    MechanismError
        If a weight is not a positive integer, rows differ in length or sum, the sum is above
        ``limit``, or all rows are equal.
    """
    if any(type(weight) is not int for row in weights for weight in row):
        raise MechanismError("weights must be integers: probabilities are ratios of integers")
    if any(weight < 1 for row in weights for weight in row):
        raise MechanismError(
            "weights must be positive: a report that some answer never gives would prove"
            " that this was not the answer"
        )
    if len({len(row) for row in weights}) != 1 or len({sum(row) for row in weights}) != 1:
        raise MechanismError("every row of weights must have the same length and the same sum")
    if sum(weights[0]) > limit:
        raise MechanismError(f"weights sum to {sum(weights[0])}; the limit is {limit}")
    if len(set(weights)) == 1:
        raise MechanismError(
            "every answer gives the same reports, so nothing can be estimated; choose odds above 1"
        )
