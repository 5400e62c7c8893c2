"""A joint table as a page shows it: a row an answer to the first question."""

from collections.abc import Iterator
from dataclasses import dataclass

from tossup.server.estimation import Association, Conditional
from tossup.server.results import JointResult
from tossup.server.results.joint.tables import Cell
from tossup.server.web.pages.words.language import gettext
from tossup.server.web.pages.words.numbers import number, p_value, plain
from tossup.shared.survey import Question, Text


@dataclass(frozen=True, slots=True)
class Figure:
    """One pair of answers: the share of both, and the share of the second among the first.

    ``among`` is None where the condition's share cannot be told from 0.
    """

    label: Text | str
    cell: Cell
    among: Conditional | None


@dataclass(frozen=True, slots=True)
class Block:
    """An answer to the first question, and the figures of all answers to the second."""

    label: Text | str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class JointView:
    """What a page of two questions shows."""

    result: JointResult
    blocks: tuple[Block, ...]
    test: str | None
    measures: tuple[tuple[str, Association], ...]


def joint_view(found: JointResult) -> JointView:
    """Return the view of a joint table."""
    named = {gettext("Correlation (phi)"): found.phi, gettext("Odds ratio"): found.odds_ratio}
    return JointView(
        result=found,
        blocks=() if found.suppressed else tuple(_blocks(found)),
        test=_test_in_words(found),
        measures=tuple((name, measure) for name, measure in named.items() if measure),
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
    for given, label in enumerate(_labels(first)):
        figures = []
        for answer, other in enumerate(_labels(second)):
            share = found.conditional(answer, given)
            told = share.interval(found.confidence).high < 2  # no share is that uncertain
            figures.append(Figure(other, next(cells), share if told else None))
        yield Block(label, tuple(figures))


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
