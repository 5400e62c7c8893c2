"""`tossup audit`: right programs pass, wrong ones are refused, strange ones are errors.

Every audit here refuses a correct program with probability at most 1e-6 (Bonferroni over three
tests and all cells). Each faulty program gets enough trials to be missed with less than 1e-6,
which the first test computes exactly.
"""

import json
import shlex
import shutil
import subprocess
import sys
from fractions import Fraction
from math import log

import audited
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sweeps import each, proving

from tossup.server.auditing import (
    ALPHA,
    AuditError,
    by_reports,
    count_reports,
    judge,
)
from tossup.server.auditing.errors import (
    CannotStartError,
    CrashedError,
    HungError,
    MalformedError,
    WrongCountError,
)
from tossup.server.auditing.program import _plan
from tossup.server.catalogue import design as design_of
from tossup.server.catalogue import entries
from tossup.server.cli.root import root
from tossup.server.estimation.intervals.binomial import clopper_pearson, tail_from, tail_to
from tossup.shared.errors import MechanismError
from tossup.shared.mechanisms import (
    DiscreteGaussian,
    KaryRandomizedResponse,
    RandomizedResponse,
    SubsetSelection,
    TwoCoin,
)

TRIALS = 200_000
#: Seconds: on a busy machine a program that is audited may do nothing for longer than a minute.
PATIENCE = 600
TWO_COINS = ["--mechanism", "two-coin"]
SIX_WAY = ["--mechanism", "k-ary-randomized-response", "--options", "6"]
FOUR_BITS = ["--mechanism", "optimized-unary", "--options", "4"]
NEAR_CERTAIN = ["--mechanism", "randomized-response", "--odds", "99"]

#: Design, what it claims to be, trials, and its likeliest wrong cell: real and claimed chance.
FAULTY = [
    ("first coin 0.6", TWO_COINS, TRIALS, Fraction(205, 256), Fraction(3, 4)),
    ("first coin 0.4", TWO_COINS, TRIALS, Fraction(179, 256), Fraction(3, 4)),
    ("lie may be true", TWO_COINS, TRIALS, Fraction(240, 256), Fraction(3, 4)),
    ("threshold of 255", TWO_COINS, 1_500_000, Fraction(191, 256), Fraction(3, 4)),
    ("byte < p*255", NEAR_CERTAIN, 500_000, Fraction(253, 256), Fraction(99, 100)),
    *(
        (f"position {place} in clear", SIX_WAY, TRIALS // 4, Fraction(1), Fraction(3, 8))
        for place in range(6)
    ),
    # The likeliest wrong cell: from another answer, all bits unset, that one included.
    *(
        (f"bit {place} in clear", FOUR_BITS, TRIALS // 4, Fraction(9, 32), Fraction(27, 128))
        for place in range(4)
    ),
]
#: A wrong coin, a wrong position and a wrong bit: what `make test` looks for.
ONE_OF_EACH = {"first coin 0.6", "position 0 in clear", "bit 0 in clear"}
CELLS = {id(TWO_COINS): 4, id(NEAR_CERTAIN): 4, id(SIX_WAY): 36, id(FOUR_BITS): 64}
TWO_COINS_IN_JAVASCRIPT = """
const answers = require("fs").readFileSync(0, "latin1").trimEnd().split("\\n");
const coins = require("crypto").randomBytes(answers.length);
const report = (answer, byte) => (byte & 2 ? byte & 1 : answer);
const line = (answer, place) => report(Number(answer), coins[place] & COINS);
process.stdout.write(answers.map(line).join("\\n") + "\\n");
"""
PROGRAM = f"{shlex.quote(sys.executable)} {shlex.quote(audited.__file__)}"


def audit(*arguments: str):
    return CliRunner().invoke(root, ["audit", f"--timeout={PATIENCE}", *arguments])


def audit_design(design: str, claim: list[str], trials: int):
    command = f"{PROGRAM} {shlex.quote(design)}"
    return audit("--cmd", command, *claim, "--trials", str(trials), "--json")


def python(script: str) -> list[str]:
    return [sys.executable, "-S", "-c", script]


@pytest.mark.parametrize("fault", FAULTY, ids=lambda fault: fault[0])
def test_a_faulty_program_is_missed_with_less_than_one_in_a_million(fault):
    """The exact chance that one wrong cell is refused, at the numbers of trials used below."""
    _, claim, n, real, claimed = fault
    threshold = ALPHA / 2 / CELLS[id(claim)] / 2
    low, high = (
        stats.binom.ppf(threshold, n, float(claimed)),
        stats.binom.isf(threshold, n, float(claimed)),
    )  # counts at or inside these are not refused

    missed = stats.binom.cdf(high, n, float(real)) - stats.binom.cdf(low - 1, n, float(real))
    assert missed < 1e-6


@pytest.mark.parametrize(
    ("design", "claim", "trials"),
    proving(
        [fault[:3] for fault in FAULTY],
        but=[fault[:3] for fault in FAULTY if fault[0] in ONE_OF_EACH],
    ),
)
def test_faulty_programs_are_refused(design, claim, trials):
    """A coin of 0.6, a lie that may be true, a truncated threshold, a position in clear."""
    done = audit_design(design, claim, trials)

    found = json.loads(done.stdout)
    assert found["accepted"] is False
    assert found["tests"][2]["passed"] is False
    assert done.exit_code in {1, 4}


def auditable(options: int) -> list[str]:
    """Return the names of all mechanisms that have a design for so many options."""
    some = {"vectors"} if options == 2 else {"vectors", "yes/no"}
    known = [entry.name for entry in entries() if entry.answers not in some]
    if options != 2:
        known.remove("unrelated-question/1")  # it is about two statements
    assert len(known) >= 7
    return known


OF_FOUR = auditable(4)
#: Those that four options have not.
OF_TWO_ALONE = [name for name in auditable(2) if name not in OF_FOUR]

#: A mechanism of each kind of answers, for `make test`; `test_events` has those of vectors.
OF_EACH_KIND = (
    "randomized-response/1",
    "subset-selection/1",
    "sampled-options/1",
    "truncated-geometric/1",
)


@pytest.mark.parametrize(
    ("options", "names", "trials"),
    proving(
        [(2, OF_EACH_KIND, "2e4"), (2, OF_TWO_ALONE, "2e4"), (4, OF_FOUR, "1e4")],
        but=[(2, OF_EACH_KIND, "2e4")],
    ),
    ids=["a few of 2", "of 2 alone", "4"],
)
def test_the_shipped_sdk_passes(options, names, trials, monkeypatch):
    """The device's own `perturb` of every mechanism follows its channel, seen from outside.

    All audits together refuse it with probability at most 1e-6: each has its part of that.
    """
    assert set(names) <= set(auditable(options))
    for module in ("cells", "judging"):
        monkeypatch.setattr(f"tossup.server.auditing.{module}.ALPHA", ALPHA / len(names))
    for name in names:
        claim = ["--mechanism", name, "--options", str(options), "--trials", trials]
        done = audit("--self", *claim, "--json")
        found = json.loads(done.stdout)

        assert (0, True) == (done.exit_code, found["accepted"]), (name, done.output)
        assert ALPHA / len(names) == found["alpha"]


@pytest.mark.parametrize(("trials", "tells"), [("1", False), ("1000", True)])
def test_too_few_trials_to_tell_anything_are_called_so(trials, tells):
    """With one trial nothing can be refused, and the verdict does not pass for one that counts."""
    claim = ["--mechanism", "two-coin", "--trials", trials]
    told, shown = audit("--self", *claim, "--json"), audit("--self", *claim)

    assert json.loads(told.stdout)["tells"] is tells
    assert ("too few to tell" in shown.output) is not tells


@pytest.mark.prove
def test_a_tiny_vector_is_counted_report_by_report():
    """A tiny design of the vector mechanism has few enough cells for each to be counted."""
    claim = ["--options", "9", "--trials", "5e3", "--json"]
    design = [f"--set={part}" for part in ("dimension=2", "window=2", "keep=3", "lie=1")]
    done = audit("--self", "--mechanism", "vector-laplace", *design, *claim)

    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert ("reports", True) == (found["audited"], found["accepted"])


@pytest.mark.parametrize("name", ["sampled-options", "per-option-bits"])
@pytest.mark.parametrize("most", [1, pytest.param(3, marks=pytest.mark.prove)])
def test_sets_that_one_may_not_tick_are_not_given(name, most):
    """The SDK refuses a set of more than --most options, and is audited with all others."""
    claim = ["--mechanism", name, "--options", "4", "--most", str(most), "--trials", "5e3"]
    done = audit("--self", *claim, "--json")

    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert ({1: 5, 3: 15}[most], True) == (found["answers"], found["accepted"])


@pytest.mark.parametrize(
    ("design", "claim"),
    proving(
        [("two coins", TWO_COINS), ("six-way", SIX_WAY), ("four bits", FOUR_BITS)],
        but=[("two coins", TWO_COINS)],
    ),
)
def test_another_right_program_passes(design, claim):
    """What matters is the channel, not whose code it is."""
    assert audit_design(design, claim, TRIALS).exit_code == 0


@pytest.mark.parametrize(
    ("design", "passed"),
    [
        ("first coin 0.6", [False, True, False]),
        ("lie may be true", [False, True, False]),
        ("first coin 0.4", [True, False, False]),
    ],
)
def test_what_each_test_is_for(design, passed):
    """Too little noise violates, too much is over-noised; either shows in the cells as well."""
    found = json.loads(audit_design(design, TWO_COINS, TRIALS).stdout)["tests"]

    assert passed == [test["passed"] for test in found]


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
@pytest.mark.parametrize(("used", "exit_code"), [("3", 0), ("1", 4)])
def test_a_port_in_another_language_is_audited_alike(tmp_path, used, exit_code):
    """Two coins in JavaScript; a first coin that never falls on heads protects nobody."""
    (tmp_path / "port.js").write_text(TWO_COINS_IN_JAVASCRIPT.replace("COINS", used))
    command = f"node {shlex.quote(str(tmp_path / 'port.js'))}"

    done = audit("--cmd", command, *TWO_COINS, "--trials", "1e5", "--json")
    assert exit_code == done.exit_code, done.output


@pytest.mark.parametrize(
    ("design", "exit_code"), [("always the truth", 4), ("never the truth", 1), ("two coins", 0)]
)
def test_exit_codes(design, exit_code):
    """4 where people are protected less than promised, 1 where only estimates would be wrong."""
    done = audit_design(design, TWO_COINS, 10_000)

    assert exit_code == done.exit_code


def test_the_report_says_what_it_rests_on():
    """Versions, command, trials, counts, bounds and how the false-alarm rate is split."""
    found = json.loads(audit_design("two coins", TWO_COINS, TRIALS).stdout)

    assert {"tossup", "python"} == set(found["versions"])
    assert (TRIALS, 1e-6, "3") == (found["trials"], found["alpha"], found["claim"]["odds"])
    assert [TRIALS, TRIALS] == [sum(row) for row in found["counts"]]
    assert found["epsilon"]["lower"] < log(3) < found["epsilon"]["upper"]
    shared, *_, cells = (test["alpha"] for test in found["tests"])
    assert shared + cells == pytest.approx(found["alpha"])


def test_people_read_three_lines():
    """On a terminal: each test, its verdict, and what was found."""
    done = audit("--self", *TWO_COINS, "--trials", "1e3")

    for test in ("violation", "over-noising", "cells"):
        assert f"{test} " in done.stdout
    assert "refused with probability at most 1e-06" in done.stdout


@each("answers", [2, 3, 64, 256])
@each("trials", [1, 63, 64, 8192, 8193, 20_000])
def test_every_answer_is_given_equally_often(answers, trials):
    """Whatever the number of trials, and mixed so that no period of the program fits it."""
    given = np.concatenate(_plan(answers, trials))

    assert [trials] * answers == np.bincount(given).tolist()


@pytest.mark.parametrize(
    "script",
    [
        "import sys; [sys.stdout.write(line.replace('\\n', '\\r\\n')) for line in sys.stdin]",
        "import sys; print(sys.stdin.read().strip(), end='')",
        "import sys; [print(line, end='', flush=True) for line in sys.stdin]",
    ],
    ids=["carriage returns", "everything at the end", "line by line"],
)
def test_programs_may_write_as_they_like(script):
    """Line ends of any system, a missing last one, one line at a time or all at once."""
    assert ((300, 0), (0, 300)) == count_reports(python(script), range(2), 2, 300, PATIENCE)


@each("words", ["2", "-1", "yes", "", "1.0", " 1", "01", "9" * 1000, "١", "0 1"])  # fmt: skip
def test_lines_that_are_no_report_are_refused(words):
    """Nothing is read into them: a report is exactly the digits of a possible one."""
    script = f"import sys; [print({words!a}) for _ in sys.stdin]"

    with pytest.raises(MalformedError, match="a number from 0 to 1"):
        count_reports([sys.executable, "-X", "utf8", "-c", script], range(2), 2, 100, PATIENCE)


@each("trials", [10, 100_000])
@each(
    "script, error, words",
    [
        ("pass", WrongCountError, "ended after 0 reports"),
        ("print(input())", WrongCountError, "ended after 1 reports"),
        (
            "import sys; [print(line, end='') for line in sys.stdin]; print(0)",
            WrongCountError,
            "more reports than it gets answers",
        ),
        ("import sys; sys.exit(3)", CrashedError, "exit code 3"),
        ("raise RuntimeError('no coins left')", CrashedError, "RuntimeError: no coins left"),
        (
            "import sys; [print(line, end='') for line in sys.stdin]; sys.exit(1)",
            CrashedError,
            "exit code 1",
        ),
        ("import os; os.abort()", CrashedError, "exit code -6"),
    ],
)
def test_programs_that_fail_are_typed_errors(script, error, words, trials):
    """Too few reports, too many, an exit code, a traceback, a signal: each is said."""
    with pytest.raises(error, match=words):
        count_reports(python(script), range(2), 2, trials, PATIENCE)


@pytest.mark.parametrize(
    "script",
    [
        "import time; time.sleep(600)",
        "import sys, time; sys.stdin.read(); time.sleep(600)",
        "import os, time; os.close(1); time.sleep(600)",
        "import os, sys, time; os.fork() or time.sleep(600)",
    ],
    ids=["at once", "after reading", "after closing", "with a child"],
)
def test_a_program_that_hangs_is_stopped(script):
    """With everything it started, so that no audit waits for ever."""
    with pytest.raises(HungError, match=r"did nothing for 0\.5 seconds"):
        count_reports(python(script), range(2), 2, 100_000, 0.5)


def test_a_program_that_is_not_there_is_said():
    """The name is in the message; nothing was run."""
    with pytest.raises(CannotStartError, match="no-such-program"):
        count_reports(["no-such-program"], range(2), 2, 10, PATIENCE)


@each(
    "arguments",
    [
        [],
        ["--self", "--cmd", "true"],
        ["--cmd", "'"],
        ["--self", "--trials", "0"],
        ["--self", "--trials", "1.5"],
        ["--self", "--trials", "many"],
        ["--self", "--trials", "1e10"],
    ],
)
def test_wrong_usage_is_exit_2(arguments):
    """Exactly one program, and a number of trials that can be run."""
    assert 2 == audit(*TWO_COINS, *arguments).exit_code


@pytest.mark.parametrize("name", ["subset-selection", "optimized-unary", "symmetric-unary"])
def test_the_guide_says_from_how_many_options_on_masks_are_audited_by_options(name):
    """Of eight options every mask is still counted; from nine on, the options that it names."""
    assert [True, False] == [by_reports(design_of(name, n, Fraction(3))) for n in (8, 9)]


@pytest.mark.parametrize(
    ("name", "most"),
    [("sampled-options", 8), ("per-option-bits", 6), ("k-ary-randomized-response", 64)],
)
def test_the_guide_says_up_to_how_many_options_every_report_is_counted(name, most):
    """One option more, and events are counted instead."""
    assert [True, False] == [by_reports(design_of(name, n, Fraction(3))) for n in (most, most + 1)]


def test_errors_of_a_program_are_exit_1():
    """What cannot be audited is a failure, not a verdict."""
    done = audit("--cmd", "no-such-program", *TWO_COINS, "--json")

    assert (1, "") == (done.exit_code, done.stdout)
    assert "cannot be started" in json.loads(done.stderr)["error"]["message"]


def test_every_error_is_one_an_audit_may_end_with():
    """One base, so that a caller can catch them all."""
    kinds = {CannotStartError, CrashedError, HungError, MalformedError, WrongCountError}

    assert kinds == set(AuditError.__subclasses__())


@each("options", [2, 3, 6, 64])
@each("keep", [2, 3, 9, 99])
def test_exact_counts_are_accepted(options, keep):
    """Counts in the channel's own proportions are as right as can be, up to 64 options."""
    design = KaryRandomizedResponse(options, keep)
    counts = tuple(tuple(weight * 100 for weight in row) for row in design.weights)

    verdict = judge(counts, design)
    assert verdict.accepted
    assert verdict.lower <= verdict.claim <= verdict.upper
    assert 1.0 == pytest.approx(verdict.worst.p_value, abs=0.2)


@pytest.mark.parametrize(
    ("counts", "refused"),
    [
        (((10_000, 0), (0, 10_000)), "violates"),
        (((7500, 2500), (0, 10_000)), "violates"),
        (((5000, 5000), (5000, 5000)), "over_noised"),
        (((2500, 7500), (7500, 2500)), "deviates"),
    ],
)
def test_verdicts_on_plain_counts(counts, refused):
    """Truth in clear, one answer in clear, no information, and answers turned round."""
    verdict = judge(counts, TwoCoin())

    assert getattr(verdict, refused)
    assert not verdict.accepted


@pytest.mark.parametrize("deviation", [-300, -100, 100, 300])
def test_p_values_are_exact_and_two_sided(deviation):
    """Too few and too many alike: twice the binomial tail, of the one report that is off."""
    design = KaryRandomizedResponse(21)
    counts = [[1000 * weight for weight in row] for row in design.weights]
    counts[0] = [count - deviation // 20 for count in counts[0]]
    counts[0][5] += deviation + deviation // 20

    worst = judge(tuple(tuple(row) for row in counts), design).worst
    binomial = stats.binom(23_000, 1 / 23)
    off = 1000 + deviation
    tail = binomial.cdf(off) if deviation < 0 else binomial.sf(off - 1)
    assert (0, 5, off, "1/23") == (worst.answer, worst.report, worst.count, worst.expected)
    assert 2 * tail == pytest.approx(worst.p_value, rel=1e-6)


def test_numbers_that_are_no_report_widen_no_bound():
    """Of the eight masks of three options, three are reports: the other five stay at 0."""
    design = SubsetSelection(3, size=1)
    chances = [[design.probability(answer, mask) for mask in range(8)] for answer in range(3)]
    counts = tuple(tuple(int(5000 * chance) for chance in row) for row in chances)

    verdict = judge(counts, design)
    assert verdict.accepted
    assert log(3) < verdict.upper < 1.5


@pytest.mark.parametrize("mask", [0, 3, 5, 6, 7])
def test_one_number_that_is_no_report_is_refused(mask):
    """What no answer can give has probability 0: a single one in 5,000 is too many."""
    design = SubsetSelection(3, size=1)
    chances = [[design.probability(answer, report) for report in range(8)] for answer in range(3)]
    counts = [[int(5000 * chance) for chance in row] for row in chances]
    counts[0][mask] += 1
    counts[0][1] -= 1

    assert judge(tuple(tuple(row) for row in counts), design).deviates


def test_a_report_that_never_came_bounds_nothing():
    """With too few trials to see every report, the upper bound is infinite and said as null."""
    verdict = judge(((1, 0), (0, 1)), TwoCoin())

    assert verdict.to_json()["epsilon"]["upper"] is None
    assert verdict.accepted


@pytest.mark.parametrize(
    "counts", [((1, 2),), ((1, 2), (1, 1)), ((1, 2, 0), (1, 2, 0)), ((0, 0), (0, 0))]
)
def test_counts_of_another_shape_are_refused(counts):
    """A row an answer, a column a report, equal sums."""
    with pytest.raises(ValueError, match="a row an answer"):
        judge(counts, TwoCoin())


def test_tables_too_large_for_an_audit_are_refused():
    """Beyond 64 by 64 cells each cell would get too little of the false-alarm rate."""
    with pytest.raises(MechanismError, match="at most 4096"):
        judge(((1,) * 65,) * 65, KaryRandomizedResponse(65))


@pytest.mark.parametrize(
    ("arguments", "stdin", "words"),
    [
        ([], "", "usage: "),
        (["two-coin/1", "2"], "", "usage: "),
        (['{"name": "two-coin/2"}', "2"], "", "Upgrade tossup"),
        (['{"name": "two-coin/1"}', "2"], "0\n17\n", "line 2 is no answer"),
        (['{"name": "two-coin/1"}', "2"], "yes\n", "line 1 is no answer"),
    ],
)
def test_the_sdk_in_lines_refuses_what_is_no_answer(arguments, stdin, words):
    """One line says what is wrong; it shows no answer."""
    command = [sys.executable, "-m", "tossup.shared.perturb", *arguments]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)

    assert 1 == done.returncode
    assert words in done.stderr
    assert "17" not in done.stderr
    assert "yes" not in done.stderr


@each("chance", [0.75, 0.25, 0.5, 0.1, 1 / 64])
@each("deviation", [-6, -5.3, -2, -0.1, 0.1, 2, 5.3, 6])
def test_tails_are_exact_at_ten_million(chance, deviation):
    """Against scipy's, to a millionth of themselves, however small the tail."""
    n = 10**7
    k = round(n * chance + deviation * (n * chance * (1 - chance)) ** 0.5)

    assert stats.binom.cdf(k, n, chance) == pytest.approx(tail_to(k, n, chance), rel=1e-6)
    assert stats.binom.sf(k - 1, n, chance) == pytest.approx(tail_from(k, n, chance), rel=1e-6)


@pytest.mark.parametrize("k", [0, 1, 2_500_000, 7_500_000, 10**7])
def test_intervals_are_exact_at_ten_million(k):
    """Clopper-Pearson against quantiles of the beta distribution, at one in ten million."""
    n, tail = 10**7, 1.25e-7 / 2
    low = 0.0 if k == 0 else stats.beta.ppf(tail, k, n - k + 1)
    high = 1.0 if k == n else stats.beta.isf(tail, k + 1, n - k)

    assert (low, high) == pytest.approx(clopper_pearson(k, n, 1 - 2 * tail), rel=1e-6)


def test_one_interval_band_serves_two_tests():
    """The bounds of epsilon hold together: a correct table is never outside by construction."""
    design = RandomizedResponse(((4, 1), (2, 3)))
    counts = tuple(tuple(weight * 1000 for weight in row) for row in design.weights)

    verdict = judge(counts, design)
    confidence = 1 - ALPHA / 2 / 4
    most, least = clopper_pearson(3000, 5000, confidence), clopper_pearson(1000, 5000, confidence)
    assert log(most[0] / least[1]) == pytest.approx(verdict.lower)
    assert log(most[1] / least[0]) == pytest.approx(verdict.upper)


def test_ratios_that_a_delta_allows_are_no_violation():
    """Unclipped normal noise exceeds its odds far out: exact frequencies of it are accepted."""
    normal = DiscreteGaussian.for_odds(2, Fraction(3), Fraction(1, 10), 4)
    trials = normal.total // 2**12
    counts = tuple(
        tuple(round(trials * weight / normal.total) for weight in row) for row in normal.weights
    )
    even = tuple((*row[:-1], row[-1] + trials - sum(row)) for row in counts)
    found = judge(even, normal)

    assert found.lower > log(3)
    assert found.accepted
    assert str(normal.delta) == found.to_json()["claim"]["delta"]
