"""A finding again, outside of Tossup's pages: a methods paragraph, and lines that give the number.

The lines hold counts of randomized reports and the exact design, as the downloads do.
"""

from collections.abc import Sequence
from typing import Final

from tossup.server.estimation import AnswerShare, ShareEstimate
from tossup.server.kinds.told.base import Reports
from tossup.server.kinds.told.finding import Reproduced

#: More counters than this are too many for a line; the JSON download has them.
MOST_COUNTERS: Final = 256


def of_share(reports: Reports, share: AnswerShare, place: int, call: str, among: int) -> Reproduced:
    """Return how to get the share of an answer again.

    Parameters
    ----------
    reports
        The reports it is estimated from.
    share
        The estimate.
    place
        Of the answer among those that the call returns.
    call
        What estimates all shares, of ``counts`` and ``mechanism``; its first name is imported.
    among
        Of how many estimates it is the largest.
    """
    if reports.looks == "one":
        interval = f"share.shared_interval({reports.confidence!r}, among={among})"
        more = ""
    else:
        interval = f"anytime_interval(share, 1 - (1 - {reports.confidence!r}) / {among})"
        more = ", anytime_interval"
    name = call.partition("(")[0]
    lines = [
        f"share = {call}[{place}]",
        f"interval = {interval}",
        "print(share.value, interval.low, interval.high)",
    ]
    return Reproduced(
        share.methods(),
        in_python(reports, [f"from tossup.server.estimation import {name}{more}"], lines),
        _in_r(reports, share, among),
    )


def in_python(reports: Reports, imports: Sequence[str], lines: Sequence[str]) -> str:
    """Return Python that estimates from reports; the lines may name counts and mechanism."""
    mechanism = reports.question.mechanism
    if len(reports.counts) > MOST_COUNTERS:
        return ""
    return "\n".join(
        [
            *imports,
            "from tossup.shared.mechanisms import from_spec",
            "",
            f"counts = {[*map(int, reports.counts)]}",
            f"mechanism = from_spec({mechanism.spec()!r}, answers={mechanism.answers})",
            *lines,
        ]
    )


def _in_r(reports: Reports, share: AnswerShare, among: int) -> str:
    """Return R for a share that is a fraction of reports with the coins taken out."""
    if not isinstance(share, ShareEstimate) or reports.looks != "one":
        return ""
    q, p = share.rates
    if p <= q:
        return ""
    level = f"1 - (1 - {reports.confidence!r}) / {among}"
    lines = [
        f"named <- {share.named}; n <- {share.n}  # reports that name the answer, and all",
        f"q <- {q}; p <- {p}  # chance to name it, without it and with it",
        "(named / n - q) / (p - q)",
        f"(prop.test(named, n, conf.level = {level}, correct = FALSE)$conf.int - q) / (p - q)",
    ]
    if reports.question.is_yes_no:
        lines += [
            "# The same estimate by the package RRreg; its standard error is Wald's.",
            'RRreg::RRuni(rep(0:1, c(n - named, named)), model = "FR", p = c(1 - p, q))',
        ]
    if reports.question.is_yes_no and p + q == 1:
        lines += [
            "# And by the package rr, as a regression without predictors (log-odds).",
            "answers <- data.frame(y = rep(0:1, c(n - named, named)))",
            'rr::rrreg(y ~ 1, data = answers, p = p, design = "warner")',
        ]
    return "\n".join(lines)
