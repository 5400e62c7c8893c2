"""Yes or no: the answers of a question that names none."""

from dataclasses import dataclass

from tossup.shared.coins import Coins
from tossup.shared.kinds.base import Domain, Place
from tossup.shared.mechanisms.base import Mechanism


@dataclass(frozen=True)
class YesNo(Domain):
    """No and yes, which mechanisms number 0 and 1.

    Examples
    --------
    >>> YesNo().place(True), YesNo().place("yes")
    (1, None)
    """

    kind = "yes_no"

    @property
    def answer_ids(self) -> tuple[str, ...]:
        """``no`` and ``yes``."""
        return ("no", "yes")

    @property
    def answers(self) -> int:
        """Two."""
        return 2

    @property
    def takes(self) -> str:
        """A bool."""
        return "True or False"

    @property
    def example(self) -> str:
        """One of two words."""
        return "one of: no, yes"

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether a mechanism is for answers of which one is given."""
        return mechanism.answer_kind == "choice"

    def place(self, answer: object) -> int | None:
        """Return 0 for False and 1 for True; None for anything else."""
        return int(answer) if type(answer) is bool else None

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the place itself, which needs no coin."""
        if type(place) is not int:
            raise TypeError("yes or no is answered by 0 or 1")
        return place

    def read(self, text: str) -> bool | None:
        """Return True for ``yes`` and False for ``no``; None for anything else."""
        return {"yes": True, "no": False}.get(text)
