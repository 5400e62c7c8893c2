"""What to look at: days, groups, confidence and looks, as a visitor may ask for them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, TypedDict, get_args

from tossup.server.kinds.told.answer import Looks
from tossup.server.refusals import Refused
from tossup.shared.survey import Attribute, Survey

DEFAULT_CONFIDENCE: Final = 0.95
#: What stands before a public attribute's id where reports are filtered by its options, so that a
#: survey's names and the other parameters, of today and tomorrow, never meet.
WHERE: Final = "where."


_KNOWN: Final = (
    f"filters are from, to, confidence, looks, and {WHERE}ATTRIBUTE for a public attribute"
)


class FilterError(Refused):
    """A filter that cannot be followed: an unknown attribute or option, an impossible day.

    The message names what is allowed; it does not repeat what was asked.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message, "filter-invalid")


class Filters(TypedDict, total=False):
    """Keyword arguments of `results`, as `parse_query` reads them from a query string."""

    first_day: date
    last_day: date
    where: Mapping[str, str]
    confidence: float
    looks: Looks


@dataclass(frozen=True, slots=True)
class Scope:
    """The filters that results were made with, checked against the survey."""

    first_day: date | None
    last_day: date | None
    where: Mapping[str, str]
    confidence: float
    looks: Looks = "one"

    def check(self, versions: Sequence[Survey]) -> None:
        """Refuse filters that no version of the survey can follow.

        Raises
        ------
        FilterError
            If one cannot.
        """
        if self.first_day and self.last_day and self.first_day > self.last_day:
            raise FilterError("the first day must not be after the last day")
        if not 0.5 <= self.confidence <= 0.9999:
            raise FilterError("confidence must be from 0.5 to 0.9999, such as 0.95")
        attributes = [attribute for survey in versions for attribute in survey.attributes]
        for name, option in self.where.items():
            _check_option(name, option, attributes)

    def admits(self, day: date, stratum: Mapping[str, str]) -> bool:
        """Return whether reports of a day and stratum (option by attribute) are looked at."""
        if self.first_day and day < self.first_day:
            return False
        if self.last_day and day > self.last_day:
            return False
        return all(stratum.get(name) == option for name, option in self.where.items())


def scope_of(filters: Filters) -> Scope:
    """Return the scope of filters, not yet checked."""
    return Scope(
        filters.get("first_day"),
        filters.get("last_day"),
        dict(filters.get("where", {})),
        filters.get("confidence", DEFAULT_CONFIDENCE),
        filters.get("looks", "one"),
    )


def once_each(given: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the value of each parameter: two groups are not one, nor is the first both.

    >>> once_each([("region", ["north"])])
    {'region': 'north'}

    Raises
    ------
    FilterError
        If one is given more than once.
    """
    values = {name: list(all_) for name, all_ in given}
    if any(len(all_) > 1 for all_ in values.values()):
        raise FilterError("a filter is given more than once; ask for one value at a time")
    return {name: first for name, (first,) in values.items()}


def parse_query(query: Mapping[str, str]) -> Filters:
    """Return the filters of a query string: from, to, confidence, looks, ``where.ATTRIBUTE``.

    Empty values are no filter, as a form with nothing chosen sends them. Attributes are checked
    later, against the survey.

    >>> parse_query({"from": "2026-03-01", "where.region": "north", "to": ""})
    {'first_day': datetime.date(2026, 3, 1), 'where': {'region': 'north'}}

    Raises
    ------
    FilterError
        If a day, the confidence or the number of looks is not one, or a parameter is none of
        these.
    """
    filters = Filters()
    where: dict[str, str] = {}
    for name, value in query.items():
        if not value:
            continue
        if name == "from":
            filters["first_day"] = _day(value)
        elif name == "to":
            filters["last_day"] = _day(value)
        elif name == "confidence":
            filters["confidence"] = _confidence(value)
        elif name == "looks":
            filters["looks"] = _looks(value)
        elif name.startswith(WHERE):
            where[name.removeprefix(WHERE)] = value
        else:
            raise FilterError(_KNOWN)
    if where:
        filters["where"] = where
    return filters


def _day(value: str) -> date:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        day = None
    if day is None or day.isoformat() != value:
        raise FilterError("from and to are days such as 2026-03-31")
    return day


def _confidence(value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise FilterError("confidence is a number such as 0.95") from error


def _looks(value: str) -> Looks:
    if value not in get_args(Looks):
        raise FilterError("looks is one or every: at which the intervals of shares hold")
    return "every" if value == "every" else "one"


def _check_option(name: str, option: str, attributes: Sequence[Attribute]) -> None:
    known = [attribute for attribute in attributes if attribute.id == name]
    if not known:
        names = ", ".join(dict.fromkeys(WHERE + attribute.id for attribute in attributes))
        raise FilterError(f"{_KNOWN}; this survey has {names or 'none'}")
    options = dict.fromkeys(choice.id for attribute in known for choice in attribute.options)
    if option not in options:
        raise FilterError(f"attribute {name!r} takes one of {', '.join(options)}")
