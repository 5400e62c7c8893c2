"""Questions about a preference order: ``{ranking = ["Bus", "Tram", "Bike"]}``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from tossup.server.kinds.base import Wanted
from tossup.server.kinds.choosing import scored as scored_designs
from tossup.shared.errors import ManifestError, MechanismError
from tossup.shared.figures import brief
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.ranking import Ranking
from tossup.shared.mechanisms import RankedChoice
from tossup.shared.odds import largest_odds

#: Weights by rank as survey files name them, beside the ways to choose by score.
MAKERS: Final[Mapping[str, Callable[[int, Fraction], RankedChoice]]] = {
    "linear": RankedChoice.linear,
    "first": RankedChoice.first,
}

_WEIGHT_LIMIT: Final = 1 << 14


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

    def mechanism(self, domain: Domain, wanted: Wanted) -> RankedChoice:
        """Return weights by rank: in equal steps, for first ranks, or from scores."""
        options, odds, name = len(domain.options), wanted.odds, wanted.mechanism or "linear"
        if isinstance(odds, Decimal):
            odds = largest_odds(odds, limit=_WEIGHT_LIMIT)
        if odds <= 1:
            raise MechanismError(
                f"odds ({brief(odds)}) must be above 1: at 1 every order looks the same"
            )
        if name in MAKERS:
            if self.scores is not None:
                raise MechanismError(f"mechanism {name} has its own scores; leave scores out")
            return MAKERS[name](options, odds)
        kind = scored_designs.MAKERS.get(name)
        if kind is None:
            known = ", ".join((*MAKERS, *scored_designs.MAKERS))
            raise MechanismError(f"mechanism {name} does not fit an order; use one of {known}")
        scores = self.scores or tuple(range(options - 1, -1, -1))
        return RankedChoice.for_scores(kind, scores, odds)


def read_ranking(value: Mapping[str, Any]) -> Ranked | None:
    """Return the options to order; None if this is not what the table says.

    Options with ids of their own are given as option tables, and ``ranking = true`` here.
    """
    scores = value.get("scores")
    if set(value) - {"ranking", "scores"} or not (scores is None or _is_integers(scores)):
        return None
    by_rank = None if scores is None else tuple(scores)
    match value["ranking"]:
        case True:
            return Ranked((), by_rank)
        case [*labels] if labels and all(isinstance(label, str) for label in labels):
            return Ranked(labels, by_rank)
    return None


def _is_integers(value: object) -> bool:
    return isinstance(value, list) and all(type(score) is int for score in value)
