"""A joint table as a page shows it: a row an answer to the first question."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from tossup.server.estimation import Association, Interval
from tossup.server.estimation.telling.strips import Scale, Strip, scale_for, strip
from tossup.server.results import JointResult
from tossup.server.results.joint.tables import Cell
from tossup.server.results.joint.verdict import verdict
from tossup.server.web.pages.figures import coin_grid
from tossup.server.web.pages.words.language import gettext, localized
from tossup.server.web.pages.words.numbers import number, p_value, plain
from tossup.shared.survey import Question, Text

#: Above the columns of more answers than this stand their numbers.
MOST_NAMED: Final = 5


@dataclass(frozen=True, slots=True)
class Among:
    """The share of an answer to the second question among those with one to the first."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Figure:
    """One pair of answers: the share of both, and the share of the second among the first.

    ``among`` is None where the condition's share cannot be told from 0.
    """

    label: Text | str
    cell: Cell
    among: Among | None


@dataclass(frozen=True, slots=True)
class Block:
    """An answer to the first question, its share, and the figures of all answers to the second."""

    label: Text | str
    share: Among
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class JointView:
    """What a page of two questions shows."""

    result: JointResult
    blocks: tuple[Block, ...]
    test: str | None
    measures: tuple[tuple[str, Association], ...]
    scale: Scale

    def strip(self, among: Among) -> Strip:
        """Return a share among those with an answer as a drawing."""
        return strip(among, self.scale)

    @property
    def heads(self) -> tuple[str, ...]:
        """What stands above the columns of the grid: short answers themselves, or their numbers."""
        labels = [plain_label(figure.label) for figure in self.blocks[0].figures]
        if all(map(coin_grid.is_narrow, labels)) and len(labels) <= MOST_NAMED:
            return tuple(labels)
        return tuple(str(at) for at in range(1, len(labels) + 1))

    @property
    def grid(self) -> Markup:
        """The shares among those with each answer, as a grid of coins."""
        title = gettext(
            "Among those with an answer to “%(first)s”, the answers to “%(second)s”",
            first=localized(self.result.questions[0].text)[0],
            second=localized(self.result.questions[1].text)[0],
        )
        rows = [
            (plain_label(block.label), [_coin(figure.among) for figure in block.figures])
            for block in self.blocks
        ]
        return coin_grid.drawn(title, rows, self.heads)


def joint_view(found: JointResult) -> JointView:
    """Return the view of a joint table."""
    named = {gettext("Correlation (phi)"): found.phi, gettext("Odds ratio"): found.odds_ratio}
    blocks = () if found.suppressed else tuple(_blocks(found))
    return JointView(
        result=found,
        blocks=blocks,
        test=_test_in_words(found),
        measures=tuple((name, measure) for name, measure in named.items() if measure),
        scale=scale_for(f.among for block in blocks for f in block.figures if f.among),
    )


def in_words(found: JointResult) -> str:
    """Return whether the answers go together, and which stand out, as one sentence."""
    said = verdict(found)
    if said.go_together is None:
        return gettext("Too few reports to tell whether the answers go together.")
    if not said.go_together:
        return gettext("The answers are not seen to go together.")
    if said.named is None:
        return gettext("The answers go together, but no pair of answers stands out.")
    first, second = found.questions
    words = {
        "answer": plain_label(_labels(second)[said.named.answer]),
        "given": plain_label(_labels(first)[said.named.given]),
    }
    if said.named.value > 0:
        return gettext("“%(answer)s” is more common among those who answer “%(given)s”.", **words)
    return gettext("“%(answer)s” is less common among those who answer “%(given)s”.", **words)


def is_named(view: JointView) -> bool:
    """Return whether the columns of the grid are named by their answers, and not numbered."""
    return not view.heads[0].isdigit()


def how_to_read() -> str:
    """Return what a coin of the grid means."""
    return gettext(
        "Each row is everyone with one answer, each coin those of them who give another. It is full"
        " as far as we are sure, faint as far as may be, and the line is the best guess."
    )


def few(found: JointResult) -> str | None:
    """Return why to mistrust the table, if its respondents are few."""
    if found.table.warning is None:
        return None
    return gettext(
        "%(n)s respondents are few for a joint table: the noise of two answers multiplies."
        " Below about 1,000 most cells tell little.",
        n=number(found.n),
    )


def _blocks(found: JointResult) -> Iterator[Block]:
    first, second = found.questions
    cells = iter(found.cells)
    bases = found.table.margin(0).intervals(found.confidence)
    for given, (label, base) in enumerate(zip(_labels(first), bases, strict=True)):
        figures = []
        for answer, other in enumerate(_labels(second)):
            share = found.conditional(answer, given)
            ends = share.interval(found.confidence)
            told = ends.low > -1 and ends.high < 2  # no share is that uncertain
            figures.append(Figure(other, next(cells), Among(share.value, ends) if told else None))
        yield Block(label, Among(share.base, base), tuple(figures))


def _coin(among: Among | None) -> coin_grid.Coin:
    return (among.value, among.interval) if among else None


def plain_label(label: Text | str) -> str:
    """Return the label of an answer as text."""
    return label if isinstance(label, str) else localized(label)[0]


def _labels(question: Question) -> list[Text | str]:
    return [option.label for option in question.options] or [gettext("No"), gettext("Yes")]


def _test_in_words(found: JointResult) -> str | None:
    test = found.independence
    if test is None:
        return None
    return gettext(
        "If the answers had nothing to do with each other, reports that go together so much would"
        " come up with probability %(p)s (chi-squared test on the reports, %(df)s degrees of"
        " freedom).",
        p=p_value(test.p_value),
        df=plain(test.df or 0),
    )
