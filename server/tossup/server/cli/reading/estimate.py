"""``tossup estimate``: what reports say, of a survey, a paper's counts, or a table of studies."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from tossup.server.cli.api import Server, key_option, survey_id_of, url_option
from tossup.server.cli.output import Failure, json_option

if TYPE_CHECKING:
    from tossup.server.estimation import Result, Results, TwoSamples

#: At how many looks the intervals of a survey hold, by --method.
_METHODS_OF_SURVEYS: Final = {"score": "one", "anytime": "every"}


#: The names of `designs.named.DESIGNS` and `papers.two_samples.PAIRS` of estimation, which would
#: import numpy for every help text.
DESIGN_NAMES: Final = (
    "two-coin", "warner", "forced", "disguised", "unrelated", "crosswise", "triangular", "mangat",
    "kuk", "direct", "custom", "unrelated-unknown", "lie-detector", "cheating",
)  # fmt: skip


@click.command()
@click.argument("source", required=False, metavar="[SURVEY | FILE.csv]")
@click.option("--yes", type=int, multiple=True, help="Yes reports; again for another group.")
@click.option("--n", type=int, multiple=True, help="All reports of the same group.")
@click.option(
    "--counts", metavar="N,N,...",
    help="Instead of both: how many reports of each kind, such as red cards from 0 on.",
)  # fmt: skip
@click.option(
    "--design", type=click.Choice(DESIGN_NAMES),
    help="How answers were randomized.  [default: two-coin]",
)  # fmt: skip
@click.option(
    "--p", multiple=True, metavar="P",
    help="Probability that the design has; twice for a design of two samples.",
)  # fmt: skip
@click.option("--forced-yes", multiple=True, metavar="P", help="Pr[forced yes], of all.")
@click.option("--forced-no", multiple=True, metavar="P", help="Pr[forced no], of all.")
@click.option("--prevalence", metavar="P", help="unrelated: share of yes to the other question.")
@click.option("--red-yes", metavar="P", help="kuk: share of red cards in the deck of a yes.")
@click.option("--red-no", metavar="P", help="kuk: share of red cards in the deck of a no.")
@click.option("--draws", type=int, help="kuk: how many cards are drawn.  [default: 1]")
@click.option(
    "--channel", metavar="ROWS",
    help="custom: Pr[report | answer], a row an answer: '3/4 1/4; 1/4 3/4'.",
)  # fmt: skip
@click.option(
    "--method", type=click.Choice(["score", "exact", "profile", "wald", "anytime"]),
    default="score", show_default=True,
    help="Of the interval of a share; anytime holds however often one looks.",
)  # fmt: skip
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95,
    show_default=True, help="Of each interval; of all differences together.",
)  # fmt: skip
@click.option("--compare", is_flag=True, help="FILE.csv: compare every two rows.")
@click.option(
    "--by", metavar="ATTRIBUTE", help="SURVEY: the groups of a public attribute, compared."
)
@click.option(
    "--joint", metavar="QUESTION,QUESTION",
    help="SURVEY: two questions together, where a respondent's answers travel together.",
)  # fmt: skip
@click.option(
    "--wave", type=click.IntRange(1, 256),
    help="SURVEY that asks in waves: which one, instead of the newest with enough reports.",
)  # fmt: skip
@click.option("--summary", is_flag=True, help="With an APA line and a methods paragraph.")
@url_option
@key_option
@json_option
def estimate(
    *,
    source: str | None,
    yes: tuple[int, ...],
    n: tuple[int, ...],
    counts: str | None,
    design: str | None,
    method: str,
    confidence: float,
    compare: bool,
    by: str | None,
    joint: str | None,
    wave: int | None,
    summary: bool,
    url: str,
    api_key_file: Path | None,
    as_json: bool,
    **parameters: Any,
) -> None:
    """Show estimates with their intervals and numbers of reports.

    Of SURVEY on the server; or of counts from elsewhere, given by --yes, --n and --design; or of
    FILE.csv ("-" for standard input), a row a study, with the columns yes, n (or counts), design,
    name and what the design needs, named as the options here.

    Two groups or more (--yes and --n again, or --compare) are compared: differences whose
    intervals hold together, and p-values adjusted by Holm's method.

    A survey that asks in waves has a second table: all of them, and the change from each to the
    next. Versions of a survey that ask a question with other coins are estimated, and shown, apart.
    Exits with 3 when there are too few reports for any estimate of a survey that was asked for.
    """
    from tossup.server.cli.reading.estimated import show
    from tossup.server.estimation.errors import EstimationError

    if bool(yes or n or counts) == (source is not None):
        raise click.UsageError("give a survey, a file, or --yes and --n, as in: --yes 322 --n 1290")
    if source is not None and (design or any(parameters.values())):
        raise click.UsageError("a survey, and each row of a file, has a design of its own")
    if source is not None and not _is_file(source):
        if method not in _METHODS_OF_SURVEYS or compare:
            raise click.UsageError("a survey takes --method score or anytime, --by and --joint")
        if summary and (method != "score" or by or joint):
            raise click.UsageError("leave out --method, --by and --joint, or --summary")
        query = {"confidence": str(confidence)} | ({"where.wave": str(wave)} if wave else {})
        wanted = (query, method, by, joint)
        server = Server.of(url, api_key_file)
        _show_survey(server, source, wanted, summary=summary, as_json=as_json)
        return
    if by or joint or wave:
        raise click.UsageError("--by, --joint and --wave are for a survey on the server")
    try:
        if source is None:
            found = _from_options(yes, n, counts, design, parameters)
        else:
            found = _from_file(source)
        show(found, confidence, method, compare=compare or source is None, summary=summary,
             as_json=as_json)  # fmt: skip
    except EstimationError as error:
        raise click.UsageError(str(error)) from error


def _show_survey(
    server: Server,
    source: str,
    wanted: tuple[dict[str, str], str, str | None, str | None],
    *,
    summary: bool,
    as_json: bool,
) -> None:
    from tossup.server.cli.reading.joint import show_joint
    from tossup.server.cli.reading.results import show_survey

    survey_id, (query, method, by, joint) = survey_id_of(source), wanted
    looks = {"looks": _METHODS_OF_SURVEYS[method]}
    if joint is None:
        show_survey(server, survey_id, query | looks, by=by, as_json=as_json, summary=summary)
    elif by is None and method == "score":
        show_joint(server, survey_id, joint, query, as_json=as_json)
    else:
        raise click.UsageError("--joint goes with neither --by nor --method")


def _is_file(source: str) -> bool:
    """Return whether it is a file; the id of a survey has no dot."""
    return source == "-" or source.lower().endswith(".csv")


def _from_options(
    yes: tuple[int, ...],
    n: tuple[int, ...],
    counts: str | None,
    design: str | None,
    parameters: dict[str, Any],
) -> "Result":
    from tossup.server.estimation.papers.two_samples import PAIRS

    if counts is not None and (yes or n):
        raise click.UsageError("give --counts, or --yes and --n")
    if len(yes) != len(n):
        raise click.UsageError("give --yes and --n equally often, once for each group")
    if design is not None and design in PAIRS:
        return _two_samples(design, yes, n, parameters)
    return _groups(yes, n, counts, design, {k: _single(k, v) for k, v in parameters.items()})


def _two_samples(
    design: str, yes: tuple[int, ...], n: tuple[int, ...], parameters: dict[str, Any]
) -> "TwoSamples":
    from tossup.server.estimation.papers.two_samples import two_samples_named

    pairs = {name: value or None for name, value in parameters.items()}
    if len(yes) != 2 or any(isinstance(v, tuple) and len(v) != 2 for v in pairs.values()):
        raise click.UsageError(f"{design} needs --yes, --n and its probabilities twice")
    first, second = zip(yes, n, strict=True)
    return two_samples_named(design, first, second, pairs)


def _single(name: str, value: Any) -> Any:
    if not isinstance(value, tuple):
        return value
    if len(value) > 1:
        raise click.UsageError(f"give --{name.replace('_', '-')} once; groups share the design")
    return value[0] if value else None


def _groups(
    yes: tuple[int, ...],
    n: tuple[int, ...],
    counts: str | None,
    design: str | None,
    parameters: dict[str, Any],
) -> "Result":
    from tossup.server.estimation.papers.studies import estimate_study, estimate_table

    shared = {"design": design, **parameters}
    rows = [{"yes": a, "n": b, **shared} for a, b in zip(yes, n, strict=True)]
    if counts is not None:
        rows.append({"counts": counts, **shared})
    return estimate_table(rows) if len(rows) > 1 else estimate_study(rows[0])


def _from_file(source: str) -> "Results":
    from tossup.server.estimation.papers.studies import estimate_table, studies_from_csv

    return estimate_table(studies_from_csv(_read(source)))


def _read(source: str) -> str:
    try:
        with click.open_file(source, "rb") as file:
            data: bytes = file.read()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise Failure(f"{source} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Failure(f"{source} is not UTF-8", "save it as CSV in UTF-8") from error
