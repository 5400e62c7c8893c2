"""What a draft takes: people for a margin, odds in words, and what a publisher could learn.

Stage: authoring, computed from the very design that would be published.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import ceil
from statistics import NormalDist
from typing import Any, Final

from tossup.server.kinds import reasons
from tossup.server.results.minimum import minimum_for
from tossup.server.web.authoring.checking import NO_KEY, loaded, parts, question_alone
from tossup.server.web.pages.respondent.asked import Asked, belief_in_words
from tossup.server.web.pages.words.numbers import odds_in_words
from tossup.shared.survey import Survey

#: The margins shown, in points of 100.
MARGINS: Final = (10, 5, 3)
#: The margin whose price is the headline.
HEADLINE: Final = 5
#: Odds to choose from, beside the default of 3.
ODDS: Final = ("5/3", "7")

_Z95: Final = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True, slots=True)
class Price:
    """What one question takes.

    Attributes
    ----------
    asked
        The question, with its odds in words and its coins.
    people
        How many must answer for each of `MARGINS`.
    directly
        How many would have to if they were asked directly, and told the truth.
    first
        Reports without which there is no estimate.
    why
        Why these coins are taken, in English; empty where others would do as well.
    """

    asked: Asked
    people: Mapping[int, int]
    directly: Mapping[int, int]
    first: int
    why: str

    @property
    def headline(self) -> int:
        """People for the margin of the headline."""
        return self.people[HEADLINE]


@dataclass(frozen=True, slots=True)
class Together:
    """What all answers of one respondent give away together."""

    odds: str
    belief: str


def price_of(table: Mapping[str, Any], place: int) -> Price | None:
    """Return the price of a draft's question, by itself; None while its design is not whole."""
    return _price(question_alone(table, place))


def prices_by_odds(table: Mapping[str, Any], place: int) -> dict[str, Price]:
    """Return the price of a question at each of the odds that are offered, with 3 as empty."""
    found = {}
    for odds in ("", *ODDS):
        other = {**table, "question": [*parts(table, "questions")]}
        part = {k: v for k, v in other["question"][place - 1].items() if k != "epsilon"}
        other["question"][place - 1] = part | {"odds": odds or 3}
        price = price_of(other, place)
        if price is not None:
            found[odds] = price
    return found


def cheaper(table: Mapping[str, Any], place: int) -> Price | None:
    """Return the price by the coins that ``auto`` takes; None unless it is a tenth lower."""
    asked = parts(table, "questions")
    if asked[place - 1].get("mechanism"):
        return None
    asked[place - 1] = asked[place - 1] | {"mechanism": "auto"}
    usual, price = price_of(table, place), price_of({**table, "question": asked}, place)
    few = usual and price and price.headline < 0.9 * usual.headline
    return price if few else None


def together(survey: Survey) -> Together:
    """Return what all answers of one respondent give away together."""
    return Together(odds_in_words(survey.odds), belief_in_words(survey.odds))


@lru_cache(maxsize=256)
def _price(text: str) -> Price | None:
    from tossup.server.planning.whole_survey import for_margin  # a server starts without plans

    survey = loaded(text, NO_KEY)
    if not isinstance(survey, Survey):
        return None
    plans = {points: for_margin(survey, points / 100)[0] for points in MARGINS}
    question = survey.questions[0]
    return Price(
        Asked(question, survey),
        {points: plan.respondents for points, plan in plans.items()},
        {points: ceil((_Z95 / 2 / (points / 100)) ** 2) for points in MARGINS},
        minimum_for(question, survey),
        reasons(survey).get(question.id, ""),
    )


def dearest(table: Mapping[str, Any]) -> int | None:
    """Return how many people a draft needs for the margin of the headline; None if not known."""
    found = [price_of(table, place) for place in range(1, len(parts(table, "questions")) + 1)]
    known = [price.headline for price in found if price is not None]
    return max(known) if known and len(known) == len(found) else None
