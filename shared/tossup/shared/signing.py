"""Sign and verify manifests with Ed25519, through ``cryptography``.

Stage: before any question is asked. The exact bytes are signed, not a canonical form of them
(the idea of DSSE): type and payload, each preceded by its length. ``cryptography`` is imported
when a signature is made or checked, not before.
"""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from tossup.shared import strict_json
from tossup.shared.errors import SignatureError, WireError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MANIFEST_TYPE = "tossup.manifest.v1"
MAX_ENVELOPE_BYTES = 256 * 1024


def b64url(data: bytes) -> str:
    """Return base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unb64url(text: str) -> bytes:
    """Return the bytes of canonical base64url without padding.

    Raises
    ------
    WireError
        If the text is anything else.
    """
    try:
        data = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    except (UnicodeEncodeError, binascii.Error) as error:
        raise WireError("not base64url") from error
    if b64url(data) != text:
        raise WireError("not canonical base64url without padding")
    return data


def key_id(public_key: bytes) -> str:
    """Return the short name of a public key: 16 hex digits of its SHA-256."""
    return sha256(public_key).hexdigest()[:16]


def public_bytes(key: "Ed25519PrivateKey") -> bytes:
    """Return the 32 raw bytes of a signing key's public half."""
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def sign_manifest(payload: bytes, key: "Ed25519PrivateKey") -> bytes:
    """Return the signed envelope of a manifest payload, as JSON text."""
    signature = key.sign(_to_sign(payload))
    return strict_json.dumps(
        {
            "payload": b64url(payload),
            "type": MANIFEST_TYPE,
            "sigs": [{"kid": key_id(public_bytes(key)), "sig": b64url(signature)}],
        }
    )


def verify_manifest(envelope: bytes, public_key: bytes) -> bytes:
    """Return the payload of an envelope that the holder of ``public_key`` signed.

    Parameters
    ----------
    envelope
        ``{"payload": b64url, "type": "tossup.manifest.v1", "sigs": [{"kid", "sig"}]}``.
    public_key
        32 raw bytes: the publisher's pinned key.

    Raises
    ------
    SignatureError
        If the envelope is malformed or carries no valid signature of this key.
    """
    try:
        payload, signatures = _open(envelope)
    except WireError as error:
        raise SignatureError(f"the manifest's envelope is malformed: {error}") from error
    for kid, signature in signatures:
        if kid == key_id(public_key) and _is_valid(signature, payload, public_key):
            return payload
    raise SignatureError(
        f"the manifest carries no valid signature of the pinned publisher key"
        f" {key_id(public_key)}; check the key, or ask the publisher"
    )


def _to_sign(payload: bytes) -> bytes:
    kind = MANIFEST_TYPE.encode("ascii")
    return b"".join(len(part).to_bytes(8, "little") + part for part in (kind, payload))


def _open(envelope: bytes) -> tuple[bytes, list[tuple[str, bytes]]]:
    value = strict_json.loads(envelope, MAX_ENVELOPE_BYTES)
    match value:
        case {"payload": str(payload), "type": str(kind), "sigs": [*sigs], **rest} if not rest:
            pass
        case _:
            raise WireError("expected exactly payload, type and sigs")
    if kind != MANIFEST_TYPE:
        raise WireError(f"type must be {MANIFEST_TYPE}; upgrade tossup if it is newer")
    if not 1 <= len(sigs) <= 4:
        raise WireError("expected one to four signatures")
    return unb64url(payload), [_signature(sig) for sig in sigs]


def _signature(value: object) -> tuple[str, bytes]:
    match value:
        case {"kid": str(kid), "sig": str(sig), **rest} if not rest:
            return kid, unb64url(sig)
        case _:
            raise WireError("a signature has exactly kid and sig")


def _is_valid(signature: bytes, payload: bytes, public_key: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, _to_sign(payload))
    except (InvalidSignature, ValueError):
        return False
    return True
