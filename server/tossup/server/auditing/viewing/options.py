"""View mechanisms whose reports name options: which ones a report names, and which two together.

A mask of 64 options has 2**64 values, so that none would come twice. What estimates and odds
rest on can still be counted: that a report names an option, and that it names one of two
neighbours and not the other, which moves the odds between these two as far as any report does.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
    by_flags,
)
from tossup.server.kernels import Column, NamingKernel, kernel_of
from tossup.shared.mechanisms import FrequencyOracle, Mechanism

_TRIALS: Final = 10**4
_AT_ONCE: Final = 1 << 10  # reports


def names_options(mechanism: Mechanism) -> bool:
    """Return whether it is known how likely the mechanism's reports name options."""
    return mechanism.names_each and mechanism.readout == "named"


def view_options(oracle: FrequencyOracle) -> View:
    """Return the view of a mechanism by the options that its reports name."""
    return _Options(oracle).view()


def both_chance(oracle: FrequencyOracle) -> Fraction:
    """Return how likely an answer's report names it and a given other option.

    From (p - both) = odds (q - both): naming an option and not the other is among the events
    that move the odds between them the most.
    """
    q, p = oracle.rates
    return (oracle.odds * q - p) / (oracle.odds - 1)


@dataclass(frozen=True)
class _Options:
    """An option is named, and with the next; the answer is without a neighbour, or the reverse.

    The events of the first two kinds stand side by side, by the option or the first of the two.
    The others are four for all answers: a column for each two neighbours would be empty from all
    answers but these two.
    """

    oracle: FrequencyOracle

    @property
    def size(self) -> int:
        """How many options there are."""
        return self.oracle.answers

    @property
    def _joined(self) -> int:
        return self.size

    @property
    def _alone(self) -> int:
        return 2 * self.size - 1

    def view(self) -> View:
        """Return what is given, counted and compared."""
        return View(
            mechanism=self.oracle,
            audited="options",
            answers=tuple(range(self.size)),
            events=tuple(self.names()),
            chances=self.chances(),
            count=self.count,
            pools=tuple(self.pools()),
            contrasts=(*self.alone(), *self.of_each()),
            common=self._alone,
            thorough=_TRIALS * self.size,
        )

    def names(self) -> Iterator[str]:
        """Yield what each event is."""
        yield from (f"option {option} is named" for option in range(self.size))
        yield from (f"option {option} is named with the next" for option in range(self.size - 1))
        yield "the answer is named without the next"
        yield "the next is named without the answer"
        yield "the answer is named without the one before"
        yield "the one before is named without the answer"

    def chances(self) -> Chances:
        """Return the probability of each event; not looked at where the oracle does not tell it."""
        q, p = map(float, self.oracle.rates)
        both, neither = float(both_chance(self.oracle)), self.oracle.neither_of_two
        first = np.arange(self.size - 1)
        found = np.full((self.size, len(tuple(self.names()))), q)
        found[first, first] = found[-1, self.size - 1] = p
        pairs, alone = np.split(found[:, self._joined :], [self.size - 1], axis=1)
        pairs[:] = np.nan if neither is None else float(neither)
        pairs[first, first] = pairs[first + 1, first] = both
        alone[:] = [p - both, q - both] * 2
        alone[-1, :2] = alone[0, 2:] = np.nan  # there is no such neighbour
        return found

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each event happened from each answer."""
        found = np.zeros((self.size, self._alone + 4), dtype=np.int64)
        options, pairs, alone = np.split(found, [self._joined, self._alone], axis=1)
        if len(reports):
            named = _named(self.oracle, reports)
            options += by_flags(rows, named, self.size)
            pairs += by_flags(rows, named[:, :-1] & named[:, 1:], self.size)
        own, before, after = (np.diag(options, offset) for offset in (0, -1, 1))
        with_next, with_former = np.diag(pairs), np.diag(pairs, -1)
        alone[:-1, 0], alone[:-1, 1] = own[:-1] - with_next, after - with_next
        alone[1:, 2], alone[1:, 3] = own[1:] - with_former, before - with_former
        return found

    def pools(self) -> Iterator[Pool]:
        """Yield events from all answers for which they are equally likely."""
        every = np.arange(self.size)
        for each in self.alone():
            yield from (each.own, each.other)
        yield Pool.of("answers in their own reports", every, every)
        for option in range(self.size):
            what = f"option {option} from all other answers"
            yield Pool.of(what, np.delete(every, option), option)
        if self.oracle.neither_of_two is not None and self.size > len(("own", "next")):
            for option in range(self.size - 1):
                what = f"option {option} with the next, from all other answers"
                others = np.delete(every, [option, option + 1])
                yield Pool.of(what, others, self._joined + option)

    def alone(self) -> Iterator[Contrast]:
        """Yield one of two neighbours without the other: from itself, beside from the other.

        The probability of an event, averaged over several answers, is also at most e**epsilon
        times that from any other answer. So sums bound epsilon, too, and much closer.
        """
        first = np.arange(self.size - 1)
        for side, contrast in zip(("next", "previous"), self._neighbours(first), strict=True):
            own, other = contrast
            yield Contrast(
                Pool.of(f"answers without their {side} one", *own),
                Pool.of(f"options without their {side} one, from that one", *other),
            )

    def of_each(self) -> Iterator[Contrast]:
        """Yield the same of every two neighbours by themselves."""
        for first in range(self.size - 1):
            for (own, other), alone in zip(
                self._neighbours(np.array([first])), (first, first + 1), strict=True
            ):
                what = f"option {alone} without its neighbour"
                yield Contrast(Pool.of(what, *own), Pool.of(what, *other))

    def _neighbours(self, first: Rows) -> Iterator[tuple[tuple[Rows, int], tuple[Rows, int]]]:
        """Yield the former of two neighbours alone, then the latter: from itself, from the other.

        Each is the answers, and the event from these.
        """
        yield (first, self._alone), (first + 1, self._alone + 3)
        yield (first + 1, self._alone + 2), (first, self._alone + 1)


def _named(oracle: FrequencyOracle, reports: Sequence[int]) -> Flags:
    """Return which options each report names; some at once, since kernels use more on the way."""
    kernel, column = _naming(oracle), _column(oracle, reports)
    named = np.empty((len(reports), oracle.answers), dtype=np.bool_)
    for start in range(0, len(reports), _AT_ONCE):
        named[start : start + _AT_ONCE] = kernel.supports(column[start : start + _AT_ONCE])
    return named


def _column(oracle: FrequencyOracle, reports: Sequence[int]) -> Column:
    """Return reports as they stand in a column."""
    width = -(-(oracle.reports - 1).bit_length() // 8)
    packed = b"".join([report.to_bytes(width, "little") for report in reports])
    column = np.frombuffer(packed, dtype=np.uint8)
    return column if width == 1 else column.reshape(-1, width)


def _naming(oracle: FrequencyOracle) -> NamingKernel:
    kernel = kernel_of(oracle)
    if not isinstance(kernel, NamingKernel):
        raise TypeError(f"this server has no audit for {oracle.name}; upgrade tossup")
    return kernel
