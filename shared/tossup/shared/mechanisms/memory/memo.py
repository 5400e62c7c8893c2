"""What every mechanism with a memo is: a device keeps coins before it has an answer."""

from abc import abstractmethod
from fractions import Fraction
from typing import ClassVar

from tossup.shared.coins import Coins
from tossup.shared.mechanisms.base import Mechanism


class MemoMechanism(Mechanism):
    """A mechanism for answers that change: a device keeps coins for all answers that may come.

    They are tossed before any answer is seen, so that the memo by itself tells nothing. A report
    is made from it, the answer of a wave and fresh coins. Memo and report together tell at most the
    odds of `given_memo`, charged in every wave; reports alone tell less (`odds_of`).
    """

    has_memo: ClassVar[bool] = True

    @property
    @abstractmethod
    def given_memo(self) -> Mechanism:
        """What a report is to someone who has the memo, whichever it is: at most these odds."""

    @abstractmethod
    def memo(self, coins: Coins) -> int:
        """Toss the memo of a device."""

    @abstractmethod
    def odds_if_steady(self, reports: int) -> Fraction:
        """Return the odds of this many reports between two answers that both never change."""

    @abstractmethod
    def _through(self, memo: int, answer: int, coins: Coins) -> int:
        """Return a report of an answer through a memo, without a branch on either."""

    def through(self, memo: int, answer: int, coins: Coins) -> int:
        """Return the report of a wave: of its answer, through what `memo` gave.

        Raises
        ------
        AnswerError
            If the answer is none. Nothing has been drawn then.
        """
        self.check_answer(answer)
        return self._through(memo, answer, coins)
