"""Several of some options: ``answers = {several = ["a", "b", "c"], most = 2}``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import Any, ClassVar, Final

from tossup.server.estimation import AnswerShare, Interval, estimate_several, estimate_statements
from tossup.server.estimation.shares.statements import sizes
from tossup.server.kernels import kernel_of
from tossup.server.kernels.several import SeveralKernel
from tossup.server.kernels.tossing.draws import part_of
from tossup.server.kinds.base import Kind, Moved, Sought, Wanted, numbers, own
from tossup.server.kinds.choosing import several as choosing
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Population, of_ticks
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, lines
from tossup.server.kinds.told.shares import TicksTold
from tossup.shared.coins import MAX_WEIGHT_SUM
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.several import Several
from tossup.shared.mechanisms import (
    Mechanism,
    SetMechanism,
    SeveralMechanism,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.base import Channel
from tossup.shared.survey import Question

STATEMENTS_ESTIMATOR: Final = (
    "inverse of the two rates of yes, of both samples, without forced answers"
)


@dataclass(frozen=True, slots=True)
class Ticks:
    """Labels of the options, if not in option tables, and how many one may tick.

    ``most`` is None for all of them.
    """

    labels: Sequence[str]
    most: int | None

    def domain(self, options: tuple[str, ...]) -> Several:
        """Return the domain of these options.

        Raises
        ------
        ManifestError
            If there are none, too many, or fewer than one may tick.
        """
        if not options:
            raise ManifestError("has no options to tick; name them after several, or in tables")
        return Several(options, len(options) if self.most is None else self.most)

    def mechanism(self, domain: Domain, wanted: Wanted) -> SetMechanism:
        """Return the named design, or the one of least variance."""
        ticks = own(Several, domain)
        return choosing.for_several(len(ticks.options), ticks.most, wanted.odds, wanted.part)


class SeveralOptions(Kind):
    """Questions of which several options may be ticked; the truth is a share of each.

    Which options people tick together makes no difference to any estimate.
    """

    name = "several"
    plural = "several options"
    answered_by = "ticks"
    behind = ", of each option those that ask it"
    told = TicksTold
    tables: ClassVar = {"several": '{several = ["a", "b", "c"], most = 2}'}
    forms: ClassVar = (Form("several", (Field("most", ("most",), is_needed=False),), "several"),)

    def choices(self, question: Question) -> str:
        """Return the options, and how many of them may be ticked."""
        most = question.domain.to_json()["most"]
        return f"{super().choices(question)}, at most {most} of them"

    def read(self, key: str, table: Mapping[str, Any]) -> Ticks | None:  # noqa: ARG002
        """Return several labels, or none for option tables; None if the table says neither."""
        match table:
            case {"several": labels, **rest} if set(rest) <= {"most"}:
                most = rest.get("most")
                if "most" in rest and type(most) is not int:
                    return None
                if labels is True:
                    return Ticks((), most)
                if isinstance(labels, list) and all(isinstance(label, str) for label in labels):
                    return Ticks(tuple(labels), most)
        return None

    def channel(self, mechanism: Mechanism) -> dict[str, object]:
        """Return the share of reports that ask an option, and the channel of one in these."""
        found = super().channel(mechanism)
        if isinstance(mechanism, SeveralMechanism):
            return {"asked": str(mechanism.asked_share)} | found
        return found

    def ways(self, mechanism: Any, sought: Sought) -> Sequence[Callable[[], Mechanism]]:
        """Return how it is made for so many options, of which so many may be ticked."""
        return [partial(mechanism.from_odds, sought.odds, sought.answers, sought.most)]

    def estimator_of(self, mechanism: Mechanism) -> dict[str, object]:
        """Return how shares are worked out of names, or of two samples."""
        if isinstance(mechanism, UnrelatedQuestion):
            return {"estimator": STATEMENTS_ESTIMATOR}
        return super().estimator_of(mechanism)

    def naming(self, mechanism: Mechanism) -> Sequence[Channel] | None:
        """Return None for two statements, of which each report says something of both."""
        return None if isinstance(mechanism, UnrelatedQuestion) else super().naming(mechanism)

    def why(self, question: Question) -> str:
        """Return why the mechanism has the least variance; of an unrelated question, its cost."""
        mechanism = question.mechanism
        if isinstance(mechanism, UnrelatedQuestion):
            return choosing.what_it_costs(mechanism)
        ticks = own(Several, question.domain)
        best = choosing.choose(mechanism.odds, len(ticks.options), ticks.most)
        return best.why if best.chosen.mechanism == mechanism else ""

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of an option's share, of reports that ask it."""
        if isinstance(mechanism, SetMechanism):
            return float(mechanism.worst_variance)
        raise TypeError(f"{mechanism.name} is not for several answers")

    def work(self, mechanism: Mechanism) -> int:
        """Return that intervals of statements are searched for, over both of them."""
        return 14 if mechanism.readout == "samples" else super().work(mechanism)

    def moved(self, question: Question) -> Moved:
        """Return that somebody ticks as many other options as there can be."""
        ticks = own(Several, question.domain)
        others = min(2 * ticks.most, len(ticks.options))
        return Moved(others, sqrt(others), len(ticks.options), is_whole=True)

    def example_of_truth(self, question: Question) -> str:
        """Return equal shares."""
        count = len(question.options)
        return ",".join([f"1/{count}"] * count)

    def read_truth(self, question: Question, written: str) -> Sequence[Fraction]:  # noqa: ARG002
        """Return the share of each option: they need not sum to 1."""
        return numbers(written)

    def people(self, question: Question, truth: Sequence[Fraction]) -> Population:
        """Return a population in which each option is ticked by its share."""
        if len(truth) != len(question.options):
            raise ValueError(f"question {question.id!r} takes {len(question.options)} shares")
        return of_ticks(truth, own(Several, question.domain).most)

    def simulate(
        self, question: Question, truth: Sequence[Fraction], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true share of every option beside its estimate.

        In a run too small to ask an option, its interval is everything that is possible.
        """
        _check(question, truth)
        found = [
            [_shown(share) for share in _estimated(question.mechanism, truth, n)]
            for _ in range(runs)
        ]
        names = (f"{question.id}/{option}" for option in question.answer_ids)
        return lines(dict(zip(names, map(float, truth), strict=True)), found)


def _estimated(
    mechanism: Mechanism, shares: Sequence[Fraction], n: int
) -> Sequence[AnswerShare | None]:
    """Return what fresh reports of n respondents tell."""
    kernel = kernel_of(mechanism)
    if isinstance(mechanism, UnrelatedQuestion):
        counts = kernel.simulate(_of_statements(shares, n)).tolist()
        return (
            (None, None)
            if 0 in sizes(counts)
            else estimate_statements(counts, mechanism).statements
        )
    if not isinstance(kernel, SeveralKernel) or not isinstance(mechanism, SeveralMechanism):
        raise TypeError("several options have a kernel of their own")
    return estimate_several(kernel.simulate_shares(shares, n).tolist(), mechanism).options


def _of_statements(shares: Sequence[Fraction], n: int) -> list[int]:
    """Return for how many of n neither of two statements is true, the first, the second, both."""
    first, second = shares
    holders = part_of(n, first)
    alone, both = part_of(n - holders, second), part_of(holders, second)
    return [n - holders - alone, holders - both, alone, both]


def _shown(share: AnswerShare | None) -> Found:
    if share is None:
        return 0.5, Interval(0.0, 1.0, 0.95, "unasked")
    return share.value, share.interval(0.95, share.usual)


def _check(question: Question, shares: Sequence[Fraction]) -> None:
    """Refuse what are no shares of the options."""
    ticks = own(Several, question.domain)
    if len(shares) != len(ticks.options) or any(not 0 <= share <= 1 for share in shares):
        raise ValueError(
            f"question {question.id!r} takes {len(ticks.options)} shares, each from 0 to 1"
        )
    if sum(shares) > ticks.most:
        raise ValueError(
            f"shares of question {question.id!r} sum to more than {ticks.most}, the number of"
            " options that one may tick"
        )
    if any(share.denominator > MAX_WEIGHT_SUM for share in shares):
        raise ValueError("shares need denominators of at most 2**32; round them")
