"""Questions about a text: ``{text = "a-z ", longest = 12}``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tossup.server import text_designs
from tossup.server.answer_kinds.base import Wanted
from tossup.shared.domain import Domain
from tossup.shared.errors import ManifestError
from tossup.shared.mechanisms import PrefixExtending
from tossup.shared.text import FreeText, characters_of


@dataclass(frozen=True, slots=True)
class Texts:
    """Characters as in a regular expression's brackets, the greatest length, and the rest."""

    characters: str
    longest: int
    others: bool
    salt: int

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
        return text_designs.for_text(domain, wanted.mechanism, wanted.odds, self.salt)


def read_texts(value: Mapping[str, Any]) -> Texts | None:
    """Return what a table says about texts; None if it is no such table."""
    match {"others": False, "salt": 0} | dict(value):
        case {"text": str(characters), "longest": longest, "others": others, "salt": salt, **rest}:
            numbers = type(longest) is type(salt) is int
            if not rest and numbers and type(others) is bool:
                return Texts(characters, longest, others, salt)
    return None
