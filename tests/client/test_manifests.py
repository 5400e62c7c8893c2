"""Which manifests a device follows, and which links it takes."""

import re
from dataclasses import replace
from fractions import Fraction

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tossup.client import Client, Outcome
from tossup.client.errors import ManifestRefused, Misconfigured, Unreachable
from tossup.shared.signing import b64url, public_bytes, sign_manifest

ANSWERS = {"ever_tried": True, "region": "north"}


def test_a_survey_is_fetched_verified_and_kept_for_offline_use(client, stub, survey):
    """Once seen, a survey is there without a network, and so are its coins."""
    assert client.survey() == survey
    stub.script = [(500, {}, b"")]

    assert client.survey() == survey
    assert client.answer(ANSWERS) is Outcome.QUEUED


def test_a_survey_is_kept_even_if_the_first_answer_is_refused(client, stub):
    """A refused answer costs no second fetch."""
    assert client.answer({"ever_tried": 1, "region": "north"}) is Outcome.REFUSED_ANSWER
    stub.script = [(0, {}, b"")]

    assert client.answer(ANSWERS) is Outcome.QUEUED
    assert len(stub.requests) == 1


def test_an_unknown_survey_cannot_be_answered_offline(client, stub):
    """Without a manifest nothing is tossed; the status names the cause."""
    stub.script = [(0, {}, b"")]

    assert client.answer(ANSWERS) is Outcome.UNREACHABLE
    assert re.match(r"unreachable: .*no answer from the server \(\w+\)", client.status().problem)
    assert client.status().device.odds == 1


def test_a_survey_the_server_does_not_know_is_a_wrong_link(stub, survey, store):
    """404 with our problem document means that the link is wrong."""
    client = Client(f"{stub.url}/v1/surveys/other", survey.publisher.key, store=store)

    assert client.answer(ANSWERS) is Outcome.MISCONFIGURED


def test_a_manifest_of_another_publisher_is_refused(stub, survey, store):
    """Only the pinned key's signature counts."""
    other = public_bytes(Ed25519PrivateKey.generate())
    client = Client(stub.link(survey), other, store=store)

    assert client.survey() is None
    assert client.answer(ANSWERS) is Outcome.REFUSED_MANIFEST


def test_a_manifest_that_names_another_key_than_its_signature_is_refused(
    stub, survey, store, publisher_key
):
    """The ledger's name for a publisher is the pinned key, so the manifest must agree."""
    other = public_bytes(Ed25519PrivateKey.generate())
    posing = replace(survey, publisher=replace(survey.publisher, key=other))
    stub.envelopes[survey.id] = sign_manifest(posing.payload, publisher_key)
    client = Client(stub.link(survey), survey.publisher.key, store=store)

    assert client.answer(ANSWERS) is Outcome.REFUSED_MANIFEST


def test_a_manifest_for_another_survey_is_refused(stub, survey, joint_survey, store):
    """A signed manifest counts for its own survey only."""
    stub.envelopes[survey.id] = stub.envelopes[joint_survey.id]
    client = Client(stub.link(survey), survey.publisher.key, store=store)

    assert client.answer(ANSWERS) is Outcome.REFUSED_MANIFEST


def test_every_altered_byte_of_a_manifest_is_refused(client, stub, survey):
    """One flipped bit anywhere in the envelope, and nothing is tossed."""
    whole = stub.envelopes[survey.id]
    outcomes = set()
    for place in range(0, len(whole), 97):
        altered = bytearray(whole)
        altered[place] ^= 1
        stub.envelopes[survey.id] = bytes(altered)
        outcomes.add(client.answer(ANSWERS))

    assert outcomes == {Outcome.REFUSED_MANIFEST}


@pytest.fixture
def second(survey):
    return replace(survey, version=2, previous=survey.digest)


def test_a_newer_version_is_followed(client, stub, second, publisher_key):
    """Version 2 that names version 1 replaces it."""
    client.survey()
    stub.publish(second, publisher_key)

    assert client.survey() == second


def test_an_older_version_is_refused(client, stub, survey, second, publisher_key):
    """A rollback is refused, and the newer stored one stays in force."""
    stub.publish(second, publisher_key)
    client.survey()
    stub.publish(survey, publisher_key)

    assert client.survey() is None
    assert client.preview() is not None


def test_a_version_with_two_faces_is_refused(client, stub, survey, publisher_key):
    """The same version with another content is refused."""
    client.survey()
    stub.publish(replace(survey, minimum_batch=101), publisher_key)

    assert client.survey() is None


def test_a_version_that_does_not_follow_is_refused(client, stub, second, publisher_key):
    """Version 2 must name the version 1 that this device has seen."""
    client.survey()
    stub.publish(replace(second, previous="0" * 64), publisher_key)

    assert client.survey() is None


def test_a_server_that_hands_out_a_survey_which_is_over_changes_nothing(
    client, stub, survey, publisher_key, store
):
    """The publisher signed its last day, so whoever serves the manifest has no say."""
    from datetime import date

    old = replace(survey, id="old", opens=date(1999, 1, 1), closes=date(1999, 1, 2))
    stub.publish(old, publisher_key)
    client = Client(stub.link(old), survey.publisher.key, store=store)

    assert client.survey() is None
    assert client.answer(ANSWERS) is Outcome.CLOSED


def test_a_closed_survey_is_not_answered(client, stub):
    """410 for the manifest means closed; the device remembers it."""
    from answers import problem

    stub.script = [problem(410, "survey-closed")]

    assert client.answer(ANSWERS) is Outcome.CLOSED
    assert client.answer(ANSWERS) is Outcome.CLOSED
    assert len(stub.requests) == 1


KEY = b64url(bytes(range(32)))
GOOD = f"https://survey.example/v1/surveys/habits#key={KEY}"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (GOOD, None),
        (GOOD, bytes(range(32))),
        (GOOD.partition("#")[0], KEY),
        (GOOD.replace("example/", "example:8443/a/b/"), None),
        (GOOD.replace("https://survey.example", "http://127.0.0.1:5000"), None),
        (GOOD.replace("https://survey.example", "http://localhost"), None),
        (GOOD.replace("https://survey.example", "http://[::1]:80"), None),
    ],
)
def test_links_that_are_taken(url, key, tmp_path):
    """https anywhere, http on this machine only; the key in the link or beside it."""
    Client(url, key, store=tmp_path / "s.db", strict=True)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        (GOOD.partition("#")[0], None),
        (GOOD, bytes(32)),
        (GOOD, b"short"),
        (GOOD, 32),
        (GOOD, KEY + "\n"),
        (GOOD + "=", None),
        (GOOD.replace("key=", "other="), None),
        (GOOD.replace("https", "http"), None),
        (GOOD.replace("https", "ftp"), None),
        (GOOD.replace("https://survey.example", "http://127.0.0.1.evil.example"), None),
        (GOOD.replace("https://survey.example", "http://localhost.evil.example"), None),
        (GOOD.replace("survey.example", "user:pass@survey.example"), None),
        (GOOD.replace("#", "?a=b#"), None),
        (GOOD.replace("habits", "Habits"), None),
        (GOOD.replace("habits", "../x"), None),
        (GOOD.replace("habits", ""), None),
        (GOOD.replace("survey.example", "survey.example:99999"), None),
        (GOOD.replace("survey.example", ""), None),
        (GOOD.replace("habits", "habits\n"), None),
        ("", None),
        (None, None),
        (b"https://survey.example", None),
    ],
    ids=str,
)
def test_links_that_are_refused(url, key, tmp_path):
    """Anything else makes every call say so, and raises where that was asked for."""
    client = Client(url, key, store=tmp_path / "s.db")

    assert client.answer(ANSWERS) is Outcome.MISCONFIGURED
    with pytest.raises(Misconfigured):
        Client(url, key, store=tmp_path / "s.db", strict=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"publisher_cap": 0},
        {"device_cap": 2.5},
        {"device_cap": True},
        {"device_cap": Fraction(1, 2)},
        {"delta_cap": 1},
        {"delta_cap": -1},
        {"delta_cap": 1e-6},
        {"delta_cap": True},
        {"delta_cap": "1/1000"},
        {"store": ""},
        {"store": 7},
        {"store": "answers.db"},
        {"store": "./answers.db"},
        {"store": "~nobody-has-this-name/answers.db"},
        {"store": b"/answers.db"},
        {"timeout_seconds": 0},
        {"timeout_seconds": 0.5},
        {"ca_file": 7},
    ],
    ids=str,
)
def test_settings_that_are_refused(wrong, tmp_path):
    """A wrong setting is an outcome of every call, and nothing is made on disk."""
    client = Client(GOOD, **{"store": tmp_path / "s.db", **wrong})

    assert client.answer(ANSWERS) is Outcome.MISCONFIGURED
    assert client.survey() is client.preview() is None
    assert client.flush().reason == "misconfigured"
    assert client.status().trouble is Outcome.MISCONFIGURED
    assert client.consent(True) is client.withdraw() is Outcome.MISCONFIGURED
    assert list(tmp_path.iterdir()) == []


def test_strict_raises_typed_errors(stub, survey, store):
    """With strict=True an outcome other than QUEUED is an exception that carries it."""
    client = Client(stub.link(survey), bytes(32), store=store, strict=True)
    with pytest.raises(ManifestRefused) as caught:
        client.survey()

    assert caught.value.outcome is Outcome.REFUSED_MANIFEST


def test_strict_raises_when_there_is_no_server(survey, store):
    """Nobody listens on port 1."""
    link = f"http://127.0.0.1:1/v1/surveys/{survey.id}"
    client = Client(link, survey.publisher.key, store=store, strict=True)
    with pytest.raises(Unreachable):
        client.answer(ANSWERS)


@pytest.mark.parametrize("key", [32, 10**12, True, -1, [0] * 32, (0,) * 32, 3.2, object(), b"", ""])
def test_a_publisher_key_of_another_type_is_misconfigured(stub, survey, store, key):
    """Numbers are no keys, and no number asks for that many bytes."""
    client = Client(stub.link(survey), key, store=store)

    assert client.answer({"ever_tried": True, "region": "north"}) is Outcome.MISCONFIGURED
