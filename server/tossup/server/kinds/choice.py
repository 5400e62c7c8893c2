"""One of some options: ``answers = ["Bus", "Tram"]``, whichever mechanism asks."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import ClassVar, Final

from tossup.server.estimation import estimate_answers
from tossup.server.kinds.base import Kind, Moved, numbers
from tossup.server.kinds.choosing import choice as choosing
from tossup.server.kinds.choosing import paper, scored
from tossup.server.kinds.editing.forms import Form
from tossup.server.kinds.made_up.people import Population, of_options
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, draw_answers, lines, tally
from tossup.server.kinds.told.base import Told
from tossup.server.kinds.told.shares import ChoiceTold
from tossup.shared.mechanisms import Kuk, Mechanism, RandomizedResponse
from tossup.shared.mechanisms.base import Channel
from tossup.shared.survey import Question

INVERSE_ESTIMATOR: Final = "average of what each report counts for, by the inverse of the channel"
CARDS_ESTIMATOR: Final = "likeliest share given how many reports have each number of red cards"
#: How shares are worked out where a report says something of every answer, by the readout.
_ESTIMATORS: Final[Mapping[str, str]] = {"scores": INVERSE_ESTIMATOR, "cards": CARDS_ESTIMATOR}


class Choice(Kind):
    """Questions of which one option is answered; the truth is a share of each."""

    name = "choice"
    plural = "choices"
    told: ClassVar[type[Told]] = ChoiceTold
    forms: ClassVar = (Form("choice", labels=""),)

    def estimator_of(self, mechanism: Mechanism) -> dict[str, object]:
        """Return how shares are worked out of names, of scores, or of cards."""
        return {"estimator": _ESTIMATORS.get(mechanism.readout, self.estimator)}

    def naming(self, mechanism: Mechanism) -> Sequence[Channel] | None:
        """Return None for cards and scores, of which each report says something of every answer."""
        return None if mechanism.readout in _ESTIMATORS else super().naming(mechanism)

    def why(self, question: Question) -> str:
        """Return why the mechanism has the least variance; of one from paper, what it is."""
        mechanism = question.mechanism
        if isinstance(mechanism, RandomizedResponse):
            return paper.what_it_costs(mechanism)
        best = choosing.choose(mechanism.odds, len(question.options))
        return best.why if best.chosen.mechanism == mechanism else ""

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of a share."""
        if mechanism.readout == "scores":
            return scored.share_variance(mechanism)
        if isinstance(mechanism, Kuk):
            return float(mechanism.largest_variance)
        return variance_by_naming(mechanism)

    def moved(self, question: Question) -> Moved:
        """Return that one option loses somebody and another one gains somebody."""
        return Moved(2, sqrt(2), len(question.options), is_whole=True)

    def work(self, mechanism: Mechanism) -> int:
        """Return that the likeliest share of cards is searched for."""
        return 8 if mechanism.readout == "cards" else super().work(mechanism)

    def check_tells(self, mechanism: Mechanism) -> None:
        """Refuse scores by which some answer's reports are a mixture of other answers'."""
        if mechanism.readout == "scores":
            scored.check_tells_shares(mechanism)

    def example_of_truth(self, question: Question) -> str:
        """Return equal shares."""
        count = len(question.options)
        return ",".join([f"1/{count}"] * count)

    def read_truth(self, question: Question, written: str) -> Sequence[Fraction]:  # noqa: ARG002
        """Return the shares."""
        return numbers(written)

    def people(self, question: Question, truth: Sequence[Fraction]) -> Population:
        """Return the population with these shares of the options."""
        return of_options(_all_shares(question, truth))

    def simulate(
        self, question: Question, truth: Sequence[Fraction], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true share of every option beside its estimate; the shares sum to 1."""
        shares, mechanism = _all_shares(question, truth), question.mechanism
        found = [_estimated(mechanism, shares, n) for _ in range(runs)]
        return lines(self._told(question, shares), [self._shown(each) for each in found])

    def _told(self, question: Question, shares: Sequence[Fraction]) -> dict[str, float]:
        """Return the true shares of what is told, by the ids of their lines."""
        names = (f"{question.id}/{answer}" for answer in question.answer_ids)
        return dict(zip(names, map(float, shares), strict=True))

    def _shown(self, found: list[Found]) -> list[Found]:
        """Return the estimates of what is told, of those of all answers."""
        return found


def variance_by_naming(mechanism: Mechanism) -> float:
    """Return n times the largest variance of a share, where reports name answers."""
    columns = zip(*mechanism.chances_to_show(), strict=True)
    return float(max(paper.largest_variance(column) for column in columns))


def _estimated(mechanism: Mechanism, shares: Sequence[Fraction], n: int) -> list[Found]:
    found = estimate_answers(tally(mechanism, draw_answers(shares, n)), mechanism)
    return [(share.value, share.interval(0.95, share.usual)) for share in found]


def _all_shares(question: Question, shares: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """Return the share of every answer.

    Raises
    ------
    ValueError
        If they are not shares of the question's answers.
    """
    alone = question.domain.answers == 2 and not question.options
    if alone and len(shares) == 1:
        shares = (1 - shares[0], shares[0])
    if len(shares) != len(question.answer_ids) or sum(shares) != 1:
        expected = len(question.answer_ids)
        raise ValueError(
            f"question {question.id!r} takes {expected} shares that sum to 1"
            + (", or the share of yes alone" if alone else "")
        )
    if any(share < 0 for share in shares):
        raise ValueError(f"shares of question {question.id!r} must be from 0 to 1")
    return tuple(shares)
