"""A vector: ``answers = {vector = ["x", "y"], norm = 1}``, or ``moments`` for products."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, ClassVar, Final, cast

import numpy as np

from tossup.server.estimation import estimate_vector
from tossup.server.estimation.vectors.moments import component_variance, widest_component_variance
from tossup.server.exact import exact
from tossup.server.kernels import Column
from tossup.server.kernels.tossing.rounding import rounded
from tossup.server.kernels.vectors import VectorKernel
from tossup.server.kinds.base import Moved, Sought, UnlistedKind, Wanted, numbers, own
from tossup.server.kinds.choosing import shown_vector
from tossup.server.kinds.choosing import vector as choosing
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Indexes, Population, of_answers
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, draw_answers, lines
from tossup.server.kinds.told.vectors import VectorTold, pair_name
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import Mechanism, VectorMechanism
from tossup.shared.mechanisms.vectors.vector_laplace import MAX_DIMENSION
from tossup.shared.survey import Question

#: Steps that the norm has unless a file says otherwise. A coarse grid keeps the vector
#: mechanism's reports short; more entries than it takes have PrivUnit's, whatever the grid.
FEW_STEPS: Final = 32
MANY_STEPS: Final = 1024
#: Respondents times runs: a thousand of them take up to 0.3 seconds.
MOST_TOSSES: Final = 1_000_000
#: Respondents who are tossed at once.
_BATCH: Final = 1 << 14

_FIELDS: Final = (
    Field("norm", ("norm",), planned="1"),
    Field("step", ("step",), is_needed=False),
)


@dataclass(frozen=True, slots=True)
class Ball:
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
        ball = own(VectorAnswer, domain)
        delta, components = wanted.part.get("delta"), len(ball.components)
        shape = ball.entries, ball.radius
        return choosing.for_vector(
            *shape, wanted.mechanism, wanted.odds, delta, components=components
        )


class Vector(UnlistedKind):
    """Questions about a vector; the truth is the numbers of equally common answers.

    They stand one after the other, as many an answer as there are components. Longer than the norm
    answers are scaled to it, in the truth as well.
    """

    name = "vector"
    plural = "vectors"
    answered_by = "vector"
    listed_for = 65**2  # two components of 65 points
    told = VectorTold
    estimator = "average of the reported vectors times a constant, unbiased for every answer"
    tables: ClassVar = {
        "vector": '{vector = ["x", "y"], norm = 1}',
        "moments": '{moments = ["x", "y"], norm = 1}',
    }
    forms: ClassVar = (Form("vector", _FIELDS, "vector"), Form("moments", _FIELDS, "moments"))
    unit = "number"

    def choices(self, question: Question) -> str:
        """Return the components, and how long an answer is at most."""
        domain = question.domain
        products = ", and their products" if domain.field == "moments" else ""
        names, norm = ", ".join(question.answer_ids), domain.to_json()["norm"]
        return f"numbers for {names}{products}; longer than {norm} count as that long"

    def read(self, key: str, table: Mapping[str, Any]) -> Ball | None:
        """Return vectors with a norm, and a step if one is given; with or without products.

        Components with ids of their own are given as option tables, and ``true`` here.
        """
        rest = {name: part for name, part in table.items() if name not in {key, "norm", "step"}}
        labels = [] if table[key] is True else table[key]
        if rest or "norm" not in table or not isinstance(labels, list):
            return None
        if not all(isinstance(label, str) for label in labels):
            return None
        step = exact(table["step"]) if "step" in table else None
        return Ball(tuple(labels), exact(table["norm"]), step, moments=key == "moments")

    def answers(self, question: Question, language: str) -> list[tuple[str, str]]:
        """Return the components, then the pairs whose covariance is asked for."""
        ids, pairs = _vector(question).components, _vector(question).pairs
        listed = super().answers(question, language)
        return listed + [(pair_name(ids[i], ids[j]), "") for i, j in pairs]

    def why(self, question: Question) -> str:
        """Return why the mean of a component has the least variance."""
        components = len(_vector(question).components)
        return choosing.why(_of_vectors(question.mechanism), components=components)

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the variance of a component's mean by the coins, in squared ranges."""
        found = _of_vectors(mechanism)
        return component_variance(found) / (2 * found.radius) ** 2

    def widest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the variance of a component's mean, of people at both its ends."""
        found = _of_vectors(mechanism)
        return widest_component_variance(found) / (2 * found.radius) ** 2

    def work(self, mechanism: Mechanism) -> int:
        """Return how many entries there are: components, and products where they are asked for."""
        return _of_vectors(mechanism).dimension

    def spread(self, mechanism: Mechanism, share: Fraction) -> dict[str, object]:  # noqa: ARG002
        """Return n times the variance of a component's mean, in squared norms."""
        found = _of_vectors(mechanism)
        return {"component": component_variance(found) / found.radius**2}

    def ways(self, mechanism: Any, sought: Sought) -> Sequence[Callable[[], Mechanism]]:
        """Return how it is made for boxes of so many points."""
        return shown_vector.ways(mechanism, sought.answers, sought.odds, sought.delta)

    def by_parameters(
        self, mechanism: type[Mechanism], parameters: Mapping[str, object], sought: Sought
    ) -> Mechanism | None:
        """Return the design of a ``dimension`` and a ``radius``, the norm in steps."""
        return shown_vector.by_norm(mechanism, parameters, sought.odds, sought.delta)

    def how_to_ask(self, mechanism: type[Mechanism], sought: Sought) -> str:
        """Return the command: the number of a vector's points says too little."""
        return shown_vector.how_to_ask(mechanism, sought.odds, sought.delta)

    def estimated(self, question: Question) -> tuple[str, Fraction]:
        """Return that means are estimated, and twice the norm."""
        return "each component's mean", Fraction(2 * _vector(question).norm)

    def moved(self, question: Question) -> Moved:
        """Return that somebody moves across the ball; a range is twice its norm."""
        components = len(_vector(question).components)
        return Moved(sqrt(components), 1, components)

    def example_of_truth(self, question: Question) -> str:
        """Return the answer of zeros."""
        return ",".join(["0"] * len(question.options))

    def read_truth(self, question: Question, written: str) -> Sequence[Fraction]:  # noqa: ARG002
        """Return the numbers of all answers, one after the other."""
        return numbers(written)

    def people(self, question: Question, truth: Sequence[Fraction]) -> Population:
        """Return the population in which these answers are equally common."""
        return of_answers(question, _answers(question, truth))

    def toss(self, question: Question, places: Sequence[Place], held: Indexes) -> Column:
        """Return reports of answers each entry of which is rounded at random."""
        return _tossed(question, places, held)

    def simulate(
        self, question: Question, truth: Sequence[Fraction], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true mean of every component beside its estimate, and covariances if asked."""
        if n * runs > MOST_TOSSES:
            raise ValueError(
                f"respondents times runs ({n * runs}) must be at most {MOST_TOSSES} for vectors"
            )
        vector = _vector(question)
        answers = [vector.clipped(answer) for answer in _answers(question, truth)]
        truths = {f"{question.id}/{name}": true for name, true in _truths(answers, vector).items()}
        return lines(truths, [_estimated(answers, question, n) for _ in range(runs)])


def _vector(question: Question) -> VectorAnswer:
    return own(VectorAnswer, question.domain)


def _of_vectors(mechanism: Mechanism) -> VectorMechanism:
    if not isinstance(mechanism, VectorMechanism):
        raise TypeError(f"{mechanism.name} is not for vectors")
    return mechanism


def _answers(question: Question, given: Sequence[Fraction]) -> list[tuple[Fraction, ...]]:
    size = len(_vector(question).components)
    if not given or len(given) % size:
        raise ValueError(
            f"question {question.id!r} takes {size} numbers an answer, one answer after the other"
        )
    return [tuple(given[start : start + size]) for start in range(0, len(given), size)]


def _truths(answers: Sequence[tuple[Fraction, ...]], vector: VectorAnswer) -> dict[str, float]:
    """Return the means of components, then the covariances of the pairs asked for."""
    columns = list(zip(*answers, strict=True))
    means = [sum(column, Fraction(0)) * Fraction(1, len(column)) for column in columns]
    truths = {name: float(mean) for name, mean in zip(vector.components, means, strict=True)}
    for i, j in vector.pairs:
        products = [a * b for a, b in zip(columns[i], columns[j], strict=True)]
        product = sum(products, Fraction(0)) * Fraction(1, len(products))
        name = f"{vector.components[i]}:{vector.components[j]}"
        truths[name] = float(product - means[i] * means[j])
    return truths


def _tossed(question: Question, places: Sequence[Place], held: Indexes) -> Column:
    """Return a report for each respondent; see `Vector.toss`."""
    entries = zip(*cast("Sequence[tuple[Fraction, ...]]", places), strict=True)
    points = np.stack([rounded(entry, held) for entry in entries], axis=1)
    return VectorKernel(_of_vectors(question.mechanism)).perturb_points(points)


def _estimated(answers: Sequence[tuple[Fraction, ...]], question: Question, n: int) -> list[Found]:
    """Return what n respondents drawn from the population, freshly tossed, are estimated to be."""
    vector, mechanism = _vector(question), _of_vectors(question.mechanism)
    places = [place for answer in answers if (place := vector.place(answer)) is not None]
    counts = draw_answers([Fraction(1, len(places))] * len(places), n)
    kernel, tally = VectorKernel(mechanism), np.zeros(mechanism.counters, dtype=np.int64)
    held = np.repeat(np.arange(len(places)), counts)
    for start in range(0, n, _BATCH):
        tally += kernel.count(_tossed(question, places, held[start : start + _BATCH]))
    counted = tuple(tally.tolist())
    found = estimate_vector(counted, mechanism, vector)
    entries = found.means + (found.covariance.entries if found.covariance else ())
    return [(entry.value, entry.interval) for entry in entries]
