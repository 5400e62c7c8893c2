"""``tossup pages``: a survey's page for a web host that is not the publisher's."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from tossup.server.cli.api import Server
from tossup.server.cli.output import Failure, emit, json_option, note

if TYPE_CHECKING:
    from tossup.shared.survey import Survey


@click.group()
def pages() -> None:
    """Take a survey's page to another web host."""


@pages.command()
@click.argument("link")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), required=True,
    help="The folder to write; it must not be there yet, or be empty.",
)  # fmt: skip
@click.option(
    "--offline", is_flag=True,
    help="Let browsers keep the folder, so that it opens without a network.",
)  # fmt: skip
@json_option
def export(*, link: str, output: Path, offline: bool, as_json: bool) -> None:
    """Write the page behind a respondent's LINK as a folder for any web host.

    The questions are checked against the key in the link, which the folder pins. What lies on a
    host of somebody else the publisher cannot change; reports still go to the survey's server. A
    new version of the survey needs a new folder.
    """
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise Failure(
            f"{output} is there already", "name a folder that is not there yet: -o FOLDER"
        )
    server, survey = _verified(link)
    try:
        files = _written(survey, server, output, offline=offline)
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}") from error
    made = {"folder": str(output), "survey": survey.id, "manifest": survey.digest, "files": files}
    emit(made, str(output / "index.html"), as_json=as_json)
    if not as_json:
        note(f"{files} files. Put the folder on a web host with https; its address is the link.")


def _written(survey: "Survey", server: str, folder: Path, *, offline: bool) -> int:
    from tossup.server.config import Config
    from tossup.server.web.app import create_app
    from tossup.server.web.pages.respondent.folder import write

    with TemporaryDirectory(prefix="tossup-pages-") as data:
        app = create_app(Config(data=Path(data)), reading=True)
        try:
            return write(app, survey, server, folder, offline=offline)
        finally:
            app.extensions["tossup"].close()


def _verified(link: str) -> "tuple[str, Survey]":
    """Return the address of a link's server, and the survey there if the link's key signed it."""
    from tossup.shared.errors import ManifestError, SignatureError, WireError
    from tossup.shared.signing import unb64url, verify_manifest
    from tossup.shared.survey import Survey
    from tossup.shared.wire import MANIFEST_TYPE

    parts = urlsplit(link)
    if parts.scheme not in {"http", "https"} or not parts.fragment.startswith("key="):
        raise click.UsageError("LINK is the whole link for respondents, with #key= at its end")
    prefix, mark, rest = parts.path.partition("/v1/surveys/")
    server = f"{parts.scheme}://{parts.netloc}{prefix}"
    envelope = Server(server).get_bytes(mark + rest, MANIFEST_TYPE)
    try:
        key = unb64url(parts.fragment.removeprefix("key="))
        return server, Survey.parse(verify_manifest(envelope, key))
    except (WireError, SignatureError, ManifestError) as error:
        raise Failure(f"nothing was written: {error}", "ask who gave you the link") from error
