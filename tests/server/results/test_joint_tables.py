"""Two questions together, from stored reports, over HTTP and on the page."""

import secrets
from dataclasses import replace
from math import exp, log, sqrt
from unittest.mock import patch

import numpy as np
import pytest

from tossup.server.estimation import (
    EstimationError,
    estimate_joint,
    independence,
    odds_ratio,
    phi,
    two_coins,
)
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Question
from tossup.shared.wire import Batch, encode_batch

PATH = "/v1/surveys/pairs-1/joint?questions=tried,told"


@pytest.fixture
def pairs(survey):
    """Two yes/no questions whose answers travel together."""
    questions = tuple(
        Question(name, f"topic-{name}", {"en": f"Ever {name}?"}, (), TwoCoin())
        for name in ("tried", "told")
    )
    return replace(survey, id="pairs-1", linkage="joint", questions=questions, minimum_batch=100)


def send(services, survey, rows, region=0):
    """Let the server count these pairs of reports."""
    batch = Batch(
        survey.digest,
        tuple(secrets.token_bytes(16) for _ in rows),
        {q.id: tuple(row[place] for row in rows) for place, q in enumerate(survey.questions)},
        {"region": (region,) * len(rows)},
    )
    services.ingest.receive(encode_batch(batch, survey))


def pairs_of(counts):
    """Return one pair of reports each, from counts[first][second]."""
    return [(i, j) for i, row in enumerate(counts) for j, n in enumerate(row) for _ in range(n)]


NORTH, SOUTH = [[500, 250], [250, 200]], [[100, 100], [100, 100]]


@pytest.fixture
def told(services, pairs, publisher_key):
    """Twelve hundred pairs from the north, four hundred from the south."""
    with services.store.write() as transaction:
        transaction.add_manifest(pairs, sign_manifest(pairs.payload, publisher_key))
    for region, counts in enumerate((NORTH, SOUTH)):
        send(services, pairs, pairs_of(counts), region)


def test_it_works(client, key, told):
    """The table of all reports, the coins taken out, with interval and n everywhere."""
    found = client.get(PATH, headers=key).json
    expected = estimate_joint([[600, 350], [350, 300]], [two_coins(), two_coins()])

    assert (found["n"], found["suppressed"], found["warning"]) == (1600, False, None)
    assert [c["answers"] for c in found["cells"]] == [
        ["no", "no"], ["no", "yes"], ["yes", "no"], ["yes", "yes"]
    ]  # fmt: skip
    assert [c["value"] for c in found["cells"]] == pytest.approx(expected.cells.ravel().tolist())
    assert [c["standard_error"] for c in found["cells"]] == pytest.approx(
        expected.standard_errors().ravel().tolist()
    )
    assert all(c["low"] < c["value"] < c["high"] and c["n"] == 1600 for c in found["cells"])
    assert found["phi"]["value"] == pytest.approx(phi(expected).value)


@pytest.mark.usefixtures("made_here")
def test_filters_choose_the_reports(client, key, told):
    """By public attribute, and by the day they arrived."""
    north = client.get(f"{PATH}&where.region=north", headers=key).json
    never = client.get(f"{PATH}&to=2001-01-01", headers=key).json

    assert north["n"] == 1200
    assert north["cells"][3]["value"] == pytest.approx(1 / 6)
    assert (never["n"], never["suppressed"], never["cells"]) == (0, True, [])


def test_a_table_that_is_safe_to_peek_at_is_refused(client, key, told):
    """Rather than answered with intervals that hold at one look."""
    refused = client.get(f"{PATH}&looks=every", headers=key)

    assert refused.status_code == 422
    assert "one look" in refused.json["detail"]


def test_with_few_reports_there_is_no_table(client, key, services, pairs, publisher_key):
    """Below the minimum nothing is said but how many there are."""
    with services.store.write() as transaction:
        transaction.add_manifest(pairs, sign_manifest(pairs.payload, publisher_key))
    send(services, pairs, [(0, 1)] * 99)
    found = client.get(PATH, headers=key).json

    assert (found["n"], found["suppressed"], found["cells"], found["phi"]) == (99, True, [], None)


@pytest.mark.parametrize("questions", ["tried", "tried,tried", "tried,other", "tried,told,tried"])
def test_other_questions_are_refused_by_name(client, key, told, questions):
    """Two different ones of the survey, and the refusal says which there are."""
    refused = client.get(f"/v1/surveys/pairs-1/joint?questions={questions}", headers=key)

    assert refused.status_code == 422
    assert "tried, told" in refused.json["detail"]


def test_neither_a_refusal_nor_a_kept_table_reads_the_tallies(client, key, told, services):
    """Reading them takes a second of a processor where two questions of 256 options have groups."""
    found = client.get(PATH, headers=key)
    refused = f"{PATH.split('?', maxsplit=1)[0]}?questions=tried,nobody"

    with patch.object(type(services.store), "audit", side_effect=AssertionError("tallies read")):
        assert client.get(refused, headers=key).status_code == 422
        assert client.get(PATH, headers=key).data == found.data


def test_answers_that_travel_apart_have_no_joint_table(client, key):
    """The refusal says what a survey would need."""
    refused = client.get("/v1/surveys/habits-7/joint?questions=ever_tried,rating", headers=key)

    assert refused.status_code == 422
    assert "linkage joint" in refused.json["detail"]


def test_after_retention_there_is_no_joint_table(client, key, told, services):
    """The single reports are gone, and the answer says so."""
    with services.store.write() as transaction:
        transaction.close_survey("pairs-1")
        transaction.expire("pairs-1")
    refused = client.get(PATH, headers=key)

    assert (refused.status_code, refused.json["type"]) == (410, "urn:tossup:error:reports-expired")


def test_it_needs_a_key_like_the_results(client, told):
    """A private survey's joint table is private."""
    assert client.get(PATH).status_code == 401


def test_reports_to_a_version_with_other_coins_are_left_out(
    client, key, told, services, pairs, publisher_key
):
    """A later version with one question changed has a table of its own reports alone."""
    from tossup.shared.mechanisms import RandomizedResponse

    other = replace(pairs.questions[0], mechanism=RandomizedResponse(((2, 1), (1, 2))))
    later = replace(pairs, version=2, previous=pairs.digest, questions=(other, pairs.questions[1]))
    with services.store.write() as transaction:
        transaction.add_manifest(later, sign_manifest(later.payload, publisher_key))
    send(services, later, [(1, 1)] * 50 + [(0, 0)] * 50 + [(0, 1)] * 10)

    assert client.get(PATH, headers=key).json["n"] == 110


def test_the_page_shows_the_table(services, told, app):
    """Signed in: a form, both questions, the share of both and among them."""
    browser = app.test_client()
    link = services.auth.create_link()
    browser.post(f"/sign-in/{link}", headers={"Sec-Fetch-Site": "same-origin"}, content_length=0)
    page = browser.get("/surveys/pairs-1/joint?rows=tried&columns=told").text

    assert "Ever tried?" in page
    assert "1,600" in page
    assert "Correlation (phi)" in page
    assert 'href="/surveys/pairs-1/joint' in browser.get("/surveys/pairs-1").text


def table(counts):
    return estimate_joint(counts, [two_coins(), two_coins()])


def test_independent_answers_have_independent_reports():
    """Expected reports of independent answers: the statistic is 0, phi 0, the odds ratio 1."""
    tried, told = 0.4, 0.3
    reports = np.outer([0.75 - tried / 2, 0.25 + tried / 2], [0.75 - told / 2, 0.25 + told / 2])
    found = table((reports * 1_000_000).round().astype(int))

    assert independence(found).statistic == pytest.approx(0, abs=1e-6)
    assert phi(found).value == pytest.approx(0, abs=1e-5)
    assert odds_ratio(found).value == pytest.approx(1, abs=1e-4)


def test_the_odds_ratio_has_the_delta_interval_of_its_logarithm():
    """By hand: slopes 1/cell with signs, through the covariance of the cells."""
    found = table([[500, 250], [250, 200]])
    cells = found.cells.ravel()
    slopes = np.array([1, -1, -1, 1]) / cells
    error = sqrt(slopes @ found.covariance @ slopes)
    measured = odds_ratio(found)

    assert measured.value == pytest.approx(cells[0] * cells[3] / (cells[1] * cells[2]))
    assert measured.interval.high == pytest.approx(
        exp(log(measured.value) + 1.959963984540054 * error)
    )


def test_the_interval_of_phi_lies_within_its_bounds_and_holds_it():
    """Even where the correlation is strong and the reports few."""
    found = phi(table([[500, 250], [250, 300]]))

    assert -1 < found.interval.low < found.value < found.interval.high < 1


def test_measures_of_two_are_refused_for_three():
    """Three questions have no phi, and the error says what they are of."""
    three = estimate_joint(np.ones((2, 2, 2), dtype=int), [two_coins()] * 3)

    with pytest.raises(EstimationError, match="two"):
        independence(three)
    with pytest.raises(EstimationError, match="two"):
        phi(three)


#: The raw share of two yeses is 0.25 of 14,625: too near to 0 to bound an odds ratio.
NEAR_NOUGHT = [[7453, 3200], [2800, 1172]]


@pytest.mark.usefixtures("made_here")
def test_a_cell_near_nought_leaves_an_odds_ratio_without_an_upper_end(
    client, key, services, pairs, publisher_key
):
    """Null over HTTP, and a sign on the page, instead of a number that no float can hold."""
    open_pairs = replace(pairs, results="public")
    with services.store.write() as transaction:
        transaction.add_manifest(open_pairs, sign_manifest(open_pairs.payload, publisher_key))
    rows = pairs_of(NEAR_NOUGHT)
    for start in range(0, len(rows), 5000):
        send(services, open_pairs, rows[start : start + 5000])
    found = client.get(PATH, headers=key).json["odds_ratio"]
    page = client.get("/surveys/pairs-1/joint?rows=tried&columns=told")

    assert (found["low"], found["high"]) == (0, None)
    assert page.status_code == 200
    assert "∞" in page.text


def test_a_cell_of_nought_has_a_phi_and_no_odds_ratio():
    """Phi divides by margins alone: its slopes are those of (ad - bc) / sqrt(margins)."""
    table = estimate_joint([[6, 5], [3, 2]], [two_coins(), two_coins()])
    value = (0.5 * 0 - 0.375 * 0.125) / sqrt(0.875 * 0.125 * 0.625 * 0.375)

    assert phi(table).value == pytest.approx(value)
    assert -1 < phi(table).interval.low < value < phi(table).interval.high < 1
    with pytest.raises(EstimationError, match="a raw cell is not above 0"):
        odds_ratio(table)


def test_a_cell_that_is_nought_but_for_rounding_is_nought():
    """Its float is 3e-16; an odds ratio of 1e-16 would be made of nothing else."""
    with pytest.raises(EstimationError, match="a raw cell is not above 0"):
        odds_ratio(estimate_joint([[9, 8], [4, 3]], [two_coins(), two_coins()]))
