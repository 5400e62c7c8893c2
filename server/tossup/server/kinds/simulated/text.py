"""Simulation of questions about texts: what would be found among made-up respondents."""

from collections.abc import Mapping
from fractions import Fraction

from tossup.server.estimation.texts import TextsEstimate, estimate_texts
from tossup.server.kernels import kernel_of
from tossup.server.kernels.slots import SlotKernel
from tossup.server.kernels.source import coins
from tossup.server.kinds.simulated.shares import Line, draw_answers
from tossup.shared.kinds.text import OTHER, FreeText
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.survey import Question

#: Respondents whose text is not given have one of so many texts made up at random.
MADE_UP = 1000


def simulate_texts(
    question: Question, shares: Mapping[str, Fraction], n: int, runs: int = 1
) -> list[Line]:
    """Return the true share of every given text beside its estimate, if it is found.

    Parameters
    ----------
    question
        One about a text, with its mechanism.
    shares
        Share by text; everyone else has one of 1,000 texts made up at random, equally common.
    n, runs
        As in `tossup.server.kinds.simulated.shares.simulate_question`.

    Raises
    ------
    ValueError
        If the question is not about a text, a text is none of it, or shares are above 1 in sum.
    """
    domain, design = question.domain, question.mechanism
    if not isinstance(domain, FreeText) or not isinstance(design, PrefixExtending):
        raise ValueError(f"question {question.id!r} is not about a text")
    truth = truth_of_texts(question, domain, shares)
    found = [_run(domain, design, truth, n) for _ in range(runs)]
    return [_line(question, domain, text, share, found) for text, share in truth.items()]


def truth_of_texts(
    question: Question, domain: FreeText, shares: Mapping[str, Fraction]
) -> dict[int, Fraction]:
    """Return the shares by the numbers of their texts.

    Raises
    ------
    ValueError
        If a text is none of the question's, or the shares are above 1 in sum.
    """
    truth: dict[int, Fraction] = {}
    for written, share in shares.items():
        text = domain.place(written)
        if text is None:
            raise ValueError(f"question {question.id!r} takes {domain.example}")
        truth[text] = truth.get(text, Fraction(0)) + share
    if min(truth.values()) < 0 or sum(truth.values()) > 1:
        raise ValueError(f"shares of texts must not be below 0, nor above 1 in sum: {question.id}")
    return truth


def _run(
    domain: FreeText, design: PrefixExtending, truth: Mapping[int, Fraction], n: int
) -> TextsEstimate:
    kernel = kernel_of(design)
    if not isinstance(kernel, SlotKernel):
        raise TypeError(f"{design.name} is simulated slot by slot")
    everyone = with_others(domain, truth)
    answers = dict(zip(everyone, draw_answers([*everyone.values()], n), strict=True))
    counts = tuple(kernel.simulate_texts(answers).tolist())
    return estimate_texts(counts, design, others=domain.others)


def with_others(domain: FreeText, truth: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """Return shares by text that sum to 1: those given, and others made up at random."""
    rest = 1 - sum(truth.values(), Fraction(0))
    others = [text for text in _made_up(domain) if text not in truth] if rest else []
    return {**truth, **dict.fromkeys(others, Fraction(rest, max(1, len(others))))}


def _made_up(domain: FreeText) -> list[int]:
    """Return up to 1,000 different texts of the greatest length, at random."""
    characters = len(domain.characters)
    drawn, texts = coins(), dict[int, None]()
    for _ in range(2 * MADE_UP):
        text = 0
        for _ in range(domain.longest):
            text = text * (characters + 1) + 1 + drawn.below(characters)
        texts[text] = None
    return list(texts)[:MADE_UP]


def _line(
    question: Question,
    domain: FreeText,
    text: int,
    share: Fraction,
    runs: list[TextsEstimate],
) -> Line:
    truth = float(share)
    found = [{line.number: line for line in run.found}.get(text) for run in runs]
    inside = sum(line is not None and truth in line.interval for line in found)
    first = found[0]
    name = domain.text(text) if text != OTHER else "(another text)"
    return Line(
        f"{question.id}/{name}",
        truth,
        first.value if first else None,
        first.interval.low if first else None,
        first.interval.high if first else None,
        inside,
        len(runs),
    )
