"""Ask a survey's questions one by one on a terminal.

Nothing is tossed here, and what is typed goes nowhere but into the mapping that is returned: it is
not shown while it is typed, nor said again, nor is it in the shell's history.
"""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import click

from tossup.server.cli.output import Failure, note

if TYPE_CHECKING:
    from tossup.shared.survey import Attribute, Option, Question, Survey

#: Words for yes and no, in the languages of the pages.
_SKIP: Final = "Enter alone: no answer, and nothing is sent of it."


def ask(survey: "Survey", questions: Sequence["Question"], *, echo: bool) -> dict[str, object]:
    """Return the answers that someone types, by question and public attribute.

    Parameters
    ----------
    questions
        Those of the survey that this device may answer now.
    echo
        Whether what is typed is seen.

    Raises
    ------
    Failure
        If there is nothing to ask, or the respondent stops. Nothing has been tossed.
    """
    language = _language(survey.languages)
    if not questions:
        raise Failure(
            f"nothing of {survey.id} is to be asked on this device now: a topic is answered once,"
            " and in a survey with waves once in each. Nothing was tossed",
            "tossup device status LINK",
        )
    try:
        return _asked(survey, questions, language, echo=echo)
    except (click.Abort, KeyboardInterrupt, EOFError):
        note("")
        raise stopped() from None


def stopped() -> Failure:
    """Return the failure of whoever stops before the toss."""
    return Failure("stopped: nothing was tossed, and nothing is sent")


def _asked(
    survey: "Survey", questions: Sequence["Question"], language: str, *, echo: bool
) -> dict[str, object]:
    together = survey.linkage == "joint"
    note(f"{survey.title[language]}\n{survey.purpose[language]}")
    note(f"Asked by {survey.publisher.name} ({survey.publisher.contact}).")
    if not echo:
        note("What you type is not shown.")
    note("All questions are answered together, or none." if together else _SKIP)
    given: dict[str, object] = {}
    for question in questions:
        answer = _answer(question, language, echo=echo, needed=together)
        if answer is not None:
            given[question.id] = answer
    if not given:
        raise Failure("no question was answered: nothing was tossed, and nothing is sent")
    for attribute in survey.asked_attributes:
        given[attribute.id] = _public(attribute, language)
    return given


def _answer(question: "Question", language: str, *, echo: bool, needed: bool) -> object | None:
    """Return the answer to one question; None where it is left out."""
    _show(question.text[language], question.options, language)
    if question.unit:
        note(f"  Counted in: {question.unit[language]}")
    while True:
        typed = _type(question.domain.hint, echo=echo)
        if not typed and not needed:
            return None
        answer = _read(question, typed, language)
        if answer is not None:
            return answer
        note(f"  That is none. It takes {question.domain.hint}.")


def _public(attribute: "Attribute", language: str) -> str:
    """Return an option of a public attribute, which is seen by all anyway."""
    _show(attribute.text[language], attribute.options, language)
    note("  This is sent as it is, not randomized.")
    while True:
        found = _option(attribute.options, _type(_numbers(attribute.options), echo=True), language)
        if found is not None:
            return found
        note(f"  That is none. It takes {_numbers(attribute.options)}.")


def _show(text: str, options: Sequence["Option"], language: str) -> None:
    note(f"\n{text}")
    for number, option in enumerate(options, 1):
        note(f"  {number}  {option.label[language]}")


def _type(hint: str, *, echo: bool) -> str:
    typed: str = click.prompt(
        f"  {hint}", default="", show_default=False, hide_input=not echo, err=True
    )
    return typed.strip()


def _numbers(options: Sequence["Option"]) -> str:
    return f"a number from 1 to {len(options)}"


def _read(question: "Question", typed: str, language: str) -> object | None:
    """Return what was typed as the question takes it; None if it takes no such thing."""
    return question.domain.typed(typed, lambda word: _option(question.options, word, language))


def _option(options: Sequence["Option"], typed: str, language: str) -> str | None:
    """Return the option of a number, an id or a label; None if it is none."""
    by_word = {option.label[language]: option.id for option in options}
    by_word |= {option.id: option.id for option in options}
    by_word |= {str(number): option.id for number, option in enumerate(options, 1)}
    return by_word.get(typed)


def _language(languages: Sequence[str]) -> str:
    """Return the language of this machine, if the survey has it, else its first."""
    settings = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    own = next(filter(None, settings), "").partition(".")[0].partition("_")[0].lower()
    return next((tag for tag in languages if tag.partition("-")[0].lower() == own), languages[0])
