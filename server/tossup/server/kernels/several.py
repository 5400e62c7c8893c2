"""Kernels of mechanisms for several options: reports that ask an option, and that tick it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from tossup.server.kernels.base import (
    Column,
    Counts,
    Indexes,
    Values,
    column_of,
    histogram,
    mask_rows,
    numbers,
    packed_bits,
)
from tossup.server.kernels.masks import any_bit_beyond, mask_tally
from tossup.server.kernels.tossing.draws import part_of, spread, uniform_below
from tossup.shared.mechanisms import PerOptionBits, SampledOptions, SeveralMechanism

_FEW_REPORTS: Final = 1 << 16  # so few possible reports are counted at once, then taken apart


@dataclass(frozen=True, slots=True)
class SeveralKernel(ABC):
    """What both kernels simulate alike: who is asked which option, and what is said."""

    mechanism: SeveralMechanism

    @abstractmethod
    def ask(self, n: int) -> Counts:
        """Return how many of n respondents are asked each option, drawn as on a device."""

    @abstractmethod
    def tally(self, asked: Counts, ticked: Counts) -> Counts:
        """Return the tally when reports ask and tick each option so often."""

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return a tally of freshly tossed reports when truth[i] respondents tick the set i."""
        asked = np.zeros(self.mechanism.options, dtype=np.int64)
        holders = asked.copy()
        for answer, respondents in enumerate(truth):
            if respondents:
                of_these = self.ask(respondents)
                asked += of_these
                holders += of_these * (answer >> np.arange(self.mechanism.options) & 1)
        return self.tally(asked, self._said(asked, holders))

    def simulate_shares(self, shares: Sequence[Fraction], n: int) -> Counts:
        """Return a tally of n respondents from a population with these shares of each option.

        Each option's counts are distributed exactly so, whatever else people tick; how counts of
        two options go together depends on that, and is not simulated.
        """
        asked = self.ask(n)
        pairs = zip(asked.tolist(), shares, strict=True)
        holders = np.array([part_of(count, share) for count, share in pairs], dtype=np.int64)
        return self.tally(asked, self._said(asked, holders))

    def _said(self, asked: Counts, holders: Counts) -> Counts:
        """Return how many reports tick each option: all bits are tossed independently."""
        q, p = self.mechanism.rates
        pairs = zip(asked.tolist(), holders.tolist(), strict=True)
        said = [part_of(held, p) + part_of(n - held, q) for n, held in pairs]
        return np.array(said, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class PerOptionBitsKernel(SeveralKernel):
    """Counts the set bits of each option."""

    mechanism: PerOptionBits

    def admits(self, column: Column) -> bool:
        """Return whether no bit is set beyond the last option."""
        return not any_bit_beyond(column, self.mechanism.options)

    def count(self, column: Column) -> Counts:
        """Return the number of set bits of each option, and of reports."""
        return mask_tally(column, self.mechanism.options)

    def ask(self, n: int) -> Counts:
        """Return n for each: every report tells of every option."""
        return np.full(self.mechanism.options, n, dtype=np.int64)

    def tally(self, asked: Counts, ticked: Counts) -> Counts:
        """Return the ticked, then the number of reports."""
        return np.append(ticked, asked[0])

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return masks of which every bit is tossed by itself."""
        design = self.mechanism
        ticked = mask_rows(answers, design.options)[held]
        draws = uniform_below(design.total, ticked.size).reshape(ticked.shape)
        return packed_bits(draws < np.where(ticked, design.hit, design.miss))


@dataclass(frozen=True, slots=True)
class SampledOptionsKernel(SeveralKernel):
    """Counts for each option the reports that ask it: those that say not ticked, and ticked."""

    mechanism: SampledOptions

    def admits(self, column: Column) -> bool:
        """Return whether the first option asked is one."""
        return int(numbers(column).max()) < self.mechanism.reports

    def count(self, column: Column) -> Counts:
        """Return both counters of each option."""
        values = numbers(column)
        few = self.mechanism.reports <= _FEW_REPORTS
        firsts, ticked = self._at_once(values) if few else self._place_by_place(values)
        return self.tally(self._in_circle(np.tile(firsts, self.mechanism.asked)), ticked)

    def ask(self, n: int) -> Counts:
        """Return how many are asked each: the first is drawn, those after it follow."""
        firsts = spread([1] * self.mechanism.options, n)
        return self._in_circle(np.tile(firsts, self.mechanism.asked))

    def tally(self, asked: Counts, ticked: Counts) -> Counts:
        """Return those not ticked, then those ticked."""
        return np.concatenate((asked - ticked, ticked))

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return the option that is asked first, and above it the bits, each tossed by itself."""
        design, n = self.mechanism, len(held)
        firsts = uniform_below(design.options, n)
        asked = (firsts[:, np.newaxis] + np.arange(design.asked)) % design.options
        ticked = mask_rows(answers, design.options)[held[:, np.newaxis], asked]
        draws = uniform_below(design.keep + design.lie, ticked.size).reshape(ticked.shape)
        bits = (ticked ^ (draws < design.lie)) @ (1 << np.arange(design.asked))
        return column_of(firsts << design.asked | bits, design.reports)

    def _at_once(self, values: Values) -> tuple[Counts, Counts]:
        """Return how often each option is asked first, and how often each is ticked."""
        options, asked = self.mechanism.options, self.mechanism.asked
        counts = histogram(values, self.mechanism.reports).reshape(options, 1 << asked)
        bits = np.arange(1 << asked)[:, np.newaxis] >> np.arange(asked) & 1
        return counts.sum(axis=1), self._in_circle((counts @ bits).T.ravel())

    def _place_by_place(self, values: Values) -> tuple[Counts, Counts]:
        options, asked = self.mechanism.options, self.mechanism.asked
        firsts = values >> asked
        ticked = [
            histogram(firsts[(values >> place & 1).astype(np.bool_)], options)
            for place in range(asked)
        ]
        return histogram(firsts, options), self._in_circle(np.concatenate(ticked))

    def _in_circle(self, by_place: Counts) -> Counts:
        """Return counts by option, given those by the first option asked, place after place."""
        rows = by_place.reshape(self.mechanism.asked, self.mechanism.options)
        turned: Counts = np.sum([np.roll(row, place) for place, row in enumerate(rows)], axis=0)
        return turned
