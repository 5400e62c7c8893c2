"""Analysis: a regression against statsmodels' on the same rows, a large joint table, the import."""

import subprocess
import sys
import time
from statistics import median

import numpy as np
import statsmodels.api as sm
from bench_figures import Figure, interleave, ratio_of

from tossup.server.estimation import estimate_joint, regress, tabulate, two_coins
from tossup.shared.mechanisms import TwoCoin

ROWS, COLUMNS = 100_000, 8
RESPONDENTS = 1_000_000
HEAVY = ("pandas", "scipy", "statsmodels")


def analysing() -> list[Figure]:
    """Measure all three."""
    return [regression(), joint_table(), bare_import()]


def regression() -> Figure:
    """Compare a regression from randomized reports with statsmodels' Logit on the answers."""
    columns, answers, reports = people()
    matrix = sm.add_constant(np.column_stack(list(columns.values())))
    ours, theirs = interleave(
        lambda: seconds(lambda: regress(reports, columns, TwoCoin()).standard_errors()),
        lambda: seconds(lambda: sm.Logit(answers, matrix).fit(disp=0).bse),
        rounds=11,
    )
    note = f"{median(ours):.3f} s and {median(theirs):.3f} s, coefficients and errors"
    name = f"regression of {ROWS:,} x {COLUMNS} / statsmodels Logit"
    return ratio_of(name, (ours, theirs), better="lower", gate=3, goal=1.5, note=note)


def joint_table() -> Figure:
    """Compare the CPU of a joint table of three questions, from rows to cells, with a second."""
    rng = np.random.default_rng(7)
    reports = [rng.integers(0, 2, RESPONDENTS) for _ in range(3)]

    def table() -> float:
        start = time.process_time()
        joint = estimate_joint(tabulate(reports, [2, 2, 2]), [two_coins()] * 3)
        _ = joint.cells, joint.standard_errors(), joint.shown
        return time.process_time() - start

    ours = [table() for _ in range(11)]
    note = f"{median(ours):.3f} s of CPU, counting, cells, errors and likeliest shares"
    name = f"joint table of 3 x {RESPONDENTS:,} / 1 s of CPU"
    return ratio_of(name, (ours, [1.0] * len(ours)), better="lower", gate=1, goal=0.5, note=note)


def bare_import() -> Figure:
    """Count the heavy packages that importing the estimators loads: none."""
    code = f"import sys, tossup.server.estimation; print(sum(m in sys.modules for m in {HEAVY}))"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    loaded = float(done.stdout)
    name = f"of {', '.join(HEAVY)} loaded by the estimators"
    return Figure(name, loaded, loaded, loaded, "lower", 0, 0)


def people() -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
    """Return covariates, answers that follow a logit of them, and their two-coin reports."""
    rng = np.random.default_rng(1)
    columns = {f"x{i}": rng.normal(size=ROWS) for i in range(COLUMNS)}
    eta = -1 + sum(value * (-1) ** i / 4 for i, value in enumerate(columns.values()))
    answers = (rng.random(ROWS) < 1 / (1 + np.exp(-eta))).astype(int)
    reports = (rng.random(ROWS) < 0.25 + answers / 2).astype(int)
    return columns, answers, reports


def seconds(work: object) -> float:
    """Return how long some work takes."""
    start = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - start
