"""Questions with several answers: what is one, what is none, and how a manifest says it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.shared.errors import AnswerError, ManifestError, WireError
from tossup.shared.kinds.several import Several
from tossup.shared.kinds.yes_no import YesNo
from tossup.shared.mechanisms import PerOptionBits, SampledOptions, TwoCoin
from tossup.shared.survey import Option, Question, Survey

LANGUAGES = ("python", "rust", "c", "lisp")
TWO = Several(LANGUAGES, most=2)


def question(mechanism, domain=TWO, options=LANGUAGES) -> Question:
    words = tuple(Option(each, {"en": each}) for each in options)
    return Question("languages", "languages", {"en": "Which?"}, words, mechanism, domain)


@pytest.fixture
def several(survey: Survey) -> Survey:
    """A survey that asks for several languages."""
    words = {"en": "?"}
    asked = question(SampledOptions(4, 2))
    return replace(
        survey, questions=(asked,), attributes=(), languages=("en",), title=words, purpose=words
    )


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset])
def test_it_works(kind):
    """Any of the four collections; the order in which one ticks makes no difference."""
    assert 0b0101 == TWO.place(kind(["c", "python"]))
    assert 0b0010 == TWO.place(kind(["rust"]))
    assert 0 == TWO.place(kind())


class Alike(str):
    """A str that is none."""


@each(
    "answer",
    [
        *(None, True, 1, "python", b"python", 0b11, ["python", "python"], ("c", "c")),
        *(["python", "rust", "c"], ["java"], [b"c"], [None], [["c"]], {"c": True}, range(1)),
        *([Alike("c")], iter(["c"]), type("Listed", (list,), {})(["c"]), [1], [["c"], "rust"]),
    ],
)
def test_what_is_no_answer_is_refused_without_being_shown(answer):
    """One too many, twice the same, other options, other types, look-alikes."""
    with pytest.raises(AnswerError, match="at most 2, and nothing else") as refused:
        question(SampledOptions(4, 2)).place(answer)

    assert "java" not in str(refused.value)


@settings(max_examples=100)
@given(data=st.data())
def test_a_mask_has_a_bit_for_each_tick(data: st.DataObject):
    """For up to 64 options, whatever is ticked in whatever order."""
    k = data.draw(st.integers(1, 64))
    options = tuple(f"o{place}" for place in range(k))
    ticked = data.draw(st.lists(st.sampled_from(options), unique=True))
    mask = Several(options, most=k).place(ticked)

    assert mask is not None
    assert sorted(ticked) == sorted(o for place, o in enumerate(options) if mask >> place & 1)


@each(
    "text, expected",
    [
        ("", []),
        ("c", ["c"]),
        ("rust,c", ["rust", "c"]),
        ("c,c", None),
        ("c,", None),
        ("rust, c", None),
        ("python,rust,c", None),
        ("java", None),
    ],
)
def test_a_command_line_has_commas_between_the_options(text, expected):
    """Nothing stands for none; what is no answer is None."""
    assert expected == TWO.read(text)


def test_the_words_say_what_an_answer_is():
    """In a program and on a command line."""
    assert "a list, tuple or set of different options (python, rust, c, lisp), at most 2" == (
        TWO.takes
    )
    assert "such as python,rust; nothing after = for none" in TWO.example


def test_a_manifest_gives_the_question_back(several: Survey):
    """Options, limit and mechanism stand in the signed bytes, and nothing else is needed."""
    assert several == Survey.parse(several.payload)
    assert b'"several":{"most":2}' in several.payload


@each("value", [None, 2, {}, {"most": "2"}, {"most": True}, {"most": 2, "x": 1}])
def test_what_is_not_exactly_a_limit_is_refused(value):
    """Look-alikes, unknown and missing fields."""
    with pytest.raises(WireError):
        Several.from_json(value, LANGUAGES)


@pytest.mark.parametrize(
    ("options", "most"),
    [((), 1), (LANGUAGES, 0), (LANGUAGES, 5), (LANGUAGES, True), (tuple(map(str, range(65))), 1)],
)
def test_a_limit_that_does_not_fit_is_refused(options, most):
    """From 1 to 64 options, and from 1 to all of them."""
    with pytest.raises(ManifestError):
        Several(options, most)


@pytest.mark.parametrize(
    "wrong",
    [
        question(TwoCoin()),
        question(SampledOptions(4, 3)),
        question(SampledOptions(3, 2)),
        question(PerOptionBits(4, 4)),
        question(SampledOptions(4, 2), domain=YesNo()),
        question(SampledOptions(4, 2), options=LANGUAGES[::-1]),
        question(SampledOptions(4, 2), options=LANGUAGES[:3]),
    ],
    ids=lambda wrong: f"{wrong.mechanism.spec()} {len(wrong.options)}",
)
def test_a_mechanism_for_other_answers_is_refused(several: Survey, wrong: Question):
    """Above all one that counts on fewer ticks than the question allows."""
    with pytest.raises(ManifestError, match="answers"):
        replace(several, questions=(wrong,))


def test_one_option_may_be_ticked_or_not(several: Survey):
    """It is a yes/no question in another form, and allowed."""
    asked = question(PerOptionBits(1, 1), Several(("c",), 1), ("c",))

    assert replace(several, questions=(asked,)).questions == (asked,)
