"""`tossup audit` of mechanisms with too many reports to count each: by the options they name.

Every audit here refuses a correct program with probability at most 1e-6 (Bonferroni over the
three tests and all counts). The faulty programs' likeliest wrong counts are missed with less
than 1e-6, which the first test computes exactly.
"""

import json
import shlex
import sys
import tracemalloc
from fractions import Fraction
from math import log
from random import Random

import audited
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sweeps import each

from tossup.server.auditing import (
    ALPHA,
    AuditError,
    by_reports,
    count_events,
    judge_events,
    judging,
    view_of,
)
from tossup.server.auditing.errors import MalformedError
from tossup.server.auditing.events import Counted
from tossup.server.auditing.viewing.options import both_chance, names_options, view_options
from tossup.server.catalogue import channel
from tossup.server.catalogue import design as design_of
from tossup.server.cli.root import root
from tossup.shared.mechanisms import (
    FrequencyOracle,
    OptimizedUnary,
    SubsetSelection,
)

TRIALS = 50
PROGRAM = f"{shlex.quote(sys.executable)} {shlex.quote(audited.__file__)}"
ORACLES = [
    "subset-selection",
    "optimized-unary",
    "symmetric-unary",
    "projective-geometry-response",
    "hadamard-response",
    "local-hashing",
]

#: Seconds that a program may do nothing: a busy machine must not fail a test.
PATIENCE = 600
#: Design, and its likeliest wrong count at k options: of how many trials, real and claimed chance.
FAULTY = [
    ("wide, first in clear", lambda k: (k - 1) * TRIALS, 0, 1 / 4),
    ("wide, last in clear", lambda k: (k - 1) * TRIALS, 0, 1 / 4),
    ("wide, first coin 0.6", lambda k: k * TRIALS, 154 / 256, 1 / 2),
    ("wide, one coin for two bits", lambda k: (k - 2) * TRIALS, 1 / 4, 1 / 16),
    ("wide, never the truth", lambda k: k * TRIALS, 0, 1 / 2),
]


def audit(command: str, name: str, options: int, trials: int = TRIALS):
    claim = ["--mechanism", name, "--options", str(options), "--trials", str(trials)]
    asked = [*shlex.split(command), *claim, f"--timeout={PATIENCE}", "--json"]
    return CliRunner().invoke(root, ["audit", *asked])


def audit_design(design: str, options: int, trials: int = TRIALS):
    program = f"{PROGRAM} {shlex.quote(design)} {options}"
    return audit(f"--cmd {shlex.quote(program)}", "optimized-unary", options, trials)


def oracle(name: str, options: int) -> FrequencyOracle:
    return design_of(name, options, Fraction(4))  # a square, for symmetric-unary


def exactly(mechanism: FrequencyOracle, trials: int) -> Counted:
    """Return counts in the channel's own proportions."""
    counted = Counted(view_options(mechanism))
    counted.trials[:] = trials
    for answer, row in enumerate(channel(mechanism)):
        for report, chance in enumerate(row):
            if chance:
                once = counted.view.count(np.array([answer]), [report])
                counted.counts += int(trials * chance) * once
    return counted


@each("options", [64, 256])
@each("fault", FAULTY)
def test_a_faulty_program_is_missed_with_less_than_one_in_a_million(fault, options):
    """The exact chance that the likeliest wrong count is refused, among all that are counted."""
    _, trials, real, claimed = fault
    n, design = trials(options), OptimizedUnary(options)
    view = view_options(design)
    counts = np.isfinite(view.chances).sum() + len(view.pools) + 1
    threshold = 1e-6 / 2 / counts / 2
    low = stats.binom.ppf(threshold, n, claimed)
    high = stats.binom.isf(threshold, n, claimed)  # counts at or inside these are not refused

    missed = stats.binom.cdf(high, n, real) - stats.binom.cdf(low - 1, n, real)
    assert missed < 1e-6


@each(
    "fault, options", [*((fault, 64) for fault in FAULTY), *((fault, 256) for fault in FAULTY[:2])]
)
def test_faulty_masks_are_refused(fault, options):
    """A position never randomized, be it the first or the last, a wrong coin, a coin used twice."""
    found = json.loads(audit_design(fault[0], options).stdout)

    assert "options" == found["audited"]
    assert found["accepted"] is False
    assert found["tests"][2]["passed"] is False


@pytest.mark.parametrize(
    ("design", "exit_code"),
    [("wide, first in clear", 4), ("wide, last in clear", 4), ("wide, never the truth", 1)],
)
def test_a_position_in_clear_violates(design, exit_code):
    """4 where the bounds of epsilon show that people are protected less than promised."""
    assert exit_code == audit_design(design, 64, 2 * TRIALS).exit_code


@pytest.mark.parametrize("options", [9, 64])
def test_another_right_program_passes(options):
    """What matters is the channel, not whose code it is."""
    assert 0 == audit_design("wide", options).exit_code


def test_the_shipped_sdk_passes(monkeypatch):
    """The device's own `perturb` of every oracle names options as its rates say.

    All audits together refuse it with probability at most 1e-6: each has its part of that.
    """
    audits = [(name, 64, 20) for name in ORACLES]
    audits += [("subset-selection", 256, 10), ("optimized-unary", 256, 10)]
    monkeypatch.setattr("tossup.server.auditing.judging.ALPHA", ALPHA / len(audits))
    for asked in audits:
        done = audit("--self", *asked)
        found = json.loads(done.stdout)

        assert (0, True) == (done.exit_code, found["accepted"]), (asked, done.output)
        assert ALPHA / len(audits) == found["alpha"]


def test_the_report_says_what_was_counted():
    """By options: the named ones of every answer, and what the farthest count is of."""
    found = json.loads(audit_design("wide, first in clear", 64).stdout)
    worst = found["tests"][2]["worst"]

    assert ("options", TRIALS, 64) == (found["audited"], found["trials"], len(found["counts"]))
    assert {len(found["events"])} == {len(row) for row in found["counts"]}
    assert "option 0 is named" == found["events"][0]
    assert ("option 0 from all other answers", 0, "0.25") == (
        worst["what"],
        worst["count"],
        worst["expected"],
    )


@each("name", ORACLES)
@each("options", [3, 4, 7])
def test_neighbours_are_named_together_as_the_channel_says(name, options):
    """The chance to name an answer and another option, by adding up the whole channel."""
    mechanism = oracle(name, options)
    pairs = [
        sum(
            chance
            for report, chance in enumerate(channel(mechanism)[answer])
            if chance and {answer, other} <= set(mechanism.supports(report))
        )
        for answer in range(options)
        for other in (answer - 1, answer + 1)
        if 0 <= other < options
    ]

    assert {both_chance(mechanism)} == set(pairs)


@each("name", ORACLES)
@each("options", [3, 4, 7])
def test_exact_counts_are_accepted(name, options):
    """Counts in the channel's own proportions are as right as can be, and bound epsilon."""
    mechanism = oracle(name, options)
    total = np.lcm.reduce([chance.denominator for row in channel(mechanism) for chance in row])

    verdict = judge_events(exactly(mechanism, int(total) * 100_000))
    assert verdict.accepted
    assert verdict.lower < verdict.claim < verdict.upper
    assert verdict.claim == pytest.approx(verdict.lower, abs=0.05)
    assert 1.0 == pytest.approx(verdict.worst.p_value, abs=0.2)


@pytest.mark.parametrize("claimed", [2, 4])
def test_other_odds_are_told_from_the_claimed_ones(claimed):
    """Counts at odds 3 violate a claim of 2, and are over-noised for one of 4."""
    counted = exactly(OptimizedUnary(4), 10**6 * 8**4)
    counted.view = view_options(OptimizedUnary(4, keep=claimed))

    verdict = judge_events(counted)
    assert (claimed == 2, claimed == 4) == (verdict.violates, verdict.over_noised)
    assert verdict.lower < log(3) < verdict.upper


def test_an_audit_of_1024_options_fits_in_memory(monkeypatch):
    """The view, its counts, a block of reports and the verdict, as tracemalloc measures them.

    Tables of probabilities and of counts have two million cells of 8 bytes each. A block oracle
    takes more than masks, for which reports name which options. Intervals, which are two numbers
    each, are rough ones here: every step to an exact one takes ten times as long when measured.
    """
    monkeypatch.setattr(judging, "clopper_pearson", lambda k, n, confidence: judging._rough(k, n))
    mechanism = oracle("hadamard-response", 1024)
    rows = np.repeat(np.arange(1024, dtype=np.uint16), 8)
    drawn = Random(1)
    reports = [drawn.randrange(mechanism.reports) for _ in rows]
    tracemalloc.start()

    counted = Counted(view_options(mechanism))
    counted.add(rows, reports)
    verdict = judge_events(counted)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert verdict.deviates
    assert peak < 90 << 20


@each("at_once", [1, 40, 200])
def test_a_verdict_depends_on_no_order_of_looking(monkeypatch, at_once):
    """Counts are looked at some rows and some events at once, to spare memory."""
    counted = exactly(OptimizedUnary(7), 4000)
    counted.counts[5, 2] += 900
    counted.counts[6, 8] += 1000
    whole = judge_events(counted)
    monkeypatch.setattr(judging, "_AT_ONCE", at_once)

    assert whole == judge_events(counted)
    assert "option 1 is named with the next, from answer 6" == whole.worst.what


def test_one_answer_without_its_neighbour_violates():
    """Odds of 0.9 to 1/8 between two of 64 options, which a sum over all of them hides."""
    design, trials = OptimizedUnary(64), 10**4
    counted = Counted(view_options(design))
    counted.trials[:] = trials
    counted.counts += np.rint(trials * np.nan_to_num(counted.view.chances)).astype(int)
    assert not judge_events(counted).violates

    counted.counts[5, counted.view.events.index("the answer is named without the next")] = 9000
    verdict = judge_events(counted)
    assert verdict.violates
    assert verdict.tightest.what == "answers without their previous one"


def test_what_an_answer_seldom_fails_to_name_violates():
    """An option is named by 9 of 10 of its own and by half of the others: not named, 5 to 1."""
    counted = exactly(OptimizedUnary(4), 8**4 * 10)
    counted.counts[:, 2] = counted.trials // 2
    counted.counts[2, 2] = counted.trials[2] * 9 // 10

    verdict = judge_events(counted)
    assert verdict.violates
    assert log(4.4) < verdict.lower < log(5)


def test_one_number_that_is_no_report_is_refused():
    """A mask of another size says that the program does something else."""
    counted = exactly(SubsetSelection(4, size=2), 6000)
    counted.impossible = 1

    verdict = judge_events(counted)
    assert verdict.deviates
    assert "numbers that are no report" == verdict.worst.what


def test_masks_of_another_size_are_counted_as_no_report():
    """A set of one option among those of two is none, and names nothing."""
    counted = Counted(view_options(SubsetSelection(9, size=2)))
    counted.add(np.arange(9, dtype=np.uint16), [3] * 8 + [4])

    assert (1, 8) == (counted.impossible, int(counted.counts[:, 0].sum()))
    assert [0] * 9 == counted.counts[8, :9].tolist()


def test_reports_that_are_all_strange_are_counted():
    """A program that never gives a report is refused as such, and not by an error of ours."""
    counted = Counted(view_options(SubsetSelection(9, size=2)))
    counted.add(np.arange(9, dtype=np.uint16), [4] * 9)

    assert (9, 0) == (counted.impossible, int(counted.counts.sum()))


@each("words", [str(2**64), "-1", "yes", "", "1.0", "01", "9" * 10_000, "0 1"])
def test_lines_that_are_no_report_are_refused(words):
    """A report is exactly the digits of a number below the mechanism's."""
    script = f"import sys; [print({words!a}) for _ in sys.stdin]"

    with pytest.raises(MalformedError, match=f"a number from 0 to {2**64 - 1}"):
        count_events([sys.executable, "-c", script], view_of(OptimizedUnary(64)), 10, PATIENCE)


def test_the_largest_report_is_taken():
    """Twenty digits and whatever line end there is."""
    script = "import sys; [print(2**64 - 1, end='\\r\\n') for _ in sys.stdin]"

    counted = count_events([sys.executable, "-c", script], view_of(OptimizedUnary(64)), 3, PATIENCE)
    assert {3} == set(counted.counts[:, :64].ravel().tolist())


def test_errors_of_a_program_end_the_audit():
    """As in any audit: nothing is known about its coins."""
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    with pytest.raises(AuditError, match="exit code 3"):
        count_events(command, view_of(OptimizedUnary(64)), 10, PATIENCE)


@each("name", ORACLES)
def test_up_to_1024_options_can_be_audited(name):
    """As many as a choice may have."""
    mechanism = oracle(name, 1024)
    assert names_options(mechanism)
    assert not by_reports(mechanism)
