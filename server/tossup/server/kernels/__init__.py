"""Array code for columns of reports: one kernel for each family of mechanisms.

Stage: ingest to tally. The shared mechanisms say what is possible, one report at a time and
without numpy; kernels say and count the same for whole columns, and tests hold them together.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Final

from tossup.server.kernels.base import Column, Counts, Kernel, NamingKernel
from tossup.server.kernels.blocks import BlockKernel
from tossup.server.kernels.kept import KeptBitsKernel
from tossup.server.kernels.masks import SubsetKernel, UnaryKernel
from tossup.server.kernels.orders import OrderKernel
from tossup.server.kernels.several import PerOptionBitsKernel, SampledOptionsKernel
from tossup.server.kernels.slots import slot_kernel
from tossup.server.kernels.values import DecayKernel, TwoCoinKernel, ValueKernel
from tossup.server.kernels.vectors import VectorKernel
from tossup.shared.mechanisms import (
    DBitFlip,
    Mechanism,
    PerOptionBits,
    PrefixExtending,
    RankedChoice,
    SampledOptions,
    SubsetSelection,
    TableMechanism,
    TwoCoin,
    VectorMechanism,
)
from tossup.shared.mechanisms.choices.blocks import BlockOracle
from tossup.shared.mechanisms.choices.unary import UnaryEncoding
from tossup.shared.mechanisms.noise.decay import Decay

__all__ = ["Column", "Counts", "Kernel", "NamingKernel", "kernel_of"]

#: The first kind that a mechanism is of has its kernel.
_KERNELS: Final[Sequence[tuple[type[Mechanism], Callable[[Any], Kernel]]]] = (
    (TwoCoin, TwoCoinKernel),
    (DBitFlip, KeptBitsKernel),
    (Decay, DecayKernel),
    (TableMechanism, ValueKernel),
    (RankedChoice, OrderKernel),
    (SubsetSelection, SubsetKernel),
    (UnaryEncoding, UnaryKernel),
    (BlockOracle, BlockKernel),
    (PerOptionBits, PerOptionBitsKernel),
    (SampledOptions, SampledOptionsKernel),
    (VectorMechanism, VectorKernel),
    (PrefixExtending, slot_kernel),
)


@lru_cache(maxsize=256)
def kernel_of(mechanism: Mechanism) -> Kernel:
    """Return the kernel for a mechanism."""
    for kind, kernel in _KERNELS:
        if isinstance(mechanism, kind):
            return kernel(mechanism)
    raise TypeError(f"this server has no kernel for {mechanism}; upgrade tossup")
