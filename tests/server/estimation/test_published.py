"""A survey's results as estimates: fetched from its server, or read from an export."""

import json
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

import pytest
from click.testing import CliRunner
from every_kind import tally

from tossup.server import remote
from tossup.server.cli import api
from tossup.server.cli.reading.labels import labelled
from tossup.server.cli.root import root
from tossup.server.estimation import (
    Difference,
    EstimationError,
    ShareEstimate,
    SharesEstimate,
    estimate_joint,
    fetch,
    read_results,
    to_frame,
)
from tossup.server.estimation.published.reading import results_from
from tossup.server.kernels.tossing.source import seeded
from tossup.server.results import results, results_to_json
from tossup.server.store.tally import Cell
from tossup.server.surveys.file import load_survey
from tossup.shared.survey import Survey

FILE = """
id = "all-kinds"
title = "All kinds"
purpose = "To learn."
minimum_batch = 30

[publisher]
name = "Example University"
contact = "irb@example.org"

[[attribute]]
id = "region"
text = "Region"
answers = ["Far North", "Deep South"]

[[question]]
id = "tried"
text = "Have you ever tried it?"
odds = 2

[[question]]
id = "cards"
text = "And at home?"
mechanism = "kuk"
cards = 2
odds = 2

[[question]]
id = "why"
text = "Why is it that you stop?"
answers = ["No time", "Too dear", "Other"]
odds = 2

[[question]]
id = "near"
text = "How near do you live?"
answers = ["At home", "Next door", "Abroad"]
mechanism = "exponential"
distances = [[0, 1, 2], [1, 0, 1], [2, 1, 0]]
odds = 2

[[question]]
id = "langs"
text = "Which do you use?"
answers = { several = ["Python", "Rust"], most = 2 }
odds = 2

[[question]]
id = "hours"
text = "How many hours does it take?"
answers = { integers = [0, 10] }
odds = 2

[[question]]
id = "moved"
text = "How far east and north did you move?"
answers = { vector = ["East", "North"], norm = 10 }
odds = 2

[[question]]
id = "way"
text = "How do you like to travel?"
answers = { ranking = ["Bus", "Tram", "Bike"] }
odds = 2

[[question]]
id = "word"
text = "Which word comes to mind?"
answers = { text = "a-z", longest = 2 }
odds = 2
"""
ANSWERS = {
    "tried": True, "cards": False, "why": "no_time", "near": "abroad", "langs": ["rust"],
    "hours": 4, "moved": (6, -3), "way": ["bike", "bus", "tram"], "word": "ab",
}  # fmt: skip


@dataclass(frozen=True)
class Record:
    survey: Survey
    state: str = "open"


@pytest.fixture(scope="module")
def sent():
    """The JSON of a survey with every kind of question, as a server sends it."""
    return sent_of(FILE, ((4, 0, 400), (5, 1, 900)))


def sent_of(file, parts):
    """Return the JSON of a survey: of each part the day, the region and how many reports.

    A seed makes it the same in every run: what is told of few reports depends on chance.
    """
    survey = load_survey(file, bytes(range(32)))
    with seeded(1):
        cells = [
            Cell(
                survey.digest,
                question.id,
                date(2027, 1, day),
                (region,),
                tally(question, ANSWERS[question.id], n),
            )
            for question in survey.questions
            for day, region, n in parts
        ]
    return json.loads(json.dumps(results_to_json(results(Record(survey), cells))))


def test_every_estimate_is_that_of_the_server(sent):
    """Of every kind of question: value, error, interval and n, in total, by day and by group."""
    published = results_from(sent)

    assert list(ANSWERS) == [one.question.id for one in published.questions]
    for value, question in zip(sent["questions"], published.questions, strict=True):
        groups = {(g["attribute"], g["option"]): g for g in value["groups"]}
        pairs = [(value, question)]
        pairs += [
            (groups[attribute, option], part)
            for attribute, parts in question.groups.items()
            for option, part in parts.items()
        ]
        days = {date.fromisoformat(part["day"]): part for part in value["days"]}
        pairs += [(days[day], part) for day, part in question.days.items()]
        assert len(pairs) == 5, value["id"]
        for theirs, ours in pairs:
            expected = [
                (e["value"], e["standard_error"], e["low"], e["high"], e["n"])
                for e in theirs["estimates"]
            ]
            told = [
                (line.value, line.stderr, line.interval.low, line.interval.high, line.n)
                for line in ours.lines()
            ]
            assert expected or value["id"] == "word", value["id"]  # texts: none of days
            for mine, its in zip(told, expected, strict=True):
                assert pytest.approx(its) == mine, (value["id"], ours.name)


def test_results_are_objects_to_compute_with(sent):
    """Differences of groups, sums of options, a frame, an APA line: under labels."""
    published = results_from(sent)
    tried = published["tried"]
    north, south = tried.groups["region"].values()

    assert isinstance(tried.estimate, ShareEstimate)
    assert isinstance(published["why"].estimate, SharesEstimate)
    assert ("Far North", "Deep South") == (north.name, south.name)
    assert Difference(north.estimate, south.estimate).n == tried.n
    assert list(published["why"].shares) == ["no_time", "too_dear", "other"]
    assert "Have you ever tried it? = " in published.summary()
    assert "Why is it that you stop?, Too dear = " in published.apa()
    assert "mean of the reports" not in published.methods()
    assert len(published.lines()) == len(to_frame(list(published)))


def test_too_few_reports_tell_nothing(sent):
    """The counts are not there, and the estimate says so by name."""
    survey = load_survey(FILE, bytes(range(32)))
    cells = [Cell(survey.digest, "tried", date(2027, 1, 4), (0,), (5, 5))]
    published = results_from(results_to_json(results(Record(survey), cells)))

    assert published["tried"].suppressed
    assert published["tried"].lines() == ()
    with pytest.raises(EstimationError, match=r"Have you ever tried it\?: too few reports"):
        _ = published["tried"].estimate
    assert "too few reports" in published.methods()


def test_however_few_reports_there_are_what_is_told_has_its_name():
    """Of an option that few are asked about there may be no share, and of another one there is.

    Everything that the server tells is a line, and so much more is none that it does not tell.
    """
    file = FILE.replace('"Python", "Rust"], most = 2', '"Python", "Rust", "C", "Go"], most = 2')
    partly = set()
    for n in range(0, 640, 64):
        published = results_from(sent_of(file, ((4, 0, n // 3), (5, 1, n - n // 3))))
        published.summary()
        told_whole = {line.name for line in published.lines()}
        for name, question in zip(published.names, published.questions, strict=True):
            whole = [f"{name}, {line.name}" for line in question.lines()]
            assert told_whole >= ({name} if whole and question.question.is_yes_no else {*whole})
            groups = (part for of in question.groups.values() for part in of.values())
            for part in (question, *question.days.values(), *groups):
                names = dict(zip(part.question.answer_ids, part.labels, strict=True))
                told = {names[one["answer"]] for one in part.given if one.get("answer") in names}

                assert told <= {line.name for line in part.lines()}, (n, part.name)
                if part.counts is None and told:
                    partly.add(question.question.id)
                    with pytest.raises(EstimationError, match="too few reports ask"):
                        _ = part.estimate
    assert {"langs"} == partly


def test_an_export_is_read_from_its_file(sent, tmp_path):
    """The same; and a file that names a key twice is none."""
    path = tmp_path / "habits.json"
    path.write_text(json.dumps(sent))
    twice = tmp_path / "twice.json"
    twice.write_text('{"v": 1, "v": 1}')

    assert read_results(path).lines() == results_from(sent).lines()
    for wrong in (twice, tmp_path / "absent.json"):
        with pytest.raises(EstimationError, match="holds no results in JSON"):
            read_results(wrong)
    for damaged in ({"v": 2}, {"v": 1}, sent | {"questions": [{}]}, sent | {"survey": None}):
        with pytest.raises(EstimationError, match="this version reads"):
            results_from(damaged)
    with pytest.raises(EstimationError, match="has no question 'tired'; it has tried, cards"):
        results_from(sent)["tired"]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/v1/surveys/habits-7#key=abc",
        "http://127.0.0.1:8080/v1/surveys/habits-7/results?confidence=0.9",
        "http://127.0.0.1:8080/surveys/habits-7",
        "http://127.0.0.1:8080/surveys/habits-7/results.json",
    ],
)
def test_every_address_of_a_survey_will_do(client, key, services, make_body, monkeypatch, url):
    """Its link, its page, its results; over the interface, with a key."""
    services.ingest.receive(make_body((0, 1) * 100))
    over_http(monkeypatch, client)
    fetched = fetch(url, key["Authorization"].removeprefix("Bearer "))

    assert fetched["ever_tried"].estimate.counts == (100, 100)


@pytest.mark.prove
def test_whatever_is_damaged_is_read_or_is_no_results(sent):
    """Each part of a question, and of the whole, in turn missing or of another kind."""

    def read(parts):
        with suppress(EstimationError):
            results_from(parts).lines()

    for wrong in (None, "x", [3], {"x": "y"}):
        for name in sent:
            read(sent | {name: wrong})
        for place, question in enumerate(sent["questions"]):
            for name in question:
                damaged = [*sent["questions"]]
                damaged[place] = question | {name: wrong}
                read(sent | {"questions": damaged})


@pytest.mark.parametrize("url", ["habits.json", "https://host/v2/x", "ftp://h/surveys/a", None])
def test_other_addresses_are_refused(url):
    """With what one looks like, and what reads a file, before anything is sent."""
    with pytest.raises(EstimationError, match=r"no address of a survey.* read by read_results"):
        fetch(url)


def test_a_refusal_is_an_error_of_ours(client, monkeypatch):
    """Without a key; with what the server said."""
    over_http(monkeypatch, client)

    with pytest.raises(remote.RemoteRefusedError, match="send an API key"):
        fetch("http://127.0.0.1/surveys/habits-7")


def test_the_key_is_not_sent_in_the_clear():
    """To another machine, over http."""
    with pytest.raises(remote.RemoteCleartextError, match="readable on the way"):
        fetch("http://example.org/surveys/habits-7", "tsk_1")


def test_joint_rows_come_along(sent, monkeypatch):
    """Of a survey with joint linkage and with a key: rows to tabulate and to regress on."""
    rows = (
        "version,attribute_region,report_tried,report_cards,count\n"
        "1,far_north,0,0,500\n1,far_north,1,0,250\n1,,0,1,250\n1,,1,1,200\n1,,,2,9\n"
    )
    linked = sent | {"survey": sent["survey"] | {"linkage": "joint"}}

    def send(url, key):
        if url.endswith("reports.csv"):
            return remote.Answer("text/csv", rows.encode())
        return remote.Answer(remote.JSON, json.dumps(linked).encode())

    monkeypatch.setattr(remote, "send", send)
    fetched = fetch("http://127.0.0.1/surveys/all-kinds", "tsk_1")

    first = {"version": 1, "attribute_region": "far_north", "report_tried": 0, "report_cards": 0}
    assert first | {"count": 500} == fetched.rows[0]
    assert fetched.rows[-1]["report_tried"] is None
    expected = estimate_joint([500 + 250, 250 + 200], ["warner p=2/3"])
    assert expected.cells.tolist() == fetched.joint("tried").cells.tolist()
    with pytest.raises(EstimationError, match="no joint rows"):
        results_from(sent).joint("tried")


def test_tables_that_people_read_have_labels(sent):
    """In the place of every id of an answer, an option or a question; the key of --by stays."""
    found = labelled(sent)
    why = next(one for one in found["questions"] if one["id"] == "Why is it that you stop?")

    assert "No time" == why["estimates"][0]["answer"]
    assert "No time" == why["most_likely"]["answer"]
    assert {"Far North", "Deep South"} == {part["option"] for part in why["groups"]}
    assert ["Far North", "Deep South"] == why["comparisons"][0]["pairs"][0]["options"]
    assert {"region"} == {part["attribute"] for part in why["groups"]}
    moved = next(one for one in found["questions"] if one["id"].startswith("How far"))
    assert ["East", "North"] == [line["component"] for line in moved["estimates"]]
    assert "no_time" not in json.dumps(
        [found["questions"][2][name] for name in ("estimates", "groups", "most_likely")]
    )


def over_http(monkeypatch, client):
    """Let requests reach the application without a socket."""

    def send(url, key=None):
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        answer = client.get(url.partition("127.0.0.1")[2].removeprefix(":8080"), headers=headers)
        if answer.status_code != 200:
            raise remote.RemoteRefusedError(answer.status_code, "", answer.json["detail"])
        return remote.Answer(answer.mimetype, answer.data)

    monkeypatch.setattr(remote, "send", send)


def test_a_survey_is_summed_up_on_the_command_line(sent, monkeypatch):
    """Labels in the tables, then an APA line and how every kind was estimated."""
    monkeypatch.setattr(api.Server, "get", lambda *_: sent)
    done = CliRunner().invoke(root, ["estimate", "all-kinds", "--summary"])

    assert done.exit_code == 0
    assert "APA: Have you ever tried it? = " in done.stdout
    assert "Chaudhuri and Mukerjee" in " ".join(done.stdout.split())
    for name in ("No time", "Next door", "Rust", "East", "Bike"):
        assert name in done.stdout, name
    for wrong in ("no_time", "next_door"):
        assert wrong not in done.stdout, wrong
