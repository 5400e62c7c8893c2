"""Sibling functions take the same things: counts as people have them, designs by any name.

The table below has every public function that takes counts or a design; a new one without a row
fails.
"""

import copy
import inspect
import pickle
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pandas
import pytest

from tossup.server import estimation
from tossup.server.estimation import EstimationError, Interval, TwoCoin, two_coins
from tossup.server.estimation.papers.studies import studies_from_csv
from tossup.server.planning import sample_size
from tossup.shared.kinds.number import Grid
from tossup.shared.kinds.vector import VectorAnswer
from tossup.shared.mechanisms import (
    Exponential,
    KaryRandomizedResponse,
    RankedChoice,
    SampledOptions,
    TruncatedGeometric,
    UnrelatedQuestion,
)
from tossup.shared.mechanisms.scores.base import in_a_row

E = estimation
#: Parameters that are counts, reports or a design.
TAKES = {"counts", "tally", "reports", "first", "yes", "n", "design", "designs", "mechanism"}
#: Those that make a design of probabilities alone, and take none of these.
OF_PROBABILITIES = {"forced_response", "kuk"}

SCORED = Exponential(in_a_row(3), keep=2)
NUMBERS, GRID = TruncatedGeometric(3, (6, 3, 2)), Grid.integers(0, 2)
ROWS = [0, 1, 0, 1, 0, 0]
OLD = {"old": [0, 0, 1, 1, 0, 1]}
MANY = [50, 40, 30, 35, 20, 25]

#: Every function on counts ``c(...)``, whole numbers ``i(...)`` and two coins ``d``.
CALLS: dict[str, Callable] = {
    "anchored": lambda c, i, d: E.anchored(c([600, 200, 150, 50]), d, anchor=d),
    "answer_correlation": lambda c, i, d: E.answer_correlation(
        c([1, 0, 1, 0]), c([1, 1, 2, 2]), d, counts=c([3, 7, 5, 5])
    ),
    "cheating_detection": lambda c, i, d: E.cheating_detection(
        (i(300), i(1000)), (i(500), i(1000)), designs=(d, "forced forced_yes=1/2 forced_no=1/5")
    ),
    "distribution_view": lambda c, i, d: E.distribution_view(c([17, 6, 13]), NUMBERS, smooth=False),
    "estimate": lambda c, i, d: E.estimate(yes=i(400), n=i(1000), design=d),
    "estimate_answers": lambda c, i, d: E.estimate_answers(c([600, 400]), d),
    "estimate_counts": lambda c, i, d: E.estimate_counts(c([600, 400]), d),
    "estimate_histogram": lambda c, i, d: E.estimate_histogram(c([17, 6, 13]), NUMBERS, GRID),
    "estimate_joint": lambda c, i, d: E.estimate_joint([c([500, 250]), c([250, 200])], [d, d]),
    "estimate_moments": lambda c, i, d: E.estimate_moments(c([600, 400]), d),
    "estimate_numbers": lambda c, i, d: E.estimate_numbers(c([17, 6, 13]), NUMBERS, GRID),
    "estimate_points": lambda c, i, d: E.estimate_points(c([50, 30, 20]), RankedChoice((6, 4, 2))),
    "estimate_several": lambda c, i, d: E.estimate_several(
        c([50, 60, 50, 40]), SampledOptions(2, most=2)
    ),
    "estimate_share": lambda c, i, d: E.estimate_share(c([600, 400]), d),
    "estimate_shares": lambda c, i, d: E.estimate_shares(c([600, 400]), d),
    "estimate_statements": lambda c, i, d: E.estimate_statements(
        c([710, 290, 660, 340]), UnrelatedQuestion(7, 3, 5)
    ),
    "estimate_yes": lambda c, i, d: E.estimate_yes(yes=i(400), n=i(1000), mechanism=d),
    "finite_total": lambda c, i, d: E.finite_total(
        [1.0, 0.0], [0.1, 0.1], [0.5, 0.5], counts=c([30, 20])
    ),
    "horvitz_thompson": lambda c, i, d: E.horvitz_thompson(
        c([0, 1, 0]), d, [0.2, 0.2, 0.5], counts=c([65, 60, 0])
    ),
    "inverse_shares": lambda c, i, d: E.inverse_shares(c([33, 27, 24]), SCORED),
    "regress": lambda c, i, d: E.regress(c(ROWS), OLD, d, counts=c(MANY)),
    "regress_choice": lambda c, i, d: E.regress_choice(c(ROWS), OLD, d, counts=c(MANY)),
    "regress_grouped": lambda c, i, d: E.regress_grouped(
        c(ROWS), OLD, d, groups=[1, 1, 2, 2, 3, 3], counts=c(MANY)
    ),
    "regress_number_on": lambda c, i, d: E.regress_number_on(
        [1.0, 4.0, 2.0, 3.5, 2.5, 1.5], OLD, c(ROWS), d, counts=c(MANY)
    ),
    "regress_on": lambda c, i, d: E.regress_on(
        c([0, 0, 1, 1]), {}, c([0, 1, 0, 1]), d, counts=c([330, 200, 170, 300])
    ),
    "regress_with_denial": lambda c, i, d: E.regress_with_denial(
        c([0, 1, 0, 1] * 2), {}, ["warner p=1/6"] * 4 + ["warner p=5/6"] * 4,
        may_deny=[False] * 4 + [True] * 4, counts=c([90, 60, 90, 70, 70, 60, 80, 70]),
    ),
    "respondents_share_covariance": lambda c, i, d: E.respondents_share_covariance(
        c([33, 27, 24]), SCORED
    ),
    "sample": lambda c, i, d: E.weighted_share(
        E.sample(c([1, 0, 1, 0]), [d, d, two_coins(), "two-coin"], counts=c([40, 60, 20, 80]))
    ),
    "score_sequence": lambda c, i, d: E.score_sequence(c([600, 400]), (-0.5, 1.5)),
    "scrambled": lambda c, i, d: E.scrambled(c([0, 8]), told=0.5, mean=4, deviation=2),
    "share_covariance": lambda c, i, d: E.share_covariance(c([33, 27, 24]), SCORED),
    "shares_covariance": lambda c, i, d: E.shares_covariance(c([600, 400]), d).population,
    "stochastic_lie_detector": lambda c, i, d: E.stochastic_lie_detector(
        (i(373), i(564)), c([398, 692]), p=("1/6", "5/6")
    ),
    "tabulate": lambda c, i, d: E.tabulate([c([0, 1, 1]), c([0, 1, 1])], [i(2), i(2)]),
    "unrelated_unknown": lambda c, i, d: E.unrelated_unknown(
        c([180, 500]), (i(210), i(500)), p=("7/10", "3/10")
    ),
}  # fmt: skip

CONTAINERS: dict[str, Callable] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "small integers of numpy": lambda values: [np.int64(value) for value in values],
    "series": pandas.Series,
}
DESIGNS = {
    "design": two_coins(),
    "mechanism": TwoCoin(),
    "name": "two-coin",
    "name with a parameter": "warner p=3/4",
    "channel": ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4))),
    "channel of floats": [[0.75, 0.25], [0.25, 0.75]],
}


def numbers_of(found: object) -> list[float]:
    """All numbers of a result, in order, whatever it is."""
    match found:
        case np.ndarray():
            return [float(value) for value in found.ravel()]
        case Interval():
            return [found.low, found.high]
        case _ if hasattr(found, "lines"):
            return [value for line in found.lines() for value in (line.value, line.stderr or 0.0)]
        case tuple() | list():
            return [number for part in found for number in numbers_of(part)]
        case _ if hasattr(found, "value"):
            return [found.value, found.standard_error or 0.0]
    return [float(found)]  # type: ignore[arg-type]


def test_the_table_has_every_function():
    """Whatever takes counts, reports or a design."""
    taking = {
        name
        for name in E.__all__
        if inspect.isfunction(getattr(E, name))
        and TAKES & set(inspect.signature(getattr(E, name)).parameters)
    }
    needs_more = {"estimate_vector"}  # its tally is of a kernel's own; see test_estimation_vectors

    assert taking - OF_PROBABILITIES - needs_more == set(CALLS)


def test_counts_are_taken_as_people_have_them():
    """Lists, tuples, arrays, integers of numpy, columns of a DataFrame: the same numbers."""
    for name, call in CALLS.items():
        expected = numbers_of(call(list, int, two_coins()))
        assert expected, name
        for kind, made in CONTAINERS.items():
            found = numbers_of(call(made, np.int64, two_coins()))
            assert pytest.approx(expected, rel=1e-9, abs=1e-12) == found, (name, kind)


def test_a_design_is_taken_by_any_name():
    """As a design, a mechanism, a name, a channel: the same numbers."""
    for name, call in CALLS.items():
        expected = numbers_of(call(list, int, two_coins()))
        for kind, design in DESIGNS.items():
            found = numbers_of(call(list, int, design))
            assert pytest.approx(expected, rel=1e-9, abs=1e-12) == found, (name, kind)


def test_what_is_no_mechanism_of_theirs_is_refused_by_name():
    """Of a design, a name, a number, and a mechanism that is read otherwise, where one is needed.

    All but those that take any design; `estimate_vector` by an example of its own.
    """
    of_any = {"estimate_answers", "estimate_points", "estimate_share", "estimate_shares"}
    of_any |= {"estimate_yes", "shares_covariance"}
    swept = 0
    for name in sorted(CALLS.keys() - of_any):
        taken = inspect.signature(getattr(E, name)).parameters
        if "mechanism" not in taken:
            continue
        swept += 1
        rest = {
            key: value for key, value in {"grid": GRID, "smooth": False}.items() if key in taken
        }
        for wrong in (two_coins(), "two-coin", 3, KaryRandomizedResponse(3, 2)):
            with pytest.raises(EstimationError, match="mechanism"):
                getattr(E, name)([17, 6, 13], mechanism=wrong, **rest)
    assert swept == 8
    with pytest.raises(EstimationError, match="mechanism"):
        E.estimate_vector([1, 2], "two-coin", VectorAnswer(("x", "y"), Fraction(1), Fraction(1, 4)))


def test_a_table_takes_the_designs_that_estimate_takes():
    """With parameters behind the name, in the CSV too; and objects."""
    csv = "name,yes,n,design\nphone,400,1000,crosswise p=1/4\n"
    for table in (
        studies_from_csv(csv),
        [{"yes": 400, "n": 1000, "design": E.crosswise("1/4")}],
        [{"yes": 400, "n": 1000, "design": "crosswise", "p": "1/4"}],
    ):
        expected = E.estimate(yes=400, n=1000, design="crosswise p=1/4")
        assert numbers_of(E.estimate_table(table)[0]) == numbers_of(expected)


def test_sizes_of_samples_take_any_design():
    """Names, mechanisms and parts of respondents."""
    for kind, design in DESIGNS.items():
        assert sample_size.respondents_for_margin(design, 0.05) == 1537, kind
        assert sample_size.respondents_for_power(design, 0.1, 0.8) == (
            sample_size.respondents_for_power(two_coins(), 0.1, 0.8)
        ), kind
        parts = [(0.5, design), (0.5, "direct")]
        expected = sample_size.margin([(0.5, two_coins()), (0.5, "direct")], 1000, share=0.3)
        assert sample_size.margin(parts, 1000, share=0.3) == expected, kind


def test_what_are_no_counts_is_refused_by_name():
    """Fractions, truth values, text, sets, a number alone: everywhere, as what they are."""
    wrong = [[600.5, 400], [True, 400], "64", {600, 400}, {"no": 600, "yes": 400}, 600, [-1, 2]]
    for name in ("estimate_counts", "estimate_share", "estimate_shares", "estimate_moments"):
        for counts in wrong:
            with pytest.raises(EstimationError):
                getattr(E, name)(counts, "two-coin")


#: What is no estimate by itself: views, covariances, values of rows, an interval.
NO_ESTIMATES = {
    *("distribution_view", "respondents_share_covariance", "share_covariance", "score_sequence"),
    *("scrambled", "shares_covariance", "tabulate"),
}


def test_whatever_is_printed_has_its_interval_and_n():
    """Every number of every result, those beside the first ones too."""
    share = E.estimate(yes=400, n=1000, design="two-coin")
    table = E.estimate_joint([[2500, 1100], [1100, 1000]], ["two-coin"] * 2)
    fit = E.regress(ROWS, OLD, "two-coin", counts=MANY)
    found = {name: call(list, int, two_coins()) for name, call in CALLS.items()}
    found = {name: each for name, each in found.items() if name not in NO_ESTIMATES}
    found |= {"phi": E.phi(table), "odds_ratio": E.odds_ratio(table), "margin": table.margin(1)}
    found |= {"predict_answer": fit.predict_answer({"old": [0, 1]})}
    found |= {"denied": E.if_some_deny(share), "forged": E.forged_intervals(share)}
    found |= {"careless": E.if_some_answer_at_random(share)}
    beside = 0
    for name, result in found.items():
        for part in result if isinstance(result, tuple) else [result]:
            said = str(part)
            assert "interval" in said, (name, said)
            assert "n = " in said, (name, said)
            for line in part.lines() if hasattr(part, "lines") else ():
                assert line.interval is not None, (name, line)
                assert line.n or part.sample_size, (name, line)
        for label, fact in getattr(result, "facts", {}).items():
            if label in {"Phi", "Odds ratio", "Sigma", "Deviation of the intercepts", "Attentive"}:
                assert " interval, n = " in fact, (name, label, fact)
                beside += 1
    assert beside == 5


def test_every_result_can_be_kept_and_sent_to_another_process():
    """Pickled or copied, it says the same."""
    fit = E.regress(ROWS, OLD, "two-coin", counts=MANY)
    found = {name: call(list, int, two_coins()) for name, call in CALLS.items()}
    found |= {"predict_answer": fit.predict_answer({"old": [0, 1]})}
    for name, result in found.items():
        for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
            assert type(other) is type(result), name
            assert str(other) == str(result), name
            if hasattr(result, "summary"):
                assert other.summary() == result.summary(), name


def times(factor: int) -> tuple[Callable, Callable]:
    """Ways to make counts and a whole number so many times as large; reports and sizes stay."""

    def one(value: int) -> int:
        return value * factor if value > 2 else value

    return (lambda values: [one(value) for value in values]), one


def test_more_reports_than_floats_tell_apart_are_refused():
    """Of 2**63 reports both ends of an interval can be one float; of 10**12 they never are."""
    for name, call in CALLS.items():
        if name not in {"scrambled", "tabulate"}:  # which take no counts
            for most in (10**13, 2**63, 10**5000):
                with pytest.raises(EstimationError, match="must be"):
                    call(*times(most), two_coins())
            found = None if "regress" in name else call(*times(10**9), two_coins())
            for line in found.lines() if hasattr(found, "lines") else ():
                assert line.interval.low < line.interval.high, (name, line)
    for yes in (0, 1, 10**12):
        for design in ("direct", "forced forced_yes=0 forced_no=1/6", "two-coin"):
            share = E.estimate(yes=yes, n=10**12, design=design)
            for method in ("score", "exact"):
                interval = share.interval(method=method)
                assert interval.low < interval.high, (yes, design, method)
                assert share.value in interval, (yes, design, method)
    with pytest.raises(EstimationError, match=r"yes \(about .*e\+5000\) must be"):
        E.estimate(yes=-(10**5000), n=3, design="direct")


def test_counts_in_the_order_of_their_frequency_are_refused():
    """``value_counts`` puts the most frequent report first: a share of 1 would be told as 0."""
    for reports in ([1, 1, 1, 0], [True, True, False], [2, 2, 0, 1, 1, 1]):
        column = pandas.Series(reports)
        counts, kinds = column.value_counts(), len(set(reports))
        design = two_coins() if kinds == 2 else KaryRandomizedResponse(3, 2)
        for call in (E.estimate_shares, E.estimate_counts, E.estimate_answers):
            with pytest.raises(EstimationError, match=r"not in the order of reports; .*sort_index"):
                call(counts, design)
        with pytest.raises(EstimationError, match="sort_index"):
            E.estimate_joint(counts, [design])
        ordered = numbers_of(E.estimate_shares(counts.sort_index(), design))
        assert ordered == numbers_of(E.estimate_shares(np.bincount(column.astype(int)), design))


def test_tables_of_pandas_with_reports_in_another_order_are_refused():
    """Rows or columns turned round would turn an association round."""
    table = pandas.crosstab(pandas.Series([1, 0, 0, 1]), pandas.Series([1, 0, 0, 0]))
    assert numbers_of(E.estimate_joint(table, ["two-coin"] * 2))
    for turned, by in ((table[::-1], r"sort_index\(\)"), (table.loc[:, ::-1], "axis=1")):
        with pytest.raises(EstimationError, match=by):
            E.estimate_joint(turned, ["two-coin"] * 2)


def test_times_and_links_of_another_kind_are_refused_by_name():
    """Days of pandas, and a list."""
    waves = [E.estimate(yes=yes, n=300, design="two-coin") for yes in (90, 100)]
    for times in (pandas.to_datetime(["2020", "2021"]), ["first", "second"], [None, 1]):
        with pytest.raises(EstimationError, match="times must be numbers"):
            E.trend(waves, times)
    rows = ([0, 1] * 4, {}, ["warner p=1/6"] * 4 + ["warner p=5/6"] * 4)
    for link in (["logit"], "logistic", None):
        with pytest.raises(EstimationError, match="must be one of logit"):
            E.regress_with_denial(*rows, [False] * 4 + [True] * 4, link=link)
        with pytest.raises(EstimationError, match="must be one of logit"):
            E.regress(*rows, link=link)


def test_standard_errors_are_a_method_of_every_result():
    """As of `regress`, which has several kinds of them."""
    for name in E.__all__:
        kind = getattr(E, name)
        for attribute in dir(kind) if inspect.isclass(kind) else ():
            if attribute.endswith("standard_errors"):
                static = inspect.getattr_static(kind, attribute)
                assert inspect.isfunction(static), f"{name}.{attribute}"


def test_a_name_stands_once_wherever_rows_have_names():
    """Of two columns with one name the last would win."""
    frame = pandas.DataFrame([[1, 0], [0, 1]], columns=["age", "age"])
    studies = pandas.DataFrame([[400, 1000, 500]], columns=["yes", "n", "n"])
    for call in (
        lambda: E.regress([0, 1], frame, "two-coin"),
        lambda: E.estimate_table(studies),
        lambda: E.estimate_table([{"yes": 400, "n": 1000, 1: 2, "1": 3}]),
    ):
        with pytest.raises(EstimationError, match="stands there twice"):
            call()


@pytest.mark.parametrize("make", [list, pandas.DataFrame, lambda rows: studies_from_csv(
    f"{','.join(rows[0])}\n{','.join(map(str, rows[0].values()))}\n")])  # fmt: skip
def test_no_column_of_studies_is_left_unread(make):
    """A design in a column called otherwise would be taken for two coins."""
    study = {"Yes": 450, " n ": 1000, "DESIGN": "warner p=7/10"}
    assert (
        E.estimate_table(make([study]))[0].value
        == E.estimate(yes=450, n=1000, design="warner p=7/10").value
    )
    for wrong in ("desing", "method", "yes;n"):
        with pytest.raises(EstimationError, match=f"column '{wrong}' is none of"):
            E.estimate_table(make([{"yes": 450, "n": 1000, wrong: "warner p=7/10"}]))


@pytest.mark.parametrize("name", ["\x1b[31mred", "a\nb", "abc\u202edef", "a\x00b", "\ud800"])
def test_the_name_of_a_study_turns_and_colours_nothing(name):
    """Its characters reach terminals, pages and tables."""
    with pytest.raises(EstimationError, match=r"row 2: the name holds U\+"):
        E.estimate_table([{"yes": 4, "n": 9}, {"yes": 4, "n": 9, "name": name}])
