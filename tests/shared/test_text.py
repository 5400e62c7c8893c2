"""Texts as answers: one form of each, declared characters, and what does not fit."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sweeps import each

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, TossupError
from tossup.shared.kinds.text import OTHER, FreeText, characters_of, runs
from tossup.shared.mechanisms import HadamardResponse, PrefixExtending, TwoCoin

NAMES = FreeText(characters_of("a-z "), 12)
WORDS = FreeText(characters_of("一-鿿"), 4)
CODES = FreeText(characters_of("A-Za-z0-9._-"), 8, others=True)


def test_it_works():
    """A text becomes a number and comes back."""
    assert "alice" == NAMES.text(NAMES.place("Alice"))
    assert "北京" == WORDS.text(WORDS.place("北京"))


@given(st.text(characters_of("a-z "), min_size=1, max_size=20))
def test_a_text_in_its_one_form_comes_back(written: str):
    """Spaces at the ends go, runs of them become one; what is left is what is read back."""
    form = " ".join(written.split())
    place = NAMES.place(written)

    assert (form if 0 < len(form) <= 12 else None) == (None if place is None else NAMES.text(place))


@given(st.integers(0, 28**12 - 1))
def test_numbers_are_texts(number: int):
    """What a server reads from a number whose text ended properly is that number's text."""
    text = NAMES.text(number)

    assert len(text) <= 12
    if "  " not in text and text == text.strip() and text:
        assert NAMES.text(NAMES.place(text)) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("ALICE", "alice"),
        ("  alice\t\nb  ", "alice b"),
        ("\u017f", None),  # a long s is no declared letter, though its capital is
        ("\u212a", "k"),  # the sign of a kelvin is a K
    ],
)
def test_case_and_spaces_fold(written: str, text: str | None):
    """Capitals become small letters where none is declared, any white space a single space."""
    place = NAMES.place(written)

    assert text == (None if place is None else NAMES.text(place))


def test_composed_and_decomposed_letters_are_one():
    """Unicode NFC: an accent typed on its own is the same text."""
    accents = FreeText(characters_of("a-zà-öø-ÿ"), 8)

    assert accents.place(normalize("NFD", "zoë")) == accents.place("ZOË") is not None


def test_a_declared_capital_keeps_case():
    """Where codes may have capitals, ``ab`` and ``AB`` are different answers."""
    assert "aB-1" == CODES.text(CODES.place("aB-1"))
    assert CODES.place("ab") != CODES.place("AB")


@each(
    "answer",
    ["", "   ", "thirteen char", "zoë", "a1", "a\0", "é" * 5000, b"alice", 5, None, True, ["a"]],
)
def test_what_does_not_fit_is_refused(answer: object):
    """Empty, too long, other characters, or no ``str``: no place, so nothing is tossed."""
    assert NAMES.place(answer) is None


class Text(str):
    """Looks like a text."""


def test_look_alikes_are_refused():
    """A subclass of ``str`` may be anything inside."""
    assert NAMES.place(Text("alice")) is None


@pytest.mark.parametrize("answer", ["", "nine chars", "a b", "é"])
def test_what_does_not_fit_counts_as_another_text_if_declared(answer: str):
    """One answer for all of them; what is no ``str`` is refused all the same."""
    assert OTHER == CODES.place(answer)
    assert "" == CODES.text(OTHER)
    assert CODES.place(None) is None


def test_it_goes_to_its_own_mechanism_only():
    """As many characters, as long."""
    oracle = HadamardResponse(3)

    assert NAMES.fits(PrefixExtending(27, (3, 6, 9, 12), 1, oracle))
    assert not NAMES.fits(PrefixExtending(26, (3, 6, 9, 12), 1, oracle))
    assert not NAMES.fits(PrefixExtending(27, (3, 6, 9), 1, oracle))
    assert not NAMES.fits(TwoCoin())
    assert 5 == NAMES.index(5, TwoCoin(), Coins())


@pytest.mark.parametrize("texts", [NAMES, WORDS, CODES], ids=lambda texts: texts.summary)
def test_a_manifest_says_it_all(texts: FreeText):
    """What is written comes back."""
    assert texts == FreeText.from_json(texts.to_json())


@each(
    "changed",
    [
        {"characters": []},
        {"characters": "a-z"},
        {"characters": ["a-z", "a"]},
        {"characters": ["b", "a"]},
        {"characters": ["z-a"]},
        {"characters": ["a-a"]},
        {"characters": ["ab"]},
        {"characters": [1]},
        {"characters": [" "]},
        {"characters": ["\n"]},
        {"characters": ["\u00a0"]},
        {"characters": ["\u212b"]},  # the sign of an angstrom is not in NFC
        {"characters": ["\ud800"]},
        {"characters": ["\0-\U0010ffff"]},
        {"longest": 0},
        {"longest": 65},
        {"longest": True},
        {"longest": "12"},
        {"others": 0},
        {"more": 1},
    ],
)
def test_what_is_no_domain_is_refused(changed: dict[str, object]):
    """Characters that no text can hold in its one form, bounds, and unknown fields."""
    with pytest.raises(TossupError):
        FreeText.from_json(NAMES.to_json() | changed)


def test_characters_are_counted_before_they_are_spelled_out(monkeypatch):
    """A manifest of 128 KiB can name some ten thousand million; a device must not hold them."""
    monkeypatch.setattr("tossup.shared.kinds.text.chr", pytest.fail, raising=False)
    with pytest.raises(ManifestError, match="65535"):
        FreeText.from_json(NAMES.to_json() | {"characters": ["!-\U0010ffff"] * 9000})


def test_a_text_has_no_options():
    """A manifest with both is refused."""
    with pytest.raises(TossupError, match="no options"):
        FreeText.from_json(NAMES.to_json(), ("a", "b"))


@given(st.sets(st.characters(min_codepoint=32, max_codepoint=126), min_size=1))
def test_ranges_and_characters_are_the_same(characters: set[str]):
    """Every set has one list of ranges, which spells it out again."""
    joined = "".join(sorted(characters))
    ranges = runs(joined)

    assert joined == "".join(characters_of(run) for run in ranges)
    assert len(ranges) == len(set(ranges))


def test_a_range_that_ends_before_it_starts_is_refused():
    """As in a regular expression."""
    with pytest.raises(ManifestError, match="ends before"):
        characters_of("z-a")
