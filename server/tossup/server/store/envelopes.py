"""Signed envelopes of manifests, as they come in and as they are stored."""

from tossup.shared import strict_json
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.signing import MAX_ENVELOPE_BYTES, unb64url, verify_manifest
from tossup.shared.survey import Survey


def verified_survey(envelope: bytes) -> Survey:
    """Return the survey of an envelope that is signed by the publisher it names.

    This proves that one key made it, not whose key that is: devices pin the key, and the server
    keeps a survey to the key of its first version.

    Raises
    ------
    ManifestError
        If the envelope or the manifest is malformed, or the signature is not valid.
    """
    survey = Survey.parse(unverified_payload(envelope))
    verify_manifest(envelope, survey.publisher.key)
    return survey


def unverified_payload(envelope: bytes) -> bytes:
    """Return the payload of an envelope without looking at its signatures.

    Raises
    ------
    ManifestError
        If there is none.
    """
    try:
        value = strict_json.loads(envelope, MAX_ENVELOPE_BYTES)
        if not isinstance(value, dict) or not isinstance(value.get("payload"), str):
            raise WireError("expected exactly payload, type and sigs")
        return unb64url(value["payload"])
    except WireError as error:
        raise ManifestError(f"the manifest's envelope is malformed: {error}") from error
