"""What a text that people read may hold, in every language."""

import json
from dataclasses import replace
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tossup.shared.errors import ManifestError
from tossup.shared.survey import MAX_TEXT, Option, Survey
from tossup.shared.wording import TURNING, fault

BIDI = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}
anything = st.text(st.characters(exclude_categories=[]), min_size=1, max_size=40)


def refused(character: str) -> bool:
    """The whole rule: controls, lone surrogates, and what turns the direction of other texts."""
    return category(character) in {"Cc", "Cs"} or character in BIDI


def test_every_character_of_unicode_but_these_may_stand_in_a_text() -> None:
    """All 1,114,112 code points by the rule, and by nothing else."""
    every = [chr(code) for code in range(0x110000)]
    wrong = [character for character in every if refused(character) and not fault(character)]

    assert [] == wrong
    assert fault("".join(character for character in every if not refused(character))) is None
    assert BIDI == TURNING


@given(anything)
def test_the_first_that_may_not_stand_is_named_with_its_place(text: str) -> None:
    """So that an author finds what no editor shows."""
    places = [place for place, character in enumerate(text, 1) if refused(character)]
    said = fault(text)

    assert (said is None) == (places == [])
    if said is not None:
        assert f"U+{ord(text[places[0] - 1]):04X}" in said
        assert said.endswith(f"as character {places[0]}")


@given(anything.filter(lambda text: not any(map(refused, text))))
def test_a_manifest_takes_every_other_text_everywhere(survey: Survey, text: str) -> None:
    """Title, purpose, wording, label, name and contact, and they come back as they were."""
    words = {"en": text}
    first, *others = survey.questions
    region = survey.attributes[0]
    options = (Option("north", words), *region.options[1:])
    written = replace(
        survey,
        title=words,
        purpose={"en": f"{text}\n\n{text}"},
        publisher=replace(survey.publisher, name=text, contact=text),
        questions=(replace(first, text={"en": f"{text}\n{text}"}), *others),
        attributes=(replace(region, text=words, options=options),),
    )

    assert written == Survey.parse(written.payload)
    assert json.loads(written.payload)["title"]["en"] == text


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda s, t: replace(s, title=t), "title"),
        (lambda s, t: replace(s, attributes=(replace(s.attributes[0], options=(
            Option("north", t), *s.attributes[0].options[1:])),)), "a label of 'region'"),
        (lambda s, t: replace(s, publisher=replace(s.publisher, name=t["en"])), "publisher's name"),
        (lambda s, t: replace(s, publisher=replace(s.publisher, contact=t["en"])), "contact"),
    ],
)  # fmt: skip
def test_lines_are_for_purposes_and_questions(survey: Survey, change, place: str) -> None:
    """What stands in a list, a heading or a cell has one line."""
    with pytest.raises(ManifestError, match=r"U\+000A \(a control character\) as character 4"):
        change(survey, {"en": "one\ntwo"})
    with pytest.raises(ManifestError) as error:
        change(survey, {"en": "x" * (MAX_TEXT + 1)})

    assert str(error.value).startswith(place)
