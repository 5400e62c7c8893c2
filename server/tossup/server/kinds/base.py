"""What each kind of question says for itself on the server: the interface.

Stage: authoring to planning. A kind reads its table of a survey file, chooses the coins and says
why, knows how many reports they need, and simulates people who answer.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import ceil
from statistics import NormalDist
from typing import Any, ClassVar, Final, Protocol, TypeVar, cast

from tossup.server.estimation import named_or_not
from tossup.server.exact import exact
from tossup.server.kernels import Column, kernel_of
from tossup.server.kinds.editing.forms import Form
from tossup.server.kinds.made_up.people import Indexes, Population
from tossup.server.kinds.made_up.simulated import SimulatedLine
from tossup.server.kinds.spread import of_a_share
from tossup.server.kinds.told.base import Told
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.base import Channel
from tossup.shared.survey import Question

#: An estimate less certain than this says too little to be shown: half of a 95 % interval.
WIDEST_HALF_WIDTH: Final = 0.20
#: Estimates from more counters take longer than a request may.
MOST_COUNTERS: Final = 4096

_Z95: Final = NormalDist().inv_cdf(0.975)
_Part = TypeVar("_Part")


def own(kind: type[_Part], part: object) -> _Part:
    """Return the domain, coins or kernel of a question as those that its kind is asked with.

    Raises
    ------
    TypeError
        If they are those of another kind.
    """
    if isinstance(part, kind):
        return part
    raise TypeError(f"a {type(part).__name__} stands where a {kind.__name__} must")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a survey file asks of a question's coins.

    Attributes
    ----------
    odds
        Odds as a ratio, or an epsilon as a decimal.
    part
        The question's table, its values read: with what only some mechanisms take.
    """

    odds: Fraction | Decimal
    part: Mapping[str, Any]

    @property
    def mechanism(self) -> str | None:
        """The name as survey files write it; None for the kind's own choice."""
        return self.part.get("mechanism")


@dataclass(frozen=True, slots=True)
class Sought:
    """What somebody who looks at a mechanism asks of its design.

    Attributes
    ----------
    answers
        How many there are to choose from, one or several.
    most
        Of several options, how many one may tick; None for all.
    delta
        The chance for which the odds need not hold; None for what a survey file takes.
    """

    answers: int
    odds: Fraction
    most: int | None = None
    delta: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """How far one person, answering otherwise, moves the sums behind all estimates of a question.

    Attributes
    ----------
    l1, l2
        The sum of the distances, and the Euclidean distance, at most; in ranges.
    answers
        How many sums there are.
    is_whole
        Whether all of them are whole numbers of ranges.
    """

    l1: float
    l2: float
    answers: int
    is_whole: bool = False


class Answers(Protocol):
    """The table ``answers`` of one question, read and not yet made into a domain."""

    @property
    def labels(self) -> Sequence[str]:
        """Labels of the options that the answers are made of, if the answers name any."""

    def domain(self, options: tuple[str, ...]) -> Domain:
        """Return the domain, given the ids of the question's options.

        Raises
        ------
        ManifestError
            If there is none such.
        """

    def mechanism(self, domain: Domain, wanted: Wanted) -> Mechanism:
        """Return the coins that a file asks for.

        Raises
        ------
        MechanismError
            If there are none such.
        """


class Kind(ABC):
    """One kind of question. It has no state: one instance stands for all questions of its kind.

    Attributes
    ----------
    name
        That of its domains, `tossup.shared.kinds.base.Domain.kind`.
    tables
        By the telling key of ``answers = { ... }`` in a survey file: an example of such a table.
        None for kinds that no table tells.
    forms
        The ways in which an editor asks it, each with its fields.
    answered_by
        The field of a page by which people answer it: the name of a template and of a part of the
        script. Empty where they press one of its options.
    unit
        What its estimates are: ``share``, ``number`` or ``points``.
    told
        What its reports tell, as lines.
    unnamed
        What a row of the CSV is of where nothing is told yet.
    estimator
        How estimates are worked out, in words for JSON.
    plural
        What its mechanisms are for, in words for lists of them.
    behind
        Which of the reports an estimate rests on, in words after their number; nothing where all.
    listed_for
        For how many answers, or options of several, a mechanism is listed.
    """

    name: ClassVar[str]
    plural: ClassVar[str]
    behind: ClassVar[str] = ""
    listed_for: ClassVar[int] = 2
    tables: ClassVar[Mapping[str, str]] = {}
    forms: ClassVar[tuple[Form, ...]]
    answered_by: ClassVar[str] = ""
    unit: ClassVar[str] = "share"
    told: ClassVar[type[Told]]
    unnamed: ClassVar[str] = ""
    estimator: ClassVar[str] = "(fraction of reports that name the answer - q) / (p - q)"

    def channel(self, mechanism: Mechanism) -> dict[str, object]:
        """Return the chances of reports as JSON has them: of the channel, or that of one option.

        Nothing where the mechanism's integers are the design.
        """
        return {"channel": [[str(chance) for chance in row] for row in mechanism.chances_to_show()]}

    def estimator_of(self, mechanism: Mechanism) -> dict[str, object]:  # noqa: ARG002
        """Return as JSON how estimates are worked out."""
        return {"estimator": self.estimator}

    def naming(self, mechanism: Mechanism) -> Sequence[Channel] | None:
        """Return of every answer how likely reports name it: [not the answer, it][no, yes].

        None where reports say something of every answer, or of no listed one.
        """
        return named_or_not(mechanism)

    def answers(self, question: Question, language: str) -> list[tuple[str, str]]:
        """Return ids and labels of what is always listed, told or not; none if nothing is."""
        return [(option.id, option.label.get(language, "")) for option in question.options]

    def choices(self, question: Question) -> str:
        """Return the answers that a question takes, on one line for its author."""
        return " | ".join(question.answer_ids)

    def read(self, key: str, table: Mapping[str, Any]) -> Answers | None:  # noqa: ARG002
        """Return what a table with a telling key says; None if it is no such table."""
        return None

    @abstractmethod
    def why(self, question: Question) -> str:
        """Return why the coins are the best for the question, in one sentence.

        Nothing where others were taken. Of costly coins, how costly they are.

        Raises
        ------
        MechanismError
            If nothing else could be asked at these odds.
        """

    @abstractmethod
    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of what is estimated, in squared ranges.

        The range of a share is 1, that of a number its declared range, that of a vector's
        component twice the norm. For texts it is that of a text's share, of which only the
        reports of the last level tell.
        """

    def widest_variance(self, mechanism: Mechanism) -> float:
        """Return `largest_variance` in the population where it is largest.

        Of a share the one is the other. Of numbers and vectors, people who differ add to what the
        coins do; minimum numbers of reports are by the coins alone.
        """
        return self.largest_variance(mechanism)

    def spread(self, mechanism: Mechanism, share: Fraction) -> dict[str, object]:
        """Return n times the variance of what is estimated, as JSON: where the share is this one.

        Exact for shares, mean points and texts. A float, as the server's estimator is, for the
        mean of a number, in squared ranges, for that of a vector's components, in squared norms,
        and for options chosen by score.

        Raises
        ------
        EstimationError
            If there is none; the message is the reason.
        """
        return of_a_share(mechanism, share)

    def ways(self, mechanism: Any, sought: Sought) -> Sequence[Callable[[], Mechanism]]:
        """Return how such a design of a mechanism may be made: what to call, in turn."""
        return [partial(mechanism.from_odds, sought.odds, sought.answers)]

    def by_parameters(
        self,
        mechanism: type[Mechanism],  # noqa: ARG002
        parameters: Mapping[str, object],  # noqa: ARG002
        sought: Sought,  # noqa: ARG002
    ) -> Mechanism | None:
        """Return the design of parameters that say how many answers there are; None if none do.

        Raises
        ------
        MechanismError
            If there is no such design.
        """
        return None

    def how_to_ask(self, mechanism: type[Mechanism], sought: Sought) -> str:  # noqa: ARG002
        """Return what to type where the number of answers says too little; nothing elsewhere."""
        return ""

    def audited(self, mechanism: Mechanism) -> list[int] | None:  # noqa: ARG002
        """Return answers whose reports tell enough of all; None where as many as fit are taken."""
        return None

    def check_tells(self, mechanism: Mechanism) -> None:  # noqa: B027 - most tell something
        """Refuse coins whose reports tell nothing, before anyone answers.

        Raises
        ------
        MechanismError
            If reports are too much alike for an estimate of what the kind is about.
        """

    def reports_needed(self, mechanism: Mechanism) -> int:
        """Return the smallest n at which a 95 % interval is at most 20 points either way."""
        return needed(self.largest_variance(mechanism))

    def work(self, mechanism: Mechanism) -> int:  # noqa: ARG002
        """Return what the estimates of a slice take at least, in units of a share's work."""
        return 2

    def is_heavy(self, mechanism: Mechanism) -> bool:
        """Return whether one slice takes so long that no request waits for it."""
        return mechanism.counters > MOST_COUNTERS

    def is_fine(self, mechanism: Mechanism) -> bool:  # noqa: ARG002
        """Return whether its variance takes so long that no request tries many odds."""
        return False

    def estimated(self, question: Question) -> tuple[str, Fraction | None]:  # noqa: ARG002
        """Return what is estimated in words, and its range in the question's own unit.

        The range is None for shares and mean points.
        """
        return "each option's share", None

    def moved(self, question: Question) -> Moved | None:  # noqa: ARG002
        """Return how far one person moves what a trusted curator would publish of a question.

        None where nobody listed what there is to publish.
        """
        return None

    def quantile(self, margin: float, confidence: float) -> float:  # noqa: ARG002
        """Return how many standard errors make half an interval of this margin.

        Parameters
        ----------
        margin
            As a part of the range. It matters only where more estimates share the confidence the
            smaller they may be.
        """
        return NormalDist().inv_cdf((1 + confidence) / 2)

    @abstractmethod
    def example_of_truth(self, question: Question) -> str:
        """Return what ``--truth`` takes after the question's id, by an example."""

    @abstractmethod
    def read_truth(self, question: Question, written: str) -> Any:
        """Return what ``--truth`` says of the people of a simulation.

        Raises
        ------
        ValueError
            If it says nothing of the kind.
        """

    @abstractmethod
    def people(self, question: Question, truth: Any) -> Population:
        """Return the population that a truth describes, of which respondents are a sample.

        Raises
        ------
        ValueError
            If there is none such.
        """

    def toss(self, question: Question, places: Sequence[Place], held: Indexes) -> Column:
        """Return a freshly tossed report of each of many respondents.

        As a column: each report in the bytes in which it travels, before bits are packed.

        Parameters
        ----------
        places
            Where the answers of the population lie.
        held
            Which of these each respondent has.
        """
        answers = [cast("int", place) for place in places]
        return kernel_of(question.mechanism).perturb_each(answers, held)

    @abstractmethod
    def simulate(
        self, question: Question, truth: Any, n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the truth beside its estimate, line by line.

        Parameters
        ----------
        question
            What is asked, with its mechanism.
        truth
            What `read_truth` returned.
        n
            Respondents, drawn at random from the population.
        runs
            How often to repeat, to see in how many of the runs the interval holds the truth.

        Raises
        ------
        ValueError
            If the truth does not fit the question.
        """


class UnlistedKind(Kind):
    """A kind with more answers than anyone lists: numbers, vectors, texts."""

    def channel(self, mechanism: Mechanism) -> dict[str, object]:  # noqa: ARG002
        """Return nothing: the mechanism's integers are the design."""
        return {}

    def naming(self, mechanism: Mechanism) -> None:
        """Return None: reports name none of a few answers."""


def needed(largest_variance: float) -> int:
    """Return how many reports make a 95 % interval at most 20 points wide either way.

    Parameters
    ----------
    largest_variance
        n times the variance of what is estimated, where it is largest.
    """
    return ceil((_Z95 / WIDEST_HALF_WIDTH) ** 2 * largest_variance)


def numbers(written: str) -> tuple[Fraction, ...]:
    """Return numbers with commas between them, exactly.

    >>> numbers("0.5,1/2")
    (Fraction(1, 2), Fraction(1, 2))

    Raises
    ------
    ValueError
        If they are none.
    """
    return tuple(exact(part) for part in written.split(","))
