"""View mechanisms for several options: which options reports ask, and what they say of each.

Given are the empty set, every option alone, and from every option on as many as one may tick,
and one less. So each option is ticked and not ticked beside others, and two answers that differ
in as many options as any two can are compared as a whole: by the bits in which they differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

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
    repeats_of,
)
from tossup.server.auditing.viewing.whole_sets import NOT_RARE, WholeSets, binomial, bits_of, window
from tossup.shared.mechanisms import SeveralMechanism


def view_sets(mechanism: SeveralMechanism) -> View:
    """Return the view of a mechanism for sets of options."""
    return _Sets(mechanism).view()


@dataclass(frozen=True)
class _Sets:
    mechanism: SeveralMechanism

    @cached_property
    def whole(self) -> WholeSets:
        """Answers as a whole."""
        return WholeSets(self.mechanism)

    @property
    def asked(self) -> int:
        """How many options a report asks."""
        return self.whole.asked

    @property
    def starts(self) -> int:
        """How many places there are for a report to begin."""
        return self.whole.starts

    @cached_property
    def answers(self) -> tuple[int, ...]:
        """The masks that are given, the smallest first."""
        k, most = self.mechanism.options, self.mechanism.most
        sizes = {1, most, max(1, min(most, k - 1))}
        masks = {window(k, start, size) for start in range(k) for size in sizes}
        masks |= {mask for pair in self.whole.pairs for mask in (pair.own, pair.other)}
        return tuple(sorted(masks | {0}, key=lambda mask: (mask.bit_count(), mask)))

    @cached_property
    def ticks(self) -> Flags:
        """``[answer, option]``: which are ticked."""
        return bits_of(np.array(self.answers, dtype=np.uint64), self.mechanism.options)

    @cached_property
    def asks(self) -> Flags:
        """``[start, option]``: which options a report asks that begins there."""
        options = np.arange(self.mechanism.options)
        starts = np.arange(self.starts)[:, np.newaxis]
        return (options - starts) % self.mechanism.options < self.asked

    def view(self) -> View:
        """Return what is looked at."""
        return View(
            mechanism=self.mechanism,
            audited="options, and whole answers",
            answers=self.answers,
            events=tuple(self.names()),
            chances=self.chances,
            count=self.count,
            pools=tuple(self.pools()),
            contrasts=tuple(self.contrasts()),
            repeats=repeats_of([*self._whole_contrasts()], len(self.answers)),
            common=self._agreeing,
        )

    def names(self) -> Iterator[str]:
        """Yield what each event is: starts, ticked, not ticked, two neighbours, whole answers."""
        k = self.mechanism.options
        yield from (f"first asked is option {start}" for start in range(self.starts))
        yield from (f"option {option} is said to be ticked" for option in range(k))
        yield from (f"option {option} is said not to be ticked" for option in range(k))
        yield from (f"option {option} and the next are said to be ticked" for option in range(k))
        yield from (f"as answer {pair.own} rather than {pair.other}" for pair in self.whole.pairs)
        yield "as many bits as in the answer as are not too rare"

    @property
    def _ticked(self) -> int:
        return self.starts

    @property
    def _unticked(self) -> int:
        return self.starts + self.mechanism.options

    @property
    def _joined(self) -> int:
        return self.starts + 2 * self.mechanism.options

    @property
    def _whole(self) -> int:
        return self.starts + 3 * self.mechanism.options

    @property
    def _agreeing(self) -> int:
        return self._whole + len(self.whole.pairs)

    @cached_property
    def agreement(self) -> tuple[Rows, Chances]:
        """For every answer a number of bits, and how likely so many are as in the answer."""
        q, p = map(float, self.mechanism.rates)
        found = []
        for answer in self.answers:
            # Of some options asked, all bits are alike: then p is 1 - q.
            ticked = min(answer.bit_count(), self.asked)
            bits = np.convolve(binomial(ticked, p), binomial(self.asked - ticked, 1 - q))
            beyond = np.cumsum(bits[::-1])[::-1]
            enough = int(np.flatnonzero(beyond >= min(NOT_RARE, beyond[0]))[-1])
            found.append((enough, beyond[enough]))
        numbers, chances = zip(*found, strict=True)
        return np.array(numbers), np.array(chances)

    @cached_property
    def chances(self) -> Chances:
        """The probabilities; those of whole answers only from the two they are about."""
        q, p = map(float, self.mechanism.rates)
        says = np.where(self.ticks, p, q)
        share = self.asks.mean(axis=0)
        both = (self.asks & np.roll(self.asks, -1, axis=1)).mean(axis=0)
        starts = np.full((len(self.answers), self.starts), 1 / self.starts)
        joined = both * says * np.roll(says, -1, axis=1)
        whole = np.full((len(self.answers), len(self.whole.pairs)), np.nan)
        for place, pair in enumerate(self.whole.pairs):
            for answer in (pair.own, pair.other):
                whole[self.answers.index(answer), place] = self.whole.chance(place, answer)
        agreeing = self.agreement[1][:, np.newaxis]
        return np.hstack([starts, share * says, share * (1 - says), joined, whole, agreeing])

    def count(self, rows: Rows, reports: Sequence[int]) -> Counts:
        """Return how often each event happened from each answer."""
        k, numbers = self.mechanism.options, np.array(reports, dtype=np.uint64)
        starts = np.zeros(len(reports), dtype=np.int64)
        said = bits_of(numbers, self.asked)
        if self.starts > 1:
            starts = (numbers >> np.uint64(self.asked)).astype(np.int64)
        places = (np.arange(k) - starts[:, np.newaxis]) % k
        asked = places < self.asked
        ticked = asked & np.take_along_axis(said, np.minimum(places, self.asked - 1), axis=1)
        flags = [
            starts[:, np.newaxis] == np.arange(self.starts),
            ticked,
            asked & ~ticked,
            ticked & np.roll(ticked, -1, axis=1),
            self.whole.happened(starts, ticked),
            self._agree(rows, asked, ticked),
        ]
        return by_flags(rows, np.hstack(flags), len(self.answers))

    def _agree(self, rows: Rows, asked: Flags, ticked: Flags) -> Flags:
        agreeing = (asked & (ticked == self.ticks[rows])).sum(axis=1)
        found: Flags = (agreeing >= self.agreement[0][rows])[:, np.newaxis]
        return found

    def pools(self) -> Iterator[Pool]:
        """Yield every option from all that tick it, and that do not, and all of these together."""
        every = np.arange(len(self.answers))
        for start in range(self.starts if self.starts > 1 else 0):
            yield Pool.of(f"first asked is option {start}", every, start)
        for option in range(self.mechanism.options):
            for tick, of in ((True, "that tick it"), (False, "that do not")):
                rows = np.flatnonzero(self.ticks[:, option] == tick)
                what = f"option {option} is said to be ticked, from all {of}"
                yield Pool.of(what, rows, self._ticked + option)
        yield from self._neighbours()
        yield Pool.of("bits as in the answer, from all answers", every, self._agreeing)
        for each in self._whole_contrasts():
            yield from (each.own, each.other)

    def _neighbours(self) -> Iterator[Pool]:
        if self.mechanism.options < 2 or not (self.chances[:, self._joined] > 0).any():
            return
        for option in range(self.mechanism.options):
            neither = ~(self.ticks[:, option] | np.roll(self.ticks, -1, axis=1)[:, option])
            what = f"option {option} and the next are said to be ticked, from all that tick neither"
            yield Pool.of(what, np.flatnonzero(neither), self._joined + option)

    def contrasts(self) -> Iterator[Contrast]:
        """Yield whole answers first, all together, then every option."""
        yield from self._whole_contrasts()
        for option in range(self.mechanism.options):
            ticking = np.flatnonzero(self.ticks[:, option])
            others = np.flatnonzero(~self.ticks[:, option])
            yield self._of_option(option, self._ticked + option, (ticking, others))
            yield self._of_option(option, self._unticked + option, (others, ticking))

    def _of_option(self, option: int, event: int, sides: tuple[Rows, Rows]) -> Contrast:
        """Return an event of one option from all answers that tick it, beside the others."""
        own, other = (Pool.of(f"option {option} by itself", rows, event) for rows in sides)
        return Contrast(own, other, (len(sides[0]), len(sides[1])))

    def _whole_contrasts(self) -> Iterator[Contrast]:
        """Yield the pairs, those one way round and those the other, each all together."""
        for side, what in ((0, "answers as a whole"), (1, "answers as a whole, turned round")):
            pairs = self.whole.pairs[side::2]
            events = range(self._whole + side, self._whole + len(self.whole.pairs), 2)
            own = [self.answers.index(pair.own) for pair in pairs]
            other = [self.answers.index(pair.other) for pair in pairs]
            yield Contrast(Pool.of(what, own, events), Pool.of(what, other, events))
