"""Array code for columns of reports: one kernel for each family of mechanisms.

Stage: ingest to tally. The shared mechanisms say what is possible, one report at a time and
without numpy; kernels say and count the same for whole columns, and tests hold them together.
"""

from functools import lru_cache

from tossup.server.kernels.base import Column, Counts, Kernel
from tossup.server.kernels.blocks import BlockKernel
from tossup.server.kernels.masks import SubsetKernel, UnaryKernel
from tossup.server.kernels.values import TwoCoinKernel, ValueKernel
from tossup.server.kernels.vectors import VectorKernel
from tossup.shared.mechanisms import (
    Mechanism,
    SubsetSelection,
    TableMechanism,
    TwoCoin,
    VectorMechanism,
)
from tossup.shared.mechanisms.blocks import BlockOracle
from tossup.shared.mechanisms.unary import UnaryEncoding

__all__ = ["Column", "Counts", "Kernel", "kernel_of"]


@lru_cache(maxsize=256)
def kernel_of(mechanism: Mechanism) -> Kernel:
    """Return the kernel for a mechanism."""
    match mechanism:
        case TwoCoin():
            return TwoCoinKernel(mechanism)
        case TableMechanism():
            return ValueKernel(mechanism)
        case SubsetSelection():
            return SubsetKernel(mechanism)
        case UnaryEncoding():
            return UnaryKernel(mechanism)
        case BlockOracle():
            return BlockKernel(mechanism)
        case VectorMechanism():
            return VectorKernel(mechanism)
    raise TypeError(f"this server has no kernel for {mechanism}; upgrade tossup")
