"""A manifest is followed only if the pinned publisher signed these very bytes."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.shared import signing
from tossup.shared.errors import SignatureError, WireError

KEY = Ed25519PrivateKey.from_private_bytes(b"\x07" * 32)
PUBLIC = signing.public_bytes(KEY)
ENVELOPE = signing.sign_manifest(b"what is asked", KEY)


def test_it_works():
    """The payload that was signed comes back."""
    assert b"what is asked" == signing.verify_manifest(ENVELOPE, PUBLIC)


def test_the_signed_bytes_are_length_prefixed_type_and_payload():
    """The signature covers exactly the documented bytes, so that any library can check it."""
    signature = signing.unb64url(json.loads(ENVELOPE)["sigs"][0]["sig"])
    kind = b"tossup.manifest.v1"
    signed = (18).to_bytes(8, "little") + kind + (13).to_bytes(8, "little") + b"what is asked"

    KEY.public_key().verify(signature, signed)


def test_another_key_is_refused():
    """A valid signature of somebody else does not count, whatever key id it claims."""
    other = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
    forged = json.loads(signing.sign_manifest(b"what is asked", other))
    forged["sigs"][0]["kid"] = signing.key_id(PUBLIC)

    with pytest.raises(SignatureError, match="no valid signature"):
        signing.verify_manifest(json.dumps(forged).encode(), PUBLIC)


def test_several_signatures_need_one_of_the_pinned_key():
    """A co-signed manifest is followed by those who pinned either key."""
    other = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
    both = json.loads(ENVELOPE)
    both["sigs"].insert(0, json.loads(signing.sign_manifest(b"what is asked", other))["sigs"][0])

    assert b"what is asked" == signing.verify_manifest(json.dumps(both).encode(), PUBLIC)


@settings(max_examples=300)
@given(st.integers(0, len(ENVELOPE) - 1), st.integers(1, 255))
def test_no_changed_byte_is_accepted(place: int, change: int):
    """Flipping any byte anywhere in the envelope is refused as a SignatureError."""
    changed = bytearray(ENVELOPE)
    changed[place] ^= change

    with pytest.raises(SignatureError):
        signing.verify_manifest(bytes(changed), PUBLIC)


@each(
    "change",
    [
        {"type": "tossup.manifest.v2"},
        {"sigs": []},
        {"sigs": [{"kid": "0" * 16, "sig": ""}] * 5},
        {"sigs": [{"kid": 1, "sig": "AA"}]},
        {"sigs": [{"kid": "0", "sig": "AA", "more": 1}]},
        {"payload": "AB=="},
        {"payload": "A B"},
        {"payload": 7},
        {"more": 1},
    ],
)
def test_a_malformed_envelope_is_refused(change: dict[str, object]):
    """Unknown types, fields and encodings are refused before any key is looked at."""
    with pytest.raises(SignatureError, match="malformed"):
        signing.verify_manifest(json.dumps({**json.loads(ENVELOPE), **change}).encode(), PUBLIC)


def test_an_impossible_public_key_verifies_nothing():
    """A pinned key of the wrong length is a refusal, not a crash."""
    short = json.loads(ENVELOPE)
    short["sigs"][0]["kid"] = signing.key_id(b"short")

    with pytest.raises(SignatureError):
        signing.verify_manifest(json.dumps(short).encode(), b"short")


@given(st.binary(max_size=40))
def test_base64url_has_one_form(data: bytes):
    """Encoding and decoding are inverse; padding and loose bits are refused."""
    text = signing.b64url(data)

    assert data == signing.unb64url(text)
    with pytest.raises(WireError):
        signing.unb64url(text + "=")
    with pytest.raises(WireError):
        signing.unb64url(text + "\n")
