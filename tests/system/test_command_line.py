"""The command line against a real server: a survey's life, and every exit code on the way.

The tests of this file tell one story, in order.
"""

import json
import os
import pty
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tossup.server.store import SQLiteStore
from tossup.shared import wire
from tossup.shared.signing import unb64url
from tossup.shared.survey import Survey

SURVEY = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "ever_tried"
text = "Have you ever tried it?"

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""


@pytest.fixture(scope="module")
def link(place) -> str:
    """The link of a survey that was created by the command line."""
    (place.folder / "habits.toml").write_text(SURVEY)
    return place.json("survey", "create", "habits.toml")["link"]


def post_reports(place, n: int) -> None:
    """Send n reports as n devices would, half of them yes."""
    with urlopen(f"{place.url}/v1/surveys/habits") as answer:
        survey = Survey.parse(unb64url(json.load(answer)["payload"]))
    bits, zeros = tuple(place % 2 for place in range(n)), (0,) * n
    ids = tuple(number.to_bytes(16, "big") for number in range(1, n + 1))
    batch = wire.Batch(survey.digest, ids, {"ever_tried": bits}, {"region": zeros})
    body = wire.encode_batch(batch, survey)
    request = Request(f"{place.url}/v1/reports", body, {"Content-Type": wire.REPORTS_TYPE})
    with urlopen(request) as answer:
        assert wire.decode_receipt(answer.read(), n).received == n


def test_it_works(place, link):
    """A survey is created, listed and shown, with the link that pins its publisher's key."""
    listed = place.json("survey", "list")["surveys"]
    shown = place.json("survey", "show", "habits")

    assert [(entry["id"], entry["state"]) for entry in listed] == [("habits", "open")]
    assert (shown["odds"], shown["link"]) == ("3", link)
    assert link.startswith(f"{place.url}/v1/surveys/habits#key=")


def test_a_choice_left_open_is_made_and_explained(place):
    """The best mechanism is signed into the manifest; the reason and the others are printed."""
    labels = ", ".join(f'"colour {number}"' for number in range(16))
    question = f'\n[[question]]\nid = "colour"\ntext = "?"\nanswers = [{labels}]\n'
    survey = SURVEY.replace('"habits"', '"colours"') + question + 'mechanism = "auto"\n'
    (place.folder / "colours.toml").write_text(survey)
    done = place.tossup("survey", "create", "colours.toml", "--explain")

    assert "colour: subset-selection has the least variance" in done.stderr
    assert "k-ary 4.25 (1 B)" in done.stderr


def test_a_port_that_is_taken_is_named_and_a_way_out(place, tmp_path):
    """A second server on the same port ends with 1 and says what to do."""
    port = str(urlsplit(place.url).port)

    done = place.tossup("serve", "--port", port, "--data", str(tmp_path / "second"))

    assert done.returncode == 1
    assert f"cannot listen on 127.0.0.1, port {port}" in done.stderr
    assert "Try: tossup serve --port 0" in done.stderr


def test_a_server_without_enough_threads_says_what_to_do(tmp_path):
    """Each has a stack of 1 GB, of which there is room for one."""

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_AS, (5 << 29, 5 << 29))

    command = [sys.executable, "-m", "tossup.server.cli", "serve", "--port", "0"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path)],
        check=False,
        preexec_fn=little,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=100,
    )

    assert done.returncode == 1
    assert "Error: the system lets the server start no more threads" in done.stderr
    assert "Try: tossup serve --threads 4" in done.stderr


def test_a_server_whose_disk_is_full_at_its_start_says_so(tmp_path):
    """Also once it listens, when it makes its link; and not what SQLite says after that."""

    def little() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 10, 64 << 10))

    command = [sys.executable, "-m", "tossup.server.cli", "serve", "--port", "0", "--data"]
    for name, limit, why in (("new", little, "disk I/O error"), ("whole", None, "no room")):
        file = tmp_path / name / "tossup.sqlite3"
        if limit is None:
            SQLiteStore(file).close()
            with closing(sqlite3.connect(file)) as connection:
                connection.execute(
                    "CREATE TRIGGER full BEFORE INSERT ON setup_links"
                    " BEGIN SELECT RAISE(FAIL, 'no room'); END"
                )
        done = subprocess.run(
            [*command, str(file.parent)],
            check=False,
            preexec_fn=limit,
            capture_output=True,
            text=True,
            timeout=100,
        )
        assert done.returncode == 1
        assert done.stderr.startswith(f"Error: the data folder {file.parent} cannot be used: ")
        assert why in done.stderr


def test_a_server_ends_with_0_when_told_to(place, tmp_path):
    """SIGTERM is how services are stopped; it is no failure."""
    command = [sys.executable, "-m", "tossup.server.cli", "serve", "--json"]
    command += ["--port", "0", "--data", str(tmp_path / "third")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        json.loads(process.stdout.readline())
        process.terminate()

    assert process.returncode == 0


def test_a_server_on_every_address_prints_one_that_works(tmp_path):
    """0.0.0.0 is no name it answers to: it prints the loopback's, and how to allow others."""
    command = [sys.executable, "-m", "tossup.server.cli", "serve", "--json", "--host", "0.0.0.0"]
    command += ["--port", "0", "--data", str(tmp_path / "all")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        said = json.loads(process.stdout.readline())
        with urlopen(said["url"] + "/healthz", timeout=300) as answer:
            status = answer.status
        process.terminate()
        notes = process.stderr.read()

    assert (200, "127.0.0.1") == (status, urlsplit(said["sign_in"]).hostname)
    assert "TOSSUP_TRUSTED_HOSTS" in notes


@pytest.mark.parametrize(
    ("results", "minimum", "cautioned"),
    [("public", 5, True), ("public", 97, False), ("private", 5, False)],
)
def test_a_low_minimum_of_public_results_is_pointed_out(place, results, minimum, cautioned):
    """Such estimates say little; and nobody must take the minimum for a protection."""
    name = f"{results}-{minimum}"
    text = SURVEY.replace('id = "habits"', f'id = "{name}"\nresults = "{results}"')
    (place.folder / f"{name}.toml").write_text(f"minimum_batch = {minimum}\n{text}")

    done = place.tossup("survey", "create", f"{name}.toml")

    assert done.returncode == 0
    assert ("minimum_batch protects nobody" in done.stderr) is cautioned


def test_a_second_publisher_cannot_take_the_survey(place, link):
    """Another key may not publish the same id: the server refuses, exit 1."""
    done = place.tossup(
        "survey", "create", "habits.toml", "--publisher-key", "other.pem", "--new-publisher-key"
    )

    assert (done.returncode, "survey-conflict" in done.stderr) == (1, True)


def test_without_a_key_the_server_refuses(place, link):
    """An unknown API key is told how to get one."""
    done = place.tossup("survey", "list", TOSSUP_API_KEY="tsk_wrong")

    assert (done.returncode, "tossup key create" in done.stderr) == (1, True)


def test_too_few_reports_exit_with_3(place, link):
    """No estimate is printed, and the JSON says suppressed."""
    done = place.tossup("estimate", "habits", "--json")

    assert done.returncode == 3
    assert json.loads(done.stdout)["questions"][0]["suppressed"]
    assert json.loads(done.stderr)["error"]["exit_code"] == 3


def test_on_a_terminal_the_respondent_sees_what_can_be_sent_before_the_toss(place, link):
    """Chances and odds are shown, and whoever says no has tossed and sent nothing."""
    ours, theirs = pty.openpty()
    os.write(ours, b"n\n")
    with open(theirs) as terminal:
        done = place.process("answer", link, "ever_tried=yes", "region=north", stdin=terminal)
    os.close(ours)

    assert done.returncode == 1
    assert "75 of 100 times" in done.stderr
    assert "sent as it is, not randomized: region" in done.stderr
    assert place.json("survey", "list")["surveys"][0]["reports"] == 0


def test_an_answer_is_tossed_here_and_sent(place, link):
    """One report of odds 3 leaves the device; the answer itself is not printed."""
    told = place.json("answer", link, "ever_tried=yes", "region=north", "--yes")

    assert (told["sent"], told["pending"], told["odds"]) == (1, 0, "3")
    costs = {"odds", "cap", "delta", "delta_cap"}
    assert set(told) == {"survey", "sent", "pending", "refused", *costs}


def test_a_second_answer_is_refused_for_privacy_with_4(place, link):
    """A topic is answered once for life."""
    done = place.tossup("answer", link, "ever_tried=no", "region=north", "--yes")

    assert done.returncode == 4
    assert "once for life" in done.stderr


def test_an_answer_that_is_none_exits_with_1_and_is_not_repeated(place, link):
    """The message names what is allowed and never what was given."""
    done = place.tossup("answer", link, "ever_tried=sentinel", "region=north", "--yes")

    assert done.returncode == 1
    assert "sentinel" not in done.stdout + done.stderr


def test_an_answer_that_is_none_is_told_in_the_words_of_the_command_line(place, link):
    """It is yes or no here, whatever a program gives the SDK."""
    wrong = place.tossup("answer", link, "ever_tried=maybe", "region=north", "--yes")
    unknown = place.tossup("answer", link, "ever_tired=yes", "region=north", "--yes")

    assert "ever_tried takes one of: no, yes. Nothing was tossed" in wrong.stderr
    assert "habits does not ask ever_tired, but ever_tried, region" in unknown.stderr


@pytest.fixture(scope="module")
def numbers_link(place) -> str:
    """The link of a survey that asks for a whole number and for one on a grid."""
    text = (
        SURVEY.partition("[[question]]")[0].replace('"habits"', '"numbers"')
        + '[[question]]\nid = "hours"\ntext = "?"\nanswers = { integers = [0, 10] }\n'
        + '[[question]]\nid = "share"\ntext = "?"\n'
        + 'answers = { numbers = [0, 10], step = "1/2" }\n'
    )
    (place.folder / "numbers.toml").write_text(text)
    return place.json("survey", "create", "numbers.toml")["link"]


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("hours=1_0", "hours takes a whole number such as 12, in plain digits"),
        ("hours=٣", "hours takes a whole number such as 12, in plain digits"),
        ("share=1_0", "share takes a number such as 12 or 0.5, in plain digits"),
        ("share=nan", "share takes a number such as 12 or 0.5, in plain digits"),
        ("share=1e-99999", "share takes a number such as 12 or 0.5, in plain digits"),
    ],
)
def test_numbers_are_written_in_plain_digits(place, numbers_link, given, words):
    """A slip is refused and not guessed at, since an answer is tossed once."""
    done = place.tossup("answer", numbers_link, given, "--yes")

    assert (1, "") == (done.returncode, done.stdout)
    assert f"Error: {words}. Nothing was tossed\n" == done.stderr


def test_numbers_are_answered(place, numbers_link):
    """Signs and decimals are read; what lies beyond a bound counts as the bound."""
    given = ("hours=-3", "share=2.5", "--yes")

    assert place.json("answer", numbers_link, *given)["sent"] >= 1


def test_what_waits_is_sent_even_when_the_topic_is_already_answered(place, link):
    """A report that could not be sent before leaves with the next command, though refused."""
    device = ("ever_tried=no", "region=north", "--yes", "--store", "waits.db")
    place.tossup("answer", link, "ever_tried=maybe", *device[1:])  # so that it knows the survey
    waits = place.tossup("answer", link.replace(place.url, "http://127.0.0.1:9"), *device)
    done = place.tossup("answer", link, *device)

    assert (waits.returncode, "1 waiting" in waits.stdout) == (5, True)
    assert (done.returncode, "1 report(s) sent, 0 waiting" in done.stderr) == (4, True)
    withdrawn = place.json("device", "withdraw", link, "--store", "waits.db")
    assert withdrawn["withdrawn"] == 1


def test_no_server_exits_with_5(place, link):
    """The same answer to a server that is not there."""
    elsewhere = link.replace(place.url, "http://127.0.0.1:9")

    done = place.tossup(
        "answer", elsewhere, "ever_tried=no", "region=north", "--yes", "--store", "new.db"
    )
    assert done.returncode == 5


def test_estimates_come_with_interval_and_n(place, link):
    """With 200 more reports, half of them yes, the share is near one half."""
    post_reports(place, 200)

    (question,) = place.json("estimate", "habits")["questions"]
    (yes,) = question["estimates"]
    assert question["n"] == 201
    assert yes["low"] < yes["value"] < yes["high"]
    assert yes["value"] == pytest.approx(0.5, abs=0.01)  # 100 or 101 of 201


def test_estimates_for_people_name_the_interval(place, link):
    """The table has an interval in every row."""
    done = place.tossup("estimate", "habits")

    header, row = done.stdout.splitlines()
    assert header.split() == ["question", "answer", "estimate", "interval", "reports"]
    assert " to " in row


def test_exports_are_files(place, link):
    """CSV and JSON, with the same estimate."""
    place.tossup("export", "habits", "-o", "habits.csv")
    place.tossup("export", "habits", "--format", "json", "-o", "habits.json")

    exported = json.loads((place.folder / "habits.json").read_text())
    value = exported["questions"][0]["estimates"][0]["value"]
    assert str(value) in (place.folder / "habits.csv").read_text()


def test_an_unknown_survey_exits_with_1(place, link):
    """The server's problem is told in words."""
    done = place.tossup("estimate", "nothing")

    assert (done.returncode, "survey-unknown" in done.stderr) == (1, True)


def test_a_survey_id_typed_wrong_is_answered_by_the_nearest_one(place, link):
    """In every command that takes one."""
    for command in ("estimate", "export", "recount", "survey show", "survey close --yes"):
        done = place.tossup(*command.split(), "habit")
        assert done.returncode == 1, command
        assert "did you mean habits?" in done.stderr, (command, done.stderr)


def test_a_file_is_compared_with_the_versions_on_the_server(place, link):
    """New, the same, or the next version, with what would be refused; nothing is published."""
    said = {}
    for name, text in {
        "new": SURVEY.replace('"habits"', '"fresh"'),
        "same": SURVEY,
        "other": SURVEY.replace("Have you ever", "Did you never"),
    }.items():
        (place.folder / f"{name}.toml").write_text(text)
        said[name] = place.tossup("survey", "check", f"{name}.toml")
    listed = [entry["id"] for entry in place.json("survey", "list")["surveys"]]

    assert "The server has no survey fresh yet" in said["new"].stderr
    assert "has the topic ever_tried, and so has question ever_tried" in said["new"].stderr
    assert "The same as version 1 on the server" in said["same"].stderr
    assert (1, True) == (
        said["other"].returncode,
        "--same-meaning ever_tried" in said["other"].stderr,
    )
    assert "fresh" not in listed


def test_creating_ends_in_three_lines(place, link):
    """What respondents learn, where they answer, what comes next; the link alone on stdout.

    Before them, when checked and when created, what a publisher learns who renames a topic.
    """
    (place.folder / "three.toml").write_text(SURVEY.replace('"habits"', '"three"'))
    renamed = "For life, who asks the same under new topics gets at most 6 answers"
    assert renamed in place.tossup("survey", "check", "three.toml").stderr
    done = place.tossup("survey", "create", "three.toml")

    assert 1 == len(done.stdout.splitlines())
    *before, created, answer, then = done.stderr.splitlines()
    assert [line for line in before if line.startswith(renamed)]
    assert created.startswith("Created: three, version 1. Respondents get to know who asks")
    assert done.stdout.strip() in answer
    assert then == "Then, from 97 reports to a question on: tossup estimate three"


def test_a_topic_that_another_survey_asks_is_told(place, link):
    """Before creating and when created: devices answer only one of the two."""
    text = SURVEY.replace('"habits"', '"again"').replace("Have you ever", "Did you once")
    (place.folder / "again.toml").write_text(text)
    told = "the topic ever_tried, and so has question ever_tried of habits, in other words."

    assert told in place.tossup("survey", "check", "again.toml").stderr
    assert told in place.tossup("survey", "create", "again.toml").stderr


def test_a_next_version_replaces_the_first(place, link):
    """The wording changes; tallies of both versions stay one survey."""
    (place.folder / "habits.toml").write_text(SURVEY.replace('"Habits"', '"Habits, spring"'))
    create = ("survey", "create", "habits.toml", "--next-version")

    undeclared = place.tossup(*create)
    made = place.json(*create, "--same-meaning", "survey:title")

    assert undeclared.returncode == 1
    assert 'text (en): "Habits" in version 1, now "Habits, spring"' in undeclared.stderr
    assert "--same-meaning survey:title" in undeclared.stderr
    assert made["same_meaning"] == ["survey:title"]

    assert (made["version"], made["unchanged"]) == (2, False)
    assert "as before: survey:title" in place.tossup("survey", "show", "habits").stdout
    assert place.json("estimate", "habits")["questions"][0]["n"] == 201


def test_a_next_version_by_another_key_is_refused_before_its_words(place, link):
    """Whose key is lost learns that first, and what is left to do."""
    (place.folder / "habits.toml").write_text(SURVEY.replace('"Habits"', '"Habits, autumn"'))
    by = ("--publisher-key", "lost.pem", "--new-publisher-key")
    done = place.tossup("survey", "create", "habits.toml", "--next-version", *by)
    (place.folder / "habits.toml").write_text(SURVEY.replace('"Habits"', '"Habits, spring"'))

    assert done.returncode == 1
    assert "version 2 of habits is signed by another publisher's key" in done.stderr
    assert "where it is lost, publish under another id" in done.stderr
    assert "same-meaning" not in done.stderr


def test_a_next_version_that_changes_nothing_is_refused(place, link):
    """Versions are for changes; a file that says the same makes none."""
    done = place.tossup("survey", "create", "habits.toml", "--next-version")

    assert (done.returncode, "the same as version 2" in done.stderr) == (1, True)


def test_creating_a_later_version_again_changes_nothing_and_says_so(place, link):
    """Whoever repeats a command need not know how many versions there were."""
    again = place.json("survey", "create", "habits.toml")

    assert (again["version"], again["unchanged"], again["link"]) == (2, True, link)


def test_an_earlier_version_does_not_come_back_by_itself(place, link):
    """What differs from the current version is a new one, and must be called so."""
    (place.folder / "spring.toml").write_text(SURVEY)

    done = place.tossup("survey", "create", "spring.toml")

    assert done.returncode == 1
    assert "--next-version" in done.stderr


def test_creating_a_survey_twice_changes_nothing_and_says_so(place, link):
    """The same file, key and version: the same link, and the word unchanged."""
    (place.folder / "twice.toml").write_text(SURVEY.replace('"habits"', '"twice"'))
    first = place.json("survey", "create", "twice.toml")
    again = place.tossup("survey", "create", "twice.toml")

    assert not first["unchanged"]
    assert again.stdout.strip() == first["link"]
    assert "Unchanged: twice, version 1" in again.stderr


def test_a_survey_that_closed_before_it_was_created_is_noted(place, link):
    """A slip in the year: nobody can answer, and what was tossed in time counts for late_days."""
    yesterday = datetime.now(UTC).date() - timedelta(1)
    for name, closes, until in (("past", date(2020, 1, 31), None), ("late", yesterday, 7)):
        text = f"closes = {closes}\n" + SURVEY.replace('"habits"', f'"{name}"')
        (place.folder / f"{name}.toml").write_text(text)
        told = place.tossup("survey", "create", f"{name}.toml").stderr
        counts = "What was tossed in time counts until "
        counts += f"{closes + timedelta(until or 0)}."

        assert f"closed on {closes}, which is past: nobody can answer." in told
        assert (until is not None) == (counts in told)


def test_doctor_finds_everything_well(place, link):
    """Folder, key, clock and server are fit, and no secret is printed."""
    done = place.tossup("doctor")

    assert (done.returncode, "answers and can store" in done.stdout) == (0, True)
    assert place.api_key not in done.stdout + done.stderr


def test_a_closed_survey_takes_no_answer(place, link):
    """Another device is told so, exit 1, and nothing is tossed."""
    place.json("survey", "close", "habits", "--yes")

    done = place.tossup("answer", link, "ever_tried=no", "region=north", "--yes", "--store", "b.db")

    assert (done.returncode, "closed" in done.stderr) == (1, True)


def test_recount_agrees_with_the_counters(place, link):
    """What is stored is what is counted, also while the server runs."""
    assert place.json("recount", "habits") == {
        "survey": "habits",
        "reports": 201,
        "differences": [],
        "repeated": 0,
        "unreadable": 0,
    }


def change(place, sql: str) -> None:
    """Change the server's database behind its back."""
    with closing(sqlite3.connect(place.folder / "data" / "tossup.sqlite3")) as database:
        database.execute(sql)
        database.commit()


def test_recount_fails_when_a_counter_was_changed(place, link):
    """One more yes than was ever reported: exit 1, and the counter is named."""
    # Of one day: at midnight there are counters of two.
    one = "WHERE value = 1 AND day = (SELECT max(day) FROM tallies)"
    change(place, f"UPDATE tallies SET n = n + 1 {one}")

    done = place.tossup("recount", "habits", "--json")

    change(place, f"UPDATE tallies SET n = n - 1 {one}")
    (difference,) = json.loads(done.stdout)["differences"]
    assert done.returncode == 1
    assert difference["counted"] == difference["stored"] + 1


def test_recount_fails_when_a_report_was_changed(place, link):
    """Stored reports with a bit turned no longer add up: exit 1."""
    change(place, "UPDATE chunks SET columns = x'00' WHERE length(columns) > 1")

    done = place.tossup("recount", "habits", "--json")

    assert (done.returncode, json.loads(done.stdout)["unreadable"]) == (1, 1)


def test_a_survey_without_reports_is_deleted_and_its_id_stays_taken(place, link):
    """A trial goes at once; its file makes no survey of that id again."""
    (place.folder / "trial.toml").write_text(SURVEY.replace('"habits"', '"trial"'))
    place.json("survey", "create", "trial.toml")

    assert place.json("survey", "delete", "trial") == {"id": "trial", "state": "deleted", "lost": 0}
    again = place.tossup("survey", "create", "trial.toml")
    assert (1, True) == (again.returncode, "choose another id" in again.stderr)
    assert "trial" not in place.tossup("survey", "list").stdout


def test_reports_are_deleted_only_by_force_after_it_is_said_which(place, link):
    """By question, and asked; a device that comes later is told."""
    (place.folder / "lost.toml").write_text(
        SURVEY.replace('"habits"', '"lost"').replace('"ever_tried"', '"lost_one"')
    )
    at = place.json("survey", "create", "lost.toml")["link"]
    place.json("answer", at, "lost_one=yes", "region=north", "--yes", "--store", "lost.db")

    refused = place.tossup("survey", "delete", "lost")
    asked = place.tossup("survey", "delete", "lost", "--force")
    done = place.tossup("survey", "delete", "lost", "--force", "--yes")
    late = place.tossup("answer", at, "lost_one=yes", "region=north", "--yes", "--store", "late.db")

    assert (1, True) == (refused.returncode, "would be lost: lost_one 1" in refused.stderr)
    assert (1, True) == (asked.returncode, "would be lost: lost_one 1" in asked.stderr)
    assert (0, "lost is deleted; its id is not taken again.\n") == (done.returncode, done.stdout)
    assert (1, True) == (late.returncode, "closed" in late.stderr)
