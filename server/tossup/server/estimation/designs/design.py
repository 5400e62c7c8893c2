"""Designs of randomized response as channels: what each report says about each answer.

Stage: a paper, or another tool's table, to estimate. Papers and packages describe designs by p1
and p2, each in its own sense; the same two numbers then give two estimates. Here every
constructor returns the *channel*, Pr[report | answer], and shows it. A device follows a
`Mechanism`; a `Design` need not protect everybody (a triangular "no" proves a no) and is for data
that exist already.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import comb

from tossup.server.estimation.checks import whole
from tossup.server.estimation.errors import EstimationError
from tossup.shared.mechanisms.base import Channel
from tossup.shared.mechanisms.binary import randomized_response as paper

#: A probability as people write it. A float means its shortest decimal: 0.1 is 1/10.
Probability = Fraction | Decimal | float | str


@dataclass(frozen=True, slots=True)
class Design:
    """A randomized-response design, known by its channel alone.

    Attributes
    ----------
    name
        What the design is called.
    rows
        ``rows[answer][report]`` = Pr[report | answer], exact. Answer 0 is no, answer 1 is yes.

    Raises
    ------
    EstimationError
        If the rows are not probabilities that sum to 1, or if answers cannot be told apart.

    Examples
    --------
    >>> print(forced_response(yes="1/6", no="1/6").show())
    forced response: Pr[report | answer]
    answer  report 0  report 1
         0       5/6       1/6
         1       1/6       5/6
    """

    name: str
    rows: Channel

    def __post_init__(self) -> None:
        if len(self.rows) < 2 or len({len(row) for row in self.rows}) != 1:
            raise EstimationError("a design needs two answers or more, each with as many reports")
        if any(not 0 <= value <= 1 for row in self.rows for value in row):
            raise EstimationError(f"{self.name}: probabilities must be from 0 to 1")
        if any(sum(row) != 1 for row in self.rows):
            raise EstimationError(f"{self.name}: the probabilities of an answer must sum to 1")
        if len(set(self.rows)) == 1:
            raise EstimationError(
                f"{self.name}: every answer gives the same reports, so nothing can be estimated"
            )

    def channel(self) -> Channel:
        """Return ``rows``, under the name that mechanisms give it."""
        return self.rows

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """Pr[report yes | no] and Pr[report yes | yes]; for yes/no designs alone."""
        if [len(row) for row in self.rows] != [2, 2]:
            raise EstimationError(f"{self.name} is no yes/no design, so it has no pair of rates")
        return self.rows[0][1], self.rows[1][1]

    @property
    def odds(self) -> Fraction | None:
        """The most that a report moves the odds between two answers; None if it may prove one."""
        columns: list[tuple[Fraction, ...]]
        columns = [column for column in zip(*self.rows, strict=True) if max(column) > 0]
        if any(min(column) == 0 for column in columns):
            return None
        return max(max(column) / min(column) for column in columns)

    def report_values(self) -> tuple[Fraction, ...]:
        """Return the number that each report stands for, so that their mean is the share of yes.

        (report - m0) / (m1 - m0), with m the mean report of a no and of a yes: -1/2 and 3/2 for
        two coins. Given the answer, its mean is 0 or 1, whatever the coins.

        >>> [str(value) for value in two_coins().report_values()]
        ['-1/2', '3/2']
        """
        return _report_values(self)

    def __str__(self) -> str:
        return self.show()

    def show(self) -> str:
        """Return the channel as a small table."""
        heads = ["answer", *(f"report {report}" for report in range(len(self.rows[0])))]
        lines = [heads, *([str(i), *map(str, row)] for i, row in enumerate(self.rows))]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        body = ("  ".join(map(str.rjust, line, widths)) for line in lines)
        return "\n".join([f"{self.name}: Pr[report | answer]", *body])


@lru_cache(maxsize=64)
def _report_values(design: Design) -> tuple[Fraction, ...]:
    """Return them; every estimate asks for the same ones many times."""
    if len(design.rows) != 2:
        raise EstimationError(f"{design.name} has {len(design.rows)} answers, not no and yes")
    no, yes = (sum(i * p for i, p in enumerate(row)) for row in design.rows)
    if no == yes:
        raise EstimationError(
            f"{design.name}: the mean report of a no and of a yes are the same, so it tells nothing"
        )
    return tuple(Fraction(report - no) / (yes - no) for report in range(len(design.rows[0])))


def warner(p: Probability) -> Design:
    """Return Warner's design: with p the question is asked, else its opposite.

    Parameters
    ----------
    p
        Pr[the question itself is asked], from 0 to 1 and not 1/2: a ratio as text, a Fraction, a
        decimal or a float.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Warner 1965, JASA 60:63-69. Papers also call it mirrored question.
    """
    return _yes_no("Warner", *paper.WARNER.rates(probability(p, "p")))


def forced_response(*, yes: Probability, no: Probability) -> Design:
    """Return the design in which a device forces a yes, or a no, and else the truth is told.

    Parameters
    ----------
    yes, no
        Pr[forced yes] and Pr[forced no], of *all* respondents: 1/6 each for a die. Some
        packages want Pr[yes | forced] instead; that is 1/2 for the same die.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or both sum to 1 or more.

    References
    ----------
    Boruch 1971, American Sociologist 6:308-311.
    """
    forced_yes, forced_no = probability(yes, "yes"), probability(no, "no")
    if forced_yes + forced_no >= 1:
        raise EstimationError(f"yes ({yes}) and no ({no}) must sum to less than 1")
    return _yes_no("forced response", *paper.FORCED_RESPONSE.rates(forced_yes, forced_no))


def two_coins() -> Design:
    """Return the two-coin design: heads, the truth; tails, what the second coin says.

    Returns
    -------
    Design
        Pr[report yes] is 1/4 for a no and 3/4 for a yes.

    References
    ----------
    Fox and Tracy 1986, *Randomized Response*.
    """
    return _yes_no("two coins", Fraction(1, 4), Fraction(3, 4))


def disguised_response(p: Probability) -> Design:
    """Return the design that names answers by cards, of which a share p means "yes" by red.

    Its channel is Warner's.

    Parameters
    ----------
    p
        From 0 to 1: a ratio as text, a Fraction, a decimal or a float.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Kuk 1990, Biometrika 77:436-438, with opposite stacks; called disguised response by Blair,
    Imai and Zhou 2015, JASA 110:1304-1319.
    """
    return _yes_no("disguised response", *paper.WARNER.rates(probability(p, "p")))


def unrelated_question(p: Probability, *, prevalence: Probability) -> Design:
    """Return the design that asks with p the question, else one whose share of yes is known.

    For an unknown prevalence two samples are needed: see
    `tossup.server.estimation.papers.two_samples`.

    Parameters
    ----------
    p
        Pr[the question itself is asked], above 0 and up to 1.
    prevalence
        The share of yes to the other question, from 0 to 1.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Greenberg, Abul-Ela, Simmons and Horvitz 1969, JASA 64:520-539.
    """
    asked, innocent = probability(p, "p"), probability(prevalence, "prevalence")
    return _yes_no("unrelated question", *paper.UNRELATED_QUESTION.rates(asked, innocent))


def crosswise(p: Probability) -> Design:
    """Return the crosswise design; report 1 is "my two answers are the same".

    Parameters
    ----------
    p
        The share of yes to the innocent question. A yes then reports 1 with p, a no with 1 - p.
        A table that counts "different" as yes needs ``n - yes`` here.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Yu, Tian and Tang 2008, Metrika 67:251-263.
    """
    return _yes_no("crosswise", *paper.CROSSWISE.rates(probability(p, "p")))


def triangular(p: Probability) -> Design:
    """Return the triangular design; report 1 is "at least one of my two answers is yes".

    Report 0 proves a no.

    Parameters
    ----------
    p
        The share of yes to the innocent question.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Yu, Tian and Tang 2008, Metrika 67:251-263.
    """
    return _yes_no("triangular", probability(p, "p"), Fraction(1))


def mangat(p: Probability) -> Design:
    """Return Mangat's design: a yes is told; a no is told with p, else the opposite.

    Report 0 proves a no.

    Parameters
    ----------
    p
        From 0 to 1: a ratio as text, a Fraction, a decimal or a float.

    Returns
    -------
    Design
        ``rows[answer][report]``: two rows of two exact chances.

    Raises
    ------
    EstimationError
        If a probability is no number from 0 to 1, or answers cannot be told apart.

    References
    ----------
    Mangat 1994, Journal of the Royal Statistical Society B 56:93-95.
    """
    return _yes_no("Mangat", 1 - probability(p, "p"), Fraction(1))


def kuk(*, yes: Probability, no: Probability, draws: int = 1) -> Design:
    """Return Kuk's design; the report is how many red cards were drawn, 0 to ``draws``.

    Parameters
    ----------
    yes, no
        The share of red cards in the deck that a yes, and a no, draws from with replacement.
    draws
        At least 1.

    Returns
    -------
    Design
        Two rows of ``draws`` + 1 exact chances.

    Raises
    ------
    EstimationError
        If a share of red cards is no number from 0 to 1, both are the same, or draws is below 1.

    References
    ----------
    Kuk 1990, Biometrika 77:436-438.
    """
    cards = whole(draws, "draws")
    if cards < 1:
        raise EstimationError(f"draws ({draws}) must be an integer of at least 1")
    decks = (probability(no, "no"), probability(yes, "yes"))
    return Design("Kuk", tuple(_binomial(cards, red) for red in decks))


def direct() -> Design:
    """Return the question asked without any coin, to stand beside others in one model.

    Returns
    -------
    Design
        Every report is the answer.
    """
    return _yes_no("direct question", Fraction(0), Fraction(1))


def custom(rows: Sequence[Sequence[Probability]], name: str = "custom") -> Design:
    """Return a design from its channel, ``rows[answer][report]``.

    Some packages print the transposed table, ``[report][answer]``.

    Parameters
    ----------
    rows
        Pr[report | answer], a row an answer: two rows or more, each with as many chances from 0 to
        1 that sum to 1. Exact ratios, text such as ``"1/4"``, or decimals.
    name
        What to call it.

    Returns
    -------
    Design
        With these rows as exact ratios.

    Raises
    ------
    EstimationError
        If the rows are no such table, or all of them are the same.
    """
    try:
        exact = tuple(tuple(probability(value, "a value") for value in row) for row in rows)
    except TypeError:
        raise EstimationError("a channel must be rows of probabilities, [answer][report]") from None
    return Design(name, exact)


def probability(value: Probability, what: str) -> Fraction:
    """Return a probability as an exact ratio.

    Raises
    ------
    EstimationError
        If it is not a number from 0 to 1.
    """
    try:
        exact = Fraction(repr(value) if isinstance(value, float) else value)
    except (ValueError, TypeError, OverflowError, ZeroDivisionError):
        raise EstimationError(f"{what} ({value!r}) must be a number, such as 0.25 or 1/4") from None
    if isinstance(value, bool) or not 0 <= exact <= 1:
        raise EstimationError(f"{what} ({value}) must be from 0 to 1")
    return exact


def _yes_no(name: str, without: Fraction, with_it: Fraction) -> Design:
    return Design(name, ((1 - without, without), (1 - with_it, with_it)))


def _binomial(draws: int, red: Fraction) -> tuple[Fraction, ...]:
    return tuple(comb(draws, k) * red**k * (1 - red) ** (draws - k) for k in range(draws + 1))
