"""Estimates as text and as JSON: one, several groups, their differences."""

from typing import TYPE_CHECKING, Any

from tossup.server.cli.output import emit, note, percent, table

if TYPE_CHECKING:
    from tossup.server.estimation import Pairs, Result, ShareEstimate
    from tossup.server.estimation.result import Line


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
    pairs = _pairs(groups, confidence, method) if groups else None
    value = _as_json(found, lines, confidence)
    if pairs is not None:
        value |= {"differences": _rows(pairs.lines(confidence), None), "test": _test(groups)}
    emit(value, _as_text(found, lines, pairs, summary=summary), as_json=as_json)
    if not as_json:
        _explain(confidence, len(pairs) if pairs else 0)


def _lines(found: "Result", confidence: float, method: str) -> "tuple[Line, ...]":
    """Return the numbers, those of shares with intervals of the method."""
    from dataclasses import replace

    from tossup.server.estimation import Results

    if isinstance(found, Results):
        return tuple(
            replace(line, name=named.name, n=named.n)
            for part, named in zip(found, found.lines(confidence), strict=True)
            for line in _lines(part, confidence, method)
        )
    share = _share(found)
    if share is None or method == "score":
        return found.lines(confidence)
    (line,) = found.lines(confidence)
    return (replace(line, interval=_interval(share, confidence, method)),)


def _interval(share: "ShareEstimate", confidence: float, method: Any) -> Any:
    from tossup.server.estimation import confidence_sequence

    if method == "anytime":
        return confidence_sequence(share, confidence)
    return share.interval(confidence, method)


def _share(found: "Result") -> "ShareEstimate | None":
    from tossup.server.estimation import ShareEstimate

    return found if isinstance(found, ShareEstimate) else None


def _groups(found: Any) -> "dict[str, ShareEstimate]":
    from tossup.server.estimation import EstimationError

    shares = {name: _share(one) for name, one in zip(found.names, found.results, strict=True)}
    if len(shares) < len(found):
        raise EstimationError("two groups have the same name")
    if odd := [name for name, share in shares.items() if share is None]:
        raise EstimationError(f"{odd[0]} is no share of yes from a yes/no design: not compared")
    return {name: share for name, share in shares.items() if share is not None}


def _pairs(groups: "dict[str, ShareEstimate]", confidence: float, method: Any) -> "Pairs":
    from tossup.server.estimation import compare_pairs

    if method not in {"score", "exact", "wald"}:
        method = "score"  # the others are not made for raw differences
    return compare_pairs(groups, confidence, method)


def _test(groups: "dict[str, ShareEstimate]") -> dict[str, object] | None:
    """Return the test that all groups share one share; None under different channels."""
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
        parts = zip(found, lines, strict=True) if len(found) == len(lines) else None
        if parts is None:
            return {"estimates": _rows(lines, None)}
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
    shown = share.shown(confidence)
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
    from tossup.server.estimation.frames import row_of

    row = row_of(line, n)
    row["standard_error"] = row.pop("stderr")  # as in the results of a survey
    return row if line.p_value is not None else {k: v for k, v in row.items() if k != "p_value"}


def _as_text(
    found: "Result", lines: "tuple[Line, ...]", pairs: "Pairs | None", *, summary: bool
) -> str:
    parts = [_table(lines, found.sample_size)]
    if pairs is not None:
        parts.append(_differences(pairs))
    warnings = [text for label, text in found.facts.items() if label == "Warning" and text]
    parts += [f"Warning: {text}" for text in warnings]
    if summary:
        parts.append(found.summary())
        parts += [pairs.summary()] if pairs is not None else []
    return "\n\n".join(parts)


def _table(lines: "tuple[Line, ...]", n: int | None) -> str:
    rows: list[dict[str, object]] = [
        {
            "": line.name,
            "estimate": percent(line.value),
            "interval": _between(line),
            "std. error": "–" if line.stderr is None else percent(line.stderr),
            "reports": line.n or n or 0,
        }
        for line in lines
    ]
    return table(rows, list(rows[0]))


def _differences(pairs: "Pairs") -> str:
    lines = pairs.lines(pairs[0].interval.confidence)
    rows: list[dict[str, object]] = [
        {
            "difference": line.name,
            "estimate": percent(line.value),
            "interval": _between(line),
            "p (Holm)": f"{line.p_value:.4f}",
        }
        for line in lines
    ]
    return table(rows, list(rows[0]))


def _between(line: "Line") -> str:
    if line.interval is None:
        return "–"
    return f"{percent(line.interval.low)} to {percent(line.interval.high)}"


def _explain(confidence: float, pairs: int) -> None:
    level = f"{100 * confidence:.10g} %"
    together = f"; those of {pairs} differences hold together" if pairs > 1 else ""
    note(f"Intervals: {level} each{together}; coins and sampling are both in them.")
