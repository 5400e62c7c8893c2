"""Answers to two or three questions together, from reports that one respondent gave to each.

The coins of a respondent's answers are independent, so the channel of the table is the Kronecker
product of the questions' channels, and so is its inverse. Noise multiplies as well: two coins
twice need about a thousand respondents before a table of two questions tells anything. One inverse
reads all cells with their covariance at once; a readout a cell would give it cell by cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, isfinite, sqrt
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.checks import array_of, check_order, whole
from tossup.server.estimation.designs.named import AnyDesign, design_of, stands_alone
from tossup.server.estimation.designs.scores import floats_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.coins import squares_of_shares
from tossup.server.estimation.intervals.interval import Interval, normal_quantile, score_of_share
from tossup.server.estimation.intervals.projection import norm_sub
from tossup.server.estimation.joint.association import NOUGHT, odds_ratio, phi
from tossup.server.estimation.joint.likeliest import along, likeliest
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.result import Estimate, Result, told

Floats = NDArray[np.float64]

#: Below this many respondents the errors of cells and conditional shares make a table misleading.
FEWEST: Final = 1000


@dataclass(frozen=True, eq=False)
class JointEstimate(Result):
    """The shares of all combinations of answers; made by `estimate_joint`.

    Attributes
    ----------
    counts
        Reports of each combination, an axis a question.
    inverses
        The inverse channel of each question: ``truth = inverse @ reports``.
    channels
        The channels they are of, ``[report][answer]``.
    labels
        What the answers to each question are called; their numbers from 0 if empty.
    """

    counts: NDArray[np.int64]
    inverses: tuple[Floats, ...]
    channels: tuple[Floats, ...]
    labels: tuple[tuple[str, ...], ...] = ()

    @property
    def n(self) -> int:
        """How many respondents."""
        return int(self.counts.sum())

    @property
    def warning(self) -> str | None:
        """Why to mistrust the table, if there are fewer than about 1,000 respondents."""
        if self.n >= FEWEST:
            return None
        return (
            f"{self.n} respondents are few for a joint table of randomized answers; below about"
            f" {FEWEST} its cells are often negative and its conditional shares tell little"
        )

    @cached_property
    def cells(self) -> Floats:
        """The raw shares: unbiased, summing to 1, and negative where the coins fell so."""
        return along(self.inverses, self.counts / self.n)

    @cached_property
    def covariance(self) -> Floats:
        """The estimated covariance of `cells`, flattened in C order.

        That of multinomial fractions, with divisor n, through the inverse channel. Where some
        report never came, fractions say too little of how reports vary: instead they are what the
        nearest possible shares (`norm_sub`) lead one to expect; where the design lets reports be
        missing, with four reports more, evenly of every kind (as `coins.rate_for_errors`).
        """
        fractions = self._fractions.ravel()
        multinomial = (np.diag(fractions) - np.outer(fractions, fractions)) / self.n
        inverse: NDArray[np.floating] = self.inverses[0]
        for other in self.inverses[1:]:
            inverse = np.kron(inverse, other)
        covariance: Floats = inverse @ multinomial @ inverse.T
        return covariance

    @property
    def _fractions(self) -> Floats:
        """The fractions of reports, for errors."""
        if self.counts.all():
            return self.counts / self.n
        nearest = np.array(norm_sub(self.cells.ravel().tolist())).reshape(self.counts.shape)
        expected = along(self.channels, nearest)
        if expected.min() > NOUGHT:
            return expected
        mixed: Floats = (self.n * expected + 4 / expected.size) / (self.n + 4)
        return mixed

    def standard_errors(self) -> Floats:
        """Return the standard error of each cell."""
        return self._errors

    @cached_property
    def _errors(self) -> Floats:
        variances = self.covariance.diagonal().clip(0)
        errors: Floats = np.sqrt(variances).reshape(self.counts.shape)
        return errors

    @property
    def title(self) -> str:
        """What was estimated."""
        questions = self.counts.ndim
        return f"Joint shares of the answers to {questions} question{'s' if questions > 1 else ''}"

    @property
    def facts(self) -> dict[str, str]:
        """Why to mistrust it, and for two yes/no questions how they go together."""
        found = dict(self._warned)
        if (self.cells < 0).any():
            possible = ", ".join(f"{share:.4f}" for share in self.shown.ravel())
            found["Likeliest possible shares"] = possible
        if self.counts.shape == (2, 2):
            found |= self._associations()
        return found

    def _associations(self) -> dict[str, str]:
        found = {}
        for label, measure in (("Phi", phi), ("Odds ratio", odds_ratio)):
            try:
                known = measure(self)
                found[label] = told("", known.value, known.standard_error, known.interval, self.n)
            except EstimationError as error:
                found[label] = f"none: {error}"
        return found

    @property
    def procedure(self) -> str:
        """How they were estimated, as sentences of a methods section."""
        return (
            "Each answer was randomized with coins of its own, so the channel of the table is the"
            " Kronecker product of the questions' channels. Cells are the fractions of reports"
            " through its inverse, their covariance is the multinomial one through the same"
            " inverse, and intervals are score intervals (Wilson 1927) with the other cells as they"
            " are estimated."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the cells, named by their answers."""
        known = zip(np.ndindex(self.cells.shape), self.intervals(confidence), strict=True)
        return tuple(
            Line(
                self._name(place),
                float(self.cells[place]),
                float(self._errors[place]),
                interval,
                is_share=True,
            )
            for place, interval in known
        )

    def intervals(self, confidence: float = 0.95) -> tuple[Interval, ...]:
        """Return the score interval of each cell, the last question's answer changing fastest.

        See `score_of_share`; the other cells are as the nearest possible shares say.
        """
        squares: NDArray[np.floating] = np.ones((1, 1))
        for channel, inverse in zip(self.channels, self.inverses, strict=True):
            squares = np.kron(squares, channel.T @ inverse.T**2)
        cells, errors = self.cells.ravel().tolist(), self._errors.ravel().tolist()
        pairs = squares_of_shares(squares, np.array(norm_sub(cells)))
        ends = (
            score_of_share(cell, pair, error, self.n, confidence)
            for cell, pair, error in zip(cells, pairs, errors, strict=True)
        )
        return tuple(Interval(low, high, confidence, "score") for low, high in ends)

    def _name(self, place: tuple[int, ...]) -> str:
        if not self.labels:
            return f"answers {', '.join(map(str, place))}"
        labels = (own[answer] for own, answer in zip(self.labels, place, strict=True))
        return ", ".join(labels)

    def margin(self, question: int) -> "JointEstimate":
        """Return the shares of one question's answers, by its place."""
        others = tuple(axis for axis in range(self.counts.ndim) if axis != question)
        return JointEstimate(
            self.counts.sum(axis=others),
            (self.inverses[question],),
            (self.channels[question],),
            self.labels[question : question + 1],
        )

    @cached_property
    def shown(self) -> Floats:
        """The likeliest shares that are possible: none negative, summing to 1.

        Equal to `cells` where none of these is negative; otherwise by expectation and
        maximization, accelerated: `tossup.server.estimation.joint.likeliest`. For reading only:
        cutting at 0 biases.
        """
        if (self.cells >= 0).all():
            return self.cells
        return likeliest(self.channels, self.counts / self.n)

    def conditional(self, answer: int, given: int, *, swapped: bool = False) -> "Conditional":
        """Return the share of an answer among those with a given answer to the other question.

        Parameters
        ----------
        answer
            To the second question.
        given
            The answer to the first.
        swapped
            Whether the roles of the questions are exchanged.
        """
        if self.counts.ndim != 2:
            raise EstimationError("conditional shares are of two questions; sum a third out first")
        cells: NDArray[np.intp] = np.arange(self.counts.size).reshape(self.counts.shape)
        rows = cells.T if swapped else cells
        if not (0 <= given < rows.shape[0] and 0 <= answer < rows.shape[1]):
            raise EstimationError(f"there is no answer {answer} given {given} in this table")
        cell, row = int(rows[given, answer]), rows[given]
        shares, spread = self.cells.ravel(), self.covariance
        return Conditional(
            part=float(shares[cell]),
            base=float(shares[row].sum()),
            of_part=float(spread[cell, cell]),
            of_base=float(spread[np.ix_(row, row)].sum()),
            together=float(spread[cell, row].sum()),
            n=self.n,
            among=(self, cell, tuple(row.tolist())),
        )


@dataclass(frozen=True, slots=True)
class Conditional(Estimate):
    """A share among those who gave a certain answer: a ratio of two raw estimates.

    Attributes
    ----------
    part, base
        The share of both answers, and of the condition.
    of_part, of_base, together
        Their variances and covariance.
    n
        Respondents to both questions.
    among
        The table that it is of, the place of its cell, and those of its condition.
    """

    part: float
    base: float
    of_part: float
    of_base: float
    together: float
    n: int | None = None
    among: tuple[JointEstimate, int, tuple[int, ...]] | None = field(
        default=None, compare=False, repr=False
    )

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with another share of the same table, by the delta method."""
        if not isinstance(other, Conditional) or self.among is None or other.among is None:
            return None
        table = self.among[0]
        if table is not other.among[0]:
            return None
        return float(self._pull(table) @ table.covariance @ other._pull(table))

    def _pull(self, table: JointEstimate) -> Floats:
        """Return how much each cell moves the share."""
        pull = np.zeros(table.counts.size)
        if self.among:
            _, cell, row = self.among
            pull[list(row)] -= self.value / self.base
            pull[cell] += 1 / self.base
        return pull

    @property
    def value(self) -> float:
        """The raw ratio; it may lie outside [0, 1]."""
        if not self.base:
            raise EstimationError("the share of the condition is estimated as 0")
        return self.part / self.base

    @property
    def standard_error(self) -> float:
        """By the delta method; misleading where the condition is rare: see `interval`."""
        value = self.value
        squares = self.of_part - 2 * value * self.together + value**2 * self.of_base
        return sqrt(max(0.0, squares)) / abs(self.base)

    @property
    def title(self) -> str:
        """What was estimated."""
        return "Share among those who gave an answer to another question"

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        return (
            "The joint table is estimated through the inverse of its channel; the share is the"
            " ratio of a cell to its margin, and its interval Fieller's (1954)."
        )

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the share.

        Raises
        ------
        EstimationError
            If the condition's share is not told from 0: a share that may be anything is not told.
        """
        interval = self.interval(confidence)
        if not isfinite(interval.width):
            raise EstimationError(
                f"the share of the condition, {self.base:.4f} with a standard error of"
                f" {sqrt(max(0.0, self.of_base)):.4f}, is not told from 0, so the share among them"
                " may be anything; more respondents are needed"
            )
        return (self.line(self.called, interval),)

    def __str__(self) -> str:
        try:
            return Estimate.__str__(self)
        except EstimationError as error:
            return f"{self.called}: not told: {error}"

    def interval(self, confidence: float = 0.95) -> Interval:
        """Return Fieller's interval: every r that part - r base does not refute.

        Unbounded (from -inf to inf) where the condition's share is not told from 0.
        Fieller 1954, Journal of the Royal Statistical Society B 16:175-185.
        """
        z = normal_quantile(confidence) ** 2
        square, linear = self.base**2 - z * self.of_base, self.part * self.base - z * self.together
        rest = self.part**2 - z * self.of_part
        inside = linear**2 - square * rest
        if square <= 0 or not isfinite(inside):
            return Interval(-inf, inf, confidence, "fieller")
        half = sqrt(max(0.0, inside))
        return Interval((linear - half) / square, (linear + half) / square, confidence, "fieller")


def estimate_joint(counts: ArrayLike, designs: Sequence[AnyDesign]) -> JointEstimate:
    """Return the shares of all combinations of answers to up to three questions.

    With one question its shares, for any channel that can be inverted.

    Parameters
    ----------
    counts
        ``counts[first report][second report]`` (and a third), of respondents who reported to all.
    designs
        One a question; each with as many reports as answers.

    Returns
    -------
    JointEstimate
        Raw shares with an axis a question, which sum to 1.

    Raises
    ------
    EstimationError
        If the counts do not fit the designs, there are none, or a channel is singular.

    References
    ----------
    Inverse of the channels: Chaudhuri and Mukerjee 1988, *Randomized Response: Theory and
    Techniques*.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> table = estimate_joint([[500, 250], [250, 200]], [two_coins(), two_coins()])
    >>> [round(float(share), 3) for share in table.cells.ravel()]
    [0.667, 0.083, 0.083, 0.167]
    """
    check_order(counts)
    table = array_of(counts, "counts")
    if stands_alone(designs) or not isinstance(designs, Sequence):
        raise EstimationError("designs must be a sequence of one a question")
    channels = [floats_of(design_of(design)).T for design in designs]
    if not 1 <= len(channels) <= 3:
        raise EstimationError(f"joint tables are of one to three questions, not {len(channels)}")
    if table.shape != tuple(len(channel) for channel in channels):
        raise EstimationError("counts must have an axis a question, as long as its reports")
    if table.dtype.kind not in "iu" or (table < 0).any() or not table.sum():
        raise EstimationError("counts must be non-negative integers, not all 0")
    whole(table.max(), "a count")
    inverses = tuple(_inverse(channel) for channel in channels)
    return JointEstimate(table.astype(np.int64), inverses, tuple(channels))


def tabulate(reports: Sequence[ArrayLike], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Return the counts of combinations of reports, from a column of reports a question.

    Parameters
    ----------
    reports
        A column of integers a question, from 0 to its size less 1, all equally long.
    sizes
        How many kinds of reports each question has.

    Returns
    -------
    ndarray
        Counts with an axis a question, of these sizes.

    Raises
    ------
    EstimationError
        If columns differ in length or number, or a report is no such integer.

    Examples
    --------
    >>> tabulate([[0, 1, 1], [0, 1, 1]], [2, 2]).tolist()
    [[1, 0], [0, 2]]
    """
    if not isinstance(reports, Sequence | np.ndarray):
        raise EstimationError("reports must be a sequence of one column a question")
    columns = [array_of(column, "reports") for column in reports]
    if len({len(column) for column in columns}) != 1 or len(columns) != len(sizes):
        raise EstimationError("there must be a column of reports a question, all equally long")
    try:
        places = np.ravel_multi_index(columns, tuple(sizes))
    except (ValueError, TypeError):
        raise EstimationError("every report must be an integer from 0 to its size - 1") from None
    return np.bincount(places, minlength=int(np.prod(sizes))).reshape(sizes)


def _inverse(channel: Floats) -> Floats:
    if channel.shape[0] != channel.shape[1] or np.linalg.matrix_rank(channel) < len(channel):
        raise EstimationError("a channel is not square or cannot be inverted, so no table is told")
    return np.asarray(np.linalg.inv(channel), dtype=np.float64)
