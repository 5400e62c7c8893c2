"""Questions about a text: ``{text = "a-z ", longest = 12}``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tossup.server.kinds.base import Wanted
from tossup.server.kinds.choosing import text as text_designs
from tossup.shared.errors import ManifestError
from tossup.shared.kinds.base import Domain
from tossup.shared.kinds.text import FreeText, characters_of
from tossup.shared.mechanisms import PrefixExtending

_DEFAULTS: Final[Mapping[str, Any]] = {
    "others": False,
    "salt": 0,
    "oracle": text_designs.AUTO,
    "buckets": None,
}


@dataclass(frozen=True, slots=True)
class Texts:
    """Characters as in a regular expression's brackets, the greatest length, and the rest.

    What reports a bucket of a prefix, and how many buckets there are, may be left open.
    """

    characters: str
    longest: int
    others: bool
    salt: int
    oracle: str
    buckets: int | None

    @property
    def labels(self) -> Sequence[str]:
        """None: a text has no options."""
        return ()

    def domain(self, options: tuple[str, ...]) -> FreeText:
        """Return the texts.

        Raises
        ------
        ManifestError
            If the question has options, or the characters or the length are none.
        """
        if options:
            raise ManifestError("a text takes no options")
        return FreeText(characters_of(self.characters), self.longest, self.others)

    def mechanism(self, domain: Domain, wanted: Wanted) -> PrefixExtending:
        """Return the design for the texts."""
        if not isinstance(domain, FreeText):
            raise TypeError("this kind has texts")
        by = text_designs.By(self.oracle, self.buckets)
        return text_designs.for_text(domain, wanted.mechanism, wanted.odds, self.salt, by)


def read_texts(value: Mapping[str, Any]) -> Texts | None:
    """Return what a table says about texts; None if it is no such table."""
    match {**_DEFAULTS, **value}:
        case {
            "text": str(characters), "longest": longest, "others": bool(others), "salt": salt,
            "oracle": str(oracle), "buckets": buckets, **rest,
        }:  # fmt: skip
            numbers = (longest, salt, 0 if buckets is None else buckets)
            if not rest and all(type(number) is int for number in numbers):
                return Texts(characters, longest, others, salt, oracle, buckets)
    return None
