"""Free texts as answers: declared characters, a greatest length, and one form of every text.

Stage: before the toss. A question that takes a text declares its characters and how many of them
the longest text has. A text is first put in one form: composed (Unicode NFC), without
spaces at its ends, with single spaces within, and in lower case unless a capital is declared. What
does not fit then is refused before any coin is tossed; or, if the question says so, counts as
"another text", which is an answer like any other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Final
from unicodedata import normalize

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.choices.prefix_extending import MAX_CHARACTERS, MAX_LENGTH
from tossup.shared.wording import JOINERS

#: The answer that stands for every text that does not fit, where a question takes them.
OTHER: Final = 0
#: A longer text cannot fit, and is not looked at any further.
_MOST_WRITTEN: Final = 1 << 12
_RANGE_LENGTH: Final = 3


@dataclass(frozen=True)
class FreeText(Domain):
    """The texts that a question takes.

    Parameters
    ----------
    characters
        Those that a text is made of, each once, in the order of their code points.
    longest
        How many of them the longest text has, from 1 to 64.
    others
        Whether any other text counts as "another text" instead of being refused.

    Raises
    ------
    ManifestError
        If a character cannot stand in a text that was put in its one form, or bounds do not hold.

    Examples
    --------
    >>> names = FreeText(characters_of("a-z "), 12)
    >>> names.text(names.place("  Alice "))
    'alice'
    >>> names.place("Zoë") is None
    True
    """

    characters: str
    longest: int
    others: bool = False

    kind = "text"

    def __post_init__(self) -> None:
        if type(self.longest) is not int or not 1 <= self.longest <= MAX_LENGTH:
            raise ManifestError(f"the longest text must have 1 to {MAX_LENGTH} characters")
        if not 1 <= len(self.characters) < MAX_CHARACTERS:
            raise ManifestError(f"texts need 1 to {MAX_CHARACTERS - 1} declared characters")
        if any(before >= after for before, after in pairwise(self.characters)):
            raise ManifestError("characters of a text must stand once each, in their order")
        if not set(self.characters) - {" ", *JOINERS}:
            raise ManifestError("texts need a character that is no space and no joiner")
        for character in self.characters:
            if (
                not (character.isprintable() or character in JOINERS)
                or self._in_one_form(f".{character}.") != f".{character}."
            ):
                raise ManifestError(
                    f"U+{ord(character):04X} cannot stand in a text: texts are put in Unicode NFC,"
                    " and hold neither control characters nor spaces but U+0020"
                )

    @property
    def field(self) -> str:
        """``texts``: a question's own ``text`` is its wording."""
        return "texts"

    @property
    def answers(self) -> int:
        """All strings of characters and end marks, of the greatest length."""
        return int((len(self.characters) + 1) ** self.longest)

    @property
    def takes(self) -> str:
        """A str within the bounds; any, where others count."""
        if self.others:
            return "a str"
        return f"a str of 1 to {self.longest} of the characters {self.summary}"

    @property
    def example(self) -> str:
        """A text in words."""
        return f"a text of 1 to {self.longest} of the characters {self.summary}"

    @cached_property
    def summary(self) -> str:
        """The characters in short: ``a-z and space``."""
        shown = ["space" if run == " " else run for run in runs(self.characters)]
        few = shown if len(shown) <= 12 else [*shown[:11], f"{len(shown) - 11} more ranges"]
        return " and ".join([", ".join(few[:-1]), few[-1]] if few[1:] else few)

    @cached_property
    def folds_case(self) -> bool:
        """Whether capitals become small letters: unless a declared character is a capital."""
        return self.characters == self.characters.lower()

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is one for texts of so many characters."""
        sizes = len(self.characters), self.longest
        return mechanism.answer_kind == "text" and mechanism.is_for(*sizes)

    def place(self, answer: object) -> int | None:
        """Return the number of a text, `OTHER` for one that does not fit if others count.

        None if it does not fit and others are refused, and for anything but exactly a ``str``.
        """
        if type(answer) is not str:
            return None
        written = self._in_one_form(answer) if len(answer) <= _MOST_WRITTEN else ""
        fits = 0 < len(written) <= self.longest and all(c in self._digits for c in written)
        if not fits:
            return OTHER if self.others else None
        number = 0
        for character in written:
            number = number * self._base + self._digits[character]
        return int(number * self._base ** (self.longest - len(written)))

    def text(self, number: int) -> str:
        """Return the text with a number; empty for `OTHER`."""
        found = []
        for _ in range(self.longest):
            number, digit = divmod(number, self._base)
            found.append(self.characters[digit - 1] if digit else "")
        return "".join(reversed(found))

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the number itself: nothing is to be rounded."""
        if type(place) is not int:
            raise TypeError("a text takes its own places")
        return place

    def read(self, text: str) -> str | None:
        """Return the text as it was written, if it is an answer."""
        return text if self.place(text) is not None else None

    @property
    def declared(self) -> dict[str, Fraction | int | str]:
        """The greatest length, and the characters."""
        return {"longest": self.longest, "characters": self.summary}

    def becomes(self, mechanism: Mechanism, labels: Sequence[str]) -> str:  # noqa: ARG002
        """Return what fits, what becomes of other texts, and that a bucket is sent."""
        other = 'counts as "another text"' if self.others else "is refused, and nothing is sent"
        case = "" if not self.folds_case else ", capitals as small letters"
        return (
            f"any text of 1 to {self.longest} of the characters {self.summary}{case}; any other"
            f" {other}.\n  Its first characters, as many as chance decides, or all of them, are"
            " hashed into a bucket that\n  many texts share. One of"
            f" {mechanism.reports} reports is sent, and every one of them may be sent whatever your"
            " text is"
        )

    def to_json(self) -> dict[str, object]:
        """Return the domain as it stands in a manifest, characters as ranges."""
        return {
            "characters": runs(self.characters),
            "longest": self.longest,
            "others": self.others,
        }

    @classmethod
    def from_json(cls, value: object, options: tuple[str, ...] = ()) -> "FreeText":
        """Return the texts of a manifest's ``texts``; the question has no options.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes.
        """
        if options:
            raise WireError("a question that takes a text has no options")
        match value:
            case {"characters": [*ranges], "longest": int(longest), "others": bool(others), **rest}:
                if not rest and all(_is_run(run) for run in ranges):
                    return cls(_joined(ranges), longest, others)
        raise WireError("a text takes exactly characters (a list of ranges), longest and others")

    @cached_property
    def _digits(self) -> dict[str, int]:
        return {character: place for place, character in enumerate(self.characters, start=1)}

    @property
    def _base(self) -> int:
        return len(self.characters) + 1

    def _in_one_form(self, written: str) -> str:
        folded = written.lower() if self.folds_case else written
        return normalize("NFC", " ".join(folded.split()))


def characters_of(pattern: str) -> str:
    """Return the characters that someone wrote as in a regular expression's brackets.

    A minus between two characters makes a range of them; the first or the last is itself.

    >>> characters_of("a-f 0-2")
    ' 012abcdef'
    >>> characters_of("x-")
    '-x'

    Raises
    ------
    ManifestError
        If a range ends before it starts.
    """
    found: set[str] = set()
    at = 0
    while at < len(pattern):
        is_range = pattern[at + 1 : at + 2] == "-" and at + 2 < len(pattern)
        run = pattern[at : at + (_RANGE_LENGTH if is_range else 1)]
        if run[0] > run[-1]:
            raise ManifestError(f"the range {run!r} ends before it starts")
        found.update(_spelled_out([run]))
        at += len(run)
    return "".join(sorted(found))


def runs(characters: str) -> list[str]:
    """Return characters in their order as ranges, each as long as can be.

    >>> runs(" abcxyz")
    [' ', 'a-c', 'x-z']
    """
    found: list[list[str]] = []
    for character in characters:
        if found and ord(character) == ord(found[-1][-1]) + 1:
            found[-1] = [found[-1][0], character]
        else:
            found.append([character])
    return ["-".join(run) for run in found]


def _is_run(run: object) -> bool:
    if not isinstance(run, str) or len(run) not in (1, _RANGE_LENGTH):
        return False
    return len(run) == 1 or (run[1] == "-" and run[0] < run[2])


def _joined(ranges: Sequence[str]) -> str:
    """Return all characters of ranges, counted before any is spelled out: few bytes name many."""
    count = sum(ord(run[-1]) - ord(run[0]) + 1 for run in ranges)
    if count >= MAX_CHARACTERS:
        raise ManifestError(f"texts need 1 to {MAX_CHARACTERS - 1} declared characters")
    return "".join(_spelled_out(ranges))


def _spelled_out(ranges: Iterable[str]) -> Sequence[str]:
    return [chr(code) for run in ranges for code in range(ord(run[0]), ord(run[-1]) + 1)]
