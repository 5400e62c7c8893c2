"""What is given, checked: every wrong kind of thing is an `EstimationError` that names it."""

from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from collections.abc import Set as AbstractSet
from numbers import Real
from operator import index
from typing import Any, Final, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tossup.server.estimation.errors import EstimationError
from tossup.shared.figures import brief

Floats = NDArray[np.float64]

#: Counts as people have them: a list, an array, a column of a DataFrame.
Counts = Iterable[SupportsIndex]

#: More reports than people ever lived. Of far more, the ends of an interval are one float.
MOST_REPORTS: Final = 10**12
#: Squares of larger numbers are beyond floats.
_LARGEST = 1e150
_TOO_LARGE: Final = f"has numbers beyond {_LARGEST:g}, which must be scaled"
_TOO_MANY: Final = (
    f"must be at most {MOST_REPORTS:,}: of more reports the ends of an interval cannot be told"
    " apart as floats"
)


def checked_confidence(confidence: float) -> float:
    """Return a confidence in (0, 1).

    Raises
    ------
    EstimationError
        If it is another number, or none.
    """
    if not _is_number(confidence) or not 0 < confidence < 1:
        raise EstimationError(f"confidence ({confidence}) must be in (0, 1), such as 0.95")
    return confidence


def part_below_one(value: float, what: str) -> float:
    """Return a number from 0 to below 1.

    Raises
    ------
    EstimationError
        If it is another number, or none.
    """
    if not _is_number(value) or not 0 <= value < 1:
        raise EstimationError(f"{what} ({value}) must be from 0 to below 1")
    return value


def whole(value: SupportsIndex, what: str) -> int:
    """Return an integer of Python's own, also for one of numpy's.

    Raises
    ------
    EstimationError
        If it is none, below 0, or beyond `MOST_REPORTS`.
    """
    try:
        found = index(value)
    except TypeError:
        raise EstimationError(
            f"{what} ({value!r}) must be a non-negative integer, such as 322"
        ) from None
    if isinstance(value, bool) or found < 0:
        shown = value if isinstance(value, bool) else brief(found)
        raise EstimationError(f"{what} ({shown}) must be a non-negative integer, such as 322")
    if found > MOST_REPORTS:
        raise EstimationError(f"{what} ({brief(found)}) {_TOO_MANY}")
    return found


def whole_counts(given: Counts) -> tuple[int, ...]:
    """Return counts as integers of Python's own: of a list, an array, a column of a DataFrame.

    Raises
    ------
    EstimationError
        If they are not a sequence of integers of at least 0, or a column of a DataFrame that is
        labelled by its kinds of reports in another order.
    """
    if type(given) is tuple and all(
        type(count) is int and 0 <= count <= MOST_REPORTS for count in given
    ):
        return given  # checked before; the same reports stay the same object
    if isinstance(given, str | bytes | Mapping | AbstractSet) or not isinstance(given, Iterable):
        raise EstimationError(f"counts must be a sequence of integers, not {given!r}")
    check_order(given)
    return tuple(whole(count, "a count") for count in given)


def check_order(given: object) -> None:
    """Refuse what ``value_counts`` of pandas returns: the most frequent report comes first.

    Raises
    ------
    EstimationError
        If a column or table of pandas is labelled by its kinds of reports in another order.
    """
    for side, by in (("index", "sort_index()"), ("columns", "sort_index(axis=1)")):
        labels = getattr(given, side, None)
        if labels is None or callable(labels):  # a list has a method of this name
            continue
        kinds, ordered = list(labels), list(range(len(labels)))
        if kinds != ordered and set(kinds) == set(ordered):
            raise EstimationError(
                f"counts are labelled {', '.join(map(str, kinds))}, not in the order of reports;"
                f" give counts.{by}"
            )


def check_counts(counts: Counts, length: int) -> tuple[int, ...]:
    """Return so many counts as integers of Python's own, if they are not all 0.

    Raises
    ------
    EstimationError
        If they are another number of counts, or as `whole_counts`.
    """
    known = whole_counts(counts)
    if len(known) != length:
        raise EstimationError(f"counts must have {length} values, one a report; got {len(known)}")
    if not any(known):
        raise EstimationError("there are no reports yet, so nothing can be estimated")
    return known


def column_of(
    given: ArrayLike, rows: int | None, what: str, error: type[EstimationError] = EstimationError
) -> Floats:
    """Return finite numbers, one a row.

    Parameters
    ----------
    given
        The numbers.
    rows
        How many there must be; any number above 0 if None.
    what
        What they are, for messages.
    error
        Which error to raise.

    Raises
    ------
    EstimationError
        If they are no numbers, too many or too few, missing, infinite or too large.
    """
    raw = array_of(given, what, error)
    if raw.dtype.kind not in "iufbO":
        raise error(f"{what} must be numbers; make text such as {_first(raw)!r} columns of 0 and 1")
    try:
        values: Floats = raw.astype(np.float64)
    except (TypeError, ValueError):
        raise error(
            f"{what} must be numbers; {_first(raw)!r} is none (of text make columns of 0 and 1)"
        ) from None
    except OverflowError:
        raise error(f"{what} {_TOO_LARGE}") from None
    if values.ndim != 1 or (rows is not None and len(values) != rows) or not values.size:
        wanted = "" if rows is None else f": {rows}, not {values.size}"
        raise error(f"{what} must have one value a row{wanted}")
    if not np.isfinite(values).all():
        raise error(f"{what} has missing or infinite values; leave those rows out")
    if np.abs(values).max() > _LARGEST:
        raise error(f"{what} {_TOO_LARGE}")
    return values


def respondents_of(given: ArrayLike | None, rows: int) -> Floats:
    """Return how many respondents each row stands for; 1 if not given. Some rows may have none.

    Raises
    ------
    EstimationError
        If a count is no whole number of at least 0, or all are 0.
    """
    if given is None:
        return np.ones(rows)
    counts = counts_of_rows(given, rows)
    if not counts.any():
        raise EstimationError("there are no reports yet, so nothing can be estimated")
    return counts


def counts_of_rows(
    given: ArrayLike, rows: int | None, error: type[EstimationError] = EstimationError
) -> Floats:
    """Return how many respondents each of so many rows stands for; all may be 0.

    Raises
    ------
    EstimationError
        If a count is no whole number from 0 to `MOST_REPORTS`.
    """
    counts = column_of(given, rows, "counts", error)
    if (counts % 1).any() or (counts < 0).any():
        raise error(
            "counts must be whole numbers of at least 0: how many respondents each row stands for;"
            " weights go to sample"
        )
    if counts.max() > MOST_REPORTS:
        raise error(f"a count ({counts.max():g}) {_TOO_MANY}")
    return counts


def array_of(
    given: ArrayLike, what: str, error: type[EstimationError] = EstimationError
) -> NDArray[Any]:
    """Return an array of equally long parts, not of None.

    Raises
    ------
    EstimationError
        If it can be none.
    """
    try:
        found = np.asarray(given)
    except ValueError:
        raise error(f"{what} must be as long in every part") from None
    if found.dtype == object and found.ndim == 0:
        raise error(f"{what} must be a sequence, not {given!r}")
    return found


def labels_of(
    given: Sequence[Hashable], rows: int, what: str, error: type[EstimationError] = EstimationError
) -> tuple[list[Hashable], NDArray[np.intp]]:
    """Return the different labels of rows, in order, and the number of each row's label.

    Raises
    ------
    EstimationError
        If there is not one a row, or one is no label.
    """
    if not isinstance(given, Sized) or not isinstance(given, Iterable) or isinstance(given, str):
        raise error(f"{what} must be a sequence of one label a row, not {given!r}")
    if len(given) != rows:
        raise error(f"{what} must be one a row: {rows}, not {len(given)}")
    try:
        numbers = {label: number for number, label in enumerate(dict.fromkeys(given))}
    except TypeError:
        raise error(f"{what} must be labels, such as text or numbers") from None
    return list(numbers), np.array([numbers[label] for label in given], dtype=np.intp)


def each_once(names: Iterable[object], what: str) -> list[str]:
    """Return names as text, each of which stands once: of two with one name the last would win.

    Raises
    ------
    EstimationError
        If one stands twice.
    """
    seen: dict[str, None] = {}
    for name in map(str, names):
        if name in seen:
            raise EstimationError(f"{what} {name!r} stands there twice; leave one out")
        seen[name] = None
    return list(seen)


def sizes_of(given: Mapping[Hashable, float], what: str) -> dict[Hashable, float]:
    """Return a mapping to numbers, checked.

    Raises
    ------
    EstimationError
        If it is none, or a value is no number.
    """
    if not isinstance(given, Mapping):
        raise EstimationError(f"{what} must be a mapping from label to size, not {given!r}")
    for label, size in given.items():
        if not _is_number(size):
            raise EstimationError(f"{what} of {label!r} ({size!r}) must be a number")
    return {label: float(size) for label, size in given.items()}


def _is_number(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _first(raw: NDArray[Any]) -> object:
    """Return the first value that is no number, for a message."""
    for value in raw.ravel().tolist():
        if not _is_number(value):
            return value
    first: object = raw.ravel()[0].item()
    return first
