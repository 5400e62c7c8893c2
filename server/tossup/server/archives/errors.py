"""What goes wrong with archives.

Errors::

    ArchiveError
    ├── ArchiveDamaged    a file does not hold what its signed footer says
    ├── ArchiveUntrusted  no signature, or another key's
    ├── StillOpen         the survey takes reports, so it cannot be sealed
    └── ExtraMissing      a package that archives need is not installed
"""

from tossup.shared.errors import TossupError


class ArchiveError(TossupError):
    """Base of what archives raise."""


class ArchiveDamaged(ArchiveError):  # noqa: N818 - reads as the condition
    """A file does not hold what its signed footer says."""


class ArchiveUntrusted(ArchiveError):  # noqa: N818
    """A file's footer is not signed, or by another key than the one that is trusted."""


class StillOpen(ArchiveError):  # noqa: N818
    """The survey takes reports, so what is sealed now would not be all."""


class ExtraMissing(ArchiveError):  # noqa: N818
    """A package that archives need is not installed."""
