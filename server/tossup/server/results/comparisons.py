"""Groups of one question compared: do their shares differ, and which ones do?

Stage: estimate to page. The tests are on the raw reports where the coins are the same, as within
one question they are.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from tossup.server.estimation import (
    EstimationError,
    ShareEstimate,
    Significance,
    compare_pairs,
    same_shares,
)
from tossup.server.estimation.comparing.pairwise import Pair
from tossup.server.results.slices import Slice

#: Pairs of more groups are too many to read, and Bonferroni's intervals too wide to help.
MOST_GROUPS: Final = 10
#: Choices with more answers are not compared answer by answer.
MOST_ANSWERS: Final = 32


@dataclass(frozen=True, slots=True)
class Comparison:
    """The groups of one attribute, compared by the share of one answer.

    Attributes
    ----------
    attribute
        The public attribute's id.
    answer
        The answer's id.
    overall
        The test of "all groups have the same share".
    pairs
        Every two groups: the difference of their shares, first less second, with intervals that
        hold together and Holm's p-values. None for more than `MOST_GROUPS` groups.
    """

    attribute: str
    answer: str
    overall: Significance
    pairs: tuple[Pair, ...]


def compare_groups(groups: Sequence[Slice], confidence: float) -> tuple[Comparison, ...]:
    """Return the comparisons of all attributes and answers.

    Groups in which too few reports tell of an answer are left out; an answer with fewer than two
    others has no comparison, and neither has one that all reports name, or none. Choices with more
    than `MOST_ANSWERS` answers have none either, nor have answers whose share is told by other
    than the number of reports that name them.
    """
    found = []
    for attribute in dict.fromkeys(part.attribute or "" for part in groups):
        parts = [part for part in groups if part.attribute == attribute and part.estimates]
        for answer in _answers(parts):
            shares = _shares(parts, answer)
            with suppress(EstimationError):
                if shares:
                    found.append(_compare(attribute, answer, shares, confidence))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Differ:
    """What differs in one question, for sure: pairs of groups, and whether its share changed."""

    pairs: tuple[Pair, ...]
    changed: bool


def told_apart(
    families: Sequence[Sequence[Comparison]],
    level: float,
    changes: Sequence[float | None] | None = None,
) -> list[Differ]:
    """Return what differs in each question, for everything on a page together.

    A question's pairs, of all attributes and answers, are one family, tested by Holm's (1979)
    step-down method at an equal part of the level; so is the test whether its share changed
    (Bonferroni over families). So the chance that anything anywhere on the page is said to differ
    though it does not is at most ``level``.

    Parameters
    ----------
    families
        The comparisons of each question; of some none.
    level
        The chance to be wrong anywhere, in (0, 1).
    changes
        The p-value of "nothing changed" of each question; None where there is no test.
    """
    chances = changes or [None] * len(families)
    compared = sum(any(found.pairs for found in family) for family in families)
    tests = compared + sum(chance is not None for chance in chances)
    part = level / max(1, tests)
    return [
        Differ(tuple(_holm(family, part)), chance is not None and chance <= part)
        for family, chance in zip(families, chances, strict=True)
    ]


def _holm(family: Sequence[Comparison], level: float) -> list[Pair]:
    pairs = [pair for found in family for pair in found.pairs]
    differ = []
    for at, pair in enumerate(sorted(pairs, key=lambda pair: pair.p_value)):
        if pair.p_value > level / (len(pairs) - at):
            break
        differ.append(pair)
    return differ


def _answers(parts: Sequence[Slice]) -> list[str]:
    """Return the answers that some group has an estimate of, in order; none of too many."""
    told = {estimate.answer for part in parts for estimate in part.estimates}
    known = parts[0].question.answer_ids if parts else ()
    return [answer for answer in known if answer in told] if len(told) <= MOST_ANSWERS else []


def _shares(parts: Sequence[Slice], answer: str) -> dict[str, ShareEstimate]:
    """Return each group's share of an answer, where it is the number of reports that tells it.

    None for fewer than two groups.
    """
    shares = {
        part.option or "": estimate.share
        for part in parts
        for estimate in part.estimates
        if estimate.answer == answer and isinstance(estimate.share, ShareEstimate)
    }
    return shares if len(shares) > 1 else {}


def _compare(
    attribute: str, answer: str, shares: dict[str, ShareEstimate], confidence: float
) -> Comparison:
    overall = same_shares(list(shares.values()))
    pairs = tuple(compare_pairs(shares, confidence)) if len(shares) <= MOST_GROUPS else ()
    return Comparison(attribute, answer, overall, pairs)
