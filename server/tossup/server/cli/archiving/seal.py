"""``tossup seal`` and ``tossup expire``: reports of closed surveys as files, and their end."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.api import survey_argument
from tossup.server.cli.operating.folder import data_option, load_config, open_store
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from tossup.server.config import Config


@contextmanager
def archives_explained() -> Iterator[None]:
    """Turn what can go wrong with archives into failures of the command."""
    from tossup.server.archives.errors import ArchiveError

    try:
        yield
    except ModuleNotFoundError as error:
        raise Failure(
            f"archives need the package {error.name}", "pip install 'tossup-server[archives]'"
        ) from error
    except ArchiveError as error:
        raise Failure(str(error)) from error


def files_in_words(number: int) -> str:
    """Return a number of files.

    >>> files_in_words(1), files_in_words(2)
    ('1 file', '2 files')
    """
    return "1 file" if number == 1 else f"{number} files"


@click.command()
@survey_argument
@click.argument("folder")
@click.option(
    "--key", "key_file", type=click.Path(path_type=Path),
    help="Signing key in PEM, made where none is.  [default: archive.pem in the data folder]",
)  # fmt: skip
@click.option(
    "--delete", is_flag=True,
    help="Then delete the single reports from the data folder; the counters stay.",
)  # fmt: skip
@data_option
@json_option
def seal(
    *,
    survey_id: str,
    folder: str,
    key_file: Path | None,
    delete: bool,
    data: Path | None,
    as_json: bool,
) -> None:
    """Write the reports of a closed SURVEY to Parquet files in FOLDER, without their ids.

    FOLDER is a path, or a URL such as s3://bucket/archive. A file holds the reports of one
    version, question and day, and a signed footer that says what they add up to and until when
    they may be kept. Nothing appears unless all of them add up to the survey's counters.

    Works on the data folder, also while the server runs. Read the files with: tossup aggregate
    """
    config = load_config(data=data)
    with archives_explained(), open_store(config) as store:
        from tossup.server.archives.sealing import delete_sealed
        from tossup.server.archives.sealing import seal as write_files
        from tossup.shared.signing import b64url, public_bytes

        key = _key(key_file or _own_key(config))
        before = store.survey(survey_id)
        sealed = write_files(store, survey_id, folder, key)
        if delete and sealed:
            delete_sealed(store, before, [url for url, _ in sealed], public_bytes(key))
    value: dict[str, Any] = {
        "survey": survey_id,
        "files": [{"url": url, "reports": footer.n} for url, footer in sealed],
        "key": b64url(public_bytes(key)),
        "deleted": delete,
    }
    reports = sum(footer.n for _, footer in sealed)
    text = f"Sealed {reports} reports in {files_in_words(len(sealed))}, signed by {value['key']}."
    emit(value, text, as_json=as_json)
    if sealed and not as_json:
        note(f"Keep them no longer than {sealed[0][1].delete_after}: tossup expire {folder}")


@click.command()
@click.argument("files", nargs=-1, required=True)
@json_option
def expire(*, files: tuple[str, ...], as_json: bool) -> None:
    """Delete the reports in sealed FILES whose retention is over; their signed counts stay.

    FILES are files, folders or quoted patterns. Estimates stay the same. A disk may keep what was
    deleted until it is written again. Exits with 1 if a folder has unfinished files of a sealing
    that was interrupted: nothing says until when these may be kept.
    """
    with archives_explained():
        from tossup.server.archives.files import DRAFT, files_of
        from tossup.server.archives.sealing import expire as delete_reports
        from tossup.server.clock import today

        found = sorted({url for pattern in files for url in files_of(pattern)})
        gone = delete_reports(found, today())
        ending = f".parquet{DRAFT}"
        left = sorted({u for each in files for u in files_of(each, ending) if u.endswith(ending)})
    text = f"Deleted the reports of {len(gone)} of {files_in_words(len(found))}."
    emit({"files": len(found), "deleted": gone, "unfinished": left}, text, as_json=as_json)
    if left:
        raise Failure(
            f"a sealing that was interrupted left reports in {left[0]}"
            f" ({files_in_words(len(left))} in all)",
            "delete these, or seal the survey there again",
        )


def _own_key(config: "Config") -> Path:
    if config.uses_folder:
        return config.data / "archive.pem"
    raise click.UsageError("a server on PostgreSQL has no data folder: name the key by --key")


def _key(path: Path) -> "Ed25519PrivateKey":
    """Return the key in a file, made now where there is none."""
    from tossup.server.surveys.publishing import publisher

    try:
        return publisher.load(path) if path.exists() else publisher.create(path)
    except publisher.KeyFileError as error:
        raise Failure(str(error), error.hint) from error
