"""Array code for columns of reports: one kernel for each family of mechanisms.

Stage: ingest to tally. The shared mechanisms say what is possible, one report at a time and
without numpy; kernels say and count the same for whole columns, and tests hold them together.
"""

from functools import lru_cache

from tossup.server.kernels.base import Column, Counts, Kernel
from tossup.server.kernels.values import ValueKernel
from tossup.shared.mechanisms import Mechanism, TableMechanism

__all__ = ["Column", "Counts", "Kernel", "kernel_of"]


@lru_cache(maxsize=256)
def kernel_of(mechanism: Mechanism) -> Kernel:
    """Return the kernel for a mechanism."""
    if isinstance(mechanism, TableMechanism):
        return ValueKernel(mechanism)
    raise TypeError(f"this server has no kernel for {mechanism.name}; upgrade tossup")
