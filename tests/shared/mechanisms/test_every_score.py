"""What a report counts for: exact scores whose mean is 1 for the answer and 0 for all others."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import small_designs

from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import MECHANISMS, Mechanism, RankedChoice
from tossup.shared.mechanisms.scores.ranked_choice import order_of

#: Cells of a channel that are gone through, of one design.
CELLS = 1 << 8
#: Designs of one mechanism that are gone through.
DESIGNS = 10
#: Readouts by which each report counts for a share by itself.
BY_THEMSELVES = {"named", "points", "asked", "cards", "samples"}


def small() -> Iterator[Mechanism]:
    """Yield small designs of every mechanism whose reports count by themselves."""
    orders = [RankedChoice((6, 4, 2)), RankedChoice((3, 1, 1)), RankedChoice((9, 7, 5, 3))]
    tried: Counter[str] = Counter()
    for mechanism in (*small_designs.of(Mechanism), *MECHANISMS["kuk/1"].examples(), *orders):
        few = mechanism.answers * mechanism.reports <= CELLS
        tried[mechanism.name] += few
        if (
            few
            and tried[mechanism.name] <= DESIGNS
            and mechanism.readout in BY_THEMSELVES
            and mechanism.answer_kind != "number"
        ):
            yield mechanism


def target(mechanism: Mechanism, answer: int, share: int) -> Fraction:
    """Return what the mean score of an answer for a share must be."""
    match mechanism.answer_kind:
        case "several":
            return Fraction(answer >> share & 1)
        case "ranking":
            rank = order_of(answer, mechanism.shares).index(share)
            return mechanism.points[rank]
    return Fraction(answer == share)


def test_mean_scores_are_the_answer():
    """Exactly, given every answer, over all reports of it."""
    tried = set()
    for mechanism in small():
        tried.add(mechanism.name)
        reports, shares = range(mechanism.reports), range(mechanism.shares)
        scores = [[mechanism.score(y, share) for y in reports] for share in shares]
        for answer in filter(mechanism.is_answer, range(mechanism.answers)):
            chances = [mechanism.probability(answer, y) for y in reports]
            for share in shares:
                mean = sum(p * s for p, s in zip(chances, scores[share], strict=True))
                said = f"{mechanism}: answer {answer} counts for {share}"

                assert (target(mechanism, answer, share), said) == (mean, said)

    assert len(tried) >= 15, tried


def test_a_variance_is_that_of_the_scores():
    """Of two answers, at every share: over people and coins, from the mean square of the scores."""
    for mechanism in small():
        if mechanism.answer_kind != "choice" or mechanism.answers != 2:
            continue
        try:
            scores = [mechanism.score(y, 1) for y in range(mechanism.reports)]
        except MechanismError:
            continue
        for share in (Fraction(0), Fraction(1, 3), Fraction(1)):
            chances = (
                (1 - share) * mechanism.probability(0, y) + share * mechanism.probability(1, y)
                for y in range(mechanism.reports)
            )
            square = sum(p * s**2 for p, s in zip(chances, scores, strict=True))

            assert square - share**2 == mechanism.variance_at(share), mechanism
