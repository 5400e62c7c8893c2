"""What ``answers`` may be in a survey file, where it is a table: one module for each kind.

Stage: authoring. A kind reads its table, makes the domain, and chooses the coins.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from tossup.server.kinds.base import AnswerKind, Wanted
from tossup.server.kinds.number import read_integers, read_numbers
from tossup.server.kinds.ranking import read_ranking
from tossup.server.kinds.several import read_several
from tossup.server.kinds.text import read_texts
from tossup.server.kinds.vector import read_moments, read_vector

__all__ = ["AnswerKind", "Wanted", "read_answers"]

#: By the table's telling key: its reader, and an example for who wrote it wrong.
_READERS: Final[Mapping[str, tuple[Callable[[Mapping[str, Any]], AnswerKind | None], str]]] = {
    "integers": (read_integers, "{integers = [0, 10]}"),
    "numbers": (read_numbers, "{numbers = [0, 100], step = 1}"),
    "vector": (read_vector, '{vector = ["x", "y"], norm = 1}'),
    "moments": (read_moments, '{moments = ["x", "y"], norm = 1}'),
    "ranking": (read_ranking, '{ranking = ["Bus", "Tram", "Bike"]}'),
    "text": (read_texts, '{text = "a-z ", longest = 12}'),
    "several": (read_several, '{several = ["a", "b", "c"], most = 2}'),
}


def read_answers(value: object) -> AnswerKind:
    """Return the kind of answers that a table describes.

    >>> read_answers({"integers": [0, 10]}).domain(()).answers
    11

    Raises
    ------
    ValueError
        If it describes none; the message shows what would.
    """
    table = value if isinstance(value, Mapping) else {}
    readers = {key: reader for key, reader in _READERS.items() if key in table}
    for read, _ in readers.values():
        kind = read(table)
        if kind is not None:
            return kind
    examples = [example for _, example in (readers or _READERS).values()]
    raise ValueError(
        f"must be {' or '.join(examples if readers else ['a list of labels', *examples])}"
    )
