"""What a question takes, whatever its kind: the interface.

Stage: before the toss. A domain finds where a true answer lies among the possible ones, without
a coin. When the ledger has room, it turns that place into the index that a mechanism takes.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Final

from tossup.shared.coins import Coins
from tossup.shared.mechanisms import Mechanism

#: What is typed for none of several options.
NONE: Final = "-"
#: Where an answer lies among the possible ones: an index, or what is still to be rounded.
Place = int | Fraction | tuple[Fraction, ...]


class Domain(ABC):
    """The possible answers of one kind of question. Subclasses are frozen values.

    Attributes
    ----------
    kind
        The kind's name; the server's part of it has the same, in ``tossup.server.kinds``.
    fewest_options
        How many options such a question offers at least, if it offers any.
    is_yes_no
        Whether answers are no and yes, so that one share says both.
    may_offer_refusal
        Whether its last option may stand for not answering.
    may_have_unit
        Whether its answers may be counted in a unit, such as hours.
    """

    kind: ClassVar[str]
    fewest_options: ClassVar[int] = 1
    is_yes_no: ClassVar[bool] = False
    may_offer_refusal: ClassVar[bool] = False
    may_have_unit: ClassVar[bool] = False

    @property
    def field(self) -> str:
        """The key of a question in a manifest that holds this domain.

        It is empty where the question's options say it all, or that there are none.
        """
        return ""

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of the question's options that answers are made of; none by default."""
        return ()

    @property
    def answer_ids(self) -> tuple[str, ...]:
        """The ids of what is told of such a question: for most, its options."""
        return self.options

    @property
    @abstractmethod
    def answers(self) -> int:
        """Number of answers that the mechanism tells apart; it may be huge."""

    @property
    @abstractmethod
    def takes(self) -> str:
        """What an answer is in a program, in words: ``an int``."""

    @property
    @abstractmethod
    def example(self) -> str:
        """What an answer is on a command line, with an example: ``a number such as 12``."""

    @abstractmethod
    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether answers of this domain can be given to a mechanism."""

    @abstractmethod
    def place(self, answer: object) -> Place | None:
        """Return where an answer lies; None if it is none, look-alikes included."""

    @abstractmethod
    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:
        """Return the index that a mechanism takes for a place that `place` returned."""

    @abstractmethod
    def read(self, text: str) -> object | None:
        """Return the answer that someone wrote on a command line; None if it is none."""

    @property
    def hint(self) -> str:
        """What to type where someone is asked, and options are shown with numbers from 1."""
        return self.example

    def typed(self, text: str, option: Callable[[str], str | None]) -> object | None:  # noqa: ARG002
        """Return the answer that someone typed who was asked; None if it is none.

        Parameters
        ----------
        option
            Returns the id of the option of a number, an id or a label; None if it is none.
        """
        return self.read(text)

    @property
    def declared(self) -> Mapping[str, Fraction | int | str]:
        """What the question declares of its answers, by name, for a page; nothing for options."""
        return {}

    def becomes(self, mechanism: Mechanism, labels: Sequence[str]) -> str | None:  # noqa: ARG002
        """Return what becomes of an answer before anything is sent, in words for a preview.

        None where the chances of reports say it all.

        Parameters
        ----------
        labels
            What people read of the question's options.
        """
        return None

    def to_json(self) -> dict[str, object]:
        """Return the domain as it stands in a manifest under its `field`; nothing without one."""
        return {}


def words_of(text: str) -> list[str]:
    """Return what someone typed with spaces, commas or signs of rank between.

    >>> words_of("2, 1>3")
    ['2', '1', '3']
    """
    return re.split(r"[\s,>，、]+", text)
