"""The same questions wave after wave: when they are asked, and what all of it costs.

Stage: before any answer. Waves are counted from 1. Which wave a report is for is public: it
travels as the attribute ``wave``, which the device fills in, so that reports are counted by wave
like by any other group.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction
from typing import Final

from tossup.shared.errors import ManifestError, WireError
from tossup.shared.mechanisms import Mechanism

MAX_WAVES: Final = 256  # the wave travels as one byte
MAX_DAYS: Final = 3660

#: Many devices must have a report in common that is sent again in every wave.
MAX_RESENT_REPORTS: Final = 32


@dataclass(frozen=True, slots=True)
class Waves:
    """When a survey asks again, and whether a device tosses again.

    Attributes
    ----------
    count
        How many waves there are at most, from 2 to 256.
    first, days
        The first day of the first wave (UTC), and how many days each wave has.
    times
        None: a device tosses once for life, and what it keeps of that is reported in every wave.
        A number m: it tosses afresh in each of m waves, which its coins choose for it; with a
        mechanism that has a memo, fresh coins on top of those that it keeps for all waves.
    """

    count: int
    first: date
    days: int
    times: int | None = None

    def __post_init__(self) -> None:
        if type(self.count) is not int or not 2 <= self.count <= MAX_WAVES:
            raise ManifestError(f"waves: count must be an integer from 2 to {MAX_WAVES}")
        if type(self.days) is not int or not 1 <= self.days <= MAX_DAYS:
            raise ManifestError(f"waves: days must be an integer from 1 to {MAX_DAYS}")
        times = self.times
        if times is not None and (type(times) is not int or not 1 <= times <= self.count):
            raise ManifestError("waves: times must be an integer from 1 to the count of waves")
        if date.max - self.first < timedelta(self.count * self.days):
            raise ManifestError("waves: the last wave must end before the year 10000")

    @property
    def are_permanent(self) -> bool:
        """Whether a device tosses once for all waves."""
        return self.times is None

    @property
    def options(self) -> tuple[str, ...]:
        """The ids of the waves, as options of the attribute ``wave``."""
        return tuple(str(wave) for wave in range(1, self.count + 1))

    def on(self, day: date) -> int | None:
        """Return the wave that a day is in; None before the first and after the last.

        >>> Waves(12, date(2027, 1, 4), days=7).on(date(2027, 1, 11))
        2
        """
        wave = (day - self.first).days // self.days + 1
        return wave if 1 <= wave <= self.count else None

    def starts(self, wave: int) -> date:
        """Return the first day of a wave."""
        return self.first + timedelta(self.days * (wave - 1))

    @property
    def tosses(self) -> int:
        """How often a device may toss for one question."""
        return 1 if self.times is None else self.times

    def tossed(self, mechanism: Mechanism) -> Mechanism:
        """Return what a device tosses each time: what it keeps for life, or a report.

        Where reports go through a memo, this is the mechanism as someone sees it who has the memo.
        """
        return mechanism.memory if self.times is None else mechanism.given_memo

    def odds(self, mechanism: Mechanism) -> Fraction:
        """Return the odds of everything a device may send about a question, over all waves.

        They hold for all answers, including those that change from wave to wave; the proof is in
        docs/proofs/README.md, "Waves".

        >>> from tossup.shared.mechanisms import TwoCoin
        >>> monday = date(2027, 1, 4)
        >>> Waves(52, monday, 7).odds(TwoCoin()), Waves(52, monday, 7, times=2).odds(TwoCoin())
        (Fraction(3, 1), Fraction(9, 1))
        """
        return self.tossed(mechanism).odds ** self.tosses

    def odds_of_reports(self, mechanism: Mechanism) -> Fraction:
        """Return the odds of all reports about a question alone, without what a device keeps.

        They are at most `odds`: for someone who links all reports and never has the device.
        """
        if self.times is not None and not mechanism.has_memo:
            return self.odds(mechanism)
        return mechanism.odds_of(self.times or self.count)

    def check(self, mechanism: Mechanism) -> None:
        """Refuse a mechanism whose reports should not be sent again and again.

        Raises
        ------
        ManifestError
            If tossing once would resend one of so many possible reports that it tells a device from
            others; or if nothing would ever use what a mechanism keeps, or more waves would use
            it than can be accounted for.
        """
        if mechanism.has_memo:
            if self.times is None or not 2 <= self.times <= mechanism.most_reports:
                raise ManifestError(
                    f"{mechanism.name} is for answers that change: give waves.times, from 2 to"
                    f" {mechanism.most_reports}, to say in how many waves a device answers"
                )
        elif self.times is not None:
            if mechanism.keeps_answer:
                raise ManifestError(
                    f"{mechanism.name} keeps an answer for all waves, so times must not be given"
                )
        elif not mechanism.keeps_answer and mechanism.reports > MAX_RESENT_REPORTS:
            raise ManifestError(
                f"a report of {mechanism.name} here is one of {mechanism.reports}; sent again in"
                f" every wave it would mark a device. At most {MAX_RESENT_REPORTS} are resent: use"
                " permanent-instantaneous or rappor, or give waves.times"
            )

    def to_json(self) -> dict[str, object]:
        """Return the waves as they stand in a manifest."""
        return {
            "count": self.count,
            "first": self.first.isoformat(),
            "days": self.days,
            "times": self.times,
        }

    @classmethod
    def from_json(cls, value: object) -> "Waves":
        """Return the waves of a manifest.

        Raises
        ------
        WireError, ManifestError
            If the value is not exactly what `to_json` writes.
        """
        match value:
            case {"count": int(count), "first": str(first), "days": int(days), "times": times, **r}:
                if not r:
                    return cls(count, _day(first), days, times)
        raise WireError("waves must have exactly count, first, days and times")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise WireError("waves: first must be a day, YYYY-MM-DD") from error
