"""`tossup estimate` on counts from elsewhere: every design, groups, and a table of studies."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from sweeps import each

from tossup.server.cli.reading.estimate import estimate
from tossup.server.cli.root import root
from tossup.server.estimation import EstimationError
from tossup.server.estimation.designs.named import DESIGNS, PARAMETERS
from tossup.server.estimation.papers.studies import studies_from_csv
from tossup.server.estimation.papers.two_samples import PAIRS


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


def tossup(*arguments: str, given: str | None = None) -> Result:
    return CliRunner().invoke(root, ["estimate", *arguments], input=given)


def value(*arguments: str) -> dict:
    done = tossup(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_many_reports_are_told_with_the_digits_of_their_interval():
    """Of 100 million an interval is 0.04 points wide; a p-value is small, and not 0."""
    done = tossup("--yes", "40003000", "--n", "100000000", "--yes", "41003000", "--n", "100000000")

    assert "30.006 %  29.987 % to 30.025 %  0.010 %" in done.stdout
    assert "-2.000 %  -2.027 % to -1.973 %  < 0.0001" in done.stdout
    summary = tossup("--yes", "40003000", "--n", "100000000", "--summary").stdout
    assert "Shown: 30.006 % (29.987 % to 30.025 %, cut to possible shares)" in summary


def test_it_works():
    """The raw value with its error and interval, and what words would show."""
    found = value("--yes", "322", "--n", "1290", "--design", "two-coin")

    assert pytest.approx(
        {
            "value": -0.0007751937984496124,
            "standard_error": 0.024099667167377884,
            "low": -0.04647611216512876,
            "high": 0.04789936136474293,
            "shown_value": 0.0,
            "shown_low": 0.0,
        }
    ) == {
        key: found[key]
        for key in ("value", "standard_error", "low", "high", "shown_value", "shown_low")
    }
    assert (1290, 322, "score", 0.95) == tuple(
        found[key] for key in ("n", "reports", "method", "confidence")
    )
    assert [["3/4", "1/4"], ["1/4", "3/4"]] == found["channel"]


def test_people_see_value_interval_and_n():
    """In one line under a heading."""
    heading, line, *_ = tossup("--yes", "400", "--n", "1000").stdout.splitlines()

    assert "estimate  interval" in heading
    assert [
        "share",
        "30.0",
        "%",
        "24.0",
        "%",
        "to",
        "36.1",
        "%",
        "3.1",
        "%",
        "1000",
    ] == line.split()


@each(
    "design, options, yes, n, expected",
    [
        ("warner", "--p 7/10", 450, 1000, 0.375),
        ("forced", "--forced-yes 1/6 --forced-no 1/6", 831, 2435, 0.261909650924),
        ("disguised", "--p 0.7", 450, 1000, 0.375),
        ("unrelated", "--p 2/3 --prevalence 1/2", 260, 800, 0.2375),
        ("crosswise", "--p 1/4", 198, 310, 0.222580645161),
        ("triangular", "--p 3/10", 200, 500, 0.142857142857),
        ("mangat", "--p 7/10", 250, 500, 0.285714285714),
        ("kuk", "--red-yes 4/5 --red-no 1/5", 410, 1000, 0.35),
        ("direct", "", 410, 1000, 0.41),
        ("two-coin", "", 255, 1000, 0.01),
    ],
)
def test_every_design_has_its_parameters(design, options, yes, n, expected):
    """Estimates of RRreg on the same counts."""
    found = value("--yes", f"{yes}", "--n", f"{n}", "--design", design, *options.split())

    assert pytest.approx(expected, abs=1e-9) == found["value"]


def test_a_design_of_ones_own_is_its_channel():
    """Rows are answers, numbers are reports."""
    channel = "3/4 1/4; 1/4 3/4"
    found = value("--yes", "255", "--n", "1000", "--design", "custom", "--channel", channel)

    assert pytest.approx(0.01) == found["value"]


def test_several_answers_come_from_counts():
    """With the channel of all answers."""
    rows = "3/5 1/5 1/5; 1/5 3/5 1/5; 1/5 1/5 3/5"
    found = value("--counts", "500,300,200", "--design", "custom", "--channel", rows)

    assert pytest.approx([0.75, 0.25, 0]) == [line["value"] for line in found["estimates"]]


def test_red_cards_are_counted_by_their_number():
    """Kuk's design with five draws: the likeliest share, where RRreg has 0.525 by moments."""
    options = ["--design", "kuk", "--red-yes", "3/4", "--red-no", "7/20", "--draws", "5"]

    found = value("--counts", "30,120,210,260,200,80", *options)

    assert pytest.approx(0.523602681122) == found["value"]


@pytest.mark.parametrize(
    ("options", "first", "second", "expected"),
    [
        ("unrelated-unknown --p 7/10 --p 3/10", (180, 500), (210, 500), [0.315, 0.465]),
        ("lie-detector --p 1/6 --p 5/6", (373, 564), (398, 692), [0.87069548641, 0.635806392759]),
        (
            "cheating --forced-yes 1/4 --forced-yes 3/4",
            (190, 500),
            (380, 500),
            [0.19, 0.76, 0.05],
        ),
    ],
)
def test_two_samples_tell_two_unknowns(options, first, second, expected):
    """Each sample with its own probability, in order."""
    counts = [f"--{name}={count}" for pair in (first, second)
              for name, count in zip(("yes", "n"), pair, strict=True)]  # fmt: skip
    found = value("--design", *options.split(), *counts)

    assert pytest.approx(expected, abs=1e-9) == [line["value"] for line in found["estimates"]]


TWO = ("--yes", "140", "--n", "300", "--yes", "110", "--n", "300")


def test_two_groups_are_compared():
    """Difference, MOVER interval, and the test on the raw reports: R's prop.test."""
    found = value(*TWO)
    (apart,) = found["differences"]

    assert pytest.approx(0.2) == apart["value"]
    assert apart["low"] < 0.2 < apart["high"]
    assert pytest.approx([6.17142857143, 0.0129829729301]) == [
        found["test"]["statistic"],
        found["test"]["p_value"],
    ]
    assert "1 - 2" in tossup(*TWO).stdout


def test_groups_that_cannot_be_compared_are_estimated_all_the_same():
    """All reports of both agree: no test, and it says so."""
    found = value(*(("--yes", "0", "--n", "5") * 2))

    assert [-0.5, -0.5] == [line["value"] for line in found["estimates"]]
    assert (None, True) == (found["differences"], "agree" in found["not_compared"])
    assert "Not compared: all reports" in tossup(*(("--yes", "0", "--n", "5") * 2)).stdout


@pytest.mark.parametrize("method", ["score", "exact", "profile", "wald", "anytime"])
def test_the_interval_is_of_the_method_asked_for(method):
    """At the confidence asked for."""
    found = value("--yes", "400", "--n", "1000", "--method", method, "--confidence", "0.9")

    assert (method, 0.9) == (found["method"], found["confidence"])
    assert found["low"] < 0.3 < found["high"]


def test_a_summary_is_for_papers():
    """An APA line and a methods paragraph."""
    text = tossup("--yes", "400", "--n", "1000", "--summary").stdout

    assert "APA: share = 0.3000, SE = 0.0310" in text
    assert "Methods: Answers were randomized" in text


def test_a_summary_has_the_confidence_and_method_asked_for():
    """In its table and its APA line."""
    options = ("--confidence", "0.9", "--method", "exact", "--summary")
    text = tossup("--yes", "400", "--n", "1000", *options).stdout

    assert "90% CI [0.2485, 0.3524]" in text
    assert "Clopper and Pearson" in text


def test_one_report_has_no_error_to_show():
    """A dash, where an error of coins alone would mislead."""
    assert "\N{EN DASH}" in tossup("--yes", "1", "--n", "1").stdout


def test_impossible_reports_are_warned_of():
    """Honest devices would not send them."""
    assert "Warning: honest devices" in tossup("--yes", "125", "--n", "1000").stdout


STUDIES = """name,design,yes,n,p,forced_yes,forced_no
phone,two-coin,400,1000,,,
paper,warner,450,1000,0.7,,
dice,forced,831,2435,,1/6,1/6
"""


def test_a_table_has_a_design_a_row():
    """Names, values, in the order of the file; not compared unless asked."""
    Path("studies.csv").write_text(STUDIES)
    found = value("studies.csv")

    assert ["phone", "paper", "dice"] == [line["name"] for line in found["estimates"]]
    assert pytest.approx([0.3, 0.375, 0.261909650924]) == [
        line["value"] for line in found["estimates"]
    ]
    assert "differences" not in found


def test_a_row_of_several_answers_has_a_line_for_each():
    """Named by the row and the answer."""
    rows = '"3/5 1/5 1/5; 1/5 3/5 1/5; 1/5 1/5 3/5"'
    Path("studies.csv").write_text(
        f"name,design,yes,n,counts,channel\nphone,two-coin,400,1000,,\n"
        f'reasons,custom,,,"500,300,200",{rows}\n'
    )
    found = value("studies.csv")["estimates"]

    assert ["phone", "reasons, answer 0", "reasons, answer 1", "reasons, answer 2"] == [
        line["name"] for line in found
    ]
    assert pytest.approx([0.3, 0.75, 0.25, 0]) == [line["value"] for line in found]


def test_rows_of_a_table_are_compared_when_asked():
    """Different channels too; then the common test is the score test."""
    Path("studies.csv").write_text(STUDIES)
    found = value("studies.csv", "--compare")

    assert ["phone - paper", "phone - dice", "paper - dice"] == [
        line["name"] for line in found["differences"]
    ]
    assert found["test"]["method"] == "score"


def test_a_table_may_come_from_standard_input():
    """With the mark that spreadsheets put before UTF-8."""
    assert "paper" in tossup("-", given="\ufeff" + STUDIES).stdout


@each(
    "text, words",
    [
        ("", "no row"),
        ("yes,n\n", "no row"),
        ("yes,n\n,\n\n", "no row"),
        ("yes,n\n4\n", "row 1: n is missing"),
        ("yes,n\n4,3\n", "row 1: yes (4) must not be above n (3)"),
        ("yes,n\n4,10\nx,3\n", "row 2: yes ('x') must be a non-negative integer"),
        ("yes,n\n4,10,9\n", "row 1 has more cells"),
        ("yes,n,n\n4,10,30\n", "column 'n' stands there twice"),
        ("yes,forced-no,forced_no\n4,0,0\n", "column 'forced_no' stands there twice"),
        ("yes,n,colour\n4,10,red\n", "column 'colour' is none of"),
        ("yes,n,design\n4,10,warner\n", "row 1: design warner needs p"),
        ("yes,n,design\n4,10,cheating\n", "row 1: cheating needs two samples"),
        ("yes,n,design,p\n4,10,warner,1.5\n", "row 1: p (1.5) must be from 0 to 1"),
        ("yes,n,counts\n4,10,4 6\n", "row 1: give yes and n, or counts"),
        ("yes,n,p\n4,10,0.3\n", "row 1: design two-coin takes no p"),
    ],
)
def test_a_wrong_table_is_told_by_its_row(text, words):
    """Wrong usage, with what to mend."""
    Path("studies.csv").write_text(text)
    done = tossup("studies.csv")

    assert (2, "") == (done.exit_code, done.stdout)
    assert words in done.stderr


def test_a_column_twice_is_refused_wherever_and_however_it_is_written():
    """The last one would win: of 30 and 10 of 100 the table would tell of one alone."""
    for name in ("yes", "n", "name", "design", "counts", *PARAMETERS):
        for again in (name, name.upper(), f" {name} ", name.replace("_", "-")):
            heads = [*dict.fromkeys(("yes", "n", name)), again]
            for place in range(len(heads)):
                turned = [*heads[place:], *heads[:place]]
                text = f"{','.join(turned)}\n{','.join(['30', '100', '10', '1'][: len(heads)])}\n"
                for marked in (text, f"\ufeff{text}"):
                    with pytest.raises(EstimationError, match=f"'{name}' stands there twice"):
                        studies_from_csv(marked)


@each(
    "arguments",
    [
        (),
        ("habits", "--yes", "3", "--n", "4"),
        ("habits", "--design", "warner"),
        ("--yes", "3"),
        ("--yes", "-3", "--n", "4"),
        ("--yes", "5", "--n", "4"),
        ("--yes", "3", "--n", "4", "--design", "warner"),
        ("--yes", "3", "--n", "4", "--design", "warner", "--p", "1/2"),
        ("--yes", "3", "--n", "4", "--design", "warner", "--p", "x"),
        ("--yes", "3", "--n", "4", "--design", "warner", "--p", "0.3", "--p", "0.4"),
        ("--yes", "3", "--n", "4", "--design", "unrelated-unknown", "--p", "0.3"),
        ("--yes", "3", "--n", "4", "--p", "0.3"),
        ("--yes", "3", "--n", "4", "--confidence", "1"),
        ("--counts", "1,2,3"),
        ("--counts", "1,b"),
        ("--yes", "3", "--n", "10", "--counts", "3,7"),
    ],
)
def test_what_cannot_be_estimated_is_wrong_usage(arguments):
    """Exit code 2, nothing on standard output."""
    done = tossup(*arguments)

    assert (2, "") == (done.exit_code, done.stdout)
    assert "Error" in done.stderr


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_file_that_cannot_be_read_fails(content):
    """It is absent, or not UTF-8."""
    if content:
        Path("studies.csv").write_bytes(content)
    done = tossup("studies.csv")

    assert 1 == done.exit_code
    assert "studies.csv" in done.stderr


def test_the_command_offers_every_named_design():
    """Its choices are the two tables of designs, and it has an option for whatever they need."""
    options = {option.name: option for option in estimate.params}

    assert (*DESIGNS, *PAIRS) == options["design"].type.choices
    assert set(PARAMETERS) <= options.keys()


def test_the_design_that_was_assumed_is_said():
    """Without --design two coins are assumed, and people read that beside the estimate."""
    assert "Design: two coins" in tossup("--yes", "3", "--n", "10").stderr
