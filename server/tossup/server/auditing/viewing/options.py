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
    Pool,
    Rows,
    View,
    by_flags,
)
from tossup.server.kernels import Column, NamingKernel, kernel_of
from tossup.shared.mechanisms import FrequencyOracle, Mechanism

_TRIALS: Final = 10**4


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
    """Five kinds of events: an option is named; not; without the next, or the one before; with it.

    The events of one kind stand side by side, by the option or the first of the two.
    """

    oracle: FrequencyOracle

    @property
    def size(self) -> int:
        """How many options there are."""
        return self.oracle.answers

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
            contrasts=tuple(self.alone()),
            thorough=_TRIALS * self.size,
        )

    def names(self) -> Iterator[str]:
        """Yield what each event is."""
        options, firsts = range(self.size), range(self.size - 1)
        yield from (f"option {option} is named" for option in options)
        yield from (f"option {option} is not named" for option in options)
        yield from (f"option {option} is named without the next" for option in firsts)
        yield from (f"option {option + 1} is named without the one before" for option in firsts)
        yield from (f"option {option} is named with the next" for option in firsts)

    def chances(self) -> Chances:
        """Return the probability of each event; not looked at where the oracle does not tell it."""
        q, p = map(float, self.oracle.rates)
        both, neither = float(both_chance(self.oracle)), self.oracle.neither_of_two
        named = np.where(np.eye(self.size, dtype=np.bool_), p, q)
        former, latter = np.full((2, self.size, self.size - 1), np.nan)
        pairs = np.full_like(former, np.nan if neither is None else float(neither))
        first = np.arange(self.size - 1)
        former[first, first] = latter[first + 1, first] = p - both
        former[first + 1, first] = latter[first, first] = q - both
        pairs[first, first] = pairs[first + 1, first] = both
        return np.hstack([named, 1 - named, former, latter, pairs])

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each event happened from each answer."""
        named = np.zeros((len(reports), self.size), dtype=np.bool_)
        if len(reports):
            named = _naming(self.oracle).supports(_column(self.oracle, reports))
        flags = np.hstack([named, named[:, :-1] & named[:, 1:]])
        options, pairs = np.split(by_flags(rows, flags, self.size), [self.size], axis=1)
        trials = np.bincount(rows, minlength=self.size)[:, np.newaxis]
        alone = options[:, :-1] - pairs, options[:, 1:] - pairs
        return np.hstack([options, trials - options, *alone, pairs])

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
                yield Pool.of(what, others, 4 * self.size - 2 + option)

    def alone(self) -> Iterator[Contrast]:
        """Yield one of two neighbours without the other: from itself, beside from the other.

        The probability of an event, averaged over several answers, is also at most e**epsilon
        times that from any other answer. So sums bound epsilon, too, and much closer.
        """
        first = np.arange(self.size - 1)
        for side, own, other, events in (
            ("next", first, first + 1, 2 * self.size + first),
            ("previous", first + 1, first, 3 * self.size - 1 + first),
        ):
            yield Contrast(
                Pool.of(f"answers without their {side} one", own, events),
                Pool.of(f"options without their {side} one, from that one", other, events),
            )


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
