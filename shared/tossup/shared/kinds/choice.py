"""One of some options: the answers of a question that names its options and nothing else."""

from collections.abc import Callable
from dataclasses import dataclass

from tossup.shared.coins import Coins
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms.base import Mechanism


@dataclass(frozen=True)
class Choice(Domain):
    """The options of a question, of which one is answered.

    Parameters
    ----------
    options
        Their ids, in their order. Mechanisms number them from 0.

    Examples
    --------
    >>> Choice(("bus", "tram")).place("tram"), Choice(("bus", "tram")).place("bike")
    (1, None)
    """

    options: tuple[str, ...] = ()

    kind = "choice"
    fewest_options = 2
    may_offer_refusal = True

    @property
    def answers(self) -> int:
        """Number of options."""
        return len(self.options)

    @property
    def takes(self) -> str:
        """The id of an option."""
        return f"one of {', '.join(self.options)}, as a str"

    @property
    def example(self) -> str:
        """The id of an option."""
        return f"one of: {', '.join(self.options)}"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism is for answers of which one is given."""
        return mechanism.answer_kind == "choice"

    def place(self, answer: object) -> int | None:
        """Return the number of an option; None for what is not exactly the id of one."""
        if type(answer) is not str or answer not in self.options:
            return None
        return self.options.index(answer)

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the place itself, which needs no coin."""
        if type(place) is not int:
            raise TypeError("a choice is answered by the number of an option")
        return place

    def read(self, text: str) -> str | None:
        """Return the id of an option if it is one."""
        return text if text in self.options else None

    @property
    def hint(self) -> str:
        """The number of an option."""
        return f"a number from 1 to {len(self.options)}"

    def typed(self, text: str, option: Callable[[str], str | None]) -> str | None:
        """Return the option that was typed."""
        return option(text)
