"""A preference order: ``answers = {ranking = ["Bus", "Tram", "Bike"]}``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import hypot
from typing import Any, ClassVar

from tossup.server.estimation import estimate_answers
from tossup.server.kernels.tossing.draws import spread
from tossup.server.kinds.base import Kind, Moved, Wanted, own
from tossup.server.kinds.choice import variance_by_naming
from tossup.server.kinds.choosing import named
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Population, of_answers
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, lines
from tossup.server.kinds.told.shares import PointsTold
from tossup.shared.errors import ManifestError, MechanismError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.mechanisms import Mechanism, RankedChoice, ScoredChoice
from tossup.shared.mechanisms.scores.ranked_choice import index_of, order_of
from tossup.shared.survey import Question


@dataclass(frozen=True, slots=True)
class Ranked:
    """Labels of the options that are ordered, and the scores of the ranks, if any are given."""

    labels: Sequence[str]
    scores: tuple[int, ...] | None

    def domain(self, options: tuple[str, ...]) -> Ranking:
        """Return all orders of the options.

        Raises
        ------
        ManifestError
            If there are too few or too many options, or the scores are not one a rank.
        """
        if self.scores is not None and len(self.scores) != len(options):
            raise ManifestError(
                f"scores must be one a rank, best first: {len(options)} for {len(options)} options"
            )
        return Ranking(options)

    def mechanism(self, domain: Domain, wanted: Wanted) -> Mechanism:
        """Return weights by rank: in equal steps, for first ranks, or from scores."""
        options, name = len(domain.options), wanted.mechanism or "linear"
        kind = named.for_kind(Orders.name).get(name)
        if kind is not None and issubclass(kind, ScoredChoice):
            odds = named.odds_asked(kind.odds_within, wanted.odds, options, wanted.part)
            scores = self.scores or tuple(range(options - 1, -1, -1))
            return RankedChoice.for_scores(kind, scores, odds)
        if kind is not None and self.scores is not None:
            raise MechanismError(f"mechanism {name} has its own scores; leave scores out")
        part = {**wanted.part, "mechanism": name}
        return named.make(Orders.name, wanted.odds, options, part, "an order")


class Orders(Kind):
    """Questions about an order of options, best first; the truth is a list of equally common ones.

    What is estimated are the mean points of every option.
    """

    name = "ranking"
    plural = "orders"
    answered_by = "order"
    told = PointsTold
    tables: ClassVar = {"ranking": '{ranking = ["Bus", "Tram", "Bike"]}'}
    forms: ClassVar = (
        Form("ranking", (Field("scores", ("scores",), "numbers", is_needed=False),), "ranking"),
    )
    unit = "points"

    def choices(self, question: Question) -> str:
        """Return that the options are ordered."""
        return f"an order of {super().choices(question)}"

    def read(self, key: str, table: Mapping[str, Any]) -> Ranked | None:
        """Return the options to order; None if this is not what the table says.

        Options with ids of their own are given as option tables, and ``ranking = true`` here.
        """
        scores = table.get("scores")
        if set(table) - {key, "scores"} or not (scores is None or _is_integers(scores)):
            return None
        by_rank = None if scores is None else tuple(scores)
        match table[key]:
            case True:
                return Ranked((), by_rank)
            case [*labels] if labels and all(isinstance(label, str) for label in labels):
                return Ranked(labels, by_rank)
        return None

    def estimator_of(self, mechanism: Mechanism) -> dict[str, object]:
        """Return what each rank counts for as well, best first."""
        points = [str(point) for point in own(RankedChoice, mechanism).points]
        return super().estimator_of(mechanism) | {"points": points}

    def spread(self, mechanism: Mechanism, share: Fraction) -> dict[str, object]:
        """Return n times the variance of an option's mean points, for the population."""
        return {"points": str(mechanism.variance_at(share))}

    def audited(self, mechanism: Mechanism) -> list[int]:
        """Return orders in which all options have all ranks, and neighbours change places."""
        plain = list(range(mechanism.shares))
        turned = [plain[start:] + plain[:start] for start in plain]
        swapped = [
            [*plain[:place], plain[place + 1], plain[place], *plain[place + 2 :]]
            for place in plain[:-1]
        ]
        every = [*turned, *(order[::-1] for order in turned), *swapped]
        return sorted({index_of(order) for order in every})

    def why(self, question: Question) -> str:  # noqa: ARG002
        """Return nothing: weights by rank are a choice of what to ask, not of the best coins."""
        return ""

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of an option's mean points."""
        return variance_by_naming(mechanism)

    def moved(self, question: Question) -> Moved:
        """Return that somebody turns an order round, which moves points farthest in sum."""
        points = [float(point) for point in own(RankedChoice, question.mechanism).points]
        far = [abs(a - b) for a, b in zip(points, reversed(points), strict=True)]
        return Moved(sum(far), hypot(*far), len(points))

    def estimated(self, question: Question) -> tuple[str, None]:  # noqa: ARG002
        """Return that mean points are estimated."""
        return "each option's mean points", None

    def example_of_truth(self, question: Question) -> str:
        """Return one order."""
        return ">".join(question.answer_ids)

    def read_truth(self, question: Question, written: str) -> list[tuple[str, ...]]:  # noqa: ARG002
        """Return orders, best first: ``a>b>c,b>a>c``."""
        return [tuple(order.split(">")) for order in written.split(",")]

    def people(self, question: Question, truth: Sequence[Sequence[str]]) -> Population:
        """Return the population in which these orders are equally common."""
        return of_answers(question, truth)

    def simulate(
        self, question: Question, truth: Sequence[Sequence[str]], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true mean points of every option beside their estimates."""
        mechanism = own(RankedChoice, question.mechanism)
        places = [question.domain.place(order) for order in truth]
        held = [order_of(place, mechanism.options) for place in places if isinstance(place, int)]
        if len(held) < len(places):
            raise ValueError(f"question {question.id!r} takes {question.domain.example}")
        truths = {
            f"{question.id}/{name}": _mean([mechanism.points[each.index(at)] for each in held])
            for at, name in enumerate(question.answer_ids)
        }
        return lines(truths, [_estimated(mechanism, held, n) for _ in range(runs)])


def _mean(numbers: Sequence[Fraction]) -> float:
    return float(sum(numbers, Fraction(0)) * Fraction(1, len(numbers)))


def _estimated(mechanism: RankedChoice, held: Sequence[tuple[int, ...]], n: int) -> list[Found]:
    found = estimate_answers(_tally(mechanism, held, n), mechanism)
    return [(points.value, points.interval(0.95, "score")) for points in found]


def _tally(mechanism: RankedChoice, held: Sequence[tuple[int, ...]], n: int) -> tuple[int, ...]:
    """Return the tally of n respondents, each with one of some orders at random."""
    tally = [0] * mechanism.counters
    for order, respondents in zip(held, spread([1] * len(held), n).tolist(), strict=True):
        by_rank = spread(mechanism.by_rank, respondents).tolist() if respondents else []
        for rank, count in enumerate(by_rank):
            tally[order[rank]] += count
    return tuple(tally)


def _is_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(score) is int for score in value)
