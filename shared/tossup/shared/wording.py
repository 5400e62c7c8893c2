"""What a text that people read may hold, in every language of the world.

Stage: before any answer. A text may not hold characters that show nothing and change how others are
shown: controls, and those that turn the direction of what follows (Boucher and Anderson 2021,
"Trojan Source"). Joiners, marks of direction, spaces of any width and emoji belong to languages.
"""

from typing import Final
from unicodedata import category, name

#: Embeddings, overrides and isolates, which reach beyond the text that holds them.
TURNING: Final = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
#: Letters join or part by these, in Persian, in the scripts of India and in emoji.
JOINERS: Final = frozenset("\u200c\u200d")

_NAMELESS: Final = {"Cc": "a control character", "Cs": "a lone surrogate, half of a character"}


def fault(text: str, *, lines: bool = False) -> str | None:
    """Return which character must not stand in a text, and where; None if all may.

    >>> fault("می\u200cخواهم"), fault("a\\tb")
    (None, 'holds U+0009 (a control character) as character 2')

    Parameters
    ----------
    lines
        Whether the text may have several lines, parted by U+000A.
    """
    for place, character in enumerate(text, start=1):
        if character == "\n" and lines:
            continue
        kind = category(character)
        if kind in _NAMELESS or character in TURNING:
            called = _NAMELESS.get(kind) or name(character)
            return f"holds U+{ord(character):04X} ({called}) as character {place}"
    return None
