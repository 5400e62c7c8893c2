"""Verdicts: an estimate in a few words, its figure with its range, and what more would buy.

Every sentence is true of each share within the interval, or says "about" of one inside it.
"""

from math import ceil, floor, log10
from typing import Final

from tossup.server.decimals import decimals_within
from tossup.server.kinds.told.finding import Finding
from tossup.server.kinds.told.leading import Leading
from tossup.server.web.pages.words.language import gettext, ngettext
from tossup.server.web.pages.words.numbers import measured, number
from tossup.server.web.pages.words.sentences import decimals_for

#: Shares that people say as so many in so many.
_PLAIN: Final = (
    *((1, out_of) for out_of in (20, 12, 10, 8, 6, 5, 4, 3)),
    *((2, 5), (1, 2), (3, 5), (2, 3), (3, 4), (4, 5), (5, 6), (9, 10), (19, 20)),
)
_RARE: Final = 0.25
_MARGINS: Final = (20, 10, 5, 3, 1)
#: More people than this cannot be asked.
_MOST: Final = 1_000_000


def share_in_words(finding: Finding) -> str:
    """Return a share as a verdict: about so many in so many, or an end that it stays beyond.

    The share said lies inside the interval; an end is rounded away from what it excludes.
    """
    low, high = finding.possible.low, finding.possible.high
    if low <= 0 or high >= 1:
        return _end_in_words(finding)
    some, of = min(_PLAIN, key=lambda plain: abs(plain[0] / plain[1] - finding.value))
    near = abs(some / of - finding.value) <= (high - low) / 4
    if low <= some / of <= high and near:
        return gettext("About %(some)s in %(of)s.", some=_spoken(some), of=_spoken(of))
    decimals = decimals_for(high - low)
    return gettext("About %(best)s in 100.", best=number(100 * finding.value, decimals))


def _end_in_words(finding: Finding) -> str:
    low, high = finding.possible.low, finding.possible.high
    ends = {"low": _end(low, finding, up=False), "high": _end(high, finding, up=True)}
    if low <= 0 and high >= 1:
        return gettext("Too few reports: any share is possible.")
    if low <= 0 and high <= _RARE:
        return gettext("Rare, if anyone: probably under %(high)s in 100.", **ends)
    if low <= 0:
        return gettext("Probably under %(high)s in 100.", **ends)
    if low >= 1 - _RARE:
        return gettext("Nearly everyone, if not all: probably over %(low)s in 100.", **ends)
    return gettext("Probably over %(low)s in 100.", **ends)


def no_leader(found: Leading) -> str:
    """Return that several answers may lead, for a largest estimate that surely is not first."""
    count = 1 + len(found.not_told_apart)
    return gettext("Too close to tell: %(count)s answers may lead.", count=_spoken(count))


def mean_in_words(finding: Finding) -> str:
    """Return a mean with how far its interval reaches, the longer side, rounded up.

    Where it reaches an answer that nothing can be beyond, the end on the other side.
    """
    if finding.may_be_least and finding.may_be_most:
        return gettext("Too few reports: any average is possible.")
    if finding.may_be_least or finding.may_be_most:
        low, high = _ends(finding)
        if finding.may_be_least:
            return gettext("On average probably under %(high)s.", high=measured(high, high - low))
        return gettext("On average probably over %(low)s.", low=measured(low, high - low))
    half = max(finding.interval.high - finding.value, finding.value - finding.interval.low)
    best = _to_nearest(finding.value, half)
    half = max(finding.interval.high - best, best - finding.interval.low)
    return gettext(
        "On average %(best)s, give or take %(half)s.",
        best=measured(best, half),
        half=measured(_rounded_up(half)),
    )


def figure(finding: Finding) -> str:
    """Return the large number: per 100, or in the question's own unit; an end where it is open."""
    if finding.unit == "number":
        if finding.may_be_least != finding.may_be_most:
            low, high = _ends(finding)
            end = f"<{measured(high, high - low)}", f">{measured(low, high - low)}"
            return end[0] if finding.may_be_least else end[1]
        half = (finding.interval.high - finding.interval.low) / 2
        return measured(_to_nearest(finding.value, half), half)
    if finding.may_be_nobody and not finding.may_be_everybody:
        return f"<{_end(finding.possible.high, finding, up=True)}"
    if finding.may_be_everybody and not finding.may_be_nobody:
        return f">{_end(finding.possible.low, finding, up=False)}"
    return number(100 * min(max(finding.value, 0.0), 1.0), _decimals(finding))


def unit(finding: Finding, of: str, counts: str | None = None) -> str:
    """Return what a figure is of.

    Parameters
    ----------
    of
        What the finding's answer is called.
    counts
        What a number counts, such as hours; None where nobody says.
    """
    if finding.unit == "number" and counts:
        return gettext("%(unit)s, on average", unit=counts)
    if finding.unit == "number":
        return gettext("on average")
    if finding.unit == "points":
        return gettext("of 100 points: %(answer)s", answer=of)
    if of:
        return gettext("of 100 people: %(answer)s", answer=of)
    return gettext("of 100 people: yes")


def span(finding: Finding) -> str:
    """Return the range of a figure, rounded outward."""
    if finding.unit == "number":
        low, high = _ends(finding)
        return " – ".join(measured(end, high - low) for end in (low, high))
    low, high = finding.possible.low, finding.possible.high
    return f"{_end(low, finding, up=False)}–{_end(high, finding, up=True)}"


def what_more_buys(finding: Finding, people: int | None) -> str:
    """Return how sure an estimate is, and how many more people the next margin takes.

    Parameters
    ----------
    finding
        An estimate with its interval.
    people
        Who were asked so far: of these, ``finding.n`` told of the answer. None where nobody can be
        added, and so nothing be bought.
    """
    half = (finding.interval.high - finding.interval.low) / 2
    if finding.unit == "number":
        target = _below(half)
        words = {"half": measured(_rounded_up(half)), "target": measured(target)}
        said = gettext("Sure to about %(half)s either way.", **words)
    else:
        half *= 100
        target = next((margin for margin in _MARGINS if margin < half), half / 2)
        words = {
            "half": number(half, _places(half)),
            "target": ngettext(
                "%(points)s point",
                "%(points)s points",
                1 if target == 1 else 2,
                points=number(target, _places(target)),
            ),
        }
        said = gettext("Sure to about %(half)s points either way.", **words)
    if people is None:
        return said
    more = people * ((half / target) ** 2 - 1)
    if more > _MOST:
        buys = gettext("For %(target)s it takes more people than can be asked.", **words)
    else:
        buys = gettext("For %(target)s, about %(more)s more people.", more=_about(more), **words)
    return gettext("%(said)s %(buys)s", said=said, buys=buys)


def _places(margin: float) -> int:
    """Return the decimals of a margin in points: none of 2 or more, nor of 1."""
    return 0 if margin >= 2 or margin == 1 else max(1, decimals_within(margin, digits=1))


def _decimals(finding: Finding) -> int:
    return decimals_for(finding.possible.high - finding.possible.low)


def _end(share: float, finding: Finding, *, up: bool) -> str:
    decimals = _decimals(finding)
    return number(100 * _outward(share, 0.01 * 10.0**-decimals, up=up), decimals)


def _ends(finding: Finding) -> tuple[float, float]:
    """Return the range of a number, rounded outward, but not beyond what can be."""
    (low, high), (least, most) = (finding.possible.low, finding.possible.high), finding.bounds
    step = 10.0 ** (_size(high - low) - 1)
    wide = _outward(low, step, up=False), _outward(high, step, up=True)
    return (least if finding.may_be_least else wide[0], most if finding.may_be_most else wide[1])


def _outward(value: float, step: float, *, up: bool) -> float:
    """Return the next multiple of a step; what lies on one but for rounding stays there."""
    steps = value / step
    return step * (ceil(steps - 1e-9) if up else floor(steps + 1e-9))


def _rounded_up(value: float) -> float:
    return _outward(value, 10.0 ** (_size(value) - 1), up=True)


def _to_nearest(value: float, half: float) -> float:
    """Return a value with the digits that half an interval lets tell."""
    return round(value, 1 - _size(half))


def _size(value: float) -> int:
    return floor(log10(value)) if value > 0 else 0


def _below(half: float) -> float:
    """Return the next of 1, 2, 5 and their tenfolds below a margin."""
    size = 10.0 ** _size(half)
    return next(m * size for m in (5, 2, 1, 0.5) if m * size < half)


def _about(more: float) -> str:
    """Return a number with two digits that tell, or three of a thousand and more."""
    size = max(0, _size(more) - 1)
    return number(ceil(more / 10**size) * 10**size)


def _spoken(count: int) -> str:
    names = {
        1: gettext("one"),
        2: gettext("two"),
        3: gettext("three"),
        4: gettext("four"),
        5: gettext("five"),
        6: gettext("six"),
        8: gettext("eight"),
        9: gettext("nine"),
        10: gettext("ten"),
    }
    return names.get(count, number(count))
