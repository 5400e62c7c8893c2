"""Groups of one question compared: do their shares differ, and which ones do?

Stage: estimate to page. The tests are on the raw reports where the coins are the same, as within
one question they are.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tossup.server.estimation import (
    EstimationError,
    ShareEstimate,
    Significance,
    compare_pairs,
    same_shares,
)
from tossup.server.estimation.pairwise import Pair

if TYPE_CHECKING:
    from tossup.server.results.values import Slice

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


def compare_groups(groups: Sequence["Slice"], confidence: float) -> tuple[Comparison, ...]:
    """Return the comparisons of all attributes and answers.

    Groups below the survey's minimum are left out; an attribute with fewer than two others has
    no comparison, and neither has an answer that all reports name, or none. Choices with more
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


def _answers(parts: Sequence["Slice"]) -> list[str]:
    """Return the answers that every group has an estimate of."""
    by_part = [[estimate.answer for estimate in part.estimates] for part in parts]
    common = [a for a in by_part[0] if all(a in ids for ids in by_part)] if by_part else []
    return common if len(common) <= MOST_ANSWERS else []


def _shares(parts: Sequence["Slice"], answer: str) -> dict[str, ShareEstimate]:
    """Return each group's share of an answer, where it is the number of reports that tells it."""
    shares = {
        part.option or "": next(e.share for e in part.estimates if e.answer == answer)
        for part in parts
    }
    return {option: share for option, share in shares.items() if isinstance(share, ShareEstimate)}


def _compare(
    attribute: str, answer: str, shares: dict[str, ShareEstimate], confidence: float
) -> Comparison:
    overall = same_shares(list(shares.values()))
    pairs = tuple(compare_pairs(shares, confidence)) if len(shares) <= MOST_GROUPS else ()
    return Comparison(attribute, answer, overall, pairs)
