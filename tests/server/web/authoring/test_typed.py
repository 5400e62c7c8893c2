"""A form and a survey file are two writings of one thing, and make the same manifest."""

import re
import tomllib
from decimal import Decimal
from pathlib import Path

import every_kind
from hypothesis import given, settings
from hypothesis import strategies as st

from tossup.server.kinds import FORMS, KINDS
from tossup.server.surveys.file import load_survey
from tossup.server.surveys.writing import written
from tossup.server.web.authoring import typed
from tossup.shared.errors import TossupError

ROOT = Path(__file__).parents[4]
KEY = bytes(32)
HEAD = """
id = "habits"
title = "Habits"
purpose = "To learn how common a habit is."
question_cap = 729
[publisher]
name = "Example University"
contact = "irb@example.org"
"""
TRANSLATED = """
id = "habits"
title = { en = "Habits", zh-Hans = "习惯" }
purpose = { en = "To learn.\\nTruly.", zh-Hans = "了解。" }
opens = 2027-01-01
closes = 2027-01-31
late_days = 3
retention_days = 30
results = "public"
linkage = "joint"
minimum_batch = 500
[publisher]
name = "Example University"
contact = "irb@example.org"
[[attribute]]
id = "region"
text = { en = "Region", zh-Hans = "地区" }
[[attribute.option]]
id = "n"
label = { en = "North", zh-Hans = "北" }
[[attribute.option]]
id = "s"
label = { en = "South", zh-Hans = "南" }
[[question]]
id = "moved"
topic = "moving"
text = { en = "How far?", zh-Hans = "多远？" }
answers = { vector = true, norm = 10, step = "1/4" }
epsilon = 1.0
[[question.option]]
id = "east"
label = { en = "East", zh-Hans = "东" }
[[question.option]]
id = "north"
label = { en = "North", zh-Hans = "北" }
[[question]]
id = "tried"
text = { en = "Have you tried it?", zh-Hans = "试过吗？" }
short = { en = "Tried it", zh-Hans = "试过" }
refusal = "randomized"
refusal_label = { en = "No comment", zh-Hans = "不答" }
"""


def by_form(text: str) -> str:
    """Return the file after every part of it was shown in a form, and saved as it was."""
    table = tomllib.loads(text, parse_float=Decimal)
    made = typed.survey_written(table, typed.survey_typed(table))
    languages = typed.languages_of(made)
    made["question"] = [
        typed.question_written(typed.question_typed(part, languages), languages)
        for part in table["question"]
    ]
    made["attribute"] = [
        typed.group_written(typed.group_typed(part, languages), languages)
        for part in table.get("attribute", [])
    ]
    return written(made)


def files():
    """Yield every survey file of the documentation, of tests, and one in two languages."""
    yield TRANSLATED
    yield (ROOT / "tests/web/nightlife.toml").read_text()
    for parts in ("_QUESTIONS", "_TEXT_AND_STATEMENTS", "_COUNTERS"):
        waves = f"{every_kind._WAVES}times = 2\n" if parts == "_COUNTERS" else ""
        yield every_kind._HEAD + waves + getattr(every_kind, parts)
    for page in sorted(ROOT.glob("docs/**/*.md")):
        for block in re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL):
            if "[[question]]" in block:
                yield block if "[publisher]" in block else HEAD + block


def test_a_form_saved_as_it_is_changes_no_manifest():
    """Of every kind of question, with groups, waves and languages; in the file's own form, too."""
    seen = set()
    for text in files():
        try:
            expected = load_survey(text, KEY)
        except TossupError:
            continue  # a part of a file, or an example of what is refused
        again = by_form(text)

        assert expected == load_survey(again, KEY), text
        assert by_form(again) == again, text
        assert expected == load_survey(written(tomllib.loads(text, parse_float=Decimal)), KEY), text
        seen |= {question.kind for question in expected.questions}
    assert set(KINDS) == seen


def test_every_kind_has_a_form_and_no_two_say_the_same():
    """What one form writes, it reads again, and no other one does."""
    for name, form in FORMS.items():
        values = {field.name: "3" for field in form.fields}
        for has_tables in (False, True):
            labels = ["a", "b"] if form.labels is not None and not has_tables else []
            if has_tables and form.labels is None:
                continue
            answers = form.write(values, labels, has_tables=has_tables)
            read = [each for each, one in FORMS.items() if one.read(answers, has_tables=has_tables)]

            assert [name] == read, answers


anything = st.recursive(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]))
    | st.integers(-(2**40), 2**40)
    | st.booleans()
    | st.dates()
    | st.decimals(-1000, 1000, places=3).map(lambda d: d + Decimal("0.0")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("abé. ", max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)
keys = st.sampled_from(
    [
        "id",
        "text",
        "topic",
        "answers",
        "option",
        "odds",
        "epsilon",
        "mechanism",
        "refusal",
        "refusal_label",
        "unit",
        "weights",
        "x",
    ]
)


@given(st.dictionaries(keys, anything))
@settings(max_examples=60)
def test_a_question_however_wrong_is_shown_and_kept(part):
    """What no field stands for stands as the file writes it; nothing typed is ever lost."""
    once = typed.question_written(typed.question_typed(part, ["en"]), ["en"])
    again = typed.question_written(typed.question_typed(once, ["en"]), ["en"])

    assert once == again
    assert tomllib.loads(written({"question": [once]}), parse_float=Decimal)["question"] == [once]
