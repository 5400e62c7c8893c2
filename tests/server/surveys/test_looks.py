"""Texts that look the same are told, whatever characters they are made of."""

from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.server.surveys.looks import is_blank, looks

anything = st.text(st.characters(exclude_categories=[]), min_size=1, max_size=40)


@each(
    "first, second",
    [
        ("Yes", "yes"),
        ("Yes", " yes "),
        ("Yes", "Ｙｅｓ"),
        ("straße", "STRASSE"),
        ("é", "e\u0301"),
        ("two words", "two\u00a0words"),
        ("two words", "two  words"),
        ("a", "a\u200b"),
        ("a", "\ufeffa"),
        ("co\u00adop", "coop"),
        ("❤", "❤\ufe0f"),
        ("ﷺ", "صلى الله عليه وسلم"),
        ("م", "م\u200c"),
        ("ΣΑΣ", "σας"),
    ],
)
def test_these_look_the_same(first: str, second: str) -> None:
    """By compatibility form, case, spaces, and what shows nothing."""
    assert looks(first) == looks(second)


@each(
    "first, second",
    [
        ("می\u200cخواهم", "میخواهم"),
        ("👨\u200d👩\u200d👧", "👨👩👧"),
        ("क\u094d\u200dष", "क\u094dष"),
        ("e", "é"),
        ("好", "不好"),
        ("ي", "ى"),
        ("🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴"),
    ],
)
def test_these_do_not(first: str, second: str) -> None:
    """A joiner between letters, an accent or a tag of a flag makes another word or picture."""
    assert looks(first) != looks(second)


@each("text", ["", " ", "\u00a0\u3000", "\u200b", "\u200d", "\u2800", "\u3164"])
def test_these_show_nothing(text: str) -> None:
    """Spaces of any width, joiners alone, and letters that are blank."""
    assert is_blank(text)


@given(anything)
def test_what_looks_the_same_is_found_whichever_form_is_looked_at(text: str) -> None:
    """Looking twice changes nothing, so that looking the same is an equivalence."""
    assert looks(looks(text)) == looks(text)
