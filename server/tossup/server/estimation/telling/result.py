"""What every result can do: say itself in a line, a table, a sentence, a paragraph, a picture.

Results are frozen values. `summary` prints what a paper needs: the table, a line in the manner of
the American Psychological Association, and a paragraph for the methods section.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final, Protocol, overload

from tossup.server.estimation.intervals.interval import Interval, normal_interval
from tossup.server.estimation.telling.line import Line
from tossup.server.estimation.telling.wording import (
    figure,
    p_value,
    paragraph,
    percentage,
    probability,
    span,
    table,
)
from tossup.server.version import product_version

if TYPE_CHECKING:
    from pandas import DataFrame  # type: ignore[import-not-found, import-untyped, unused-ignore]

#: Reports less likely than this under the design are warned of.
IMPOSSIBLE: Final = 0.01


class Result(ABC):
    """A result: one number or several, each with how sure it is.

    Printing it gives one line a number; a notebook shows `_repr_html_`, with a strip for each
    share.
    """

    __slots__ = ()

    @abstractmethod
    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the numbers, each with its interval at this confidence."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What was estimated."""

    @property
    def facts(self) -> dict[str, str]:
        """What else a reader must know, by label: the design, what warns."""
        return self._warned

    @property
    def _warned(self) -> dict[str, str]:
        """The warning under its label, if there is one."""
        return {"Warning": self.warning} if self.warning else {}

    @property
    def design_p_value(self) -> float:
        """How likely reports so extreme are if every device followed the design; 1 if unknown."""
        return 1.0

    @property
    def warning(self) -> str | None:
        """Why to mistrust it, if there is a reason: hardly any reports are so extreme by chance."""
        if self.design_p_value >= IMPOSSIBLE:
            return None
        chance = max(self.design_p_value, 1e-300)
        return (
            f"honest devices send such reports with probability {chance:.1g} at most; suspect"
            " a faulty coin, forged reports, reports held back, or, where people toss the coins"
            " themselves, people who will not say a forced yes"
        )

    @property
    @abstractmethod
    def procedure(self) -> str:
        """How it was estimated, as sentences of a methods section."""

    @property
    def sample_size(self) -> int | None:
        """How many respondents all of it rests on."""
        return getattr(self, "n", None)

    @property
    def is_one_number(self) -> bool:
        """Whether a line that is alone is told by the result's own name."""
        return True

    def apa(self, confidence: float = 0.95) -> str:
        """Return the result as a paper's text prints it."""
        return self._apa(self.lines(confidence))

    def methods(self) -> str:
        """Return a paragraph for a methods section."""
        return self._methods(self.procedure)

    def _methods(self, procedure: str) -> str:
        version = product_version()
        by = f"Tossup {version}" if version else "Tossup"
        return (
            f"{procedure} Estimates are raw: they are not cut to the possible range, which"
            f" would bias them. Computed with {by}."
        )

    def summary(self, confidence: float = 0.95) -> str:
        """Return a table, what else one must know, an APA line and a methods paragraph."""
        return self._summary(self.lines(confidence))

    def svg(self, confidence: float = 0.95) -> str:
        """Return the strips of all shares as one picture, as the dashboard draws them."""
        from tossup.server.estimation.telling.picture import svg

        return svg(self.lines(confidence))

    def to_frame(self, confidence: float = 0.95) -> "DataFrame":
        """Return one row a number as a pandas DataFrame.

        Raises
        ------
        PandasMissingError
            If pandas is not installed.
        """
        from tossup.server.estimation.telling.frames import frame_of

        return frame_of(self.lines(confidence), self.sample_size)

    def _repr_html_(self) -> str:
        from tossup.server.estimation.telling.picture import html

        return html(self.title, evened(self.lines()), self.facts, self.sample_size)

    def __str__(self) -> str:
        told = [_one_line(line, self.sample_size) for line in evened(self.lines())]
        return "\n".join([*told, *([f"Warning: {self.warning}"] if self.warning else [])])

    def _summary(self, lines: tuple[Line, ...], procedure: str | None = None) -> str:
        lines = evened(lines)
        size = self.sample_size
        head = self.title if size is None else f"{self.title}, n = {size:,}"
        notes = [paragraph(label, text) for label, text in self.facts.items()]
        apa, methods = (
            paragraph("APA", self._apa(lines)),
            paragraph("Methods", self._methods(procedure or self.procedure)),
        )
        return "\n".join([head, *_tabulated(lines), "", *notes, apa, methods])

    def _apa(self, lines: tuple[Line, ...]) -> str:
        told = "; ".join(line.apa() for line in lines)
        size = self.sample_size
        return f"{told}." if size is None else f"{told}, n = {size:,}."


class _Measured(Protocol):
    @property
    def value(self) -> float: ...

    @property
    def standard_error(self) -> float: ...


class _Bounded(_Measured, Protocol):
    called: ClassVar[str]

    def interval(self, confidence: float = 0.95) -> Interval: ...

    def line(self, name: str, interval: Interval) -> Line: ...


class Estimate(Result):
    """A result of one number, ``value``, with ``stderr``, ``interval()`` and ``method``.

    Attributes
    ----------
    called
        What its line is called.
    """

    __slots__ = ()

    called: ClassVar[str] = "share"

    @property
    def stderr(self: _Measured) -> float:
        """The standard error, under the name that scipy and statsmodels give it."""
        return self.standard_error

    def covariance_with(self, other: object) -> float | None:
        """Return the covariance with another estimate from the same reports.

        None where the two are not known to rest on the same reports: they count as independent.
        """
        del other
        return None

    @property
    def method(self) -> str:
        """The method of the interval, where none is named."""
        (line,) = self.lines()
        return line.interval.method if line.interval else ""

    def line(self: _Measured, name: str, interval: Interval) -> Line:
        """Return the share as a line of a table."""
        return Line(name, self.value, self.standard_error, interval, is_share=True)


class NormalEstimate(Estimate):
    """A share whose one kind of interval is a normal one."""

    __slots__ = ()

    def interval(self: _Measured, confidence: float = 0.95) -> Interval:
        """Return the normal-approximation interval; confidence in (0, 1)."""
        return normal_interval(self.value, self.standard_error, confidence)

    def lines(self: _Bounded, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the share."""
        return (self.line(self.called, self.interval(confidence)),)


@dataclass(frozen=True)
class Results(Sequence[Result], Result):
    """Several results under their names, such as the rows of a table of studies.

    >>> from tossup.server.estimation.papers.asking import estimate
    >>> from tossup.server.estimation.designs.design import two_coins
    >>> both = Results(
    ...     ("north", "south"),
    ...     tuple(estimate(yes=yes, n=300, design=two_coins()) for yes in (140, 110)),
    ... )
    >>> print(both)
    north: 0.4333 (0.3220 to 0.5464, 95 % score interval, n = 300)
    south: 0.2333 (0.1283 to 0.3451, 95 % score interval, n = 300)
    """

    names: tuple[str, ...]
    results: tuple[Result, ...]

    @overload
    def __getitem__(self, place: int) -> Result: ...

    @overload
    def __getitem__(self, place: slice) -> "Results": ...

    def __getitem__(self, place: int | slice) -> "Result | Results":
        """Return one result, or several as `Results`."""
        if isinstance(place, slice):
            return Results(self.names[place], self.results[place])
        return self.results[place]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.results)

    @property
    def title(self) -> str:
        """How many."""
        return f"{len(self)} results"

    @property
    def facts(self) -> dict[str, str]:
        """Those that results share as they are, the others by name."""
        labels = dict.fromkeys(label for result in self.results for label in result.facts)
        return {label: self._fact(label) for label in labels}

    def _fact(self, label: str) -> str:
        told = [result.facts.get(label, "") for result in self.results]
        if len(set(told)) == 1:
            return told[0]
        pairs = zip(self.names, told, strict=True)
        return "; ".join(f"{name}: {text}" for name, text in pairs if text)

    @property
    def warning(self) -> str | None:
        """Those of the results, each by its name."""
        pairs = zip(self.names, self.results, strict=True)
        return "; ".join(f"{name}: {one.warning}" for name, one in pairs if one.warning) or None

    @property
    def procedure(self) -> str:
        """Each different procedure once."""
        return " ".join(dict.fromkeys(result.procedure for result in self.results))

    def lines(self, confidence: float = 0.95) -> tuple[Line, ...]:
        """Return the numbers of all results, each under its result's name."""
        found = []
        for name, result in zip(self.names, self.results, strict=True):
            lines = result.lines(confidence)
            for line in lines:
                alone = len(lines) == 1 and result.is_one_number
                named = name if alone else f"{name}, {line.name}"
                found.append(replace(line, name=named, n=line.n or result.sample_size))
        return tuple(found)


def evened(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Return lines with equally many decimals, unless their errors are of different sizes."""
    places = [line.places for line in lines]
    if not lines or max(places) - min(places) > 1:
        return lines
    return tuple(replace(line, decimals=max(places)) for line in lines)


def told(name: str, value: float, error: float | None, interval: Interval, n: int | None) -> str:
    """Return a number with its interval, as ``str`` says it of any result."""
    return _one_line(Line(name, value, error, interval, n), n)


def _one_line(line: Line, n: int | None) -> str:
    """Return a number with its interval: what ``str`` says of it."""
    value = figure(line.value, line.places)
    size = line.n or n
    told = [] if line.interval is None else [_in_words(line.interval, line.places)]
    if line.interval is None and line.stderr is not None:
        told.append(f"standard error {figure(line.stderr, line.places)}")
    if line.p_value is not None:
        told.append(probability(line.p_value))
    if size is not None:
        told.append(f"n = {size}")
    name = f"{line.name}: " if line.name else ""
    return f"{name}{value} ({', '.join(told)})" if told else f"{name}{value}"


def _in_words(interval: Interval, places: int) -> str:
    kind = interval.method
    shared = f", one of {interval.intervals} together" if interval.intervals > 1 else ""
    return f"{span(interval, places)}, {percentage(interval.confidence)} {kind} interval{shared}"


def _tabulated(lines: tuple[Line, ...]) -> list[str]:
    """Return the lines as a table, of the columns that any of them fills."""
    shown = next((line.interval for line in lines if line.interval), None)
    interval = f"{percentage(shown.confidence)} interval" if shown else ""
    columns = {
        "": [line.name for line in lines],
        "value": [figure(line.value, line.places) for line in lines],
        "std. error": [_or_not(line.stderr, line.places) for line in lines],
        interval: [span(line.interval, line.places) if line.interval else "" for line in lines],
        "p": ["" if line.p_value is None else p_value(line.p_value) for line in lines],
        "n": [f"{line.n:,}" if line.n else "" for line in lines],
    }
    kept = {head: cells for head, cells in columns.items() if head == "" or any(cells)}
    return table([list(kept), *zip(*kept.values(), strict=True)])


def _or_not(value: float | None, places: int) -> str:
    return "" if value is None else figure(value, places)
