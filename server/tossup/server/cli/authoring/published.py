"""What a server has published: its surveys, and the manifests of all their versions."""

from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from tossup.server.cli.api import Refused, Server
from tossup.server.cli.output import Failure
from tossup.server.cli.suggestions import did_you_mean

if TYPE_CHECKING:
    from tossup.shared.survey import Survey

#: What to do where a survey is damaged.
DAMAGED: Final = "run tossup doctor on the server, and restore the data from a backup"


def listed(server: Server) -> dict[str, Any]:
    """Return a server's ``surveys``, and the ids of the ``damaged`` ones if there are any."""
    answer: dict[str, Any] = server.get("/v1/surveys", "surveys")
    return answer


def surveys_of(server: Server) -> list[dict[str, Any]]:
    """Return the surveys of a server, each an entry of its list."""
    surveys: list[dict[str, Any]] = listed(server)["surveys"]
    return surveys


def entry_of(server: Server, survey_id: str) -> dict[str, Any]:
    """Return a survey's entry in the list of a server.

    Raises
    ------
    Refused
        If it has no such survey; the message names one with an id like it.
    Failure
        If the survey is damaged.
    """
    found = listed(server)
    surveys: list[dict[str, Any]] = found["surveys"]
    if survey_id in found.get("damaged", ()):
        raise Failure(f"the survey {survey_id} is damaged", DAMAGED)
    for entry in surveys:
        if entry["id"] == survey_id:
            return entry
    near = did_you_mean(survey_id, (entry["id"] for entry in surveys))
    raise Refused(404, "survey-unknown", f"no survey {survey_id} here{near}", "tossup survey list")


def manifest_of(server: Server, digest: str) -> "Survey":
    """Return the survey of a manifest, after checking that it is the one named."""
    from tossup.shared import strict_json
    from tossup.shared.errors import TossupError
    from tossup.shared.signing import MAX_ENVELOPE_BYTES, unb64url, verify_manifest
    from tossup.shared.survey import Survey
    from tossup.shared.wire import MANIFEST_TYPE

    envelope = server.get_bytes(f"/v1/manifests/{digest}", MANIFEST_TYPE)
    try:
        claimed: Any = strict_json.loads(envelope, MAX_ENVELOPE_BYTES)
        shown = Survey.parse(unb64url(claimed["payload"]))
        payload = verify_manifest(envelope, shown.publisher.key)
    except (TossupError, LookupError, TypeError) as error:
        raise server.stranger() from error
    if sha256(payload).hexdigest() != digest:
        raise Failure(f"the server answered another manifest than {digest}")
    return shown


def versions_of(server: Server, digest: str | None) -> "list[Survey]":
    """Return a manifest and all that came before it, newest first."""
    found: list[Survey] = []
    while digest is not None:
        found.append(manifest_of(server, digest))
        digest = found[-1].previous
    return found
