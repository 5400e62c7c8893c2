"""Texts that are too long for their place, cut between words in every script.

Stage: whatever people read. Who needs the whole text has it elsewhere: a heading, JSON, a file.
"""

from typing import Final
from unicodedata import category, name

_ELLIPSIS: Final = "…"
#: Scripts whose words stand side by side: a line may break after almost every character.
_UNSPACED: Final = ("CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO")
#: Within a word in spite of being punctuation: it’s, 1.5, 1,000.
_WITHIN: Final = frozenset("'’.,")
#: Kinds of characters that belong to what stands before them, and that join what stands around.
_CLINGING: Final = frozenset({"Mn", "Mc", "Me", "Sk"})
_JOINING: Final = frozenset("\u200c\u200d\ufe0f")
#: What must not stand before the ellipsis: spaces, opening marks, and stops that it replaces.
_DANGLING: Final = frozenset({"Zs", "Ps", "Pi", "Po", "Pd"})
#: Of those, what belongs to the number before it.
_OF_NUMBERS: Final = frozenset("%‰")


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, an ellipsis in the place of what was cut.

    It is cut between words where that keeps half of the room, and never within a character that
    is made of several.

    >>> shortened("Have you ever taken something that was not yours?", 40)
    'Have you ever taken something that was…'
    >>> shortened("您是否曾经，哪怕只有一次，在Facebook上说过谎？", 18)
    '您是否曾经，哪怕只有一次，在…'

    Parameters
    ----------
    text
        On one line.
    most
        At least 2.
    """
    if len(text) <= most:
        return text
    room = most - len(_ELLIPSIS)
    places = [at for at in range(room, 0, -1) if not _holds(text, at)] or [room]
    between = (at for at in places if 2 * at >= most and not _is_within(text, at))
    kept = text[: next(between, places[0])]
    while kept and category(kept[-1]) in _DANGLING and kept[-1] not in _OF_NUMBERS:
        kept = kept[:-1]
    return f"{kept or text[: places[0]]}{_ELLIPSIS}"


def _holds(text: str, at: int) -> bool:
    """Return whether the characters before and after a place are shown as one."""
    before, after = text[at - 1], text[at]
    return category(after) in _CLINGING or bool(_JOINING & {before, after})


def _is_within(text: str, at: int) -> bool:
    """Return whether a place is within a word."""
    before, after = text[at - 1], text[at]
    if before in _WITHIN and at > 1:
        before = text[at - 2]
    if after in _WITHIN and at + 1 < len(text):
        after = text[at + 1]
    return _is_spelled(before) and _is_spelled(after)


def _is_spelled(character: str) -> bool:
    """Return whether a character is part of words that spaces part."""
    if category(character)[0] not in "LMN":
        return False
    return not name(character, "").startswith(_UNSPACED)
