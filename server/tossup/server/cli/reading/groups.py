"""``tossup estimate SURVEY --by ATTRIBUTE``: the groups of a survey, and how they differ."""

from typing import Any

from tossup.server.cli.output import Failure, estimate_and_ends, estimate_in, in_points, table
from tossup.server.cli.reading.waiting import options_waiting, waiting


def groups_as_text(results: dict[str, Any], questions: list[dict[str, Any]], by: str) -> str:
    """Return a table of every group's estimates, then one of the differences.

    Raises
    ------
    Failure
        If the survey has no such public attribute.
    """
    known = [attribute["id"] for attribute in results["attributes"]]
    if by not in known:
        has = f"it has {', '.join(known)}" if known else "it has none"
        raise Failure(f"{results['survey']['id']} has no public attribute {by}; {has}")
    groups = [row for question in questions for row in _groups(question, by)]
    pairs = [row for question in questions for row in _pairs(question, by)]
    tables = [table(rows, list(rows[0])) for rows in (groups, pairs) if rows]
    return "\n\n".join(tables)


def questions_or_groups(questions: list[dict[str, Any]], by: str | None) -> list[dict[str, Any]]:
    """Return what is shown: the questions, or their groups by an attribute."""
    if by is None:
        return questions
    return [
        part for question in questions for part in question["groups"] if part["attribute"] == by
    ]


def _groups(question: dict[str, Any], by: str) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for part in question["groups"]:
        if part["attribute"] != by:
            continue
        place = {"question": question["id"], f"by {by}": part["option"]}
        for line in part["estimates"]:
            value, low, high = estimate_and_ends(line)
            rows.append(
                {
                    **place,
                    "answer": estimate_in(question, line),
                    "estimate": value,
                    "interval": f"{low} to {high}",
                    "reports": line["n"],
                }
            )
        rows += [
            {
                **place,
                "answer": option["answer"],
                "estimate": "–",
                "interval": waiting(part),
                "reports": option["n"],
            }
            for option in options_waiting(part)
        ]
    return rows


def _possible(pair: dict[str, Any]) -> str:
    """Return the interval of a difference in points, cut to what is possible, and marked so."""
    # A server of before differences were cut says neither.
    low, high = pair.get("shown_low", pair["low"]), pair.get("shown_high", pair["high"])
    if low is None:
        return "not possible"
    # Of a part that is left one digit is told, so that it does not look surer than it is.
    width = min(pair["high"] - pair["low"], 10 * (high - low))
    ends = f"{in_points(low, width)} to {in_points(high, width)}"
    return f"{ends} (cut)" if pair.get("cut") else ends


def _pairs(question: dict[str, Any], by: str) -> list[dict[str, object]]:
    return [
        {
            "question": question["id"],
            "answer": found["answer"],
            "difference": f"{pair['options'][0]} less {pair['options'][1]}",
            "points": in_points(pair["value"], pair["high"] - pair["low"]),
            "interval, all pairs together": _possible(pair),
            "p (Holm)": f"{pair['adjusted_p_value']:.3g}",
            "reports": " + ".join(str(n) for n in pair["n"]),
        }
        for found in question["comparisons"]
        if found["attribute"] == by
        for pair in found["pairs"]
    ]
