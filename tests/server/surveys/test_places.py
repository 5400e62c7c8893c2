"""What is wrong in a survey file is told with its line and its question."""

import re

import pytest
from sweeps import each

from tossup.server.surveys.file import TooCostlyError, load_survey
from tossup.server.surveys.reading.places import Places
from tossup.server.surveys.reading.tables import SurveyFileError

FULL = '''# A comment with [brackets] and "quotes".
id = "full"
title = { en = "Full", "zh-Hans" = "完整" }
purpose.en = """
Several lines,
id = "that are no keys"
[[question]]
"""
purpose.zh-Hans = "目的"
languages = ["en", "zh-Hans"]
linkage = "none"
minimum_batch = 100
opens = 2027-01-01
closes = 2027-12-31
late_days = 3
retention_days = 90
results = "public"
question_cap = 9
[publisher]
name = "Example University"  # [[not.a.header]]
contact = "irb@example.org"

[[question]]
id = "tried"
topic = "trying"
text = { en = "Ever tried?", zh-Hans = "试过吗?" }
odds = 3

[[question]]
id = "colour"
text.en = "Which colour?"
text.zh-Hans = "什么颜色?"
mechanism = "k-ary"
epsilon = "1"

[[question.option]]
id = "red"
label = { en = "Red", zh-Hans = "红" }

[[question.option]]
id = "blue"
label = { en = "Blue", zh-Hans = "蓝" }

[[question]]
id = "hours"
text = { en = "How many hours?", zh-Hans = "几个小时?" }
answers = { integers = [
  0,
  10,
] }

[[attribute]]
id = "region"
text = { en = "Region", zh-Hans = "地区" }

[[attribute.option]]
id = "north"
label = { en = "North", zh-Hans = "北" }

[[attribute.option]]
id = "south"
label = { en = "South", zh-Hans = "南" }
'''
KEY = bytes(32)
HEADERS = [n for n, line in enumerate(FULL.split("\n")) if re.match(r"\[", line) and n > 8]


def message(lines: list[str]) -> str:
    """Return why a file is refused, or nothing if it is not."""
    try:
        load_survey("\n".join(lines), KEY)
    except SurveyFileError as error:
        return str(error)
    return ""


def keys() -> list[tuple[int, str, str]]:
    """Return every line with a key: its number, the key, and the question it belongs to."""
    found, inside, text = [], "", False
    for number, line in enumerate(FULL.split("\n"), 1):
        if not text and line.startswith(("[[question]]", "[[attribute]]")):
            inside = re.search(r'id = "(.*?)"', "\n".join(FULL.split("\n")[number:]))[1]
        key = re.match(r"([a-z_]+)(\.[a-zA-Z-]+)? = ", line)
        if key and not text:
            found.append((number, key[1], inside))
        text ^= line.count('"""') == 1
    return found


def test_it_works():
    """The full file is a survey; a slip in it is told with its line and question."""
    load_survey(FULL, KEY)
    lines = FULL.replace('mechanism = "k-ary"', 'mechanism = "k-arry"').split("\n")

    told = message(lines)
    assert told == "line 33, question 'colour', mechanism: is not known; did you mean 'k-ary'?"


def test_a_value_of_the_wrong_type_is_told_with_its_line():
    """Every key of the file in turn holds what no key may hold."""
    for number, key, inside in keys():
        if "." in FULL.split("\n")[number - 1].partition(" = ")[0] or key == "purpose":
            continue
        lines = FULL.split("\n")
        if key == "answers":
            lines[number - 1 : number + 3] = [""]
        lines[number - 1] = f"{key} = [[7]]"
        told = message(lines)
        assert f"line {number}, " in told, (key, told)
        assert key == "id" or inside in told, (key, told)


def test_an_unknown_key_is_told_with_its_line_and_the_nearest_one():
    """Every table takes its own keys alone."""
    for number, key, inside in keys():
        lines = FULL.split("\n")
        lines[number - 1] = re.sub(rf"^{key}", f"{key}x", lines[number - 1])
        told = message(lines)
        assert f"line {number}, " in told, (key, told)
        assert f"{key}x: unknown key; did you mean '{key}'?" in told, (key, told)
        assert key == "id" or inside in told, (key, told)


def test_a_missing_key_is_named_with_the_table_that_lacks_it():
    """The line is that of the table's header, or there is none for the file itself."""
    needed = {"id", "title", "name", "contact", "text", "label"}
    for number, key, inside in keys():
        if key not in needed or FULL.split("\n")[number - 1].startswith("text."):
            continue
        lines = FULL.split("\n")
        lines[number - 1] = ""
        told = message(lines)
        header = max((n + 1 for n in HEADERS if n + 1 < number), default=None)
        assert f"{key}: is missing" in told, (number, told)
        assert header is None or f"line {header}, " in told, (number, told)
        assert key == "id" or inside in told, (number, told)


@each("before, after, told", [
        (FULL[FULL.index("[publisher]") : FULL.index("\n\n[[question]]")], 'publisher = "x"',
         "line 19, publisher: must be a table: [publisher], and name"),
        ('id = "hours"', 'id = "tried"', "question 'tried', id: is that of an earlier question"),
        ('id = "hours"', 'id = "Hours!"', "question 'Hours!', id: must be 1 to 64 of a-z"),
        ("odds = 3", "odds = 1", "line 27, question 'tried': odds (1) must be above 1"),
        ("minimum_batch = 100", "minimum_batch = 0", "line 12: minimum_batch must be from 1"),
        ('id = "blue"\nlabel = { en = "Blue", zh-Hans = "蓝" }', 'id = "blue"\nlabel = "Blue"',
         "line 29, question 'colour', option 'blue': must be given in each of en, zh-Hans"),
        ("linkage =", "\nlinkage = 'both' #", "linkage: none or joint"),
    ])  # fmt: skip
def test_what_no_type_tells_has_its_place_too(before, after, told):
    """Rules that several keys make together, and those of names."""
    assert told in message(FULL.replace(before, after).split("\n"))


def test_what_costs_too_much_stays_a_matter_of_privacy():
    """It is no slip in a line."""
    with pytest.raises(TooCostlyError):
        load_survey(FULL.replace("odds = 3", "odds = 730"), KEY)


def test_lines_are_found_in_every_file_that_is_toml():
    """A key inside a text or a list is none."""
    shown = Places(FULL).shown
    assert shown("retention_days", "x").startswith("line 16, ")
    assert shown("question 3 answers", "x").startswith("line 47, question 'hours', answers: ")
    assert shown("attribute 1 option 2 label", "x").startswith("line 62, attribute 'region', ")


def test_a_text_that_no_text_may_be_is_told_with_its_line_and_option():
    """Of many questions and options nobody looks for a control character by hand."""
    for old, place in (
        ("什么颜色?", "line 31: the text of 'colour'"),
        ("蓝", "line 29: a label of 'colour' (blue)"),
        ("北", "line 52: a label of 'region' (north)"),
        ("完整", "line 3: title"),
    ):
        told = message(FULL.replace(old, f"{old}\\u0007").split("\n"))
        assert told.startswith(f"{place} must have"), told
        assert "U+0007 (a control character)" in told, told
