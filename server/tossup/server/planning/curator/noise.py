"""The noise that a trusted curator adds, and how large it gets.

Every noise is a frozen value with its `standard_deviation` and its `error`: with probability
1 - beta, the largest of the errors of so many answers is at most that (one error for each answer,
by the union bound).
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import ceil, exp, expm1, floor, log, sqrt
from statistics import NormalDist
from typing import ClassVar

from tossup.server.planning.errors import PlanningError, count, positive, probability

#: Beyond this, e**epsilon leaves the floats, and nothing is private anyway.
LARGEST_EPSILON = 500


class Noise(ABC):
    """Noise around 0 that hides one person's part of an answer."""

    name: ClassVar[str]
    source: ClassVar[str]

    @property
    @abstractmethod
    def standard_deviation(self) -> float:
        """The square root of the noise's variance."""

    @abstractmethod
    def _error(self, beta: float) -> float:
        """Return the least a with Pr[|noise| > a] <= beta."""

    def error(self, beta: float, answers: int = 1) -> float:
        """Return alpha: all errors of so many answers stay within it with probability 1 - beta.

        Raises
        ------
        PlanningError
            If beta is not in (0, 1) or there is no answer.
        """
        return self._error(probability(beta, "beta") / count(answers, "answers"))


@dataclass(frozen=True, slots=True)
class Laplace(Noise):
    """Laplace noise of scale sensitivity / epsilon; error (sensitivity / epsilon) ln(1 / beta).

    >>> round(Laplace(1, 1).error(0.05, answers=10_000), 1)
    12.2
    """

    name: ClassVar = "laplace"
    source: ClassVar = "Dwork and Roth 2014, theorems 3.6 and 3.8"

    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        _check(self.sensitivity, self.epsilon)

    @property
    def scale(self) -> float:
        """The mean of the noise's absolute value."""
        return self.sensitivity / self.epsilon

    @property
    def standard_deviation(self) -> float:
        """The square root of 2 scale**2."""
        return sqrt(2) * self.scale

    def _error(self, beta: float) -> float:
        return -self.scale * log(beta)


@dataclass(frozen=True, slots=True)
class Geometric(Noise):
    """Two-sided geometric noise in whole steps: Pr[z steps] is proportional to a**|z|.

    a = exp(-epsilon step / sensitivity). Answers that are whole steps stay whole steps.
    """

    name: ClassVar = "geometric"
    source: ClassVar = "Ghosh, Roughgarden and Sundararajan 2012, definition 2.2"

    sensitivity: float
    epsilon: float
    step: float = 1

    def __post_init__(self) -> None:
        _check(self.sensitivity, self.epsilon)
        positive(self.step, "step")

    @property
    def ratio(self) -> float:
        """The chance of one step more, over that of one less."""
        return exp(-self.epsilon * self.step / self.sensitivity)

    @property
    def standard_deviation(self) -> float:
        """The square root of 2 a / (1 - a)**2, in steps."""
        lost = -expm1(-self.epsilon * self.step / self.sensitivity)
        return self.step * sqrt(2 * self.ratio) / lost

    def beyond(self, steps: int) -> float:
        """Return Pr[|noise| >= steps], steps >= 1."""
        return 2 * self.ratio**steps / (1 + self.ratio)

    def _error(self, beta: float) -> float:
        wanted = log(beta * (1 + self.ratio) / 2) * self.sensitivity / (self.epsilon * self.step)
        steps = max(0, ceil(-wanted) - 1)
        # The logarithm may have been a hair off a whole number.
        while self.beyond(steps + 1) > beta:
            steps += 1
        return self.step * steps


@dataclass(frozen=True, slots=True)
class Staircase(Noise):
    """Staircase noise: the least expected error of all noises added to one number.

    Its density falls by e**epsilon once per sensitivity, at the share gamma =
    1 / (1 + e**(epsilon / 2)) of each stair, which minimizes the expected absolute error.
    """

    name: ClassVar = "staircase"
    source: ClassVar = "Geng and Viswanath 2014, theorem 4"

    sensitivity: float
    epsilon: float

    def __post_init__(self) -> None:
        _check(self.sensitivity, self.epsilon)

    @property
    def gamma(self) -> float:
        """Where in each stair the density falls."""
        return 1 / (1 + exp(self.epsilon / 2))

    @property
    def standard_deviation(self) -> float:
        """From the moments of the stair (geometric) and of the place within it."""
        gamma, first = self.gamma, self._first
        kept, fallen = exp(-self.epsilon), -expm1(-self.epsilon)
        stairs, stairs_squared = kept / fallen, kept * (1 + kept) / fallen**2
        place = first * gamma / 2 + (1 - first) * (1 + gamma) / 2
        place_squared = first * gamma**2 / 3 + (1 - first) * (1 + gamma + gamma**2) / 3
        return self.sensitivity * sqrt(stairs_squared + 2 * stairs * place + place_squared)

    @property
    def _first(self) -> float:
        """The chance to be before the fall of a stair, given the stair."""
        return self.gamma / (self.gamma + exp(-self.epsilon) * (1 - self.gamma))

    def _error(self, beta: float) -> float:
        stair = floor(-log(beta) / self.epsilon)
        inside = (1 - beta * exp(stair * self.epsilon)) / -expm1(-self.epsilon)
        inside = min(max(inside, 0.0), 1.0)
        if inside <= self._first:
            place = self.gamma * inside / self._first
        else:
            place = self.gamma + (1 - self.gamma) * (inside - self._first) / (1 - self._first)
        return self.sensitivity * (stair + place)


@dataclass(frozen=True, slots=True)
class Gaussian(Noise):
    """Normal noise of a standard deviation; `gaussian` says how large it must be."""

    name: ClassVar = "gaussian"
    source: ClassVar = "Dwork and Roth 2014, theorem A.1"

    sigma: float

    def __post_init__(self) -> None:
        positive(self.sigma, "sigma")

    @property
    def standard_deviation(self) -> float:
        """Sigma."""
        return self.sigma

    def _error(self, beta: float) -> float:
        return -self.sigma * NormalDist().inv_cdf(beta / 2)


def noisy_max_gap(sensitivity: float, epsilon: float, options: int, beta: float) -> float:
    """Return how far below the largest the chosen of several counts is at most, but for beta.

    Report noisy max with Laplace noise of scale sensitivity / epsilon on counts that one person
    can only raise (or only lower): two errors of (sensitivity / epsilon) ln(options / beta). Where
    one person raises a count and lowers another, sensitivity is the sum of both.

    References
    ----------
    Dwork and Roth 2014, claim 3.9, with theorem 3.8 for the errors.
    """
    return 2 * Laplace(sensitivity, epsilon).error(beta, options)


def _check(sensitivity: float, epsilon: float) -> None:
    positive(sensitivity, "sensitivity")
    if positive(epsilon, "epsilon") > LARGEST_EPSILON:
        raise PlanningError(f"epsilon ({epsilon}) must be at most {LARGEST_EPSILON}")
