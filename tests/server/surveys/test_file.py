"""A survey file becomes a manifest, or says what is wrong with it and where."""

import json
from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sweeps import each

from tossup.server.kinds import needed as designs
from tossup.server.kinds.choosing import named
from tossup.server.kinds.choosing.options import plain
from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.labels import ids_of
from tossup.server.surveys.reading.tables import SurveyFileError
from tossup.shared.mechanisms import KaryRandomizedResponse, RandomizedResponse, TwoCoin
from tossup.shared.odds import epsilon
from tossup.shared.signing import public_bytes
from tossup.shared.survey import Option, Survey, is_id

KEY = bytes(range(32))

SMALL = """
id = "habits-7"
title = "Habits"
purpose = "To learn how common a habit is."

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "ever_tried"
text = "Have you ever tried it?"
"""

FULL = """
id = "habits-7"
title = "Habits"
purpose = "To learn how common a habit is."
languages = ["en"]
linkage = "none"
minimum_batch = 100
retention_days = 365
results = "private"

[publisher]
name = "Example University"
contact = "irb@example.org"

[[question]]
id = "ever_tried"
topic = "habit"
text = { en = "Have you ever tried it?" }
mechanism = "two-coin"

[[question]]
id = "rating"
topic = "habit-rating"
text = "How do you rate it?"
mechanism = "k-ary"
weights = [3, 1]
option = [
  { id = "r1", label = "1 of 5" },
  { id = "r2", label = "2 of 5" },
  { id = "r3", label = "3 of 5" },
  { id = "r4", label = "4 of 5" },
  { id = "r5", label = "5 of 5" },
]

[[attribute]]
id = "region"
text = "Region"
answers = ["North", "South"]
"""


def problems(text: str) -> list[tuple[str, str]]:
    with pytest.raises(SurveyFileError) as refused:
        load_survey(text, KEY)
    return list(refused.value.problems)


def mechanism_of(lines: str):
    return load_survey(SMALL + lines, KEY).questions[0].mechanism


def test_it_works():
    """The smallest file is one yes/no question by two coins, private, kept for a year."""
    survey = load_survey(SMALL, KEY)

    assert survey.questions[0].mechanism == TwoCoin()
    assert (
        survey.linkage,
        survey.minimum_batch,
        survey.retention_days,
        survey.results,
    ) == ("none", 97, 365, "private")


def test_a_full_file_gives_the_very_bytes_of_the_survey_written_by_hand(survey, publisher_key):
    """Authoring adds nothing of its own: the payload equals that of the values."""
    written = load_survey(FULL, public_bytes(publisher_key))

    assert survey.payload == written.payload


def test_what_was_authored_survives_signing_and_parsing():
    """The manifest parses back to the same survey."""
    survey = load_survey(FULL, KEY)

    assert survey == Survey.parse(survey.payload)


def test_the_topic_is_the_question_unless_named():
    """A question without a topic is its own topic."""
    assert load_survey(SMALL, KEY).questions[0].topic == "ever_tried"


def test_a_next_version_names_the_one_before():
    """Version and previous digest come from the caller, never from the file."""
    survey = load_survey(SMALL, KEY, version=2, previous="ab" * 32)

    assert (survey.version, survey.previous) == (2, "ab" * 32)


def test_texts_in_several_languages_stand_in_one_order():
    """Languages are those of the title; every text is put in that order."""
    text = SMALL.replace('"Habits"', '{ en = "Habits", zh-Hans = "习惯" }')
    text = text.replace('"To learn how common a habit is."', '{ zh-Hans = "了解", en = "Learn" }')
    text = text.replace('"Have you ever tried it?"', '{ zh-Hans = "试过吗？", en = "Tried?" }')

    survey = load_survey(text, KEY)

    assert ("en", "zh-Hans") == survey.languages == tuple(survey.questions[0].text)


def test_a_missing_translation_is_named():
    """A text given in one of two languages is refused, with its place."""
    text = SMALL.replace('"Habits"', '{ en = "Habits", zh-Hans = "习惯" }')

    assert problems(text)[0][1] == "must be given in each of en, zh-Hans"


def test_answers_make_a_choice_with_ids_from_their_labels():
    """A list of answers is a k-ary question; ids are made from the labels."""
    text = SMALL + 'answers = ["Very good", "Good", "Not good!"]\n'

    question = load_survey(text, KEY).questions[0]

    assert KaryRandomizedResponse(3) == question.mechanism
    assert Option("very_good", {"en": "Very good"}) == question.options[0]


def test_labels_in_any_script_get_ids_that_stay():
    """Latin letters make the id, accents left out; else the place does; all of a list differ."""
    made = {
        ("时间不够", "分数"): ("option_1", "option_2"),
        ("نعم", "لا", "ربما"): ("option_1", "option_2", "option_3"),
        ("हाँ", "नहीं"): ("option_1", "option_2"),
        ("👍", "👎", "👩\u200d🔬"): ("option_1", "option_2", "option_3"),
        ("Très bien", "Weiß nicht", "Łódź", "Ærø"): ("tres_bien", "weiss_nicht", "lodz", "aero"),
        ("C", "C++", "C#", "Go"): ("option_1", "option_2", "option_3", "go"),
        ("Option 2", "好"): ("option_2", "option_2_2"),
        ("x" * 100, "x" * 101): ("option_1", "option_2"),
        ("Không", "Có"): ("khong", "co"),
    }

    assert list(made.values()) == [ids_of(labels) for labels in made]


@settings(max_examples=40)
@given(st.lists(st.text(max_size=70), max_size=12))
def test_every_list_of_labels_has_ids_of_its_own(labels):
    """Whatever the labels, their ids are ids, and differ; a list that grows keeps its first ones.

    Unless a label that comes later has the same letters.
    """
    ids = ids_of(labels)

    assert all(map(is_id, ids))
    assert len(set(ids)) == len(ids) == len(labels)
    assert ids == ids_of(labels)
    assert ids_of([*labels, "ж"])[: len(ids)] == ids


@each(
    "lines",
    [
        'answers = ["Yes", " yes "]',
        'answers = { ranking = ["Ａ", "a", "b"] }',
        'answers = { several = ["x", "é", "e\\u0301"] }',
        'answers = { vector = ["x", "X"], norm = 1 }',
        'answers = { moments = ["x", "x\\u200b"], norm = 1 }',
        'option = [{ id = "a", label = "好" }, { id = "b", label = "好" }]',
    ],
)
def test_options_that_look_the_same_are_refused(lines):
    """Nobody could tell which one was meant, in any list of labels."""
    assert "look the same in en" in problems(SMALL + lines + "\n")[0][1]
    attribute = SMALL + '[[attribute]]\nid = "region"\ntext = "Region"\n'
    if not lines.startswith("answers = {"):
        assert "look the same in en" in problems(attribute + lines + "\n")[0][1]


@pytest.mark.parametrize("blank", [" ", "\\u200b", "\\u3164", "\\u00a0"])
def test_a_text_that_shows_nothing_is_refused(blank):
    """As a label, a title, a question or a name."""
    for before in ('"Habits"', '"Example University"', '"Have you ever tried it?"'):
        assert "shows nothing" in problems(SMALL.replace(before, f'"{blank}"'))[0][1]
    label = f'answers = ["good", "{blank}"]\n'

    assert "shows nothing" in problems(SMALL + label)[0][1]


def test_options_are_told_apart_in_every_language():
    """Two translations that are the same are as bad as two labels."""
    text = SMALL
    for words in ("Habits", "To learn how common a habit is.", "Have you ever tried it?"):
        text = text.replace(f'"{words}"', f'{{ en = "{words}", de = "{words}" }}')
    text += """option = [
      { id = "a", label = { en = "Few", de = "Wenig" } },
      { id = "b", label = { en = "Little", de = "wenig" } },
    ]"""

    assert "look the same in de" in problems(text)[0][1]


@each(
    "lines, expected",
    [
        ('odds = "3"', TwoCoin()),
        ("odds = 3", TwoCoin()),
        ('odds = "5/2"', RandomizedResponse(((5, 2), (2, 5)))),
        ("odds = 2.5", RandomizedResponse(((5, 2), (2, 5)))),
        ("weights = [[7, 1], [2, 6]]", RandomizedResponse(((7, 1), (2, 6)))),
        ('odds = "5/2"\nanswers = ["a", "b", "c"]', KaryRandomizedResponse(3, 5, 2)),
        ('weights = [4, 1]\nanswers = ["a", "b", "c"]', KaryRandomizedResponse(3, 4, 1)),
    ],
)
def test_odds_and_weights_are_taken_exactly(lines, expected):
    """What the author writes is the design, without a float in between."""
    assert expected == mechanism_of(lines)


@given(st.decimals("0.01", "6", places=3), st.integers(2, 8))
def test_an_asked_epsilon_is_never_exceeded(asked, answers):
    """The odds are at most e**epsilon, and closer to it than one part in a thousand."""
    mechanism = plain(asked, answers, yes_no=False)

    assert epsilon(mechanism.odds, digits=12) <= asked
    assert epsilon(mechanism.odds, digits=12) > asked - Decimal("0.001")


def test_epsilon_may_be_a_number_or_a_text():
    """TOML numbers are read as decimals, so both forms mean the same."""
    assert mechanism_of("epsilon = 1.0") == mechanism_of('epsilon = "1.0"')


@each(
    "lines, part",
    [
        ("odds = 1", "above 1"),
        ("odds = true", "must be a number"),
        ('odds = "much"', "must be a number"),
        ("odds = 3\nepsilon = 1.0", "takes one of odds, epsilon and weights"),
        ("weights = [3, 1]", "[[no_no, no_yes], [yes_no, yes_yes]]"),
        ("weights = [[3, 0], [1, 2]]", "positive"),
        ("weights = [[3, 1.5], [1, 3]]", "integers"),
        ('mechanism = "two-coin"\nodds = 4', "randomized-response"),
        ('mechanism = "k-ary"', "does not fit"),
        ('mechanism = "three-coin"', "did you mean 'two-coin'"),
        ('answers = ["only"]', "from 2 to 256"),
        ("answers = []", "leave the key out to ask for yes or no"),
        ("option = []", "leave the key out to ask for yes or no"),
        ("odds = 1e999999999", "a number of a few digits"),
        ('odds = "1e999999999"', "a number of a few digits"),
        ('odds = "1e-0999999999"', "a number of a few digits"),
        ("odds = inf", "a number of a few digits"),
        ("epsilon = 1e-999999999", "a number of a few digits"),
        (f"odds = {10**70}", "a number of a few digits"),
        (f"odds = {'9' * 5000}", "a number of too many digits"),
        (f"weights = {'[' * 5000}{']' * 5000}", "nested too deeply"),
        ('answers = ["a", "b"]\noption = [{ id = "a", label = "A" }]', "not both"),
        ("text = 3", "not TOML: "),
        (
            'text = "a\\ud83d\\ude00"',
            "holds U+D83D (a lone surrogate, half of a character)",
        ),
        ('text = "a\\U0000dc00"', "column 10; write the character itself"),
        ('text = "\\U00110000"', "not TOML: Escaped character is not"),
    ],
)
def test_a_wrong_question_is_refused_with_the_rule(lines, part):
    """Each mistake is answered by the rule it breaks."""
    assert part in problems(SMALL + lines)[0][1]


def test_an_unknown_key_is_answered_by_the_nearest_known_one():
    """A typing error is found by its neighbour, at every level of the file."""
    text = SMALL.replace("purpose =", "purpos =") + 'txt = "?"\n'

    found = problems(text)

    assert ("purpos", "unknown key; did you mean 'purpose'?") in found
    assert ("question 1 txt", "unknown key; did you mean 'text'?") in problems(SMALL + 'txt = "?"')


def test_several_problems_are_told_at_once():
    """An author fixes a file in one round."""
    text = SMALL.replace('contact = "irb@example.org"', "").replace('title = "Habits"', "")

    assert {
        ("title", "is missing"),
        ("publisher contact", "is missing"),
    } == set(problems(text))


def test_days_are_toml_days_or_texts():
    """opens and closes are days, not times."""
    text = 'opens = 2027-01-31\ncloses = "2027-02-28"\n' + SMALL

    survey = load_survey(text, KEY)

    assert (date(2027, 1, 31), date(2027, 2, 28)) == (survey.opens, survey.closes)
    assert problems("opens = 2027-01-31T10:00:00\n" + SMALL)[0][0] == "opens"


def test_a_dear_question_is_asked_only_if_the_author_says_so():
    """Nine to one, over all waves; the file may allow more, openly, and says what apps must."""
    waves = "[waves]\ncount = 4\nfirst = 2027-01-04\ndays = 7\ntimes = 3\n"
    dear = {
        SMALL + "odds = 729\n": ("729:1", "99.87 %", "question_cap = 729"),
        SMALL + 'odds = "901/100"\n': ("901/100:1, about 9.01:1", "90.01 %", "question_cap = 10"),
        SMALL + "odds = 3\n" + waves: ("27:1", "96.43 %", "question_cap = 27"),
    }
    for text, words in dear.items():
        with pytest.raises(TooCostlyError) as refused:
            load_survey(text, KEY)
        for word in words:
            assert word in str(refused.value)
        cap = words[-1]
        assert load_survey(f"{cap}\n{text}", KEY).odds > 9
    assert load_survey(SMALL + "odds = 9\n", KEY).odds == 9
    assert load_survey("question_cap = 2\n" + SMALL + "odds = 2\n", KEY).odds == 2
    with pytest.raises(TooCostlyError, match="above the 2:1"):
        load_survey("question_cap = 2\n" + SMALL, KEY)


def test_late_reports_count_for_a_week_unless_the_file_says_otherwise():
    """Where there is a last day; without one there is nothing to be late for."""
    ending = "closes = 2027-02-28\n" + SMALL

    assert load_survey(SMALL, KEY).late_days == 0
    assert load_survey(ending, KEY).late_days == 7
    assert load_survey("late_days = 0\n" + ending, KEY).late_days == 0
    assert load_survey("late_days = 30\n" + ending, KEY).late_days == 30
    assert "closes" in str(problems("late_days = 3\n" + SMALL))


def test_more_than_a_device_allows_is_refused_for_privacy():
    """Six two-coin questions are what devices allow; the seventh is refused while authoring."""
    more = "".join(f'\n[[question]]\nid = "q{n}"\ntext = "And {n}?"\n' for n in range(6))
    allowed = more[: more.index('\n[[question]]\nid = "q5"')]

    assert load_survey(SMALL + allowed, KEY).odds == Fraction(729)
    with pytest.raises(TooCostlyError, match="2187"):
        load_survey(SMALL + more, KEY)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("odds = 1000000\n", "costs odds of 1000000 (epsilon"),
        (
            'odds = 50\n[[question]]\nid = "q"\ntext = "?"\nodds = 60\n',
            "costs odds of 50 x 60 = 3000 (epsilon",
        ),
    ],
)
def test_only_several_odds_are_multiplied(more, words):
    """One question's odds are not said to equal themselves."""
    with pytest.raises(TooCostlyError) as refused:
        load_survey(SMALL + more, KEY)

    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("asked", "expected"), [("0.5", 401), ("1", 113), ("1.0986122887", 97), ("2", 42), ("4", 30)]
)
def test_the_minimum_batch_makes_every_interval_at_most_20_points_wide_either_way(asked, expected):
    """The planner's figures: 97 reports by two coins, 113 at epsilon 1, never below 30."""
    mechanism = plain(Decimal(asked), 2, yes_no=True)

    assert expected == designs.minimum_batch([mechanism])


@pytest.mark.parametrize(
    ("before", "after", "place"),
    [
        ('"Habits"', '""', "title"),
        ('"Example University"', '"a\\u0007b"', "publisher's name"),
        ('"Have you ever tried it?"', f'"{"x" * 2001}"', "the text of 'ever_tried'"),
    ],
)
def test_a_text_that_is_none_is_named(before, after, place):
    """Empty, too long or unprintable: the author learns which one of many."""
    assert before in SMALL
    assert problems(SMALL.replace(before, after))[0][1].startswith(f"{place} must have 1 to 2000")


def test_a_question_cap_below_odds_of_1_is_refused():
    """No question costs less, so it would refuse every survey in the devices' name."""
    assert ("question_cap", "must be odds of at least 1, such as 9") in problems(
        SMALL.replace("title =", 'question_cap = "1/10"\ntitle =', 1)
    )


def test_a_choice_with_more_options_than_usual_is_told_what_takes_them():
    """257 without a mechanism: the refusal names auto, with which the same file is taken."""
    names = [f"Option {number}" for number in range(257)]
    head = (
        'id = "s"\ntitle = "T"\npurpose = "P"\n[publisher]\nname = "N"\ncontact = "c@example.org"\n'
    )
    asked = f'[[question]]\nid = "q"\ntext = "Q?"\nanswers = {json.dumps(names)}\n'
    with pytest.raises(SurveyFileError, match='mechanism = "auto"'):
        load_survey(head + asked, bytes(32))

    assert 257 == len(
        load_survey(f'{head}{asked}mechanism = "auto"\n', bytes(32)).questions[0].options
    )


def test_a_key_of_one_mechanism_has_one_form_whatever_takes_it():
    """The file is read before it is known which mechanism a question names."""
    forms = {(key, form) for _, keys in named._keys() for key, form in keys.items()}

    assert dict(forms) == named.forms_of_keys()
    assert len(forms) == len(named.forms_of_keys())
