"""Numbers of any length can be said: in full to machines, briefly to people."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tossup.shared import mechanisms
from tossup.shared.errors import TossupError
from tossup.shared.figures import brief, in_full, read_in_full, rounded
from tossup.shared.mechanisms import Mechanism, RandomizedResponse
from tossup.shared.odds import chance_as_text, epsilon, odds_as_text, promise_as_text
from tossup.shared.survey import WAVE, Survey
from tossup.shared.waves import Waves

HUGE = 10**5000


@contextmanager
def _short_texts() -> Iterator[None]:
    """Let `str` and `int` take as few digits as Python can be told to."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(before)


@given(st.integers(-(10**1300), 10**1300), st.integers(1, 10**1300))
def test_a_ratio_in_full_is_what_str_says_where_it_can(above, below):
    """The same text, whatever the limit; and it reads back."""
    ratio = Fraction(above, below)
    with _short_texts():
        text = in_full(ratio)
        again = read_in_full(text)

    assert (text, again) == (str(ratio), ratio)


def test_only_what_was_written_in_full_is_read():
    """One number, one text."""
    texts = ("", "1/", "/2", "1/0", "2/4", "-0", "+3", "03", "3\n", " 3", "1.5", "1e3", "٣")
    for text in texts:
        with pytest.raises(ValueError, match="number"):
            read_in_full(text)


@given(st.fractions(min_value=1), st.integers(0, 9000))
def test_what_people_read_is_short_and_never_understates(odds, power):
    """Odds and their epsilon are shown rounded up, a chance never smaller than it is."""
    large = odds * 7**power
    shown = odds_as_text(large).removeprefix("about ").removesuffix(":1").split(":1, about ")[-1]
    one_in = chance_as_text(1 / large).removeprefix("1 in ").replace(",", "")

    assert Fraction(shown) >= large
    assert Fraction(one_in) <= large
    assert max(map(len, (odds_as_text(large), promise_as_text(large, 1 / large)))) < 200
    assert epsilon(large) >= 0


def test_a_rounded_figure_is_on_the_side_that_was_asked():
    """Three digits, up or down."""
    for ratio in (Fraction(22, 7), Fraction(9999, 10), Fraction(1, 3**9000), Fraction(3**9000)):
        low, high = (Fraction(rounded(ratio, up=up)) for up in (False, True))

        assert low <= ratio <= high
        assert high <= low * Fraction(102, 100)
    assert brief(Fraction(729)) == "729"


def test_no_mechanism_fails_while_it_refuses_huge_integers():
    """Whatever a caller gives, the answer is a mechanism or an error of ours, never a text's."""
    kinds = [
        kind
        for kind in vars(mechanisms).values()
        if isinstance(kind, type) and issubclass(kind, Mechanism) and hasattr(kind, "__slots__")
    ]
    values = [2, HUGE, -HUGE, (HUGE, 1), ((HUGE, 1), (1, HUGE)), ((1, 2), (2, 1))]
    assert len(kinds) > 20
    for kind in kinds:
        names = fields(kind) if hasattr(kind, "__dataclass_fields__") else ()
        for given_ in product(values, repeat=len(names)) if len(names) < 5 else ():
            try:
                kind(*given_)
            except (TossupError, TypeError):
                continue
            except ValueError as error:
                pytest.fail(f"{kind.__name__} of {[type(v) for v in given_]}: {error}")


@pytest.fixture
def many_waves(survey: Survey) -> Survey:
    """Eight questions at odds 1001/1000 over 256 waves: their odds have 6,145 digits."""
    from datetime import date

    from tossup.shared.survey import Attribute, Option

    nearly = RandomizedResponse(((1001, 1000), (1000, 1001)))
    waves = Waves(256, date(2027, 1, 4), 7, times=256)
    text = {"en": "Wave"}
    options = tuple(Option(name, text) for name in waves.options)
    first = survey.questions[0]
    return replace(
        survey,
        questions=tuple(
            replace(first, id=f"q{n}", topic=f"t{n}", mechanism=nearly) for n in range(8)
        ),
        attributes=(Attribute(WAVE, text, options),),
        waves=waves,
    )


def test_a_manifest_states_odds_of_any_length(many_waves):
    """It is written, claims the exact odds, and is read back."""
    assert many_waves.odds == Fraction(1001, 1000) ** 2048
    assert Survey.parse(many_waves.payload) == many_waves
