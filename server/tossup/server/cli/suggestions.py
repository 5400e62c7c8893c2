"""The nearest of what there is, for a name that was typed wrong."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of an error message: the one known name that is nearest, if any is near.

    >>> did_you_mean("habit", ["habits", "pets"])
    '; did you mean habits?'
    """
    nearest = get_close_matches(word, list(known), n=1)
    return f"; did you mean {nearest[0]}?" if nearest else ""
