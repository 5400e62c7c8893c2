"""Questions that take several of their options: tick all that apply, or some of them."""

from collections.abc import Callable
from dataclasses import dataclass

from tossup.shared.coins import Coins
from tossup.shared.errors import ManifestError, WireError
from tossup.shared.kinds.base import NONE, Domain, Place, words_of
from tossup.shared.mechanisms import Mechanism
from tossup.shared.mechanisms.several.base import MAX_OPTIONS

_COLLECTIONS = (list, tuple, set, frozenset)


@dataclass(frozen=True)
class Several(Domain):
    """Sets of a question's options.

    Parameters
    ----------
    options
        The ids of the options, in their order; from 1 to 64.
    most
        The largest number of options that one may tick. It is part of what an answer costs: two
        answers can differ in no more than twice as many options.

    Raises
    ------
    ManifestError
        If these bounds do not hold.

    Examples
    --------
    >>> Several(("python", "rust", "c"), most=2).place(["c", "python"])
    5
    >>> Several(("python", "rust", "c"), most=2).place(["c", "python", "rust"]) is None
    True
    """

    options: tuple[str, ...] = ()
    most: int = 1

    kind = "several"

    def __post_init__(self) -> None:
        if not 1 <= len(self.options) <= MAX_OPTIONS:
            raise ManifestError(f"a question with several answers has 1 to {MAX_OPTIONS} options")
        if type(self.most) is not int or not 1 <= self.most <= len(self.options):
            raise ManifestError("most must be from 1 to the number of options")

    @property
    def field(self) -> str:
        """``several``."""
        return "several"

    @property
    def answers(self) -> int:
        """Masks of the options; those with more than ``most`` are no answers."""
        return 1 << len(self.options)

    @property
    def takes(self) -> str:
        """A collection of ids."""
        return f"a list, tuple or set of different options ({self._named}), at most {self.most}"

    @property
    def example(self) -> str:
        """Ids with commas between them, or nothing."""
        example = ",".join(self.options[: self.most][:2])
        return (
            f"at most {self.most} of {self._named}, with commas between them, such as {example};"
            " nothing after = for none of them"
        )

    @property
    def _named(self) -> str:
        return ", ".join(self.options)

    def fits(self, mechanism: Mechanism) -> bool:
        """Return whether the mechanism is one for so many ticks of so many options."""
        sizes = len(self.options), self.most
        return mechanism.answer_kind == "several" and mechanism.is_for(*sizes)

    def place(self, answer: object) -> int | None:
        """Return the mask of the options that are ticked, the first option lowest.

        Returns
        -------
        int or None
            None if the answer is no list, tuple, set or frozenset of at most ``most`` different
            ids of options, each exactly a ``str``. None ticked is an answer.
        """
        if type(answer) not in _COLLECTIONS:
            return None
        ticked = list(answer)  # type: ignore[call-overload]
        if any(type(option) is not str or option not in self.options for option in ticked):
            return None
        if len(set(ticked)) != len(ticked) or len(ticked) > self.most:
            return None
        return sum(1 << self.options.index(option) for option in ticked)

    def index(self, place: Place, mechanism: Mechanism, coins: Coins) -> int:  # noqa: ARG002
        """Return the mask itself; it needs no coin."""
        if type(place) is not int:
            raise TypeError("several options are answered by a mask")
        return place

    def read(self, text: str) -> list[str] | None:
        """Return ids with commas between them as a list, nothing as none; None for all else.

        >>> Several(("python", "rust", "c"), most=2).read("rust,c")
        ['rust', 'c']
        """
        ticked = text.split(",") if text else []
        return None if self.place(ticked) is None else ticked

    @property
    def hint(self) -> str:
        """Numbers of options."""
        return f"numbers with commas between them, at most {self.most}; {NONE} for none of them"

    def typed(self, text: str, option: Callable[[str], str | None]) -> list[str] | None:
        """Return the options that were typed; None if one is none, or nothing was typed."""
        words = [] if text == NONE else words_of(text)
        return self.read(",".join(option(word) or "" for word in words)) if text else None

    def to_json(self) -> dict[str, object]:
        """Return the domain as it stands in a manifest, beside the question's options."""
        return {"most": self.most}

    @classmethod
    def from_json(cls, value: object, options: tuple[str, ...]) -> "Several":
        """Return the domain of a manifest's ``several``, for the ids of the question's options.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes.
        """
        match value:
            case {"most": most, **rest} if not rest and type(most) is int:
                return cls(options, most)
        raise WireError("a question with several answers takes exactly an integer, most")
