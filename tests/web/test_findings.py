"""What a page says first is true: pictures, figures and verdicts are held to their intervals."""

import re
from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import erfc
from scipy.stats import chi2
from sweeps import each

from tossup.server.estimation import Interval, compare_pairs, estimate_yes, same_shares
from tossup.server.kernels import kernel_of
from tossup.server.kernels.tossing.source import seeded
from tossup.server.kinds.told.finding import Finding
from tossup.server.results import Slice
from tossup.server.results.comparisons import told_apart
from tossup.server.web.pages.figures import coins
from tossup.server.web.pages.words import verdicts
from tossup.shared.kinds.number import Grid
from tossup.shared.mechanisms import KaryRandomizedResponse, TruncatedGeometric, TwoCoin
from tossup.shared.survey import Option, Question

TEN = Grid.integers(0, 10)
NUMBER = Question("n", "n", {"en": "N?"}, (), TruncatedGeometric.for_odds(11, Fraction(9)), TEN)
QUESTION = Question("q", "q", {"en": "Q?"}, (), TwoCoin())
SPOKEN = dict(
    zip(
        ["one", "two", "three", "four", "five", "six", "eight", "nine", "ten"],
        (*range(1, 7), 8, 9, 10),
        strict=True,
    )
)


def findings() -> list[Finding]:
    """Return findings from 30 to 100,000 reports, from fewer yes than chance to more."""
    found = []
    for n in (30, 100, 400, 2000, 100_000):
        for part in range(41):
            yes = round(n * part / 40)
            finding = Slice(QUESTION, (n - yes, yes), 1, 0.95).told.finding
            assert finding is not None
            found.append(finding)
    return found


def test_all_ink_together_is_the_estimate():
    """To a third of a coin in the drawing, wherever the interval lies within 0 and 1."""
    swept = [f for f in findings() if f.interval.low > 0 and f.interval.high < 1]
    assert len(swept) > 50
    for finding in swept:
        svg = str(coins.drawn(finding))
        full = re.search(r'c-full" d="([^"]*)"', svg)
        ink = full[1].count("h") if full else 0
        ink += sum(float(r) ** 2 / 36 for r in re.findall(r' r="([\d.]+)"', svg))
        assert ink == pytest.approx(100 * finding.value, abs=0.34), finding


def test_verdicts_and_figures_say_no_more_than_their_interval():
    """What is said to be probable holds for every share in the interval; "about" lies inside."""
    for finding in findings():
        low, high = 100 * finding.possible.low, 100 * finding.possible.high
        said = verdicts.share_in_words(finding)
        ends = [float(end.replace(",", "")) for end in verdicts.span(finding).split("–")]
        assert ends[0] <= low + 1e-6, (said, finding)
        assert ends[1] >= high - 1e-6, (said, finding)
        if under := re.search(r"under ([\d.]+) in 100", said):
            assert low <= 0, (said, finding)
            assert high <= float(under[1]) + 1e-6, (said, finding)
        elif over := re.search(r"over ([\d.]+) in 100", said):
            assert high >= 100, (said, finding)
            assert low >= float(over[1]) - 1e-6, (said, finding)
        elif about := re.fullmatch(r"About ([\w.]+) in (\w+)\.", said):
            some, of = (SPOKEN.get(word) or float(word) for word in about.groups())
            assert low <= 100 * some / of <= high, (said, finding)
        else:
            assert (low, high) == (0, 100), (said, finding)


def means() -> list[Finding]:
    """Return findings of a number from 0 to 10, from few reports to many, at both ends too."""
    kernel, found = kernel_of(NUMBER.mechanism), []
    for n in (60, 300, 2000, 100_000):
        for place in (0, 1, 5, 9, 10):
            answers = [n * (each == place) for each in range(11)]
            with seeded(13):
                counts = tuple(kernel.simulate(answers).tolist())
            finding = Slice(NUMBER, counts, 1, 0.95).told.finding
            assert finding is not None
            found.append(finding)
    for place, half in product(range(-4, 85), (0.01, 0.2, 0.7, 1.9, 4.0, 8.0)):
        value = place / 8
        raw = Interval(value - half, value + half, 0.95, "normal")
        possible = raw.cut(0, 10) or raw
        found.append(Finding("", value, raw, possible, 100, "number", "stack", (0.0, 10.0)))
    return found


def test_averages_are_said_within_what_can_be():
    """Nobody drinks fewer than no drinks: verdict, figure, range and coins end where answers do."""
    ends_said = 0
    for finding in means():
        low, high = finding.possible.low, finding.possible.high
        said, figure = verdicts.mean_in_words(finding), verdicts.figure(finding)
        ends = [float(end.replace("−", "-")) for end in verdicts.span(finding).split(" – ")]
        if finding.interval.cut(0, 10):
            assert 0 <= ends[0] <= low + 1e-9 < high - 1e-9 <= ends[1] <= 10, finding
        if under := re.search(r"probably under ([\d.]+)\.", said):
            assert low == 0 < high <= float(under[1]) + 1e-9, (said, finding)
            assert figure == f"<{under[1]}"
        elif over := re.search(r"probably over ([\d.]+)\.", said):
            assert high == 10 > low >= float(over[1]) - 1e-9, (said, finding)
            assert figure == f">{over[1]}"
        ends_said += "probably" in said
        if 0 <= low < high <= 2.5:
            assert coins.ends(finding) == (0, 2.5)  # a quarter of the range holds all of it
        drawn = re.findall(r"M([\d.-]+) ([\d.]+)h", str(coins.drawn(finding)))
        assert len(set(drawn)) == 20, finding
        assert all(7.5 <= float(across) <= 392.5 for across, _ in drawn), finding
    assert ends_said > 50


@each("offset", [0, 1940, 10**6])
def test_an_average_is_said_with_the_digits_that_its_interval_tells(offset):
    """A year of birth is known to a tenth of a year: what is said holds all of the interval."""
    bounds = (float(offset), float(offset + 70))
    for place, half in product(range(20, 40), (0.003, 0.04, 0.3, 1.1, 4.0)):
        value = offset + place + 0.3125
        raw = Interval(value - half, value + 0.9 * half, 0.95, "normal")
        finding = Finding("", value, raw, raw, 100, "number", "stack", bounds)
        said = verdicts.mean_in_words(finding).replace(",", "")
        best, reach = map(float, re.findall(r"[0-9]+(?:\.[0-9]+)?", said))
        ends = [float(end.replace(",", "")) for end in verdicts.span(finding).split(" – ")]

        assert best - reach <= raw.low + 1e-9 < raw.high - 1e-9 <= best + reach, said
        assert ends[0] <= raw.low + 1e-9 < raw.high - 1e-9 <= ends[1], ends
        assert raw.low < float(verdicts.figure(finding).replace(",", "")) < raw.high


def test_how_sure_a_share_is_never_said_to_be_nothing():
    """Of 100 million reports: to 0.02 points either way, and no 0.0."""
    for half in (0.2, 0.03, 0.009, 0.0006, 0.0002, 0.00001):
        interval = Interval(0.3 - half, 0.3 + half, 0.95, "score")
        said = verdicts.what_more_buys(Finding("", 0.3, interval, interval, 100), 100)

        assert all(float(each) > 0 for each in re.findall(r"([0-9.]+) points?", said)), said


def test_the_range_of_the_largest_of_several_misses_no_more_often_than_it_says():
    """Of twelve shares that are alike the largest estimate is too large; its range allows for it.

    20,000 surveys; a range that kept 95 % exactly would fail this once in a million. A share's
    intervals follow from how many reports name it.
    """
    k, n, most = 12, 600, 1147
    mechanism = KaryRandomizedResponse(k)
    options = tuple(Option(f"o{place}", {"en": str(place)}) for place in range(k))
    question = Question("q", "q", {"en": "Q?"}, options, mechanism)
    drawn = np.random.default_rng(13).multinomial(n, [1 / k] * k, 20_000)
    found = {max(counts): counts for counts in drawn}
    misses, alone = {}, {}
    for largest, counts in found.items():
        told = Slice(question, tuple(map(int, counts)), 1, 0.95).told
        assert told.finding.among == k
        ranges = (told.finding.interval, told.finding.possible)
        misses[largest] = any(not part.low <= 1 / k <= part.high for part in ranges)
        single = told.leading.top.interval
        alone[largest] = not single.low <= 1 / k <= single.high
    misses, alone = (sum(each[max(counts)] for counts in drawn) for each in (misses, alone))

    assert misses <= most < alone


def test_more_people_narrow_the_interval_as_the_root_of_their_number():
    """2,000 reports are sure to 4 points, which takes 7/9 as many again for 3."""
    finding = Slice(QUESTION, (1334, 666), 1, 0.95).told.finding

    said = verdicts.what_more_buys(finding, 2000)

    half = 50 * (finding.interval.high - finding.interval.low)
    more = int(re.search(r"about ([\d,]+) more", said)[1].replace(",", ""))
    assert more == pytest.approx(2000 * ((half / 3) ** 2 - 1), rel=0.05)


@pytest.mark.prove
def test_groups_and_weeks_without_differences_are_rarely_said_to_differ():
    """Anywhere on a page of five questions, four groups and five weeks: on 5 % of 20,000 at most.

    A page that kept the level exactly would fail this less often than once in a million.
    """
    pages, n, pairs = 20_000, 300, list(combinations(range(4), 2))
    cells = np.random.default_rng(13).binomial(n // 5, 0.4, (pages, 5, 4, 5))
    yes, weekly = cells.sum(axis=3), cells.sum(axis=2)
    share = weekly.mean(axis=2, keepdims=True) / (4 * n // 5)
    spread = (weekly - 4 * n // 5 * share) ** 2 / (4 * n // 5 * share * (1 - share))
    changes = chi2.sf(spread.sum(axis=2), 4)
    first = [
        estimate_yes(yes=int(each), n=4 * n // 5, mechanism=TwoCoin()) for each in weekly[0, 0]
    ]
    assert same_shares(first).p_value == pytest.approx(changes[0, 0], abs=1e-6)
    pooled = np.array([yes[..., a] + yes[..., b] for a, b in pairs]) / (2 * n)
    apart = np.array([yes[..., a] - yes[..., b] for a, b in pairs]) / n
    chances = erfc(np.abs(apart) / np.sqrt(4 * pooled * (1 - pooled) / n))
    groups = {
        str(g): estimate_yes(yes=int(yes[0, 0, g]), n=n, mechanism=TwoCoin()) for g in range(4)
    }
    ours = [pair.p_value for pair in compare_pairs(groups)]
    assert ours == pytest.approx(chances[:, 0, 0], abs=1e-6)

    wrong = sum(
        any(
            found.pairs or found.changed
            for found in told_apart(
                [_family(chances[:, page, q]) for q in range(5)], 0.05, [*changes[page]]
            )
        )
        for page in range(pages)
    )

    assert 0 < wrong <= 1147


def _family(chances: np.ndarray) -> list[SimpleNamespace]:
    return [SimpleNamespace(pairs=[SimpleNamespace(p_value=chance) for chance in chances])]
