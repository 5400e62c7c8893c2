"""``tossup estimate SURVEY --joint a,b``: two questions together."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from tossup.server.cli.api import Server
from tossup.server.cli.output import emit, measured, note, percent, percent_and_ends, table
from tossup.server.cli.reading.labels import labelled_joint
from tossup.server.cli.reading.waiting import fail_if_all_wait
from tossup.server.cli.reading.wordings import wordings_as_text


def show_joint(
    server: Server, survey_id: str, questions: str, query: Mapping[str, str], *, as_json: bool
) -> None:
    """Show the joint table of two questions.

    Raises
    ------
    Failure
        If the server gives none, and says why.
    TooFewReports
        If there are too few reports.
    """
    asked = urlencode({"questions": questions, **query})
    found = server.get(f"/v1/surveys/{quote(survey_id, safe='')}/joint?{asked}", "cells")
    if as_json or not found["suppressed"]:
        emit(found, "" if found["suppressed"] else _as_text(found), as_json=as_json)
    fail_if_all_wait([found], "wait for more")
    if not as_json:
        note(f"From {found['n']} reports; {percent(found['confidence'])} intervals, each alone.")
        named = zip(found["questions"], found.get("wordings", ()), strict=False)
        for line in wordings_as_text([{"id": name, "wordings": own} for name, own in named]):
            note(line)
        if found["warning"]:
            note(found["warning"])


def _as_text(found: dict[str, Any]) -> str:
    found = labelled_joint(found)
    first, second = found["questions"]
    rows = [
        {
            f"answer to {first}": cell["answers"][0],
            f"answer to {second}": cell["answers"][1],
            "share of both": _share(cell),
            "second among first": _share(among),
            "reports": found["n"],
        }
        for cell, among in zip(found["cells"], found["conditional"], strict=True)
    ]
    return "\n".join([table(rows, list(rows[0])), *_measures(found)])


def _measures(found: dict[str, Any]) -> list[str]:
    lines = []
    test = found["independence"]
    if test:
        lines.append(
            f"Independent answers: p = {test['p_value']:.3g} (chi-squared, on the reports)"
        )
    for name in ("phi", "odds_ratio"):
        if found[name]:
            lines.append(f"{name.replace('_', ' ').capitalize()}: {_measure(found[name])}")
    return lines


def _measure(figure: dict[str, Any]) -> str:
    """Return a measure with its interval; without an upper end where reports bound none."""
    value, low, high = (figure[key] for key in ("value", "low", "high"))
    if high is None:
        return f"{value:.4g} ({low:.4g} or more)"
    return (
        f"{measured(value, low, high)} ({measured(low, low, high)} to {measured(high, low, high)})"
    )


def _share(figure: dict[str, Any]) -> str:
    """Return a share with its interval; a dash where reports do not bound it."""
    if None in (figure["value"], figure["low"], figure["high"]):
        return "–"
    value, low, high = percent_and_ends(figure["value"], figure["low"], figure["high"])
    return f"{value} ({low} to {high})"
