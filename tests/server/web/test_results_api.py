"""Estimates over HTTP: with a key or published, as JSON and CSV, and not twice for nothing."""

import csv
from dataclasses import replace
from hashlib import sha256
from io import StringIO

import pytest

from tossup.shared.signing import sign_manifest

PATH = "/v1/surveys/habits-7/results"


def test_it_works(client, key, reported):
    """Two coins: 2 x 1/2 - 1/2, with interval and n; the question without reports has none."""
    tried, rating = client.get(PATH, headers=key).json["questions"]

    (yes,) = tried["estimates"]
    assert (yes["value"], yes["n"]) == (0.5, 200)
    assert yes["low"] < 0.5 < yes["high"]
    assert (rating["suppressed"], rating["estimates"]) == (True, [])


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_a_filter_given_twice_is_refused(client, key, reported, suffix):
    """Rather than answered for the first group as if both had been counted."""
    refused = client.get(f"{PATH}{suffix}?where.region=north&where.region=south", headers=key)

    assert refused.status_code == 422
    assert "more than once" in refused.json["detail"]


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_a_private_survey_shows_its_results_with_a_key_only(client, suffix):
    """The refusal is the same for a survey that does not exist."""
    refused = client.get(PATH + suffix)
    unknown = client.get("/v1/surveys/nothing/results" + suffix)

    assert (refused.status_code, refused.json) == (401, unknown.json)


def test_a_public_survey_shows_its_results_to_all(client, key, survey, publisher_key):
    """Published in the manifest, readable without a key."""
    public = replace(survey, id="public-1", results="public")
    client.post("/v1/surveys", data=sign_manifest(public.payload, publisher_key), headers=key,
                content_type="application/json")  # fmt: skip

    assert client.get("/v1/surveys/public-1/results").status_code == 200


def test_the_csv_says_the_same(client, key, reported):
    """The row of all reports holds the JSON's value."""
    answer = client.get(f"{PATH}.csv", headers=key)

    row = next(csv.DictReader(StringIO(answer.text)))
    assert answer.mimetype == "text/csv"
    assert (row["question"], float(row["value"]), row["n"]) == ("ever_tried", 0.5, "200")


def test_what_did_not_change_is_not_computed_again(client, key, reported, services, monkeypatch):
    """The same ETag comes back as 304 without a body, and without a look at the tallies."""
    first = client.get(PATH, headers=key)
    monkeypatch.setattr(services.store, "tally", None)

    second = client.get(PATH, headers=key | {"If-None-Match": first.headers["ETag"]})

    assert not first.headers["ETag"].startswith("W/")
    assert (second.status_code, second.data) == (304, b"")


def test_a_new_report_changes_the_etag(client, key, reported, services, make_body):
    """Whoever asks with the old ETag gets the new estimate."""
    first = client.get(PATH, headers=key)
    services.ingest.receive(make_body((1,)))

    second = client.get(PATH, headers=key | {"If-None-Match": first.headers["ETag"]})

    assert (second.status_code, second.json["questions"][0]["n"]) == (200, 201)


def test_the_etag_tells_no_commits(client, key, reported, services, make_body):
    """A commit that changes nothing in the answer changes nothing in its tag, nor counts in it."""
    early = f"{PATH}?to=2026-03-13"
    first = client.get(early, headers=key)
    for _ in range(3):
        services.ingest.receive(make_body((1,)))
    second = client.get(early, headers=key | {"If-None-Match": first.headers["ETag"]})

    assert (first.headers["ETag"], 304) == (second.headers["ETag"], second.status_code)
    assert sha256(first.data).hexdigest()[:32] == first.headers["ETag"].strip('"')


def test_every_query_has_a_tag_of_its_own(client, key, reported):
    """What is known of one address is not said of another."""
    tags = [
        client.get(f"{PATH}{rest}", headers=key).headers["ETag"]
        for rest in ("", ".csv", "?where.region=north", "?where.region=south", "?confidence=0.9")
    ]

    assert 5 == len(set(tags))


@pytest.mark.parametrize("query", ["region=west", "from=yesterday", "confidence=2"])
def test_a_wrong_filter_is_refused_whoever_has_a_copy(client, key, reported, query):
    """A request that never was right is not answered with "nothing has changed"."""
    first = client.get(PATH, headers=key)

    second = client.get(f"{PATH}?{query}", headers=key | {"If-None-Match": first.headers["ETag"]})

    assert second.status_code == 422


def test_groups_and_days_are_filters(client, key, reported):
    """A public attribute and days narrow what is counted."""
    north = client.get(f"{PATH}?where.region=north&from=2026-03-14", headers=key).json
    before = client.get(f"{PATH}?to=2026-03-13", headers=key).json

    assert [found["questions"][0]["n"] for found in (north, before)] == [100, 0]


@pytest.mark.parametrize(
    "query", ["region=west", "colour=red", "from=yesterday", "confidence=2", "confidence=x"]
)
def test_a_filter_that_is_none_is_refused(client, key, query):
    """422 with what is allowed, not with what was asked."""
    refused = client.get(f"{PATH}?{query}", headers=key)

    assert refused.status_code == 422
    assert refused.json["type"] == "urn:tossup:error:filter-invalid"
    assert "west" not in refused.text
