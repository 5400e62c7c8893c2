"""What a survey names never meets what we name: in exports, JSON, pages, filters and tables."""

import csv
import json
import re
import secrets
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tossup.server.cli.reading import groups, joint
from tossup.server.estimation import (
    EstimationError,
    regress,
    regress_grouped,
    regress_number_on,
    regress_on,
)
from tossup.server.results import as_csv
from tossup.server.results.joint.linked import joint_reports_to_csv
from tossup.server.surveys.lifecycle import publish
from tossup.shared import wire
from tossup.shared.mechanisms import TwoCoin
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Question, Survey

#: Parameters, columns and headings that are ours; the keys of our JSON are added below.
OURS = [
    *("from", "to", "confidence", "looks", "lang", "format", "questions", "rows", "columns"),
    *("where", "q", "main", "yes", "version", "count", "attribute", "report", "reports", "by"),
    *("attribute_count", "report_count", "attribute_version", "report_version", "report_to"),
    *as_csv.COLUMNS,
]
NORTH, SOUTH = 0, 1


def keys(value: Any) -> Iterator[str]:
    """Yield every key of JSON that could be an id."""
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from keys(inner)
    yield from (key for key in value if isinstance(value, dict) and re.fullmatch(r"[a-z_]+", key))


@pytest.fixture
def send(client, store, joint_survey, publisher_key):
    """Publish a survey of two yes/no questions and an attribute; send what they answer."""

    def publish_and_send(names: tuple[str, ...], n: int = 40) -> Survey:
        first, second, attribute = names
        survey = replace(
            joint_survey,
            id=f"s{secrets.token_hex(8)}",
            minimum_batch=1,
            results="public",
            questions=tuple(Question(q, q, {"en": q}, (), TwoCoin()) for q in (first, second)),
            attributes=(Attribute(attribute, {"en": "Place"}, joint_survey.attributes[0].options),),
        )
        publish(store, sign_manifest(survey.payload, publisher_key))
        values = {first: (1, 0) * (n // 2), second: (1,) * n}
        told = {attribute: (NORTH,) * (n // 4) + (SOUTH,) * (n - n // 4)}
        ids = tuple(secrets.token_bytes(16) for _ in range(n))
        batch = wire.Batch(survey.digest, ids, values, told)
        body = wire.encode_batch(batch, survey)
        client.post("/v1/reports", data=body, content_type=wire.REPORTS_TYPE)
        return survey

    return publish_and_send


def read(client, key, path: str) -> Any:
    answer = client.get(path, headers=key)
    assert answer.status_code == 200, f"{path}: {answer.text[:200]}"
    return answer


def headings(table: str) -> list[str]:
    return re.split(r"\s{2,}", table.splitlines()[0])


@pytest.fixture
def our_keys(client, key, send) -> list[str]:
    """Every key of the JSON of results and of a joint table."""
    survey = send(("a", "b", "c"))
    path = f"/v1/surveys/{survey.id}"
    found = {*keys(read(client, key, f"{path}/results").json)}
    return sorted(found | {*keys(read(client, key, f"{path}/joint?questions=a,b").json)})


def test_names_never_meet(client, key, send, our_keys):
    """A survey may call its questions and attributes what we call ours; nothing is mixed up."""
    # A survey with waves alone has an attribute called wave, and it is ours there.
    known = st.sampled_from(sorted({*OURS, *our_keys} - {"wave"}))
    names = st.lists(known, min_size=3, max_size=3, unique=True).map(tuple)

    @settings(max_examples=15, suppress_health_check=list(HealthCheck))
    @given(names)
    def check(drawn: tuple[str, ...]) -> None:
        first, second, attribute = drawn
        path = f"/v1/surveys/{send(drawn).id}"
        check_joint_reports(drawn, read(client, key, f"{path}/reports.csv").text)
        check_filters(attribute, path)
        check_results(drawn, path)
        asked = read(client, key, f"{path}/joint?questions={first},{second}").json
        assert (asked["questions"], asked["n"]) == ([first, second], 40), drawn
        heads = headings(joint._as_text(asked))
        assert len(heads) == len({*heads}) == 5, heads

    def check_joint_reports(drawn: tuple[str, ...], text: str) -> None:
        first, second, attribute = drawn
        rows = list(csv.DictReader(StringIO(text)))
        columns = ["version", f"attribute_{attribute}", f"report_{first}", f"report_{second}"]
        assert text.splitlines()[0].split(",") == [*columns, "count"], drawn
        assert sum(int(row["count"]) for row in rows) == 40
        yes = sum(int(row["count"]) for row in rows if row[f"report_{first}"] == "1")
        north = sum(int(row["count"]) for row in rows if row[columns[1]] == "north")
        assert (yes, north, {row["version"] for row in rows}) == (20, 10, {"1"}), drawn

    def check_filters(attribute: str, path: str) -> None:
        asked = f"confidence=0.9&from=2026-03-14&where.{attribute}=north"
        found = read(client, key, f"{path}/results?{asked}").json
        assert found["filters"] == {
            "from": "2026-03-14", "to": None, "where": {attribute: "north"},
        }  # fmt: skip
        assert (found["confidence"], found["questions"][0]["n"]) == (0.9, 10), attribute

    def check_results(drawn: tuple[str, ...], path: str) -> None:
        found = read(client, key, f"{path}/results").json
        assert [question["id"] for question in found["questions"]] == [*drawn[:2]]
        assert {*found, "warning"} >= {"v", "survey", "questions", "filters"}
        text = groups.groups_as_text(found, found["questions"], drawn[2])
        for table in text.split("\n\n"):
            assert len(headings(table)) == len({*headings(table)}) >= 6, table
        assert re.split(r"\s{2,}", text.splitlines()[1])[-1] == "10", text
        export = read(client, key, f"{path}/results.csv").text
        assert export.splitlines()[0].split(",") == [*as_csv.COLUMNS]

    check()


def test_parameters_and_anchors_of_pages_are_their_own(client, send):
    """Every field of the filters has a name of its own, every element an id of its own."""
    for drawn in (("main", "q-main-1", "looks"), ("to", "from-1", "from"), ("1", "q", "rows")):
        page = client.get(f"/surveys/{send(drawn).id}").text
        for kind in ("id", "name"):
            found = re.findall(rf'<(?!meta)[a-z0-9]+ [^>]*\b{kind}="([^"]+)"', page)
            assert found, page[:300]
            assert len(found) == len({*found}), f"{drawn}: {kind} {found}"


def test_an_attribute_and_a_report_never_share_a_column(store, joint_survey, publisher_key):
    """Also where an old version, from before such was refused, called them alike."""
    question, _ = joint_survey.questions
    swapped = replace(
        joint_survey,
        version=2,
        previous=joint_survey.digest,
        questions=(replace(question, id="region", topic="region"),),
        attributes=(replace(joint_survey.attributes[0], id=question.id),),
    )
    with store.write() as transaction:
        for version in (joint_survey, swapped):
            transaction.add_manifest(version, sign_manifest(version.payload, publisher_key))

    head = joint_reports_to_csv(store, joint_survey.id).strip().split(",")

    assert head == [
        *("version", "attribute_ever_tried", "attribute_region"),
        *("report_region", "report_ever_tried", "report_rating", "count"),
    ]
    assert json.loads(swapped.payload)["version"] == 2


def test_no_covariate_is_called_as_another_coefficient():
    """Of two coefficients with one name nobody knows which is meant."""
    reports, told, x = [0, 1, 1, 0] * 25, [0, 1, 0, 0, 1] * 20, list(range(100))
    design = TwoCoin()
    fits = {
        "regress": lambda given: regress(reports, given, design),
        "regress_on": lambda given: regress_on(told, given, reports, design),
        "regress_number_on": lambda given: regress_number_on(x, given, reports, design),
        "regress_grouped": lambda given: regress_grouped(reports, given, design, told),
    }
    for name, fit in fits.items():
        for called in ("(Intercept)", "answer") if "_on" in name else ("(Intercept)",):
            with pytest.raises(EstimationError, match="stands there twice"):
                fit({called: x})
