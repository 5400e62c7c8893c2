"""``tossup aggregate``: the estimates of sealed files, by any engine."""

from typing import TYPE_CHECKING, Final

import click

from tossup.server.cli.archiving.seal import archives_explained, files_in_words
from tossup.server.cli.output import Failure, json_option, note
from tossup.server.cli.reading.results import show_results

if TYPE_CHECKING:
    from tossup.server.archives.files import FileTally
    from tossup.server.results.values import Results

#: The names of `archives.engines.ENGINES`, which would import pyarrow for every help text.
ENGINE_NAMES: Final = ("local", "duckdb", "spark", "ray")


@click.command()
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--engine", type=click.Choice(ENGINE_NAMES), default="local", show_default=True,
    help="What shares the files: the cores of this machine, DuckDB, or a cluster.",
)  # fmt: skip
@click.option("--key", help="The public key that must have signed them, as tossup seal prints it.")
@click.option("--by", metavar="ATTRIBUTE", help="The groups of a public attribute, compared.")
@click.option("--wave", type=click.IntRange(1, 256), help="Of a survey that asks in waves.")
@click.option(
    "--confidence", type=click.FloatRange(0.5, 0.9999), default=0.95, show_default=True,
    help="Of each interval.",
)  # fmt: skip
@click.option("--summary", is_flag=True, help="With an APA line and a methods paragraph.")
@json_option
def aggregate(
    *,
    files: tuple[str, ...],
    engine: str,
    key: str | None,
    by: str | None,
    wave: int | None,
    confidence: float,
    summary: bool,
    as_json: bool,
) -> None:
    """Count sealed FILES again and show the estimates of their survey.

    FILES are files, folders or quoted patterns, such as 'archive/habits/*/*/*.parquet'; paths, or
    URLs such as s3://bucket/archive. Every file is checked against its signed footer. All engines
    give the same counts; files are shared out, never rows.
    """
    with archives_explained():
        from tossup.server.archives.engines import aggregate as count
        from tossup.server.results.as_json import results_to_json

        found = count(files, engine, trusted=_public_key(key))
        results = _results(found, wave, confidence)
    for line in _said(found, key):
        note(line)
    show_results(
        results_to_json(results), by=by, as_json=as_json, summary=summary,
        fix="name all files of the survey",
    )  # fmt: skip


def _results(found: "list[FileTally]", wave: int | None, confidence: float) -> "Results":
    from tossup.server.archives.sealed import SealedSurvey
    from tossup.server.results.filters import FilterError
    from tossup.server.results.pooling import results

    sealed = SealedSurvey.of(found)
    where = {"wave": str(wave)} if wave else {}
    try:
        return results(
            sealed, sealed.cells, versions=sealed.versions, where=where, confidence=confidence
        )
    except FilterError as error:
        raise click.UsageError(str(error)) from error


def _said(found: "list[FileTally]", key: str | None) -> list[str]:
    """Return what was read, and what a reader must know of it."""
    from tossup.shared.signing import b64url

    reports, again = sum(t.footer.n for t in found), sum(t.counted for t in found)
    lines = [f"{files_in_words(len(found))}, {reports} reports, {again} counted again."]
    sealed = max(tally.footer.sealed for tally in found)
    if reports < sealed:
        lines.append(f"These files hold {reports} of the {sealed} reports that were sealed.")
    if key is None:
        signers = sorted({b64url(tally.signer) for tally in found})
        lines.append(f"Signed by {', '.join(signers)}; compare, or give it as --key.")
    return lines


def _public_key(text: str | None) -> bytes | None:
    from tossup.shared.errors import WireError
    from tossup.shared.signing import unb64url

    try:
        key = None if text is None else unb64url(text)
    except WireError as error:
        raise click.UsageError(f"--key: {error}") from error
    if key is not None and len(key) != 32:
        raise Failure("--key is 32 bytes in base64url", "copy it from what tossup seal printed")
    return key
