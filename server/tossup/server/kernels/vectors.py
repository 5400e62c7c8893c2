"""Kernel of mechanisms for vectors: sums of digits and of their products."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tossup.server.kernels.base import Column, Counts, Indexes
from tossup.server.kernels.tossing.directions import turned
from tossup.server.kernels.tossing.noise import gaussian_noise, laplace_noise, spherical_noise
from tossup.server.kernels.tossing.source import coins
from tossup.shared.mechanisms import (
    VectorMechanism,
)
from tossup.shared.mechanisms.digits import to_digits

_BYTE: Final = 256
_LIMB: Final = 16  # bits that are divided at once: a remainder and a limb fit in 64
#: Reports whose products are summed at once: floats hold sums of integers below 2**53 exactly.
_CHUNK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class VectorKernel:
    """Takes reports apart into digits, and adds these up."""

    mechanism: VectorMechanism

    def admits(self, column: Column) -> bool:
        """Return whether no number is too large for its digits."""
        if self.mechanism.levels == _BYTE:
            return True
        _, left = self.digits(column)
        return not left.any()

    def count(self, column: Column) -> Counts:
        """Return the sums of digits, of the products of pairs, and the number of reports."""
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for start in range(0, len(column), _CHUNK):
            digits, _ = self.digits(column[start : start + _CHUNK])
            tally += self._sums(digits)
        return tally

    def simulate(self, truth: Sequence[int]) -> Counts:
        """Return the tally when truth[i] respondents give answer i, freshly tossed."""
        given = np.flatnonzero(truth).tolist()
        held = np.repeat(np.arange(len(given)), [truth[answer] for answer in given])
        tally = np.zeros(self.mechanism.counters, dtype=np.int64)
        for start in range(0, len(held), _CHUNK):
            tally += self.count(self.perturb_each(given, held[start : start + _CHUNK]))
        return tally

    def toss(self, answers: Sequence[int]) -> Counts:
        """Return the tally of one report an answer."""
        base, length = self.mechanism.levels, self.mechanism.dimension
        reports = (self.mechanism.perturb(answer, coins()) for answer in answers)
        digits = [to_digits(report, base, length) for report in reports]
        return self._sums(np.array(digits, dtype=np.int64).reshape(-1, length))

    def perturb_each(self, answers: Sequence[int], held: Indexes) -> Column:
        """Return one fresh report a respondent."""
        base, length = 2 * self.mechanism.radius + 1, self.mechanism.dimension
        digits = np.array([to_digits(answer, base, length) for answer in answers])
        return self.perturb_points(digits[held] - self.mechanism.radius)

    def perturb_points(self, points: NDArray[np.int64]) -> Column:
        """Return one fresh report for each point of the lattice: one row of components each."""
        design: Any = self.mechanism
        if design.noise == "direction":
            return turned(design, points)
        noise = _NOISE[design.noise](design, len(points))
        window = (design.levels - 1) // 2
        return _from_digits((points + noise + window) % design.levels, design)

    def _sums(self, digits: NDArray[np.int64]) -> Counts:
        floats = digits.astype(np.float64)
        rows, columns = np.array(self.mechanism.products).T
        products = (
            (floats.T @ floats)[rows, columns]
            if self.mechanism.is_paired
            else (floats**2).sum(axis=0)
        )
        ends = np.array([len(digits)])
        sums: Counts = np.concatenate([digits.sum(axis=0), products.astype(np.int64), ends])
        return sums

    def digits(self, column: Column) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return every report's digits, one row each, and what is left of it beyond them."""
        data = column.reshape(len(column), -1)
        if self.mechanism.levels == _BYTE:
            return data.astype(np.int64), np.zeros(0, dtype=np.uint64)
        padded = np.zeros((len(data), -(-data.shape[1] // 2) * 2), dtype=np.uint8)
        padded[:, : data.shape[1]] = data
        limbs = padded.view("<u2").T.astype(np.uint64)  # the least significant first
        digits = np.empty((len(data), self.mechanism.dimension), dtype=np.int64)
        for place in range(self.mechanism.dimension):
            digits[:, place] = _divide(limbs, self.mechanism.levels)
        return digits, limbs


def digits_of(mechanism: VectorMechanism, reports: Sequence[int]) -> NDArray[np.int64]:
    """Return the digits of some reports, one row each."""
    width = -(-(mechanism.reports - 1).bit_length() // 8)
    packed = b"".join([report.to_bytes(width, "little") for report in reports])
    column = np.frombuffer(packed, dtype=np.uint8).reshape(len(reports), width)
    return VectorKernel(mechanism).digits(column)[0]


def _divide(limbs: NDArray[np.uint64], base: int) -> NDArray[np.uint64]:
    """Divide numbers by a base below 2**32, in place, and return the remainders."""
    divisor, shift = np.uint64(base), np.uint64(_LIMB)
    rest = np.zeros(limbs.shape[1], dtype=np.uint64)
    for limb in limbs[::-1]:
        rest = rest << shift | limb
        limb[:] = rest // divisor
        rest %= divisor
    return rest


def _from_digits(digits: NDArray[np.int64], mechanism: VectorMechanism) -> Column:
    """Return the reports with these digits, one row each, as a column."""
    width = -(-(mechanism.reports - 1).bit_length() // 8)
    limbs = np.zeros((-(-width // 2), len(digits)), dtype=np.uint64)  # the least significant first
    for column in digits.T[::-1]:
        _multiply_add(limbs, mechanism.levels, column.astype(np.uint64))
    packed = np.ascontiguousarray(limbs.T.astype("<u2")).view(np.uint8)
    return packed[:, 0] if width == 1 else np.ascontiguousarray(packed[:, :width])


def _multiply_add(limbs: NDArray[np.uint64], base: int, carry: NDArray[np.uint64]) -> None:
    """Multiply numbers by a base below 2**32 and add to them, in place."""
    factor, shift, mask = np.uint64(base), np.uint64(_LIMB), np.uint64((1 << _LIMB) - 1)
    for limb in limbs:
        carry = limb * factor + carry
        limb[:] = carry & mask
        carry = carry >> shift


_NOISE: Final[Mapping[str, Callable[[Any, int], NDArray[np.int64]]]] = {
    "gaussian": gaussian_noise,
    "laplace": laplace_noise,
    "spherical": spherical_noise,
}
