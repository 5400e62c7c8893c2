"""Which texts people can tell apart: how texts look, in any script.

Stage: authoring, before signing.
"""

from typing import Final
from unicodedata import category, normalize

from tossup.shared.wording import JOINERS

# Letters and marks by category that show nothing: fillers of Hangul, and Braille's empty cell.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u3164\uffa0\u2800\u17b4\u17b5")


def is_blank(text: str) -> bool:
    """Return whether a text shows nothing.

    >>> is_blank("\u200b \u200f"), is_blank("0")
    (True, False)
    """
    return not looks(text)


def looks(text: str) -> str:
    """Return a form that is the same for texts which people cannot tell apart.

    It is Unicode's caseless compatibility form (Unicode 16, D146) without what shows nothing,
    without spaces at the ends, and with single spaces within.

    >>> looks(" Ｙes\u00a0 please\u200b") == looks("yes please"), looks("می\u200cخواهم")
    (True, 'می\u200cخواهم')
    """
    folded = normalize("NFD", text).casefold()
    folded = normalize("NFKC", normalize("NFKC", folded).casefold())
    shown = "".join(character for character in folded if not _shows_nothing(character))
    return " ".join(shown.split()).strip("".join(JOINERS) + " ")


def _shows_nothing(character: str) -> bool:
    """Return whether a character never shows; joiners show in what they join, tags in a flag."""
    if character in JOINERS or "\U000e0020" <= character <= "\U000e007f":
        return False
    is_selector = "\ufe00" <= character <= "\ufe0f"
    return category(character) == "Cf" or is_selector or character in _BLANK
