"""Survey files, read for a command: what is wrong with one becomes the command's failure."""

from typing import IO, TYPE_CHECKING

from tossup.server.cli.output import Failure, RefusedForPrivacy

if TYPE_CHECKING:
    from tossup.shared.survey import Survey


def read_text(file: IO[bytes]) -> str:
    """Return the text of an open file.

    Raises
    ------
    Failure
        If it is not UTF-8, or cannot be read.
    """
    try:
        return file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Failure(
            f"the survey file is not text in UTF-8, as TOML must be: see byte {error.start}"
        ) from error
    except OSError as error:
        raise Failure(f"the survey file cannot be read: {error.strerror}") from error


def read_survey(
    text: str, key: bytes, *, version: int = 1, previous: str | None = None
) -> "Survey":
    """Return the survey of a file's text, for the publisher with this public key.

    Raises
    ------
    RefusedForPrivacy
        If answering it costs more than a device allows one publisher.
    Failure
        If the file is wrong; every problem is told with its place.
    """
    from tossup.server.surveys.file import TooCostlyError, load_survey
    from tossup.server.surveys.reading.tables import SurveyFileError

    try:
        return load_survey(text, key, version=version, previous=previous)
    except TooCostlyError as error:
        raise RefusedForPrivacy(str(error)) from error
    except SurveyFileError as error:
        raise Failure(f"the survey file is refused.\n{error}") from error
