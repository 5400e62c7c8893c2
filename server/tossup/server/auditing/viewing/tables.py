"""View a table of probabilities: its answers, or some of them, by its reports, or bins of them.

Of mechanisms with many reports, reports are taken together in bins: neighbours, as long as the
two answers whose odds are largest tell them apart alike. So the bins that tell most are bins of
their own, and a comparison of these two answers shows all the odds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tossup.server.auditing.events import (
    Chances,
    Contrast,
    Counts,
    Flags,
    Pool,
    Rows,
    View,
    by_values,
    repeats_of,
)
from tossup.server.kinds import kind_for
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import Mechanism

#: Answers that are given at most, and reports that are counted one by one.
MAX_ANSWERS: Final = 1024
_MAX_COLUMNS: Final = 256
_BINS: Final = 96
#: Probabilities that are asked one by one.
_MAX_ASKED: Final = 1 << 20
_FEW: Final = 64
#: What is this near to the largest ratio shows it.
_NEARLY: Final = 1e-3
#: What is less likely than this is seen too seldom to show much.
_NOT_RARE: Final = 1 / 64
_QUANTILES: Final = (1 / 8, 1 / 4, 1 / 2, 3 / 4, 7 / 8)


def view_table(mechanism: Mechanism) -> View:
    """Return the view of a mechanism by its exact probabilities.

    Raises
    ------
    MechanismError
        If it has too many reports to ask the probability of each.
    """
    answers = tuple(chosen_answers(mechanism))
    table = _Table(mechanism, answers, _probabilities(mechanism, answers))
    return table.view()


def chosen_answers(mechanism: Mechanism) -> list[int]:
    """Return the answers that are given: all up to 1,024, else some from the first to the last.

    Where a kind says which tell enough, these.
    """
    if (chosen := kind_for(mechanism).audited(mechanism)) is not None:
        return chosen
    most = MAX_ANSWERS
    if not mechanism.has_table:
        most = min(most, _MAX_ASKED // mechanism.reports)
    if mechanism.answers <= most:
        return [answer for answer in range(mechanism.answers) if mechanism.is_answer(answer)]
    last, few = mechanism.answers - 1, min(most, _FEW) - 1
    if few < 1:
        raise MechanismError(
            f"{mechanism.name} cannot be audited: {mechanism.reports} reports are too many to"
            " ask the probability of each"
        )
    places = sorted({last * place // few for place in range(few + 1)} | {1, last - 1})
    return [answer for answer in places if mechanism.is_answer(answer)]


def _probabilities(mechanism: Mechanism, answers: Sequence[int]) -> Chances:
    """Return ``[answer, report]``, right to the last digits of a float."""
    rows, whole = mechanism.in_proportion(answers)
    shares: Chances = np.array(rows, dtype=np.float64) / float(whole)
    return shares


@dataclass(frozen=True)
class _Table:
    """Probabilities of some answers, and how their reports are put into bins."""

    mechanism: Mechanism
    answers: tuple[int, ...]
    probabilities: Chances

    @cached_property
    def pair(self) -> tuple[int, int]:
        """The two answers whose reports can differ most, the one that a report tells for first."""
        ratios = _ratios(self.probabilities)
        if not ratios.any():  # every report is impossible from some answer
            return 0, len(self.answers) - 1
        column = self.probabilities[:, ratios.argmax()]
        return int(column.argmax()), int(column.argmin())

    @cached_property
    def told(self) -> Rows:
        """1 for reports that tell for the first of this pair the most, -1 for the second, else 0.

        Those of nearly the largest ratio; or else so many more that they are not too rare.
        """
        one, other = (self.probabilities[row] for row in self.pair)
        return _likeliest(one, other).astype(np.int64) - _likeliest(other, one)

    @cached_property
    def bin_of(self) -> Rows:
        """The bin of every report."""
        reports = self.probabilities.shape[1]
        if reports <= _MAX_COLUMNS:
            return np.arange(reports)
        mean = self.probabilities.mean(axis=0)
        blocks = np.minimum((np.cumsum(mean) * _BINS).astype(np.int64), _BINS - 1)
        keys = np.where(self.told == 0, blocks, _BINS + 1 + self.told)
        _, firsts, found = np.unique(keys, return_index=True, return_inverse=True)
        return firsts.argsort().argsort()[found.reshape(-1)]  # in the order of reports

    @cached_property
    def chances(self) -> Chances:
        """The probability of every bin from every answer."""
        bins = int(self.bin_of.max()) + 1
        found = np.zeros((len(self.answers), bins))
        np.add.at(found.T, self.bin_of, self.probabilities.T)
        return found

    @property
    def is_binned(self) -> bool:
        """Whether bins are more than single reports."""
        return len(self.bin_of) > _MAX_COLUMNS

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each bin came from each answer."""
        return by_values(rows, self.bin_of[np.asarray(reports, dtype=np.int64)], self.chances.shape)

    def view(self) -> View:
        """Return what is looked at."""
        first = (*self.tied(), *self.of_pair())
        repeats = repeats_of(first, len(self.answers))
        contrasts = (*first, *self.of_each(alike=max(repeats) == 1))
        sides = (side for each in contrasts for side in (each.own, each.other))
        return View(
            mechanism=self.mechanism,
            audited="bins of neighbouring reports" if self.is_binned else "reports",
            answers=self.answers,
            events=tuple(self.names()),
            chances=self.chances,
            count=self.count,
            pools=(*self.pools(), *sides),
            contrasts=contrasts,
            repeats=repeats,
        )

    def names(self) -> Iterator[str]:
        """Yield what each bin is, in words."""
        for place in range(self.chances.shape[1]):
            reports = np.flatnonzero(self.bin_of == place)
            more = f" to {reports[-1]}, {len(reports)} of these" if len(reports) > 1 else ""
            yield f"report {reports[0]}{more}"

    def pools(self) -> Iterator[Pool]:
        """Yield every answer's likeliest bin, and the bins from quantiles on."""
        rows, best = np.arange(len(self.answers)), self.chances.argmax(axis=1)
        yield Pool.of("likeliest reports of all answers", rows, best)
        sums = np.cumsum(self.chances, axis=1)
        for quantile in _QUANTILES:
            rows, bins = np.nonzero(sums - self.chances >= quantile)
            if len(rows):
                yield Pool.of(f"reports beyond the quantile {quantile:g}", rows, bins)

    def of_pair(self) -> Iterator[Contrast]:
        """Yield what tells most between two answers, for either."""
        for (own, other), side in ((self.pair, 1), (self.pair[::-1], -1)):
            bins = np.unique(self.bin_of[self.told == side])
            exact = self.chances[[own, other]][:, bins].sum(axis=1)
            if exact[1] > 0 and exact[0] > (1 + _NEARLY) * exact[1]:
                names = self.answers[own], self.answers[other]
                what = f"what tells most for answer {names[0]} against {names[1]}"
                one, another = (Pool.of(what, [row] * len(bins), bins) for row in (own, other))
                yield Contrast(one, another)

    def tied(self) -> Iterator[Contrast]:
        """Yield all bins of nearly the largest odds, from all answers that give them most."""
        ratios = _ratios(self.chances)
        telling = np.flatnonzero(ratios >= (1 - _NEARLY) * ratios.max())
        if not self.mechanism.delta:
            yield self._contrast("reports that tell most", telling, alike=True)

    def of_each(self, *, alike: bool) -> Iterator[Contrast]:
        """Yield every bin, from the answers that give it most."""
        for place in np.flatnonzero(_ratios(self.chances) > 1 + _NEARLY):
            yield self._contrast(f"report {place}", np.array([place]), alike=alike)

    def _contrast(self, what: str, bins: Rows, *, alike: bool) -> Contrast:
        """Return some bins from the answers that give each most, and from those that do least."""
        columns = self.chances[:, bins]
        most = _tied(columns, columns.max(axis=0))
        least = _tied(columns, columns.min(axis=0))
        if not alike or self.mechanism.delta:  # which is spared once for a pair of answers
            most, least = _some(most, 1), _some(least, 1)
        times = int(most.sum(axis=0).min()), int(least.sum(axis=0).min())
        sides = (_some(most, times[0]), _some(least, times[1]))
        ways = f"{what}, where likeliest", f"{what}, where least likely"
        own, other = (_pool(way, side, bins) for way, side in zip(ways, sides, strict=True))
        return Contrast(own, other, times)


def _pool(what: str, side: Flags, bins: Rows) -> Pool:
    rows, places = np.nonzero(side)
    return Pool.of(what, rows, bins[places])


def _likeliest(one: Chances, other: Chances) -> Flags:
    """Return the reports that are likeliest from one answer, in proportion to the other."""
    ratios = np.divide(one, other, out=np.full_like(one, np.inf), where=other > 0)
    ratios = np.where(one > 0, ratios, 0)
    order = np.argsort(-ratios, kind="stable")
    enough = order[np.searchsorted(np.cumsum(one[order]), _NOT_RARE)]
    least = min(ratios[enough], (1 - _NEARLY) * ratios[order[0]])
    found: Flags = ratios >= max(least, 1 + _NEARLY)
    return found


def _ratios(chances: Chances) -> Chances:
    """Return the largest ratio of each column; 0 where one answer never gives it."""
    least, most = chances.min(axis=0), chances.max(axis=0)
    found: Chances = np.divide(most, least, out=np.zeros_like(most), where=least > 0)
    return found


def _tied(columns: Chances, ends: Chances) -> Flags:
    """Return which answers are as good as the end of each column."""
    tied: Flags = np.abs(columns - ends) <= 1e-12 * ends
    return tied


def _some(flags: Flags, times: int) -> Flags:
    """Keep so many flags of every column, those below the diagonal first, as of a circle."""
    places = (np.arange(len(flags))[:, np.newaxis] - np.arange(flags.shape[1])) % len(flags)
    order = np.argsort(np.where(flags, places, len(flags)), axis=0, kind="stable")
    kept = np.zeros_like(flags)
    np.put_along_axis(kept, order[:times], values=True, axis=0)
    return kept & flags
