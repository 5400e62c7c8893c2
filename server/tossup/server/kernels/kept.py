"""Kernel of numbers that are reported through kept bits: counts values, tosses bits."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Counts, histogram
from tossup.server.kernels.tossing.draws import uniform_below
from tossup.server.kernels.values import ValueKernel
from tossup.shared.mechanisms import DBitFlip

_CHUNK: Final = 1 << 18


@dataclass(frozen=True, slots=True)
class KeptBitsKernel(ValueKernel):
    """Simulates bit by bit: the table's weights are products, and too large for one draw."""

    mechanism: DBitFlip

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally of freshly tossed reports, each through a memo of its own."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for answer, respondents in enumerate(truth):
            for start in range(0, respondents, _CHUNK):
                reports = self._reports(answer, min(_CHUNK, respondents - start))
                tally += histogram(reports, self.mechanism.counters)
        return tally

    def report_each(self, options: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a freshly tossed report for each of many respondents, given their answers."""
        reported = np.empty(len(options), dtype=np.int64)
        for answer in np.unique(options).tolist():
            given = options == answer
            reported[given] = self._reports(answer, int(given.sum()))
        return reported

    def _reports(self, answer: int, n: int) -> NDArray[np.int64]:
        design = self.mechanism
        held = np.array([design.truth(first, answer) for first in range(design.windows)])
        firsts = uniform_below(design.windows, n)
        kept = self._wrong(design.keep + design.lie, design.lie, n)
        fresh = self._wrong(design.again_keep + design.again_lie, design.again_lie, n)
        reports: NDArray[np.int64] = firsts << design.asked | held[firsts] ^ kept ^ fresh
        return reports

    def _wrong(self, total: int, lie: int, n: int) -> NDArray[np.int64]:
        """Return masks of bits, each set with probability lie / total."""
        asked = self.mechanism.asked
        wrong = uniform_below(total, n * asked).reshape(n, asked) < lie
        masks: NDArray[np.int64] = wrong @ (1 << np.arange(asked))
        return masks
