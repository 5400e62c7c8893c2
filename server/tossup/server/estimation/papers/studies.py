"""A table of studies, each row with counts and a design of its own: from a CSV or a DataFrame."""

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any, Final, Protocol

from tossup.server.estimation.checks import each_once, whole
from tossup.server.estimation.designs.named import PARAMETERS, design_named, design_of
from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.papers.asking import estimate, estimate_counts
from tossup.server.estimation.papers.two_samples import PAIRS
from tossup.server.estimation.telling.result import Result, Results
from tossup.shared.wording import fault

_COLUMNS: Final = ("name", "design", "yes", "n", "counts", *PARAMETERS)


class _Frame(Protocol):
    """What is taken of a DataFrame, whoever's it is."""

    def to_dict(self, orient: str) -> list[dict[Any, Any]]: ...


def estimate_table(rows: "Iterable[Mapping[str, object]] | _Frame") -> Results:
    """Return the estimate of every row of a table.

    Parameters
    ----------
    rows
        Mappings, or a DataFrame, with the columns ``yes`` and ``n``, or ``counts`` (reports of
        each kind, such as ``30 120 210``); ``design`` (``two-coin`` if absent) with its
        parameters, in columns of their own or behind it (see `design_of`); and a ``name``. Empty
        cells are as absent ones.

    Returns
    -------
    Results
        A result a row, by its name or number.

    Raises
    ------
    EstimationError
        With the number of the row, if it has no estimate, or its name a character that must not
        stand in a text; or if there is no row, or a column is none of these.

    Examples
    --------
    >>> print(estimate_table([
    ...     {"name": "phone", "yes": 400, "n": 1000},
    ...     {"name": "paper", "yes": 450, "n": 1000, "design": "warner", "p": "0.7"},
    ... ]))
    phone: 0.3000 (0.2401 to 0.3614, 95 % score interval, n = 1000)
    paper: 0.3750 (0.2985 to 0.4524, 95 % score interval, n = 1000)
    """
    table = list(_mappings(rows))
    if not table:
        raise EstimationError("the table has no row")
    names, results = [], []
    for number, row in enumerate(table, start=1):
        cells = _cells(row)
        try:
            results.append(_estimated(cells))
        except EstimationError as error:
            raise EstimationError(f"row {number}: {error}") from error
        names.append(_name(number, cells))
    return Results(tuple(names), tuple(results))


def _name(number: int, cells: Mapping[str, object]) -> str:
    """Return what a row is called, by which no output may be turned or coloured."""
    called = str(cells.get("name", number))
    if wrong := fault(called):
        raise EstimationError(f"row {number}: the name {wrong}; leave it out")
    return called


def estimate_study(row: Mapping[str, object]) -> Result:
    """Return the estimate of one row; see `estimate_table`."""
    return _estimated(_cells(row))


def studies_from_csv(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV as mappings, its column names in small letters.

    Raises
    ------
    EstimationError
        If a column is unknown or stands twice, or a row has more cells than there are columns.
    """
    reader = csv.DictReader(StringIO(text.removeprefix("\ufeff")), restkey="", strict=True)
    try:
        reader.fieldnames = _heads(reader.fieldnames or ())
        rows = [row for row in reader if any(row.values())]  # an empty line is no study
    except csv.Error as error:
        raise EstimationError(f"line {reader.line_num} is no CSV: {error}") from error
    if crowded := [number for number, row in enumerate(rows, start=1) if "" in row]:
        raise EstimationError(f"row {crowded[0]} has more cells than there are columns")
    return rows


def _heads(given: Iterable[object]) -> list[str]:
    """Return names of columns in small letters: of one that is not known nothing would be read."""
    heads = each_once((str(head).strip().lower().replace("-", "_") for head in given), "column")
    if unknown := [head for head in heads if head not in _COLUMNS]:
        parted = "; part cells by commas" if ";" in unknown[0] or "\t" in unknown[0] else ""
        raise EstimationError(
            f"column {unknown[0]!r} is none of {', '.join(_COLUMNS)}; rename it or leave it out"
            f"{parted}"
        )
    return heads


def _mappings(rows: "Iterable[Mapping[str, object]] | _Frame") -> Iterable[Mapping[str, object]]:
    if isinstance(rows, Mapping | str | bytes):
        raise EstimationError("a table is a sequence of rows, each a mapping, or a DataFrame")
    as_dict = getattr(rows, "to_dict", None)
    if as_dict is not None:
        _heads(getattr(rows, "columns", ()))
        found: Iterable[Mapping[str, object]] = as_dict("records")
        return found
    if not isinstance(rows, Iterable):
        raise EstimationError("a table is a sequence of rows, each a mapping, or a DataFrame")
    return rows


def _cells(row: Mapping[str, object]) -> dict[str, object]:
    """Return what is filled; a missing value of a DataFrame differs from itself."""
    if not isinstance(row, Mapping):
        raise EstimationError("each row of a table must be a mapping from column to value")
    return {
        head: value
        for head, value in zip(_heads(row), row.values(), strict=True)
        if value is not None and value == value and str(value).strip() != ""  # noqa: PLR0124
    }


def _estimated(cells: Mapping[str, object]) -> Result:
    parameters = {key: _number(key, cells[key]) for key in PARAMETERS if key in cells}
    given: Any = cells.get("design", "two-coin")
    name = str(given).strip()
    if name in PAIRS:
        raise EstimationError(f"{name} needs two samples with different coins")
    design = design_named(name, parameters) if parameters else design_of(given)
    if "counts" in cells:
        if "yes" in cells or "n" in cells:
            raise EstimationError("give yes and n, or counts, not both")
        return estimate_counts(_counts(cells["counts"]), design)
    if missing := [key for key in ("yes", "n") if key not in cells]:
        raise EstimationError(f"{missing[0]} is missing")
    yes, n = (_whole(key, cells[key]) for key in ("yes", "n"))
    return estimate(yes=yes, n=n, design=design)


def _number(key: str, value: object) -> object:
    """Return text as it is, without blanks; a number of draws as an integer."""
    if key == "draws":
        return _whole(key, value)
    return value.strip() if isinstance(value, str) else value


def _counts(value: object) -> list[int]:
    parts = value.replace(",", " ").split() if isinstance(value, str) else value
    if not isinstance(parts, Iterable):
        raise EstimationError("counts must be integers, such as '30 120 210'")
    return [_whole("a count", part) for part in parts]


def _whole(key: str, value: object) -> int:
    """Return a count, also where a table holds it as text or, beside gaps, as 400.0."""
    try:
        number = int(value) if isinstance(value, str) else value
        if isinstance(number, float) and number.is_integer():
            number = int(number)
    except ValueError:
        number = value
    return whole(number, key)  # type: ignore[arg-type]
