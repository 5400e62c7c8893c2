"""What a device keeps where a survey asks in waves: a randomized value, or coins, tossed once.

Stage: between the coins and the reports of later waves. The answer is never kept: a kept value
has the odds that the ledger was charged, and every report is made from it alone. A memo is made by
coins that were tossed before any answer was looked at, and each wave costs as if it were public.
Both are written in the transaction that tosses and charges, never changed, and erased by a
withdrawal. Without them nothing is reported again, and nothing is tossed again.
"""

from dataclasses import dataclass
from hashlib import sha256

from tossup.client.errors import LedgerDamaged
from tossup.client.store.database import Connection
from tossup.shared import strict_json
from tossup.shared.survey import Question, Survey


@dataclass(frozen=True, slots=True)
class Memory:
    """What is kept about one topic.

    Attributes
    ----------
    design
        What tossed it and for which answers, as text. A version of the survey with another
        mechanism, or with other options or the same in another order, cannot use it.
    kept
        The randomized value or the memo, in hex; empty until the coins have fallen.
    """

    publisher: str
    topic: str
    survey: str
    design: str
    kept: str = ""


def blank(survey: Survey, question: Question) -> Memory:
    """Return the memory of a question, before the coins have fallen."""
    return Memory(
        publisher=survey.publisher.key.hex(),
        topic=question.topic,
        survey=survey.id,
        design=_design(question),
    )


def write(connection: Connection, memory: Memory) -> None:
    """Insert a memory, or replace a blank one."""
    connection.execute(
        "INSERT OR REPLACE INTO memory VALUES (?, ?, ?, ?, ?, ?)",
        (*_fields(memory), _seal(memory)),
    )


def read(connection: Connection, survey: Survey, question: Question) -> int | None:
    """Return what is kept about a question; None if there is nothing that its design can use.

    Raises
    ------
    LedgerDamaged
        If it is not what was written.
    """
    wanted = blank(survey, question)
    row = connection.execute(
        "SELECT publisher, topic, survey, design, kept, seal FROM memory"
        " WHERE publisher = ? AND topic = ?",
        (wanted.publisher, wanted.topic),
    ).fetchone()
    if row is None:
        return None
    memory = Memory(*map(str, row[:-1]))
    if _seal(memory) != row[-1]:
        raise LedgerDamaged
    if (memory.survey, memory.design) != (wanted.survey, wanted.design):
        return None
    return int(memory.kept, 16)


def forget(connection: Connection, publisher: str, survey: str) -> None:
    """Erase what is kept for a survey."""
    connection.execute("DELETE FROM memory WHERE publisher = ? AND survey = ?", (publisher, survey))


def _design(question: Question) -> str:
    tossed, domain = question.mechanism.memory, question.domain
    answers = [*question.answer_ids], domain.to_json() or None
    return strict_json.dumps([tossed.spec(), tossed.answers, *answers]).decode()


def _fields(memory: Memory) -> tuple[str, ...]:
    return memory.publisher, memory.topic, memory.survey, memory.design, memory.kept


def _seal(memory: Memory) -> bytes:
    return sha256(strict_json.dumps(list(_fields(memory)))).digest()
