"""What a next version says otherwise under ids that stay, shown before it is published."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tossup.server.cli.output import Failure, note

if TYPE_CHECKING:
    from tossup.server.surveys.meaning import MeaningError
    from tossup.shared.survey import Survey

same_meaning_option: Callable[[Any], Any] = click.option(
    "--same-meaning", "same_meaning", multiple=True, metavar="ID",
    help="With --next-version: what has this id is worded otherwise and means the same; signed"
    " into the survey. Once for each id.",
)  # fmt: skip


def declared(made: "Survey", earlier: "Iterable[Survey]", names: tuple[str, ...]) -> "Survey":
    """Return a next version that declares what means the same; show what that is.

    Parameters
    ----------
    names
        The ids of ``--same-meaning``.

    Raises
    ------
    Failure
        If an id says something else than before and is not among the names, or is and does not.
    """
    from tossup.server.surveys.meaning import MeaningError, changes, check_meaning
    from tossup.shared.errors import ManifestError

    earlier = list(earlier)
    try:
        version = replace(made, same_meaning=tuple(sorted(set(names))))
        check_meaning(version, earlier)
    except ManifestError as error:
        raise Failure(f"--same-meaning: {error}") from error
    except MeaningError as error:
        raise _failure(error) from error
    for change in changes(version, earlier):
        note(f"Signed as the same: {change}")
    return version


def topics_in_words(shared: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a line for each topic that another survey of the publisher asks, too."""
    return [
        f"Note: question {topic['question']} has the topic {topic['topic']}, and so has question"
        f" {topic['other_question']} of {topic['survey']}"
        f"{'' if topic['same_wording'] else ', in other words'}. A device answers a topic once for"
        " life: it will answer only one of the two. Where both are wanted, give each a topic of"
        " its own."
        for topic in shared
    ]


def _failure(error: "MeaningError") -> Failure:
    """Return what is wrong with both wordings, and the options that would say they mean the same.

    The error's own message is for the HTTP API, without the texts.
    """
    if not error.undeclared:
        return Failure(
            f"--same-meaning {error.unneeded[0]}: it says the same as before, or is no id"
        )
    lines = "\n".join(f"  {change}" for change in error.undeclared)
    flags = [f"--same-meaning {c.id}" for c in error.undeclared if c.can_be_declared]
    own = "give what means something else an id of its own"
    if len(flags) < len(error.undeclared):
        own += "; a question keeps its topic, and never becomes an attribute"
    means = f"; or sign that it means the same: {' '.join(dict.fromkeys(flags))}" if flags else ""
    return Failure(
        "reports of all versions under one id are added up, and this is said otherwise now:\n"
        f"{lines}",
        own + means,
    )
