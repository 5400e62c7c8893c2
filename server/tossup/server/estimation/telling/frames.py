"""Results as a DataFrame, if pandas is there; nothing else needs it."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from tossup.server.estimation.errors import EstimationError
from tossup.server.estimation.telling.line import Line

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-not-found, import-untyped, unused-ignore]


class PandasMissingError(EstimationError, ImportError):
    """A DataFrame was asked for, and pandas is not installed."""


class _Result(Protocol):
    @property
    def sample_size(self) -> int | None: ...

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]: ...


def to_frame(results: Sequence[_Result], confidence: float = 0.95) -> "DataFrame":
    """Return the numbers of several results as one DataFrame, a row each.

    Columns: ``result`` (its place in the sequence), ``name``, ``value``, ``stderr``, ``low``,
    ``high``, ``confidence``, ``method``, ``p_value``, ``n``.

    Parameters
    ----------
    results
        Of any kind.
    confidence
        Of the intervals, in (0, 1).

    Returns
    -------
    DataFrame
        A row a number, with these columns.

    Raises
    ------
    PandasMissingError
        If pandas is not installed.
    """
    if odd := [result for result in results if not hasattr(result, "lines")]:
        raise EstimationError(f"{odd[0]!r} is no result, so it makes no row")
    rows = [
        {"result": place, **row_of(line, result.sample_size)}
        for place, result in enumerate(results)
        for line in result.lines(confidence)
    ]
    return _frame(rows)


def frame_of(lines: Sequence[Line], n: int | None) -> "DataFrame":
    """Return the lines of one result as a DataFrame."""
    return _frame([row_of(line, n) for line in lines])


def row_of(line: Line, n: int | None) -> dict[str, object]:
    """Return a line as plain values by column."""
    interval = line.interval
    return {
        "name": line.name,
        "value": line.value,
        "stderr": line.stderr,
        "low": interval.low if interval else None,
        "high": interval.high if interval else None,
        "confidence": interval.confidence if interval else None,
        "method": interval.method if interval else None,
        "p_value": line.p_value,
        "n": line.n or n,
    }


def _frame(rows: list[dict[str, object]]) -> "DataFrame":
    try:
        pandas: Any = import_module("pandas")
    except ImportError as error:
        raise PandasMissingError(
            "a DataFrame needs pandas, which is not installed; run: pip install pandas"
        ) from error
    frame: DataFrame = pandas.DataFrame(rows)
    return frame
