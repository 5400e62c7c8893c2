"""Array code for columns of reports: one kernel for each family of mechanisms.

Stage: ingest to tally. The shared mechanisms say what is possible, one report at a time and
without numpy; kernels say and count the same for whole columns, and tests hold them together.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

from tossup.server.kernels.base import Column, Counts, Kernel, NamingKernel
from tossup.server.kernels.blocks import BlockKernel, HadamardKernel, HashKernel, ProjectiveKernel
from tossup.server.kernels.kept import KeptBitsKernel
from tossup.server.kernels.masks import MaskKernel, SubsetKernel, UnaryKernel
from tossup.server.kernels.orders import OrderKernel
from tossup.server.kernels.several import PerOptionBitsKernel, SampledOptionsKernel
from tossup.server.kernels.slots import MaskSlotKernel, SlotKernel
from tossup.server.kernels.values import DecayKernel, TwoCoinKernel, ValueKernel
from tossup.server.kernels.vectors import VectorKernel
from tossup.shared.mechanisms import Mechanism, PrefixExtending

__all__ = ["Column", "Counts", "Kernel", "NamingKernel", "kernel_of"]


def _slots(mechanism: PrefixExtending) -> Kernel:
    """Return the kernel for what the oracle reports: a number, or a mask."""
    oracle: Any = kernel_of(mechanism.oracle)
    kind = MaskSlotKernel if isinstance(oracle, MaskKernel) else SlotKernel
    return kind(mechanism, oracle)


#: The kernel of each way to count: see `Mechanism.counting`.
_KERNELS: Final[Mapping[str, Callable[[Any], Kernel]]] = {
    "values": ValueKernel,
    "coins": TwoCoinKernel,
    "kept bits": KeptBitsKernel,
    "decay": DecayKernel,
    "orders": OrderKernel,
    "sets": SubsetKernel,
    "bits": UnaryKernel,
    "blocks": BlockKernel,
    "hadamard": HadamardKernel,
    "projective": ProjectiveKernel,
    "hashes": HashKernel,
    "bit an option": PerOptionBitsKernel,
    "sampled options": SampledOptionsKernel,
    "digits": VectorKernel,
    "slots": _slots,
}


@lru_cache(maxsize=256)
def kernel_of(mechanism: Mechanism) -> Kernel:
    """Return the kernel for a mechanism, by how its reports are counted."""
    kernel = _KERNELS.get(mechanism.counting)
    if kernel is None:
        raise TypeError(f"this server has no kernel for {mechanism}; upgrade tossup")
    return kernel(mechanism)
