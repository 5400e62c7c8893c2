"""What a survey's reports say: its estimates as text, and ``tossup export``."""

from codecs import BOM_UTF8
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import click

from tossup.server.cli.api import Server, key_option, survey_argument, url_option
from tossup.server.cli.output import (
    Failure,
    emit,
    estimate_and_ends,
    estimate_in,
    json_option,
    note,
    percent,
    table,
)
from tossup.server.cli.reading.groups import groups_as_text, questions_or_groups
from tossup.server.cli.reading.labels import labelled
from tossup.server.cli.reading.leading import leading_as_text
from tossup.server.cli.reading.waiting import fail_if_all_wait, options_waiting, waiting
from tossup.server.cli.reading.waves import waves_as_text
from tossup.server.cli.reading.wordings import wordings_as_text
from tossup.shared.figures import read_in_full


def show_survey(
    server: Server,
    survey_id: str,
    query: Mapping[str, str],
    *,
    by: str | None,
    as_json: bool,
    summary: bool = False,
) -> None:
    """Print the estimates of a survey, each with its interval and number of reports.

    Parameters
    ----------
    query
        Of the results: confidence, at how many looks the intervals hold, and the wave.
    by
        A public attribute: its groups are shown instead, and compared.
    summary
        Whether an APA line and a methods paragraph follow.

    Raises
    ------
    Failure
        If the survey has no such attribute.
    TooFewReports
        When there are too few reports for any of the estimates that were asked for.
    """
    results = server.get(f"{results_path(survey_id)}?{urlencode(query)}", "questions")
    show_results(
        results,
        by=by,
        as_json=as_json,
        summary=summary,
        fix=f"wait for more; the link is in: tossup survey show {survey_id}",
    )


def show_results(
    results: dict[str, Any], *, by: str | None, as_json: bool, summary: bool, fix: str
) -> None:
    """Print results in their JSON form, as `show_survey` does.

    Parameters
    ----------
    fix
        What helps where there are too few reports.

    Raises
    ------
    Failure, TooFewReports
        As for `show_survey`.
    """
    answered = _answered(results["questions"])
    shown_as = labelled(results | {"questions": answered})
    named = shown_as["questions"]
    text = _as_text(named) + leading_as_text(named) + waves_as_text(results, named)
    if by is not None:
        text = groups_as_text(results, named, by)
    if summary:
        text += _summary(results)
    emit(results, text, as_json=as_json)
    shown = questions_or_groups(answered, by)
    fail_if_all_wait(shown, fix)
    if not as_json:
        confidence = percent(results["confidence"]).replace(".0", "")
        looks = ", at every look together" if results["looks"] == "every" else " each"
        note(f"Intervals: {confidence}{looks}; coins and sampling are both in them.")
        for line in wordings_as_text(answered):
            note(line)
        for question in named:
            if clipped := question.get("clipped"):
                note(
                    f"{question['id']}: answers below {clipped['low']} or above {clipped['high']}"
                    " count as these bounds; how many do is unknown."
                )


def _summary(results: dict[str, Any]) -> str:
    """Return an APA line and a methods paragraph of all questions; nothing without estimates."""
    from tossup.server.estimation.published.reading import results_from

    published = results_from(results)
    if not published.lines():
        return ""
    return f"\n\n{published.summary(results['confidence'])}"


@click.command()
@survey_argument
@click.option(
    "--format", "form", type=click.Choice(["csv", "json"]), default="csv", show_default=True,
    help="CSV for spreadsheets, JSON for programs.",
)  # fmt: skip
@click.option(
    "--joint", is_flag=True,
    help="Instead: the joint reports as CSV, equal ones counted; of surveys with joint linkage.",
)  # fmt: skip
@click.option(
    "--bom", is_flag=True,
    help="Begin the CSV with a byte order mark, by which Excel knows that it is UTF-8.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write to.")
@url_option
@key_option
@json_option
def export(
    *,
    survey_id: str,
    form: str,
    joint: bool,
    bom: bool,
    output: Path | None,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
) -> None:
    """Write the estimates of SURVEY with their codebook; to standard output without -o.

    Raw values are kept, negative ones included. With --json: the same as --format json.

    Both forms are UTF-8; Excel shows letters beyond ASCII right in a CSV with --bom alone.

    With --joint: rows of randomized reports for tables and regressions of several answers, with
    the attributes told beside them; no id, no day, no order. Such rows can single out a person by
    the attributes: keep them as you would keep a list of respondents.
    """
    form = "json" if as_json else form
    server, path = Server.of(url, api_key_file), results_path(survey_id)
    if bom and form == "json":
        raise click.UsageError("a byte order mark is for CSV: leave --bom or --json out")
    if joint and form == "json":
        raise click.UsageError("joint reports are a CSV; leave --json and --format out")
    if joint:
        content = server.get_bytes(f"{path.removesuffix('results')}reports.csv", "text/csv")
    elif form == "csv":
        content = server.get_bytes(f"{path}.csv", "text/csv")
    else:
        content = server.get_json(path, "questions")
    if bom:
        content = BOM_UTF8 + content
    if output is None:
        click.echo(content, nl=False)
    else:
        _write(output, content)
        note(f"Wrote {output}.")


def answers_by_question(results: dict[str, Any]) -> dict[str, int]:
    """Return how many reports tell of each question, over all versions, days and waves."""
    found: dict[str, int] = {}
    for question in results["questions"]:
        waves = [part["n"] for part in question["groups"] if part["attribute"] == "wave"]
        found[question["id"]] = found.get(question["id"], 0) + (sum(waves) or question["n"])
    return found


def results_path(survey_id: str) -> str:
    """Return the address of a survey's results."""
    return f"/v1/surveys/{quote(survey_id, safe='')}/results"


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def _answered(questions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out designs that no report follows; a question that nobody answered stays, once."""
    newest = {question["id"]: question for question in reversed(questions)}
    answered = {question["id"] for question in questions if question["n"]}
    return [
        question
        for question in questions
        if question["n"] or (question["id"] not in answered and question is newest[question["id"]])
    ]


def _as_text(questions: list[dict[str, Any]]) -> str:
    """Return one table, or where a question has several designs a headed one for each."""
    if len({question["id"] for question in questions}) == len(questions):
        return _table(questions)
    return "\n\n".join(f"{_heading(question)}\n{_table([question])}" for question in questions)


def _heading(question: dict[str, Any]) -> str:
    from tossup.shared.odds import odds_as_text

    versions = [str(version) for version in question["versions"]]
    design = question["design"]
    return (
        f"{question['id']}, version{'s' if len(versions) > 1 else ''} {', '.join(versions)}"
        f" ({design['mechanism']['name']}, odds {odds_as_text(read_in_full(design['odds']))})"
    )


def _table(questions: list[dict[str, Any]]) -> str:
    rows = [row for question in questions for row in _rows(question)]
    return table(rows, list(rows[0]))


def _rows(question: dict[str, Any]) -> list[dict[str, object]]:
    """Return the lines of one question; a dash where there are too few reports, or all in vain."""
    lines = [*question["estimates"], *_covariances(question), *_not_found(question)]
    found = [
        (line.get("answer"), _row(question, estimate_in(question, line), *_figures(line)))
        for line in lines
    ] + [
        (few["answer"], _row(question, few["answer"], "–", waiting(question), few["n"]))
        for few in options_waiting(question)
    ]
    found += [
        (name, _row(question, name, "–", "not told yet"))
        for name in question.get("not_told_yet", ())
    ]
    if not found:
        return [_row(question, "", "–", "nothing can be estimated")]
    options = {option["id"]: place for place, option in enumerate(question.get("answers", ()))}
    found.sort(key=lambda row: options.get(row[0], 0))  # stable: statistics keep their order
    return [row for _, row in found]


def _figures(line: dict[str, Any]) -> tuple[str, str, int]:
    """Return an estimate, its interval, and the reports that it rests on."""
    value, low, high = estimate_and_ends(line)
    return value, f"{low} to {high}", line["n"]


def _covariances(question: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the raw entries of a vector's covariance; none for other questions."""
    return list((question.get("covariance") or {}).get("entries", ()))


def _not_found(question: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the line of all texts that were not found; none for other questions."""
    search = question.get("search")
    rest = (search or {}).get("rest")
    return [rest | {"text": "(all that were not found)"}] if rest else []


def _row(
    question: dict[str, Any], answer: str, value: str, interval: str, n: int | None = None
) -> dict[str, object]:
    """Return one line; the reports are those that it rests on, or all of the question."""
    return {
        "question": question["id"],
        "answer": answer,
        "estimate": value,
        "interval": interval,
        "reports": question["n"] if n is None else n,
    }
