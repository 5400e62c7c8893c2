"""``tossup estimate`` of a survey that asks again: every wave, and the change since the last."""

from typing import Any

from tossup.server.cli.output import measured, percent, table


def waves_as_text(results: dict[str, Any], questions: list[dict[str, Any]]) -> str:
    """Return a table of the estimates of all waves that have reports; nothing without waves."""
    if results.get("wave") is None:  # also a server of before there were waves
        return ""
    rows = [row for question in questions for row in _rows(question)]
    return f"\n\nAbove: wave {results['wave']}. By wave:\n{table(rows, list(rows[0]))}"


def _rows(question: dict[str, Any]) -> list[dict[str, object]]:
    parts = [part for part in question["groups"] if part["attribute"] == "wave" and part["n"]]
    changes = {(change["to"], change["answer"]): change for change in question["changes"]}
    return [
        {
            "question": question["id"],
            "wave": part["option"],
            **_estimated(line, part),
            "reports": part["n"],
            "change": _moved(changes.get((int(part["option"]), _name(line)))),
        }
        for part in parts
        for line in part["estimates"] or [None]
    ]


def _name(line: dict[str, Any] | None) -> str:
    return "" if line is None else line.get("answer") or line["statistic"]


def _estimated(line: dict[str, Any] | None, part: dict[str, Any]) -> dict[str, object]:
    if line is None:
        missing = f"too few reports (from {part['minimum']} on)"
        return {"answer": "", "estimate": "–", "interval": missing}
    value, low, high = _texts(line)
    return {"answer": _name(line), "estimate": value, "interval": f"{low} to {high}"}


def _moved(change: dict[str, Any] | None) -> str:
    """Return a change with its interval, in points or in the question's unit."""
    if change is None:
        return ""
    value, low, high = _texts(change)
    return f"{value} ({low} to {high}) since {change['from']}"


def _texts(line: dict[str, Any]) -> tuple[str, str, str]:
    """Return value and interval: shares as percentages, numbers with their interval's digits."""
    ends = line["low"], line["high"]
    if "statistic" in line or line["answer"] == "mean":
        return measured(line["value"], *ends), measured(ends[0], *ends), measured(ends[1], *ends)
    return percent(line["value"]), percent(ends[0]), percent(ends[1])
