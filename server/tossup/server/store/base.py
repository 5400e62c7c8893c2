"""What a store must do, and the records that go in and out.

Stage: ingest to tally. The interface is small on purpose; SQLite and PostgreSQL implement it.
Rules about surveys live above it; a store keeps what it is given, durably.

Errors::

    StoreError
    ├── SurveyUnknown     no survey has this id
    │   └── SurveyDeleted it was deleted
    ├── ManifestUnknown   no manifest has this digest
    ├── ReportsExpired    the survey's reports were deleted at the end of their retention
    ├── SchemaTooNew      a newer Tossup wrote this store
    ├── SchemaTooOld      an older one did, and bringing it up to date would change it
    └── StorageFailed     the disk or the database refused; nothing of this transaction is kept
        ├── Occupied      it holds data, and must be empty
        ├── InUse         another process has it open, and it must stand still
        └── StoreInconsistent     what is stored contradicts what was to be written
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date
from typing import Literal, NamedTuple, TypeVar

from tossup.server.store.drafts import Drafts
from tossup.server.store.members import Members
from tossup.server.store.tally import Cell
from tossup.shared.errors import TossupError
from tossup.shared.survey import Survey

#: ``"closing"``: the last day is over, and what was tossed in time is still counted.
State = Literal["open", "closing", "closed", "not-open"]

Found = TypeVar("Found")


class StoreError(TossupError):
    """Base of what a store raises."""


class SurveyUnknown(StoreError):  # noqa: N818 - reads as the condition, like its wire code
    """No survey has this id."""


class SurveyDeleted(SurveyUnknown):
    """The survey with this id was deleted; its id stands for nothing else."""


class ManifestUnknown(StoreError):  # noqa: N818
    """No manifest has this digest."""


class ReportsExpired(StoreError):  # noqa: N818
    """The survey's reports were deleted at the end of their retention; its counters stay."""


class SchemaTooNew(StoreError):  # noqa: N818
    """A newer Tossup wrote this store; upgrade before opening it."""


class SchemaTooOld(StoreError):  # noqa: N818
    """An older Tossup wrote this store, and what must not change it cannot read it."""


class StorageFailed(StoreError):  # noqa: N818
    """The disk or the database refused. Nothing of the transaction is kept."""


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


class Transaction(ABC):
    """One durable write, alone on its shard. What it reads cannot change before it commits.

    Attributes
    ----------
    day
        The server's day, UTC, all through the transaction.
    """

    day: date
    #: The shard whose ids and counters are changed; who has all of them may go from one to another.
    shard: int = 0

    @abstractmethod
    def standing(self, survey_id: str) -> Standing:
        """Return the survey's state today and its revision.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """

    @abstractmethod
    def survey(self, survey_id: str) -> SurveyRecord:
        """Return the survey's record.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """

    @abstractmethod
    def add_manifest(self, survey: Survey, envelope: bytes) -> None:
        """Keep a version and make it the current one."""

    @abstractmethod
    def close_survey(self, survey_id: str) -> None:
        """Close the survey by hand, today; a second time changes nothing."""

    @abstractmethod
    def reopen_survey(self, survey_id: str) -> None:
        """Take back that the survey was closed by hand."""

    @abstractmethod
    def delete_survey(self, survey_id: str) -> None:
        """Delete a survey's reports, counters and withdrawn ids, and close it for good.

        Its manifests stay, so that its id is never taken again.

        Raises
        ------
        SurveyUnknown
            If there is none with this id, or not any more.
        """

    @abstractmethod
    def expire(self, survey_id: str) -> None:
        """Delete a survey's single reports and withdrawn ids; its counters stay."""

    @abstractmethod
    def ids_after(self, survey_id: str, cursor: Cursor) -> Iterator[IdBlock]:
        """Yield the ids kept since ``cursor``, as they are read; what was withdrawn comes last.

        Chunks that may grow can be among them although nothing was added.
        """

    @abstractmethod
    def append(self, survey_id: str, chunk: Chunk, *, growing: bool = False) -> int:
        """Keep a chunk and return its number, above all earlier ones.

        With ``growing`` it is the chunk that `growing` finds for its manifest, question and day.
        """

    @abstractmethod
    def growing(self, manifest: str, question: str | None) -> tuple[int, Chunk] | None:
        """Return today's chunk that may still grow, and its number."""

    @abstractmethod
    def grow(self, survey_id: str, number: int, chunk: Chunk) -> int:
        """Put a chunk in place of the one that may grow; return its number from now on.

        `ids_after` tells others of what was added, whatever the number is.
        """

    @abstractmethod
    def finish(self, number: int) -> int:
        """End the growth of a chunk; return its number from now on."""

    @abstractmethod
    def chunk(self, number: int) -> Chunk | None:
        """Return a chunk, or None if all its reports were withdrawn."""

    @abstractmethod
    def replace(self, number: int, chunk: Chunk) -> None:
        """Put a chunk in place of one; a chunk without reports is removed."""

    @abstractmethod
    def withdraw_ids(self, survey_id: str, ids: bytes) -> int:
        """Remember ids whose reports must never be counted again; return the entry's number."""

    @abstractmethod
    def count(self, survey_id: str, counts: Iterable[Count], reports: int) -> int:
        """Add to the counters and to the survey's number of reports; return its new revision.

        A transaction that appends or withdraws calls this once.
        """


class Together(ABC):
    """Changes of one thread that stand or fall together."""

    @abstractmethod
    def undo(self) -> None:
        """Undo all of them; nothing more can be changed in their block."""


class Store(Drafts, Members, ABC):
    """Surveys, drafts, reports, tallies, and who may look. Safe to share between threads."""

    #: So many transactions can be under way at once, each on its own share of the ids.
    shards: int = 1

    @abstractmethod
    def write(self, shard: int | None = None) -> AbstractContextManager[Transaction]:
        """Begin a transaction: committed, durably, when the block ends; undone if it raises.

        Parameters
        ----------
        shard
            The share of the ids that it learns, keeps and counts, from 0; None for everything.

        Raises
        ------
        StorageFailed
            If the transaction could not begin or commit; its methods raise the same, where the
            storage fails.
        """

    @abstractmethod
    def together(self) -> AbstractContextManager[Together]:
        """Make all that this thread changes in a block one transaction, by whatever methods.

        It begins with the first change, and is committed, durably, when the block ends; if the
        block raises, or one of the changes does, all of them are undone. A block within a block is
        a part of it.

        Raises
        ------
        StorageFailed
            If the transaction could not commit, or one change was undone before another.
        """

    @abstractmethod
    def surveys(self) -> list[SurveyRecord]:
        """Return all surveys, by id."""

    @abstractmethod
    def survey(self, survey_id: str) -> SurveyRecord:
        """Return a survey.

        Raises
        ------
        SurveyUnknown
            If there is none with this id.
        """

    @abstractmethod
    def manifests(self, survey_id: str) -> list[Survey]:
        """Return all versions of a survey, oldest first."""

    @abstractmethod
    def manifest(self, digest: str) -> Survey:
        """Return the version with this digest.

        Raises
        ------
        ManifestUnknown
            If there is none.
        """

    @abstractmethod
    def envelope(self, digest: str) -> bytes:
        """Return the signed bytes of the version with this digest.

        Raises
        ------
        ManifestUnknown
            If there is none.
        """

    @abstractmethod
    def tally(self, survey_id: str) -> list[Cell]:
        """Return the counters of a survey, all versions, questions, days and strata."""

    @abstractmethod
    def tally_size(self, survey_id: str, most: int) -> tuple[int, int]:
        """Return how many counters of a survey are above 0, and of how many days they are.

        It looks no further than ``most``.
        """

    @abstractmethod
    def last_day(self, survey_id: str) -> date | None:
        """Return the last day with a report, or None."""

    @abstractmethod
    def reports_by_day(self, survey_id: str, since: date) -> dict[date, int]:
        """Return how many single reports are kept of each day with any, from a day on."""

    @abstractmethod
    def withdrawn(self, survey_id: str) -> list[bytes]:
        """Return the ids whose reports must never be counted again, in blobs of 16 bytes each."""

    @abstractmethod
    def read_chunks(self, survey_id: str, work: Callable[[Iterator[Chunk]], Found]) -> Found:
        """Return what ``work`` makes of a survey's chunks as they stood at one moment, for results.

        Where a read fails half way and there is another place to read from, ``work`` is called
        again, from the beginning.
        """

    @abstractmethod
    def audit(self, survey_id: str) -> AbstractContextManager[tuple[list[Cell], Iterator[Chunk]]]:
        """Return tallies and chunks as they stood at one moment, for a recount."""

    @abstractmethod
    def scrub(self) -> None:
        """Overwrite on disk what was deleted since the last time; at the end of a `together`."""

    @abstractmethod
    def check_writable(self) -> None:
        """Write a row and take it back.

        Raises
        ------
        StorageFailed
            If reports could not be stored now: the disk is full, read-only or gone.
        """

    def check_replica(self) -> None:
        """Look whether results can be read from the standby, if one is named.

        Raises
        ------
        StorageFailed
            If they are read from the primary instead.
        """

    @abstractmethod
    def faults(self) -> list[str]:
        """Return what is damaged in the file, by its own structure; nothing if it is whole."""

    @abstractmethod
    def latest_time(self) -> int:
        """Return the latest time that was noted, in seconds since 1970; 0 for none."""

    @abstractmethod
    def note_time(self, now: int) -> None:
        """Note a time, unless a later one was noted."""

    @abstractmethod
    def known_day(self) -> date | None:
        """Return the latest day that was noted; None for none."""

    @abstractmethod
    def note_day(self, day: date) -> None:
        """Note a day, unless a later one was noted."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""
