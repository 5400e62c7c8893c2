"""The share of yes by maximum likelihood: from reports of many kinds, or of several designs.

Where a report has two kinds under one design, every estimate of ours is the likeliest share. With
more kinds, such as numbers of red cards, the mean of the reports wastes what they tell; with
several designs, such as crosswise questions with different innocent questions, each has a part of
the information. Here both are weighed by it. That is no readout: what a report is worth depends
on the share itself.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from statistics import NormalDist

from tossup.server.estimation.checks import check_counts
from tossup.server.estimation.designs.design import Design
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.intervals.interval import Ends, Interval, Method, normal_interval
from tossup.server.estimation.intervals.likelihood import Likelihood
from tossup.server.estimation.shares.answer_share import AnswerShare
from tossup.server.estimation.shares.readout import Readout
from tossup.server.estimation.telling.result import IMPOSSIBLE
from tossup.server.estimation.telling.wording import channel_in_words

#: Reports of each kind, and the design they were made by.
Part = tuple[tuple[int, ...], Design]


@dataclass(frozen=True)
class LikelihoodShare(AnswerShare):
    """The likeliest share of yes, from all kinds of reports and all designs.

    A report of kind k under design i has chance p = no + share x (yes - no). The estimate is the
    likeliest share from 0 to 1 and one step of Fisher's scoring from there (Fisher 1925,
    Proceedings of the Cambridge Philosophical Society 22:700-725): inside (0, 1) that is the
    likeliest share itself, at the edges it may lie outside as every raw estimate of ours.

    Attributes
    ----------
    parts
        Reports of each kind with their design, a part a design; samples of different people.

    Raises
    ------
    EstimationError
        If counts do not fit a design, there are none, or a design has other than two answers.

    Examples
    --------
    >>> from tossup.server.estimation.designs.design import crosswise
    >>> both = LikelihoodShare((((180, 320), crosswise("1/4")), ((220, 280), crosswise("2/5"))))
    >>> print(both)
    share: 0.2174 (0.1410 to 0.2972, 95 % score interval, n = 1000)
    """

    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        for counts, design in self.parts:
            if len(design.rows) != 2:
                raise EstimationError(f"{design.name} has {len(design.rows)} answers, not two")
            check_counts(counts, len(design.rows[0]))
            columns = zip(counts, *design.rows, strict=True)
            if any(count and no == yes == 0 for count, no, yes in columns):
                raise EstimationError(f"{design.name} never gives a report that was counted")

    @property
    def n(self) -> int:
        """Number of reports of all designs."""
        return sum(sum(counts) for counts, _ in self.parts)

    @property
    def value(self) -> float:
        """The raw estimate; it may lie outside [0, 1]."""
        told, best = self._likelihood, self._best
        return best + told.slope(best) / told.information(best)

    @property
    def standard_error(self) -> float:
        """From the expected information at the likeliest possible share, for the population."""
        return 1 / sqrt(self._likelihood.information(self._likelihood.inside))

    @property
    def respondents_standard_error(self) -> float:
        """The estimated standard deviation of `value` over the coins alone.

        The respondents are fixed, and so is who got which design.
        """
        told, share = self._likelihood, self._likelihood.inside
        worth = told.delta / told.chances(share)
        variance = 0.0
        for weight, given in ((1 - share, told.no), (share, told.no + told.delta)):
            mean = told.by_part(given * worth)
            variance += weight * float(told.sizes @ (given * worth**2))
            variance -= weight * float(told.part_sizes @ mean**2)
        return sqrt(max(0.0, variance)) / told.information(share)

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the most that one report can count for in `value`."""
        told, share = self._likelihood, self._likelihood.inside
        worth = share + self.n * told.delta / told.chances(share) / told.information(share)
        return float(worth.min()), float(worth.max())

    @property
    def observed(self) -> tuple[Part, ...]:
        """Counts and designs, for tests on the reports."""
        return self.parts

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with the share of an answer of the same reports."""
        if not isinstance(other, LikelihoodShare) or len(self.parts) != len(other.parts):
            return None
        pairs = list(zip(self.parts, other.parts, strict=True))
        if any(own is not its for (own, _), (its, _) in pairs):
            return None
        if all(one.rows == two.rows for (_, one), (_, two) in pairs):
            return self.standard_error**2
        opposite = all(one.rows == two.rows[::-1] for (_, one), (_, two) in pairs)
        return -(self.standard_error**2) if opposite else None

    @property
    def interval_methods(self) -> Mapping[Method, Ends]:
        """Intervals for the share; ``"score"`` may leave [0, 1].

        ``"score"``: every share whose score is within z standard deviations, under that very share
        (Rao 1948, Proceedings of the Cambridge Philosophical Society 44:50-57). ``"profile"``:
        every share from 0 to 1 that is not much less likely than the likeliest. ``"wald"``: to
        reproduce papers alone.
        """
        told = self._likelihood
        return {"score": told.score, "profile": told.likely, "wald": self._wald}

    def anytime_interval(self, confidence: float = 0.95) -> Interval:
        """Return an interval that holds at every look together, of one design: `score_sequence`."""
        if len(self.parts) > 1:
            return super().anytime_interval(confidence)
        ((tally, design),) = self.parts
        return Readout.of_design(tally, design).anytime(confidence)

    @property
    def design_p_value(self) -> float:
        """How likely so ill a fit is if every device followed its design.

        Pearson's chi-squared test of all counts against those expected at the likeliest possible
        share, kinds with fewer than five expected counted together; and the one-sided normal
        test of a raw estimate outside [0, 1]. Twice the smaller one (Bonferroni).
        """
        outside = abs(self.value - self._best) * sqrt(self._likelihood.information(self._best))
        beyond = NormalDist().cdf(-outside) if outside > 1e-6 else 1.0
        return min(1.0, 2 * min(beyond, self._likelihood.fit))

    @property
    def title(self) -> str:
        """What was estimated."""
        several = f", from samples of {len(self.parts)} designs" if len(self.parts) > 1 else ""
        return f"Share of yes{several}"

    @property
    def facts(self) -> dict[str, str]:
        """The designs, and whether the reports fit them."""
        named = [channel_in_words(design.name, design.rows) for _, design in self.parts]
        return {"Design" if len(named) == 1 else "Designs": "; ".join(named), **self._warned}

    @property
    def warning(self) -> str | None:
        """Why to mistrust the share, if the reports do not fit the designs."""
        if self.design_p_value >= IMPOSSIBLE:
            return None
        return (
            "reports of people who follow these designs, and share one share of yes, would fit"
            f" so ill with probability {max(self.design_p_value, 1e-300):.1g} at most"
        )

    @property
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""
        named = [channel_in_words(design.name, design.rows) for _, design in self.parts]
        return (
            f"Answers were randomized ({'; '.join(named)}). The share is the likeliest one given"
            " all counts of reports, with one step of Fisher's scoring beyond 0 or 1; its standard"
            " error is from the expected information, and its interval holds every share that the"
            " score test does not refuse (Rao 1948)."
        )

    @cached_property
    def _likelihood(self) -> Likelihood:
        return Likelihood(tuple((counts, design.rows) for counts, design in self.parts))

    @property
    def _best(self) -> float:
        """The likeliest share from 0 to 1."""
        return self._likelihood.best

    def _wald(self, confidence: float) -> tuple[float, float]:
        return normal_interval(self.value, self.standard_error, confidence).ends


def joined(parts: Iterable[tuple[Sequence[int], Design]]) -> tuple[Part, ...]:
    """Return parts with those of one design added up.

    Designs are one if they differ by the order of their reports alone: a crosswise question whose
    innocent question has share p, and the one with 1 - p, say the same with swapped reports.
    """
    found: dict[tuple[object, ...], Part] = {}
    for counts, design in parts:
        order = sorted(range(len(counts)), key=lambda k: [row[k] for row in design.rows])
        key = tuple(tuple(row[k] for k in order) for row in design.rows)
        if key not in found:
            found[key] = (tuple(counts), design)
            continue
        known, first = found[key]
        places = sorted(range(len(known)), key=lambda k: [row[k] for row in first.rows])
        more = Counter({place: counts[k] for place, k in zip(places, order, strict=True)})
        found[key] = tuple(count + more[k] for k, count in enumerate(known)), first
    return tuple(found.values())
