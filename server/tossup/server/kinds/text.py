"""A text that nobody listed: ``answers = {text = "a-z ", longest = 12}``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Final

from tossup.server.estimation.texts import (
    TextsEstimate,
    estimate_texts,
    joint_quantile,
    largest_text_variance,
    reports_needed,
    text_variance,
)
from tossup.server.exact import exact
from tossup.server.kernels import kernel_of
from tossup.server.kernels.slots import SlotKernel
from tossup.server.kernels.tossing.source import coins
from tossup.server.kinds.base import Sought, UnlistedKind, Wanted, own
from tossup.server.kinds.choosing import text as choosing
from tossup.server.kinds.editing.forms import Field, Form
from tossup.server.kinds.made_up.people import Population
from tossup.server.kinds.made_up.simulated import Found, SimulatedLine, draw_answers, lines
from tossup.server.kinds.told.texts import TextsTold
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.text import OTHER, FreeText, characters_of
from tossup.shared.mechanisms import Mechanism, PrefixExtending
from tossup.shared.survey import Question

#: Texts are not looked for until one that so many have is found with 95 % chance.
COMMON_TEXT: Final = 0.20
#: Respondents whose text is not given have one of so many texts made up at random.
MADE_UP: Final = 1000

_DEFAULTS: Final[Mapping[str, Any]] = {
    "others": False,
    "salt": 0,
    "oracle": choosing.AUTO,
    "buckets": None,
}


@dataclass(frozen=True, slots=True)
class Alphabet:
    """Characters as in a regular expression's brackets, the greatest length, and the rest.

    What reports a bucket of a prefix, and how many buckets there are, may be left open.
    """

    characters: str
    longest: int
    others: bool
    salt: int
    oracle: str
    buckets: int | None

    @property
    def labels(self) -> Sequence[str]:
        """None: a text has no options."""
        return ()

    def domain(self, options: tuple[str, ...]) -> FreeText:
        """Return the texts.

        Raises
        ------
        ManifestError
            If the question has options, or the characters or the length are none.
        """
        if options:
            raise ManifestError("a text takes no options")
        return FreeText(characters_of(self.characters), self.longest, self.others)

    def mechanism(self, domain: Domain, wanted: Wanted) -> PrefixExtending:
        """Return the design for the texts."""
        by, texts = choosing.By(self.oracle, self.buckets), own(FreeText, domain)
        return choosing.for_text(texts, wanted.mechanism, wanted.odds, self.salt, by)


class Text(UnlistedKind):
    """Questions about a text that nobody listed; the truth is a share by text.

    Everyone else has one of 1,000 texts made up at random, equally common.
    """

    name = "text"
    plural = "texts"
    answered_by = "text"
    behind = " of the last level"
    told = TextsTold
    estimator = "fraction of the last level's reports that support the text's buckets, unbiased"
    tables: ClassVar = {"text": '{text = "a-z ", longest = 12}'}
    forms: ClassVar = (
        Form(
            "text",
            (
                Field("characters", ("text",), "text", planned="a-z"),
                Field("longest", ("longest",), planned="12"),
                Field("others", ("others",), "flag", is_needed=False),
                Field("oracle", ("oracle",), "text", is_needed=False),
                Field("buckets", ("buckets",), is_needed=False),
                Field("salt", ("salt",), is_needed=False),
            ),
        ),
    )

    def choices(self, question: Question) -> str:
        """Return the characters, and what becomes of other texts."""
        texts: dict[str, Any] = question.domain.to_json()
        any_other = "any other is another text" if texts["others"] else "no other"
        return f"1 to {texts['longest']} of {' '.join(texts['characters'])}; {any_other}"

    def read(self, key: str, table: Mapping[str, Any]) -> Alphabet | None:  # noqa: ARG002
        """Return what a table says about texts; None if it is no such table."""
        match {**_DEFAULTS, **table}:
            case {
                "text": str(characters), "longest": longest, "others": bool(others), "salt": salt,
                "oracle": str(oracle), "buckets": buckets, **rest,
            }:  # fmt: skip
                numbers = (longest, salt, 0 if buckets is None else buckets)
                if not rest and all(type(number) is int for number in numbers):
                    return Alphabet(characters, longest, others, salt, oracle, buckets)
        return None

    def spread(self, mechanism: Mechanism, share: Fraction) -> dict[str, object]:
        """Return n times the variance of a text's share, for the population."""
        return {"text": str(text_variance(own(PrefixExtending, mechanism), share))}

    def ways(self, mechanism: Any, sought: Sought) -> Sequence[Callable[[], Mechanism]]:
        """Return the design for texts of one character, of prefix extending."""
        if issubclass(mechanism, PrefixExtending):
            return [partial(choosing.for_one_character, sought.answers, sought.odds)]
        return super().ways(mechanism, sought)

    def by_parameters(
        self,
        mechanism: type[Mechanism],
        parameters: Mapping[str, object],
        sought: Sought,  # noqa: ARG002
    ) -> Mechanism:
        """Return the design, whose characters and lengths say how many answers there are."""
        return mechanism.from_spec(parameters, self.listed_for)

    def why(self, question: Question) -> str:
        """Return why the oracle and its buckets were taken."""
        return choosing.reason(own(PrefixExtending, question.mechanism))

    def largest_variance(self, mechanism: Mechanism) -> float:
        """Return n times the largest variance of a text's share, of reports of the last level."""
        return float(largest_text_variance(own(PrefixExtending, mechanism)))

    def reports_needed(self, mechanism: Mechanism) -> int:
        """Return at how many reports a text that 20 % have is found with 95 % chance."""
        return reports_needed(COMMON_TEXT, own(PrefixExtending, mechanism))

    def estimated(self, question: Question) -> tuple[str, None]:  # noqa: ARG002
        """Return that shares of texts are estimated."""
        return "each text's share", None

    def quantile(self, margin: float, confidence: float) -> float:
        """Return that of as many texts together as can be so common."""
        return joint_quantile(margin, confidence)

    def example_of_truth(self, question: Question) -> str:  # noqa: ARG002
        """Return the shares of two texts."""
        return "alice:0.3,bob:0.2"

    def read_truth(self, question: Question, written: str) -> Mapping[str, Fraction]:  # noqa: ARG002
        """Return shares by text: ``alice:0.3,bob:0.2``."""
        pairs = [part.rpartition(":") for part in written.split(",")]
        if not all(colon for _, colon, _ in pairs):
            raise ValueError("a share has no text before it")
        found = {text: exact(share) for text, _, share in pairs}
        if len(found) < len(pairs):
            raise ValueError("a text stands there twice")
        return found

    def people(self, question: Question, truth: Mapping[str, Fraction]) -> Population:
        """Return the population with these shares, and texts made up at random for the rest."""
        everyone = _with_others(own(FreeText, question.domain), _by_number(question, truth))
        return Population(tuple(everyone), tuple(everyone.values()))

    def simulate(
        self, question: Question, truth: Mapping[str, Fraction], n: int, runs: int = 1
    ) -> list[SimulatedLine]:
        """Return the true share of every given text beside its estimate, if it is found."""
        texts, shares = own(FreeText, question.domain), _by_number(question, truth)
        names = [texts.text(text) if text != OTHER else "(another text)" for text in shares]
        truths = {
            f"{question.id}/{name}": float(share)
            for name, share in zip(names, shares.values(), strict=True)
        }
        found = [
            _run(texts, own(PrefixExtending, question.mechanism), shares, n) for _ in range(runs)
        ]
        return lines(truths, [_found(run, shares) for run in found])


def _by_number(question: Question, shares: Mapping[str, Fraction]) -> dict[int, Fraction]:
    """Return the shares by the numbers of their texts.

    Raises
    ------
    ValueError
        If a text is none of the question's, or the shares are above 1 in sum.
    """
    domain = own(FreeText, question.domain)
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
    kernel = own(SlotKernel, kernel_of(design))
    everyone = _with_others(domain, truth)
    answers = dict(zip(everyone, draw_answers([*everyone.values()], n), strict=True))
    counts = tuple(kernel.simulate_texts(answers).tolist())
    return estimate_texts(counts, design, others=domain.others)


def _with_others(domain: FreeText, truth: Mapping[int, Fraction]) -> dict[int, Fraction]:
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


def _found(run: TextsEstimate, shares: Mapping[int, Fraction]) -> list[Found]:
    """Return what one run found of each text."""
    by_number = {line.number: line for line in run.found}
    found = [by_number.get(text) for text in shares]
    return [(text.value, text.interval) if text else None for text in found]
