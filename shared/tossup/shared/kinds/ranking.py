"""Preference orders as answers: all options of a question, best first.

Stage: before the toss. An order is numbered among all orders; ties and orders of some of
the options are no answers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Final

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.base import Domain, Place, words_of
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.scores.ranked_choice import MAX_RANKED, index_of

_BETWEEN: Final = ">"


@dataclass(frozen=True)
class Ranking(Domain):
    """All orders of a question's options.

    Parameters
    ----------
    options
        The ids of the options, 2 to 10.

    Raises
    ------
    ManifestError
        If there are fewer or more.

    Examples
    --------
    >>> Ranking(("bus", "tram", "bike")).place(["tram", "bike", "bus"])
    3
    """

    options: tuple[str, ...] = ()

    kind = "ranking"

    def __post_init__(self) -> None:
        if not 2 <= len(self.options) <= MAX_RANKED:
            raise ManifestError(f"an order is one of 2 to {MAX_RANKED} options")

    @property
    def field(self) -> str:
        """``ranking``."""
        return "ranking"

    @property
    def answers(self) -> int:
        """Number of orders."""
        return factorial(len(self.options))

    @property
    def takes(self) -> str:
        """What an answer is in a program, in words."""
        return f"a list or tuple of all of {', '.join(self.options)}, best first"

    @property
    def example(self) -> str:
        """What an answer is on a command line, with an example."""
        return f"all options, best first, such as '{_BETWEEN.join(reversed(self.options))}'"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism is for orders."""
        return mechanism.answer_kind == "ranking"

    def place(self, answer: object) -> int | None:
        """Return the number of an order; None if it is no list or tuple of all ids, once each."""
        if type(answer) is not list and type(answer) is not tuple:
            return None
        if not _is_order(answer, self.options):
            return None
        return index_of([self.options.index(option) for option in answer])

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the number of the order, which needs no coin."""
        if type(place) is not int:
            raise TypeError("an order is answered by its number")
        return place

    def read(self, text: str) -> tuple[str, ...] | None:
        """Return the order that someone wrote as ``tram>bike>bus``; None if it is none.

        >>> Ranking(("bus", "tram")).read("tram > bus")
        ('tram', 'bus')
        """
        order = tuple(part.strip() for part in text.split(_BETWEEN))
        return order if _is_order(order, self.options) else None

    @property
    def hint(self) -> str:
        """The numbers of all options."""
        order = ",".join(str(n) for n in range(len(self.options), 0, -1))
        return f"all numbers, best first, such as {order}"

    def typed(self, text: str, option: Callable[[str], str | None]) -> tuple[str, ...] | None:
        """Return the order that was typed."""
        return self.read(_BETWEEN.join(option(word) or "" for word in words_of(text)))

    def to_json(self) -> dict[str, object]:
        """Return the domain as it stands in a manifest: the options are the question's own."""
        return {"of": "all"}

    @classmethod
    def from_json(cls, value: object, options: tuple[str, ...] = ()) -> "Ranking":
        """Return the orders of a question's options.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes, or there are no 2 to 10 options.
        """
        if value != {"of": "all"}:
            raise WireError('a question about an order has exactly {"of": "all"} for its ranking')
        return cls(options)


def _is_order(answer: Sequence[object], options: Sequence[str]) -> bool:
    """Return whether an answer has every option once, as a ``str``, and nothing else."""
    if len(answer) != len(options) or any(type(option) is not str for option in answer):
        return False
    return set(answer) == set(options)
