"""Results as people read them: a line, a table, a paper's sentence, a page, a DataFrame."""

import subprocess
import sys
from dataclasses import FrozenInstanceError

import numpy as np
import pandas
import pytest

from tossup.server.estimation import (
    Difference,
    EstimationError,
    PandasMissingError,
    Ratio,
    Result,
    Results,
    SeparationError,
    ShareEstimate,
    TwoCoin,
    anchored,
    changes,
    cheating_detection,
    compare_pairs,
    crosswise,
    direct,
    estimate,
    estimate_counts,
    estimate_joint,
    estimate_numbers,
    estimate_table,
    forced_response,
    horvitz_thompson,
    inverse_shares,
    kuk,
    regress,
    regress_choice,
    regress_grouped,
    regress_number_on,
    regress_on,
    regress_with_denial,
    sample,
    to_frame,
    trend,
    two_coins,
    unrelated_unknown,
    weighted_share,
)
from tossup.server.estimation.designs.design import custom, mangat
from tossup.server.estimation.weighting.weighted import WeightedDifference
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import (
    Duchi,
    Exponential,
    KaryRandomizedResponse,
    PerOptionBits,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.scores.base import in_a_row

COINS = two_coins()
THREE = custom([["3/5", "1/5", "1/5"], ["1/5", "3/5", "1/5"], ["1/5", "1/5", "3/5"]])
SHARE = estimate(yes=400, n=1000, design=TwoCoin())
OTHER = estimate(yes=110, n=300, design=TwoCoin())
ROWS = sample([1, 0, 1, 0], COINS, weights=[2, 1, 2, 1], counts=[40, 60, 20, 80])
HALVES = [mangat("1/6")] * 2 + [mangat("5/6")] * 2

RESULTS: dict[str, Result] = {
    "share": SHARE,
    "moments": estimate_counts((30, 120, 210), kuk(yes="3/4", no="7/20", draws=2)),
    "shares": estimate_counts((500, 300, 200), THREE),
    "difference": Difference(SHARE, OTHER),
    "ratio": Ratio(SHARE, OTHER),
    "pairs": compare_pairs({"a": SHARE, "b": OTHER, "c": SHARE}),
    "changes": changes({"2024": SHARE, "2025": OTHER}),
    "trend": trend((SHARE, OTHER)),
    "joint": estimate_joint([[500, 250], [250, 200]], [COINS, COINS]),
    "conditional": estimate_joint([[500, 250], [250, 200]], [COINS, COINS]).conditional(1, 1),
    "weighted": weighted_share(ROWS),
    "domains": WeightedDifference(
        weighted_share(ROWS, [True, True, False, False]),
        weighted_share(ROWS, [False, False, True, True]),
    ),
    "finite": horvitz_thompson([0, 1], COINS, [0.15, 0.15], counts=[65, 60]),
    "two samples": unrelated_unknown((180, 500), (210, 500), p=("7/10", "3/10")),
    "unknown": cheating_detection((190, 500), (380, 500), yes=("1/4", "3/4"))["cheating"],
    "anchored": anchored((148, 425, 311, 1116), crosswise("3/20")),
    "outcome": regress([0, 1, 0, 1], {"old": [0, 0, 1, 1]}, COINS, counts=[65, 35, 50, 50]),
    "choice": regress_choice([0, 1, 2], {}, THREE, counts=[400, 300, 300]),
    "predictor": regress_on([0, 0, 1, 1], {}, [0, 1, 0, 1], COINS, counts=[300, 200, 200, 300]),
    "number": regress_number_on(
        [1, 2, 3, 4, 1, 2, 3, 4], {}, [0] * 4 + [1] * 4, COINS, counts=[90, 60, 40, 30] * 2
    ),
    "denial": regress_with_denial(
        [1, 0, 1, 0], {}, HALVES, [True] * 4, counts=[373, 191, 398, 294]
    ),
    "grouped": regress_grouped(
        [1, 0] * 4, {}, COINS, list("aabbccdd"), counts=[60, 40, 40, 60, 55, 45, 30, 70]
    ),
    "several": Results(("north", "south"), (SHARE, OTHER)),
}
ALL = pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)


@ALL
def test_printing_a_result_is_for_people(result):
    """Never the raw dataclass."""
    text = str(result)

    assert type(result).__name__ not in text
    assert "(" in text
    assert all(line.name in text for line in result.lines() if line.name != "share")


@ALL
def test_a_summary_has_a_table_an_apa_line_and_a_methods_paragraph(result):
    """In that order, under what was estimated."""
    head, *_ = text = result.summary().splitlines()
    apa = next(place for place, line in enumerate(text) if line.startswith("APA: "))
    methods = next(place for place, line in enumerate(text) if line.startswith("Methods: "))

    assert head.startswith(result.title)
    assert apa < methods
    assert max(map(len, text[apa:])) <= 88


@ALL
def test_a_notebook_shows_every_number(result):
    """As a table, in HTML that is closed."""
    page = result._repr_html_()

    assert page.startswith('<div class="tossup-result">')
    assert page.endswith("</div>")
    assert page.count("<tr>") == len(result.lines()) + 1


@ALL
def test_a_result_is_frozen(result):
    """A value: nothing can be set."""
    with pytest.raises((FrozenInstanceError, TypeError)):
        result.n = 3


@ALL
def test_a_result_becomes_a_frame(result):
    """A row a number, raw."""
    frame = result.to_frame(0.9)

    assert [line.value for line in result.lines()] == list(frame["value"])
    assert set(frame["confidence"].dropna()) <= {0.9}


def test_one_number_has_the_names_of_scipy():
    """value, stderr, interval(), shown, n, channel, method."""
    interval = SHARE.interval(confidence=0.9, method="exact")

    assert (1000, "score", SHARE.standard_error) == (SHARE.n, SHARE.method, SHARE.stderr)
    assert COINS.channel() == SHARE.channel
    assert interval.low < SHARE.value < interval.high
    assert SHARE.shown.interval.method == "profile"


def test_a_share_tells_its_design_in_the_methods():
    """With its channel and its odds, so that a reader can check it."""
    assert "Pr[report yes | yes] = 3/4; odds at most 3" in SHARE.methods()
    assert SHARE.apa() == "share = 0.3000, SE = 0.0310, 95% CI [0.2401, 0.3614], n = 1,000."


def test_impossible_reports_are_said_in_the_summary():
    """125 of 1,000 two-coin reports: honest devices send at least about 250."""
    impossible = estimate(yes=125, n=1000, design=COINS)

    assert "honest devices send such reports" in impossible.facts["Warning"]
    assert "people who will not say a forced yes" in impossible.facts["Warning"]
    assert f"Warning: {impossible.warning}" == str(impossible).splitlines()[1]


def test_every_estimate_warns_of_reports_that_hardly_come():
    """In print, in the facts of its summary, whatever the design; and not of ordinary reports."""
    ranked = Exponential(in_a_row(3), keep=2)
    made = {
        "two samples": lambda c: estimate(yes=c, n=[500, 500], design=["crosswise p=1/4"] * 2),
        "two designs": lambda c: estimate(
            yes=c, n=[500, 500], design=["crosswise p=1/4", "crosswise p=2/5"]
        ),
        "choice": lambda c: estimate_counts(c, KaryRandomizedResponse(3, keep=3, lie=1)),
        "cards": lambda c: estimate_counts(c, kuk(yes="3/4", no="7/20", draws=2)),
        "score": lambda c: inverse_shares(c, ranked)[0],
        "statements": lambda c: estimate_counts(c, UnrelatedQuestion(7, 3, 5)),
        "several": lambda c: estimate_counts(c, PerOptionBits(2, most=2)),
    }
    counts = {
        "two samples": ([320, 320], [0, 0]),
        "two designs": ([320, 280], [0, 0]),
        "choice": ([400, 300, 300], [1000, 0, 0]),
        "cards": ([250, 450, 300], [1000, 0, 0]),
        "score": ([400, 300, 300], [1000, 0, 0]),
        "statements": ([250, 250, 250, 250], [500, 0, 500, 0]),
        "several": ([500, 500, 1000], [0, 0, 1000]),
    }
    for name, estimated in made.items():
        ordinary, impossible = map(estimated, counts[name])
        assert (ordinary.warning, ordinary.facts.get("Warning")) == (None, None), name
        assert impossible.facts["Warning"] == impossible.warning, name
        assert str(impossible).splitlines()[-1] == f"Warning: {impossible.warning}", name


def test_warnings_of_several_results_name_those_alone():
    """One of two is impossible; printing both says which."""
    both = Results(
        ("possible", "impossible"),
        tuple(estimate(yes=yes, n=1000, design=COINS) for yes in (400, 125)),
    )

    assert both.facts["Warning"].startswith("impossible: honest devices")
    assert str(both).splitlines()[2].startswith("Warning: impossible: honest devices")


def test_a_share_below_zero_alone_has_its_own_message():
    """There is no covariate to leave out."""
    with pytest.raises(SeparationError, match="share of yes is estimated as -0"):
        regress([1, 0], {}, forced_response(yes="1/6", no="1/6"), counts=[52, 298])


def test_a_strip_is_the_dashboards():
    """Its classes, so that both are drawn by one template."""
    assert '<circle class="estimate"' in SHARE._repr_html_()
    assert '<line class="interval"' in SHARE.svg()


def test_names_are_escaped_in_html():
    """A group's name is text, whatever it holds."""
    page = Results(("<script>", "b"), (SHARE, OTHER))._repr_html_()

    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_a_sequence_of_results_becomes_one_frame():
    """With the place of each result."""
    frame = to_frame([SHARE, RESULTS["shares"]])

    assert [0, 1, 1, 1] == list(frame["result"])
    assert [1000, 1000, 1000, 1000] == list(frame["n"])


def test_without_pandas_one_is_told_what_to_install(monkeypatch):
    """A typed error that is also an ImportError."""
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(PandasMissingError, match="pip install pandas") as caught:
        SHARE.to_frame()

    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, EstimationError)


def test_estimating_imports_neither_pandas_nor_scipy_nor_statsmodels():
    """Nor does printing a summary."""
    code = (
        "import sys\n"
        "from tossup.server.estimation import estimate, two_coins\n"
        "estimate(yes=400, n=1000, design=two_coins()).summary()\n"
        "print({'pandas', 'scipy', 'statsmodels', 'flask'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)

    assert done.stdout == "set()\n"


def test_the_power_to_find_dishonesty_comes_first():
    """In the first line: 500 in each half find a tenth who cheat in 9 of 10 surveys."""
    found = cheating_detection((190, 500), (380, 500), yes=("1/4", "3/4"))

    assert str(found.summary()).startswith(
        "Cheating detection, power 0.90 to tell 10% from none, n = 1,000"
    )


def test_a_frame_of_studies_is_estimated_row_by_row():
    """Gaps are absent values, also where they made integers floats; a design of its own each."""
    frame = pandas.DataFrame(
        {
            "name": ["phone", "paper", "cards"],
            "design": ["two-coin", "warner", "kuk"],
            "yes": [400, 450, None],
            "n": [1000, 1000, None],
            "counts": [None, None, "30 120 210"],
            "p": [None, 0.7, None],
            "red_yes": [None, None, "3/4"],
            "red_no": [None, None, "7/20"],
            "draws": [None, None, 2],
        }
    )
    found = estimate_table(frame)

    assert pytest.approx([0.3, 0.375]) == [share.value for share in found[:2]]
    assert ("phone", "paper", "cards") == found.names
    assert pytest.approx(RESULTS["moments"].value) == found[2].value


def test_counts_may_be_numpys():
    """A DataFrame's integers are not Python's."""
    assert SHARE == estimate(yes=np.int64(400), n=np.int32(1000), design=COINS)


def test_numbers_print_too():
    """A mean in the question's own unit."""
    (mean,) = estimate_numbers((400, 600), Duchi(11), Grid.integers(0, 10))

    assert str(mean) == "mean: 7.000 (6.386 to 7.599, 95 % score interval, n = 1000)"
    assert mean.stderr == mean.standard_error


def test_equal_counts_are_equal_results_whatever_the_design_is_called():
    """The channel decides; its name is for reading."""
    by_name = estimate(yes=400, n=1000, design=two_coins())

    assert by_name == SHARE
    assert isinstance(by_name, ShareEstimate)


def test_a_general_channel_of_several_answers_is_inverted():
    """Where a report is not equally likely under all other answers: exact counts in, truth out."""
    uneven = custom([["4/5", "1/10", "1/10"], ["1/5", "3/5", "1/5"], ["0", "1/2", "1/2"]])
    truth = (500, 300, 200)
    reports = [
        int(sum(count * row[kind] for count, row in zip(truth, uneven.rows, strict=True)))
        for kind in range(3)
    ]
    found = estimate_counts(reports, uneven)

    assert pytest.approx([0.5, 0.3, 0.2]) == [line.value for line in found.lines()]
    assert direct().odds is None
