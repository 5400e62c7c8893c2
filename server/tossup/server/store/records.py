"""The records that go into a store and come out of it, and what it raises.

Stage: ingest to tally.

Errors::

    StoreError
    ├── SurveyUnknown     no survey has this id
    │   └── SurveyDeleted it was deleted
    ├── ManifestUnknown   no manifest has this digest
    ├── ManifestDamaged   a manifest is not as it was stored
    ├── ReportsExpired    the survey's reports were deleted at the end of their retention
    ├── SchemaTooNew      a newer Tossup wrote this store
    ├── SchemaTooOld      an older one did, and bringing it up to date would change it
    └── StorageFailed     the disk or the database refused; nothing of this transaction is kept
        ├── OutcomeUnknown    the connection ended in a commit: all of it is kept, or nothing
        ├── Occupied      it holds data, and must be empty
        ├── InUse         another process has it open, and it must stand still
        └── StoreInconsistent     what is stored contradicts what was to be written
"""

from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, TypeVar

from tossup.shared.errors import TossupError
from tossup.shared.survey import Survey

#: ``"closing"``: the last day is over, and what was tossed in time is still counted.
State = Literal["open", "closing", "closed", "not-open"]
#: What a reader makes of what it reads.
Found = TypeVar("Found")


class StoreError(TossupError):
    """Base of what a store raises."""


class SurveyUnknown(StoreError):  # noqa: N818 - reads as the condition, like its wire code
    """No survey has this id."""


class SurveyDeleted(SurveyUnknown):
    """The survey with this id was deleted; its id stands for nothing else."""


class ManifestUnknown(StoreError):  # noqa: N818
    """No manifest has this digest."""


class ManifestDamaged(StoreError):  # noqa: N818
    """A manifest is not as it was stored; restore it from a backup. Others can be read."""


class ReportsExpired(StoreError):  # noqa: N818
    """The survey's reports were deleted at the end of their retention; its counters stay."""


class SchemaTooNew(StoreError):  # noqa: N818
    """A newer Tossup wrote this store; upgrade before opening it."""


class SchemaTooOld(StoreError):  # noqa: N818
    """An older Tossup wrote this store, and what must not change it cannot read it."""


class StorageFailed(StoreError):  # noqa: N818
    """The disk or the database refused. Nothing of the transaction is kept."""


class OutcomeUnknown(StorageFailed):
    """The connection ended while a transaction was committed: all of it is kept, or nothing."""


class Occupied(StorageFailed):
    """The store holds data, and nothing is put beside it."""


class InUse(StorageFailed):
    """Another process has the store open, or wrote to it, while it must stand still."""


class StoreInconsistent(StorageFailed):
    """What is stored is damaged, or contradicts what was to be written. Other work can go on."""


@dataclass(frozen=True, slots=True)
class SurveyRecord:
    """A survey as the store holds it.

    Attributes
    ----------
    survey, envelope
        Its current version, as values and as the signed bytes.
    closed
        Whether its owner closed it by hand.
    state
        By the server's day, UTC: ``"closed"`` by hand or when late reports are no longer counted,
        ``"closing"`` from the day after its last one until then, ``"not-open"`` before its first
        day, else ``"open"``.
    reports
        Reports counted now, over all versions.
    revision
        Grows whenever a tally, a version or the closing changes.
    ended
        The last day on which reports were taken, once the survey is closed.
    expired
        Whether its single reports were deleted, as ``retention_days`` promises.
    """

    survey: Survey
    envelope: bytes
    closed: bool
    state: State
    reports: int
    revision: int
    ended: date | None = None
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """What a transaction must know of a survey: its state today, and its revision.

    While the revision is the same, no chunk and no withdrawal was added.

    Attributes
    ----------
    survey
        Its current version.
    closed
        Whether its owner closed it by hand, or its retention is over.
    """

    state: State
    revision: int
    survey: Survey
    closed: bool


@dataclass(frozen=True, slots=True)
class Chunk:
    """Reports of one manifest, question and day that are stored together, packed.

    Attributes
    ----------
    manifest
        Digest of the manifest they answer.
    question
        The question's id; None when one report answers all of them (linkage ``joint``).
    day
        The server's day (UTC) on which they arrived.
    ids
        16 bytes a report, ascending, so that the order of arrival is not kept.
    columns, attributes
        The columns as on the wire, one after the other in the manifest's order.
    """

    manifest: str
    question: str | None
    day: date
    ids: bytes
    columns: bytes
    attributes: bytes


class Count(NamedTuple):
    """A change of one counter: ``change`` more in counter ``value``, from one stratum.

    The mechanism says what a counter means: most count the reports of one value.

    ``stratum`` is one number: the option indexes of the attributes in mixed radix, the last
    attribute counting in ones.
    """

    manifest: str
    question: str
    day: date
    stratum: int
    value: int
    change: int


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a reader has followed a survey's ids: its last chunk and its last withdrawal."""

    chunk: int = 0
    withdrawal: int = 0


@dataclass(frozen=True, slots=True)
class IdBlock:
    """Ids that stand in one chunk, or that were withdrawn (``chunk`` is None).

    ``withdrawal`` is the number under which they are remembered as withdrawn.
    """

    chunk: int | None
    ids: bytes
    withdrawal: int = 0
