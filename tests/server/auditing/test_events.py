"""`tossup audit` by events: right programs pass, wrong ones of every kind are refused.

Every audit here refuses a correct program with probability at most 1e-6 (Bonferroni over the
three tests and all that is counted). Each faulty program gets so many trials that its likeliest
wrong count lies, by its mean, where p-values are below 1e-40: more than five standard deviations
beyond where it is refused, so that it is missed with less than one in a million.
"""

import json
import shlex
import sys
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import audited_wide
import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats
from sweeps import each, proving

from tossup.server.auditing import AuditError, audit, count_events, judge_events, view_of
from tossup.server.auditing.errors import MalformedError
from tossup.server.auditing.events import Contrast, Counted, Pool, View, by_flags
from tossup.server.auditing.judging import _exponents
from tossup.server.auditing.viewing.tables import view_table
from tossup.server.catalogue import design
from tossup.server.cli.root import root
from tossup.shared.mechanisms import (
    KaryRandomizedResponse,
    Mechanism,
    OptimizedUnary,
    PerOptionBits,
    PrefixExtending,
    PrivUnit,
    SampledOptions,
)

THREE = Fraction(3)
#: Seconds that a program may do nothing: a busy machine must not fail a test.
PATIENCE = 600
#: How each design is made, and trials of each of its answers.
DESIGNS: dict[str, tuple[Callable[[], Mechanism], int]] = {
    "k-ary": (lambda: design("k-ary", 100, THREE), 300),
    "laplace": (lambda: design("discrete-laplace", 100, THREE), 300),
    "gaussian": (lambda: design("discrete-gaussian", 33, THREE), 500),
    "order": (lambda: design("ranked-choice", 8, THREE), 1000),
    "one option": (lambda: design("sampled-options", 33, THREE), 300),
    "three options": (lambda: SampledOptions(20, 2, asked=3, keep=3), 300),
    "bits": (lambda: PerOptionBits(64, 2), 50),
    "text": (lambda: design("prefix-extending", 256, THREE), 500),
    "text of bits": (lambda: PrefixExtending(255, (1,), 1, OptimizedUnary(15)), 500),
    "privunit": (lambda: design("privunit", 2, THREE, {"dimension": 4, "radius": 64}), 500),
    "vector": (lambda: design("vector-laplace", 2, THREE, {"dimension": 3, "radius": 8}), 1000),
    "entries": (lambda: design("entry-laplace", 2, THREE, {"dimension": 3, "radius": 8}), 1000),
    "normal": (lambda: design("entry-gaussian", 2, THREE, {"dimension": 3, "radius": 8}), 1000),
}


@cache
def made(kind: str) -> Mechanism:
    return DESIGNS[kind][0]()


PLACES = {
    "k-ary": (0, 50, 99), "laplace": (0, 50, 99), "gaussian": (0, 16, 32), "order": (0, 7),
    "one option": (0, 16, 32), "three options": (0, 19), "bits": (0, 63), "text": (0, 1),
    "text of bits": (0, 1),
    "privunit": (0, 3), "vector": (0, 2),
}  # fmt: skip
#: What protects less than claimed so much that it shows at once.
IN_CLEAR = {"k-ary", "laplace", "gaussian", "order", "one option", "bits", "privunit", "vector"}
FAULTS = [
    *((kind, f"clear:{place}") for kind, places in PLACES.items() for place in places),
    *((kind, "lie may be true") for kind in DESIGNS),
    *((kind, "first coin 0.6") for kind in DESIGNS),
    *((kind, "turned round") for kind in DESIGNS),
    ("privunit", "cap dropped"),
    ("privunit", "one coin"),
    ("vector", "one coin"),
    ("bits", "one coin"),
    ("one option", "start"),
    ("three options", "start"),
]
#: Kinds of which `make test` audits a right and a wrong program: one for each view.
OF_EACH_VIEW = ("laplace", "one option", "text", "privunit", "vector", "normal")
#: The faults that it looks for.
ONE_OF_EACH = {
    (kind, "clear:0" if kind in IN_CLEAR else "lie may be true") for kind in OF_EACH_VIEW
}


def command(fault: str, mechanism: Mechanism) -> list[str]:
    spec = json.dumps(mechanism.spec())
    return [sys.executable, audited_wide.__file__, fault, spec, str(mechanism.answers)]


@pytest.mark.parametrize(
    "kind",
    proving(DESIGNS, but=OF_EACH_VIEW),
)
def test_the_shipped_sdk_passes(kind):
    """The device's own `perturb` of every kind with many reports, seen from outside."""
    mechanism, trials = made(kind), DESIGNS[kind][1]
    verdict = audit(command("right", mechanism), mechanism, trials, PATIENCE)

    assert verdict.accepted
    assert verdict.lower <= verdict.claim


@pytest.mark.parametrize(("kind", "fault"), proving(FAULTS, but=ONE_OF_EACH))
def test_faulty_programs_are_refused(kind, fault):
    """A position in clear, wherever it is, a lie that may be true, a sign, a cap, a coin."""
    mechanism, trials = made(kind), DESIGNS[kind][1]
    verdict = audit(command(fault, mechanism), mechanism, trials, PATIENCE)

    assert verdict.deviates
    if fault.startswith("clear") and kind in IN_CLEAR:
        assert verdict.violates


@pytest.mark.parametrize(
    ("kind", "times"),
    proving(
        [("k-ary", 12), ("laplace", 2), ("one option", 1), ("text", 3), ("privunit", 6)],
        but=[("one option", 1)],
    ),
)
def test_too_much_noise_is_refused(kind, times):
    """One report in five is of another answer: protected, and of no use to the estimate."""
    mechanism, trials = made(kind), DESIGNS[kind][1]
    verdict = audit(command("first coin 0.4", mechanism), mechanism, times * trials, PATIENCE)

    assert (True, False) == (verdict.deviates, verdict.violates)


@pytest.mark.prove
def test_a_threshold_of_255_is_refused():
    """One report in 255 is the truth as it is: at 65 options that is seen in 8,000 trials."""
    mechanism = design("k-ary", 65, THREE)
    verdict = audit(command("byte < p*255", mechanism), mechanism, 8000, PATIENCE)

    assert verdict.deviates


def run(*arguments: str):
    return CliRunner().invoke(root, ["audit", f"--timeout={PATIENCE}", *arguments])


@pytest.mark.parametrize(
    ("fault", "exit_code", "trials"),
    [("right", 0, "200"), ("clear:2", 4, "200"), ("cap dropped", 1, "500")],
)
def test_exit_codes(fault, exit_code, trials):
    """4 where people are protected less than promised, 1 where only estimates would be wrong."""
    mechanism = made("privunit")
    words = shlex.join(command(fault, mechanism))
    design_of = ["--set=dimension=4", "--set=radius=64", "--odds=3"]

    done = run("--cmd", words, "--mechanism", "privunit", *design_of, "--trials", trials)
    assert exit_code == done.exit_code, done.output


def test_the_report_says_what_was_counted():
    """Components of vectors, how much the exact mechanism shows in them, and all counts."""
    claim = ["--mechanism", "privunit", "--set=dimension=2", "--set=radius=8", "--trials", "300"]
    found = json.loads(run("--self", *claim, "--json").stdout)

    assert ("components", 5, 300) == (found["audited"], found["answers"], found["trials"])
    assert {len(found["events"])} == {len(row) for row in found["counts"]}
    assert found["epsilon"]["exact"] < float(found["claim"]["epsilon"])
    assert "on the side of the answer" in found["epsilon"]["upper_of"]


def test_people_read_what_the_exact_mechanism_shows():
    """Where that is less than the claim, the upper bound is set beside it."""
    claim = ["--mechanism", "privunit", "--set=dimension=2", "--set=radius=8", "--trials", "300"]
    done = run("--self", *claim)

    assert "300 trials of each of 5 answers, by the components" in done.stdout
    assert "that the exact mechanism shows: digits of at least" in done.stdout


def test_counts_of_large_audits_are_not_printed():
    """More than 65,536 numbers are no help: the rest of the report stands."""
    claim = ["--mechanism", "piecewise", "--options", "1024", "--trials", "1", "--json"]
    found = json.loads(run("--self", *claim).stdout)

    assert (None, None, True) == (found["counts"], found["events"], found["accepted"])


def test_a_norm_without_a_dimension_is_refused():
    """Both are needed to know the answers."""
    done = run("--self", "--mechanism", "privunit", "--set=radius=8")

    assert done.exit_code == 2
    assert "integers radius and dimension" in done.output


@each("words", [str(100), "-1", "yes", "", "01", "0 1"])
def test_lines_that_are_no_report_are_refused(words):
    """A report is exactly the digits of a number below the mechanism's."""
    script = f"import sys; [print({words!a}) for _ in sys.stdin]"
    view = view_of(made("k-ary"))

    with pytest.raises(MalformedError, match="a number from 0 to 99"):
        count_events([sys.executable, "-c", script], view, 10, PATIENCE)


def test_errors_of_a_program_end_the_audit():
    """As in any audit: nothing is known about its coins."""
    view = view_of(made("k-ary"))
    with pytest.raises(AuditError, match="exit code 3"):
        count_events([sys.executable, "-c", "raise SystemExit(3)"], view, 10, PATIENCE)


def exactly(view: View, trials: int) -> Counted:
    """Return counts in the proportions of the exact probabilities."""
    counted = Counted(view)
    counted.trials += trials * np.array(view.repeats or [1] * len(view.answers))
    # What is not looked at from some answers is there as likely as from the others.
    chances = np.where(np.isnan(view.chances), np.nanmean(view.chances, axis=0), view.chances)
    counted.counts += np.rint(counted.trials[:, np.newaxis] * chances).astype(int)
    return counted


@each("kind", DESIGNS)
def test_exact_counts_are_accepted(kind):
    """Counts in the channel's own proportions are as right as can be, and bound epsilon."""
    view = view_of(made(kind))
    verdict = judge_events(exactly(view, 10**6))

    assert verdict.accepted
    assert verdict.lower <= verdict.claim
    assert verdict.shown <= verdict.upper
    assert verdict.worst.p_value > 0.3


@pytest.mark.parametrize("claimed", [2, 4])
def test_other_odds_are_told_from_the_claimed_ones(claimed):
    """Counts at odds 3 violate a claim of 2, and are over-noised for one of 4."""
    counted = exactly(view_table(KaryRandomizedResponse(70, 3)), 10**6)
    counted.view = view_table(KaryRandomizedResponse(70, claimed))

    verdict = judge_events(counted)
    assert (claimed == 2, claimed == 4) == (verdict.violates, verdict.over_noised)


def test_a_delta_is_spared():
    """Odds may be exceeded for a chance of delta: an exact mechanism with one does not violate."""
    view = view_of(design("discrete-gaussian", 33, THREE, delta=Fraction(1, 10)))
    verdict = judge_events(exactly(view, 10**7))

    assert verdict.accepted
    assert verdict.shown > verdict.claim


def test_numbers_that_are_no_report_are_counted_as_such():
    """One mask of a vector that is none is too many, and is not looked at any further."""
    view = view_of(PrivUnit(1, 4, cap=9000))
    counted = Counted(view)
    counted.add(np.zeros(3, dtype=np.uint16), [0, 255, 256])
    for row in (1, 2):
        counted.add(np.full(3, row, dtype=np.uint16), [0, 128, 255])
    counted.trials[:] = 3

    verdict = judge_events(counted)
    assert (1, "numbers that are no report") == (counted.impossible, verdict.worst.what)
    assert verdict.deviates


def test_sums_of_unequal_chances_are_refused_no_more_often_than_stated():
    """Hoeffding 1956: their tails are lighter than those of the binomial with the same mean."""
    chances, each = np.array([0.1, 0.3, 0.8]), 40
    exact = np.ones(1)
    for chance in chances.tolist():
        exact = np.convolve(exact, stats.binom.pmf(np.arange(each + 1), each, chance))
    mean, n = chances.mean(), 3 * each
    for threshold in (0.1, 1e-3, 1e-6):
        counts = np.arange(n + 1)
        tail = np.where(
            counts > n * mean, stats.binom.sf(counts - 1, n, mean), stats.binom.cdf(counts, n, mean)
        )
        refused = (2 * tail < threshold) & (np.abs(counts - n * mean) > 1)

        assert exact[refused].sum() <= threshold


def test_what_is_gone_into_are_the_smallest_p_values():
    """The bound by which cells are put in order is Chernoff's: no p-value is above it."""
    counts, trials = np.array([[3, 40, 77, 100]]), np.array([[100]])
    exponents = _exponents(counts, trials, np.full((1, 4), 0.5), 0.0)
    for count, exponent in zip(counts[0].tolist(), exponents[0].tolist(), strict=True):
        tail = min(stats.binom.cdf(count, 100, 0.5), stats.binom.sf(count - 1, 100, 0.5))

        assert tail <= np.exp(-exponent) * (1 + 1e-9)


def test_an_uncertain_probability_refuses_less():
    """A count within the stated error of a probability is no deviation."""
    mechanism = KaryRandomizedResponse(2, 3)
    chances = np.array([[0.75], [0.25]])
    own, other = (Pool.of("report 0", [row], 0) for row in (0, 1))

    def verdict(error: float):
        view = View(
            mechanism, "reports", (0, 1), ("report 0",), chances,
            count=lambda rows, reports: by_flags(rows, np.array(reports)[:, np.newaxis] == 0, 2),
            pools=(own, other), contrasts=(Contrast(own, other),), error=error,
        )  # fmt: skip
        counted = Counted(view)
        counted.trials += 10**6
        counted.counts += np.array([[751_000], [250_000]]) + 2000
        return judge_events(counted)

    assert (True, False) == (verdict(0.0).deviates, verdict(0.02).deviates)
