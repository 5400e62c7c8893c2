"""Whoever reads an estimate sees which wordings it adds up, and on which days they were read."""

import csv
import secrets
from dataclasses import replace
from datetime import date, timedelta
from io import StringIO

import pytest

from tossup.server.cli.reading.wordings import wordings_as_text
from tossup.server.results import results, results_to_csv, results_to_json
from tossup.server.results.wordings import pooled_wordings
from tossup.server.store import SQLiteStore
from tossup.server.store.tally import Cell
from tossup.shared import wire
from tossup.shared.signing import sign_manifest
from tossup.shared.survey import Attribute, Option, Survey

FIRST = date(2026, 3, 2)
ASKED = {"en": "Have you tried it, ever?"}
MEANT = ("ever_tried", "region", "region.north", "survey:title")


class Record:
    """What results need of a survey's record."""

    state = "open"

    def __init__(self, survey: Survey) -> None:
        self.survey = survey


def reworded(survey: Survey, *same: str) -> Survey:
    """Return version 2: a question, a title, an attribute and one of its labels say it anew."""
    question, rating = survey.questions
    _, south = survey.attributes[0].options
    region = Attribute("region", {"en": "Where"}, (Option("north", {"en": "Up"}), south))
    return replace(
        survey,
        version=2,
        previous=survey.digest,
        title={"en": "Habits, spring"},
        questions=(replace(question, text=ASKED), rating),
        attributes=(region,),
        same_meaning=same,
    )


def cells(*versions: Survey, question: str = "ever_tried") -> list[Cell]:
    """Return 200 reports to each version, on two days each."""
    return [
        Cell(version.digest, question, FIRST + timedelta(2 * place + day), (0,), (60, 40))
        for place, version in enumerate(versions)
        for day in (0, 1)
    ]


@pytest.fixture
def found(survey):
    """Results of two versions, the second of which signs that it means the same."""
    versions = [survey, reworded(survey, *MEANT)]
    return results(Record(versions[1]), cells(*versions), versions=versions)


def test_json_has_every_wording_with_its_days(found):
    """Of questions, attributes, title and purpose, the newest first."""
    told = results_to_json(found)
    days = [("2026-03-04", "2026-03-05"), ("2026-03-02", "2026-03-03")]
    tried, rating = told["questions"]

    def seen(wordings):
        return [
            (each["versions"], each["text"]["en"], each["first_day"], each["last_day"], each["n"],
             each["declared"])
            for each in wordings
        ]  # fmt: skip

    assert seen(tried["wordings"]) == [
        ([2], "Have you tried it, ever?", *days[0], 200, True),
        ([1], "Have you ever tried it?", *days[1], 200, None),
    ]
    assert seen(rating["wordings"]) == [([1, 2], "How do you rate it?", None, None, 0, None)]
    assert rating["wordings"][0]["answers"][0]["label"] == {"en": "1 of 5"}
    assert seen(told["attributes"][0]["wordings"]) == [
        ([2], "Where", *days[0], 200, True),
        ([1], "Region", *days[1], 200, None),
    ]
    assert told["attributes"][0]["wordings"][1]["options"][0]["label"] == {"en": "North"}
    title, purpose = (told["survey"]["wordings"][name] for name in ("title", "purpose"))
    assert [each["text"]["en"] for each in title] == ["Habits, spring", "Habits"]
    assert [each["versions"] for each in purpose] == [[1, 2]]


def test_every_row_of_the_csv_says_which_wordings_it_adds_up(found):
    """Their number in a column, the earlier ones in another; one wording has none."""
    rows = list(csv.DictReader(StringIO(results_to_csv(found))))
    earlier = 'version 1, 2026-03-02 to 2026-03-03, 200 reports: "Have you ever tried it?"'
    region = 'version 1, 2026-03-02 to 2026-03-03, 200 reports: "Region", north "North"'

    for row in rows:
        if row["question"] == "rating":
            assert row["wordings"] == "1"
            continue
        assert row["wordings"] == "2"
        assert row["earlier_wordings"] == (f"{earlier}; {region}" if row["option"] else earlier)


def test_an_undeclared_wording_is_marked(survey):
    """A survey from before versions were compared, and one that declares too little."""
    for same in ((), ("region", "survey:title")):
        versions = [survey, reworded(survey, *same)]
        found = results(Record(versions[1]), cells(*versions), versions=versions)

        assert found.question("ever_tried").wordings[0].declared is False, same
        [head, newest, oldest] = wordings_as_text(results_to_json(found)["questions"])
        assert head == "ever_tried: adds up 2 wordings, NOT signed to mean the same:"
        assert newest == '  2026-03-04 to 2026-03-05, 200 reports: "Have you tried it, ever?"'
        assert oldest.endswith('"Have you ever tried it?"')


def test_only_what_is_added_up_is_told(survey):
    """Filtered to days of one wording, nothing is pooled; a wording that came back is a third."""
    second = reworded(survey, *MEANT)
    third = replace(reworded(survey), version=3, previous=second.digest, questions=survey.questions)
    versions = [survey, second, third]
    asked = {"versions": versions}

    late = results(Record(third), cells(*versions), first_day=FIRST + timedelta(4), **asked)
    every = results(Record(third), cells(*versions), **asked)

    assert pooled_wordings(late.question("ever_tried").wordings) == ()
    told = [(w.versions, w.text["en"]) for w in every.question("ever_tried").wordings]
    assert [versions for versions, _ in told] == [(3,), (2,), (1,)]
    assert told[0][1] == told[2][1] != told[1][1]


def test_a_language_that_is_added_is_no_other_wording(survey):
    """The words stay, and the wording has both languages."""
    said = survey.questions[0].text

    def both(text):
        return {**text, "de": f"{text['en']} (de)"}

    def options(part):
        return tuple(Option(each.id, both(each.label)) for each in part.options)

    second = replace(
        survey,
        version=2,
        previous=survey.digest,
        languages=("en", "de"),
        title=both(survey.title),
        purpose=both(survey.purpose),
        questions=tuple(
            replace(part, text=both(part.text), options=options(part)) for part in survey.questions
        ),
        attributes=tuple(
            replace(part, text=both(part.text), options=options(part)) for part in survey.attributes
        ),
    )
    versions = [survey, second]
    found = results(Record(second), cells(*versions), versions=versions).question("ever_tried")

    assert [(w.versions, w.text) for w in found.wordings] == [((1, 2), both(said))]


@pytest.fixture
def answered(client, store: SQLiteStore, joint_survey, publisher_key):
    """Publish two versions, the second with other words; send three reports to each."""

    def publish_both(*same: str) -> str:
        first = replace(joint_survey, results="public", minimum_batch=1)
        question, rating = first.questions
        other = replace(
            first,
            version=2,
            previous=first.digest,
            questions=(replace(question, text=ASKED), rating),
            same_meaning=same,
        )
        for version in (first, other):
            with store.write() as transaction:  # as a server that did not compare them yet
                transaction.add_manifest(version, sign_manifest(version.payload, publisher_key))
            ids = tuple(secrets.token_bytes(16) for _ in range(3))
            values = {"ever_tried": (0, 1, 1), "rating": (0, 1, 2)}
            batch = wire.Batch(version.digest, ids, values, {"region": (0, 0, 1)})
            body = wire.encode_batch(batch, version)
            client.post("/v1/reports", data=body, content_type=wire.REPORTS_TYPE)
        return first.id

    return publish_both


def test_a_joint_table_says_which_wordings_it_adds_up(client, answered):
    """Of both questions, from the reports themselves."""
    path = f"/v1/surveys/{answered('ever_tried')}/joint?questions=ever_tried,rating"
    tried, rated = client.get(path).json["wordings"]

    assert [(each["versions"], each["n"], each["declared"]) for each in tried] == [
        ([2], 3, True),
        ([1], 3, None),
    ]
    assert [(each["versions"], each["n"], each["declared"]) for each in rated] == [
        ([1, 2], 6, None)
    ]


@pytest.mark.parametrize("same", [("ever_tried",), ()], ids=["signed", "not signed"])
def test_pages_show_both_wordings_in_both_languages(client, answered, same, monkeypatch):
    """Beside the estimate, with the day; open, and as an alarm, where nobody signed for it."""
    monkeypatch.setattr("tossup.server.web.answers._DEAR_SECONDS", 60)  # also the first, cold one
    survey_id = answered(*same)
    joint = f"/surveys/{survey_id}/joint?rows=ever_tried&columns=rating"
    for path in (f"/surveys/{survey_id}?", f"{joint}&"):
        page = client.get(f"{path}lang=en").text
        for words in ("Adds up 2 wordings", "Have you ever tried it?", ASKED["en"]):
            assert words in page, path
        assert "14 March 2026" in page, path
        assert ("did not sign that these wordings" in page) is not bool(same), path
        assert ('<details class="wordings" open>' in page) is not bool(same), path
        assert "合并了 2 种措辞" in client.get(f"{path}lang=zh-Hans").text, path
