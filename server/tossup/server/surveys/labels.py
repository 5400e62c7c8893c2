"""Labels as authors write them, in any script: their ids, and whether people see a difference.

Stage: authoring, before signing.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, count
from typing import Final
from unicodedata import category, normalize

from tossup.server.surveys.looks import looks
from tossup.shared.survey import MAX_ID, Option, Text

#: Latin letters that Unicode does not decompose.
_LATIN: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
     "ħ": "h", "ŋ": "n", "ə": "e", "ŧ": "t", "ĸ": "k"}
)  # fmt: skip


#: The id of the option that stands for not answering.
RATHER_NOT: Final = "rather_not"
_RATHER_NOT: Final = {"en": "Rather not answer", "zh": "不想回答"}
_YES_AND_NO: Final = {"yes": {"en": "Yes", "zh": "是"}, "no": {"en": "No", "zh": "否"}}


def with_refusal(
    options: tuple[Option, ...], languages: Sequence[str], label: Text | None
) -> tuple[Option, ...]:
    """Return a question's options, or yes and no, and one more that stands for not answering.

    Parameters
    ----------
    label
        What it is called; None for our words, which exist in English and Chinese.

    Raises
    ------
    ValueError
        If words are needed in another language.
    """
    answers = options or tuple(
        Option(name, _ours(words, languages, "give answers with labels for yes and no"))
        for name, words in _YES_AND_NO.items()
    )
    called = label or _ours(_RATHER_NOT, languages, "give refusal_label in every language")
    return (*answers, Option(RATHER_NOT, called))


def _ours(words: Mapping[str, str], languages: Sequence[str], otherwise: str) -> Text:
    families = {tag: tag.partition("-")[0] for tag in languages}
    if not all(family in words for family in families.values()):
        raise ValueError(f"refusal: there are words for {', '.join(words)} alone; {otherwise}")
    return {tag: words[family] for tag, family in families.items()}


def ids_of(labels: Sequence[str]) -> tuple[str, ...]:
    """Return an id for each label: made of its letters where they are Latin, else of its place.

    The same labels have the same ids for ever, and all ids of a list differ. A label that has no
    Latin letter or digit, or whose letters make the id of another one, is ``option_`` and its
    place.

    >>> ids_of(["Very good", "Très bien", "时间不够"])
    ('very_good', 'tres_bien', 'option_3')
    >>> ids_of(["C", "C++", "Option 2"])
    ('option_1', 'option_2_2', 'option_2')
    """
    slugs = [_slug(label) for label in labels]
    times = Counter(slugs)
    ids = {place: slug for place, slug in enumerate(slugs) if slug and times[slug] == 1}
    taken = set(ids.values())
    for place in range(len(labels)):
        if place not in ids:
            ids[place] = _free(f"option_{place + 1}", taken)
            taken.add(ids[place])
    return tuple(ids[place] for place in range(len(labels)))


def is_made_by_place(option_id: str) -> bool:
    """Return whether an id says nothing of its label."""
    return re.fullmatch(r"option_\d+(_\d+)?", option_id) is not None


def is_less_than_its_label(option_id: str, label: str) -> bool:
    """Return whether an id was made of a part of its label: letters, signs and minus are left out.

    >>> is_less_than_its_label("2", "-2"), is_less_than_its_label("a", "非A")
    (True, True)
    >>> is_less_than_its_label("tres_bien", "Très bien!")
    False
    """
    if option_id != _slug(label):
        return False
    left = [each for each in _plain(label) if not each.isascii() and category(each)[0] in "LNS"]
    return (
        bool(left)
        or re.search(r"[<>=+$%&@#|~^]|(?<!\w)[-\u2010-\u2015\u2212]\s*\d", label) is not None
    )


def look_alike(options: Sequence[Option]) -> str | None:
    """Return which two labels look the same in one language; None if none do."""
    for language in options[0].label if options else ():
        shown = {option.id: option.label[language] for option in options}
        alike = _alike(shown)
        if alike:
            first, second = (f"{shown[each]!r} ({each})" for each in alike)
            return f"options {first} and {second} look the same in {language}"
    return None


def _alike(labels: Mapping[str, str]) -> tuple[str, str] | None:
    forms = {option_id: looks(label) for option_id, label in labels.items()}
    if len(set(forms.values())) == len(forms):
        return None
    return next(pair for pair in combinations(forms, 2) if forms[pair[0]] == forms[pair[1]])


def _slug(label: str) -> str:
    """Return the Latin letters and digits of a label, accents left out, or an empty text."""
    return re.sub(r"[^a-z0-9]+", "_", _plain(label)).strip("_")[:MAX_ID].rstrip("_")


def _plain(label: str) -> str:
    """Return a label in small letters, accents left out."""
    plain = normalize("NFKD", label.lower().translate(_LATIN))
    plain = "".join(character for character in plain if not "\u0300" <= character <= "\u036f")
    return plain.lower()


def _free(wanted: str, taken: set[str]) -> str:
    """Return an id, with a number after it if it is taken."""
    if wanted not in taken:
        return wanted
    return next(name for number in count(2) if (name := f"{wanted}_{number}") not in taken)
