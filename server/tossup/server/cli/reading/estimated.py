"""Estimates as text and as JSON: one, several groups, their differences."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tossup.server.cli.output import emit, note, percent, table

if TYPE_CHECKING:
    from tossup.server.estimation import Comparable, Pairs, Result, ShareEstimate
    from tossup.server.estimation.telling.line import Line


def show(
    found: "Result",
    confidence: float,
    method: str,
    *,
    compare: bool,
    summary: bool,
    as_json: bool,
) -> None:
    """Print a result, with the differences of its groups if they are to be compared."""
    from tossup.server.estimation import Results

    lines = _lines(found, confidence, method)
    groups = _groups(found) if compare and isinstance(found, Results) else {}
    pairs, why_not = _pairs(groups, confidence, method) if groups else (None, "")
    value = _as_json(found, lines, confidence)
    if groups:
        rows = None if pairs is None else _rows(pairs.lines(confidence), None)
        value |= {"differences": rows, "test": _test(groups), "not_compared": why_not or None}
    told = [_table(lines, found.sample_size)]
    told += [] if pairs is None else [_differences(pairs)]
    told += [f"Not compared: {why_not}"] if why_not else []
    told += [f"Warning: {text}" for text in [found.facts.get("Warning")] if text]
    if summary:
        told += [_summary(found, confidence, method)]
        told += [] if pairs is None else [pairs.summary(confidence)]
    emit(value, "\n\n".join(told), as_json=as_json)
    if not as_json:
        if "Design" in found.facts:
            note(f"Design: {found.facts['Design']}.")
        _explain(confidence, len(pairs) if pairs else 0)


def _summary(found: "Result", confidence: float, method: Any) -> str:
    """Return a summary; of a share with an interval of the method, if papers have that one."""
    share = _share(found)
    if share is None or method == "anytime":
        return found.summary(confidence)
    return share.summary(confidence, method)


def _lines(found: "Result", confidence: float, method: str) -> "tuple[Line, ...]":
    """Return the numbers, those of shares with intervals of the method."""
    from dataclasses import replace

    from tossup.server.estimation import Results

    if isinstance(found, Results):
        named = zip(found.names, found.results, strict=True)
        return tuple(line for name, one in named for line in _named(name, one, confidence, method))
    share = _share(found)
    if share is None or method == "score":
        return found.lines(confidence)
    (line,) = found.lines(confidence)
    return (replace(line, interval=_interval(share, confidence, method)),)


def _named(name: str, one: "Result", confidence: float, method: str) -> "Iterator[Line]":
    """Yield the numbers of one of several results, under its name."""
    from dataclasses import replace

    lines = _lines(one, confidence, method)
    for line in lines:
        own = name if len(lines) == 1 else f"{name}, {line.name}"
        yield replace(line, name=own, n=line.n or one.sample_size)


def _interval(share: "ShareEstimate", confidence: float, method: Any) -> Any:
    from tossup.server.estimation import anytime_interval

    if method == "anytime":
        return anytime_interval(share, confidence)
    return share.interval(confidence, method)


def _share(found: "Result") -> "ShareEstimate | None":
    from tossup.server.estimation import ShareEstimate

    return found if isinstance(found, ShareEstimate) else None


def _groups(found: Any) -> "dict[str, Comparable]":
    from tossup.server.estimation import Comparable, EstimationError

    shares = dict(zip(found.names, found.results, strict=True))
    if len(shares) < len(found):
        raise EstimationError("two groups have the same name")
    if odd := [name for name, share in shares.items() if not isinstance(share, Comparable)]:
        raise EstimationError(f"{odd[0]} is no share of yes: not compared")
    return shares


def _pairs(
    groups: "dict[str, Comparable]", confidence: float, method: Any
) -> "tuple[Pairs | None, str]":
    """Return every two groups compared, or why they are not."""
    from tossup.server.estimation import EstimationError, compare_pairs

    if method not in {"score", "exact", "wald"}:
        method = "score"  # the others are not made for raw differences
    try:
        return compare_pairs(groups, confidence, method), ""
    except EstimationError as error:
        return None, str(error)


def _test(groups: "dict[str, Comparable]") -> dict[str, object] | None:
    """Return the test that all groups share one share; None where there is none."""
    from tossup.server.estimation import EstimationError, same_shares

    try:
        test = same_shares(list(groups.values()))
    except EstimationError:
        return None
    return {name: getattr(test, name) for name in ("statistic", "df", "p_value", "method")}


def _as_json(found: "Result", lines: "tuple[Line, ...]", confidence: float) -> dict[str, Any]:
    """Return one number flat, several as a list."""
    from tossup.server.estimation import Results

    if isinstance(found, Results):
        if len(found) != len(lines):
            return {"estimates": _rows(lines, None)}
        parts = zip(found, lines, strict=True)
        return {"estimates": [_row(line, None) | _facts(part, confidence) for part, line in parts]}
    rows = _rows(lines, found.sample_size)
    if len(rows) == 1:
        return rows[0] | _facts(found, confidence)
    return {"estimates": rows, "facts": found.facts}


def _facts(found: "Result", confidence: float) -> dict[str, Any]:
    """Return what a share has beyond its line: counts, channel, what is shown, what warns."""
    share = _share(found)
    if share is None:
        return {"facts": found.facts}
    shown = share.shown_at(confidence)
    return {
        "reports": share.counts[1],
        "shown_value": shown.value,
        "shown_low": shown.interval.low,
        "shown_high": shown.interval.high,
        "shown_method": shown.interval.method,
        "design": share.design,
        "channel": [[str(p) for p in row] for row in share.channel],
        "design_p_value": share.design_p_value,
    }


def _rows(lines: "tuple[Line, ...]", n: int | None) -> list[dict[str, Any]]:
    return [_row(line, n) for line in lines]


def _row(line: "Line", n: int | None) -> dict[str, Any]:
    from tossup.server.estimation.telling.frames import row_of

    row = row_of(line, n)
    row["standard_error"] = row.pop("stderr")  # as in the results of a survey
    return row if line.p_value is not None else {k: v for k, v in row.items() if k != "p_value"}


def _table(lines: "tuple[Line, ...]", n: int | None) -> str:
    rows: list[dict[str, object]] = [
        {
            "": line.name,
            "estimate": percent(line.value, _width(line)),
            "interval": _between(line),
            "std. error": percent(line.stderr, _width(line))
            if line.stderr and (line.n or n) != 1
            else "\N{EN DASH}",
            "reports": line.n or n or 0,
        }
        for line in lines
    ]
    return table(rows, list(rows[0]))


def _differences(pairs: "Pairs") -> str:
    from tossup.server.estimation.telling.wording import p_value

    lines = pairs.lines(pairs[0].interval.confidence)
    rows: list[dict[str, object]] = [
        {
            "difference": line.name,
            "estimate": percent(line.value, _width(line)),
            "interval": _possible(line),
            "p (Holm)": p_value(line.p_value or 0.0),
        }
        for line in lines
    ]
    return table(rows, list(rows[0]))


def _possible(line: "Line") -> str:
    """Return the interval of a difference, cut to what is possible, and marked so."""
    shown = line.interval.cut(-1.0, 1.0) if line.interval else None
    if line.interval is None or shown is None:
        return "not possible"
    if shown == line.interval:
        return _between(line)
    # Of the part that is left one digit is told, so that it does not look surer than it is.
    width = min(_width(line), 10 * shown.width)
    return f"{percent(shown.low, width)} to {percent(shown.high, width)} (cut)"


def _between(line: "Line") -> str:
    if line.interval is None:
        return "–"
    return " to ".join(percent(end, _width(line)) for end in line.interval.ends)


def _width(line: "Line") -> float:
    return line.interval.width if line.interval else 1.0


def _explain(confidence: float, pairs: int) -> None:
    level = f"{100 * confidence:.10g} %"
    together = f"; those of {pairs} differences hold together" if pairs > 1 else ""
    note(f"Intervals: {level} each{together}; coins and sampling are both in them.")
