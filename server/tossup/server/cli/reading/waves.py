"""``tossup estimate`` of a survey that asks again: every wave, and the change since the last."""

from typing import Any

from tossup.server.cli.output import estimate_and_ends, estimate_in, table
from tossup.server.cli.reading.waiting import rests_on, waiting


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
            **_estimated(question, part, line),
            "reports": line.get("n", rests_on(part)),
            "change": _moved(changes.get((int(part["option"]), _what(line))), line),
        }
        for part in parts
        for line in part["estimates"] or [{}]
    ]


def _what(line: dict[str, Any]) -> str | None:
    """Return how the changes of an estimate are named: by option, component or statistic."""
    return line.get("answer") or line.get("component") or line.get("statistic")


def _estimated(
    question: dict[str, Any], part: dict[str, Any], line: dict[str, Any]
) -> dict[str, object]:
    if part["suppressed"]:
        return {"answer": "", "estimate": "–", "interval": waiting(part)}
    if not line:
        return {"answer": "", "estimate": "–", "interval": "nothing can be estimated"}
    value, low, high = estimate_and_ends(line)
    name = estimate_in(question, line)
    return {"answer": name, "estimate": value, "interval": f"{low} to {high}"}


def _moved(change: dict[str, Any] | None, line: dict[str, Any]) -> str:
    """Return a change with its interval, in points or in the question's unit."""
    if change is None:
        return ""
    value, low, high = estimate_and_ends(change, of=line)
    return f"{value} ({low} to {high}) since {change['from']}"
