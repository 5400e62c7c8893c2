"""The words that people answered whose reports are added up, and the days on which they did.

Versions of a survey word an id anew; their reports are added up all the same, since the id means
the same (see `tossup.server.surveys.meaning`). A reader of an estimate may judge that by
the wordings.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tossup.shared.survey import Option, Survey, Text


@dataclass(frozen=True, slots=True)
class Came:
    """When the reports to a question of a version came, of those looked at, and how many."""

    first_day: date
    last_day: date
    n: int


@dataclass(frozen=True, slots=True)
class Said:
    """What a version says under an id: a text, and the labels of options if it has any."""

    survey: Survey
    id: str
    text: Text
    options: tuple[Option, ...] = ()

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield id, language and words of all texts."""
        yield from ((self.id, *words) for words in self.text.items())
        for option in self.options:
            yield from ((f"{self.id}.{option.id}", *words) for words in option.label.items())


@dataclass(frozen=True, slots=True)
class Wording:
    """Words that some versions share, and which reports answered them.

    Attributes
    ----------
    versions
        Versions that say so, one after the other.
    text, options
        The newest one's.
    first_day, last_day
        Of the reports that are looked at; None without any.
    n
        Number of these reports; for what is no question, of those to all questions.
    declared
        Whether its publisher signed that it means the same as the wording before it; None for the
        first.
    """

    versions: tuple[int, ...]
    text: Text
    options: tuple[Option, ...]
    first_day: date | None
    last_day: date | None
    n: int
    declared: bool | None


def wordings(said: Iterable[Said], came: Mapping[int, Sequence[Came]]) -> tuple[Wording, ...]:
    """Return the wordings of an id, the newest first.

    Versions whose words are the same in every language that both have are of one wording.

    Parameters
    ----------
    said
        What every version says that has the id.
    came
        When reports to each question of a version came, by the version's number.
    """
    found: list[list[Said]] = []
    declared: list[bool | None] = []
    words: dict[tuple[str, str], str] = {}
    for version in sorted(said, key=lambda each: each.survey.version):
        own = {(name, language): text for name, language, text in version.words()}
        changed = {
            name
            for (name, language), text in own.items()
            if words.get((name, language), text) != text
        }
        if not found or changed:
            declared.append(changed <= {*version.survey.same_meaning} if found else None)
            found.append([])
            words = {}
        found[-1].append(version)
        words |= own
    every = zip(found, declared, strict=True)
    return tuple(_wording(parts, came, signed=signed) for parts, signed in every)[::-1]


def pooled_wordings(found: Sequence[Wording]) -> tuple[Wording, ...]:
    """Return the wordings that reports were given to, if there are several; else none."""
    answered = tuple(wording for wording in found if wording.n)
    return answered if len(answered) > 1 else ()


def wording_to_json(wording: Wording, options: str = "") -> dict[str, object]:
    """Return a wording as plain JSON types; ``options`` is what its options are called, if any."""
    labels = [{"id": each.id, "label": dict(each.label)} for each in wording.options]
    return {
        "versions": list(wording.versions),
        "text": dict(wording.text),
        **({options: labels} if options else {}),
        "first_day": wording.first_day and wording.first_day.isoformat(),
        "last_day": wording.last_day and wording.last_day.isoformat(),
        "n": wording.n,
        "declared": wording.declared,
    }


def reworded(wording: Wording, newest: Wording) -> tuple[tuple[Option, Option], ...]:
    """Return the options of a wording that the newest one labels otherwise, each with that one."""
    labels = {option.id: option for option in newest.options}
    pairs = ((option, labels.get(option.id, option)) for option in wording.options)
    return tuple((own, now) for own, now in pairs if own.label != now.label)


def _wording(
    parts: list[Said], came: Mapping[int, Sequence[Came]], *, signed: bool | None
) -> Wording:
    some = [each for part in parts for each in came.get(part.survey.version, ())]
    return Wording(
        versions=tuple(part.survey.version for part in parts),
        text={language: words for part in parts for language, words in part.text.items()},
        options=parts[-1].options,
        first_day=min((each.first_day for each in some), default=None),
        last_day=max((each.last_day for each in some), default=None),
        n=sum(each.n for each in some),
        declared=signed,
    )
