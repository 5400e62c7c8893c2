"""``tossup estimate``: the most likely choice of a question, and what it is told apart from."""

from typing import Any, Final

from tossup.server.cli.output import is_of_points, percent_and_ends

#: So many answers are named that the largest estimate is not told apart from; then "and more".
_NAMED: Final = 8

_HEADING: Final = "The largest of each, by intervals of all differences together:"


def leading_as_text(questions: list[dict[str, Any]]) -> str:
    """Return a line for each choice that has estimates, under a heading; nothing without such."""
    # A server of before there was a most likely choice does not say which it is.
    lines = [_line(question) for question in questions if question.get("most_likely")]
    return "\n".join(["\n", _HEADING, *lines]) if lines else ""


def _line(question: dict[str, Any]) -> str:
    top = question["most_likely"]
    value, low, high = percent_and_ends(top["value"], top["low"], top["high"])
    most = "most mean points" if is_of_points(question) else "largest share"
    return (
        f"{question['id']}: {most} {top['answer']} ({value}, {low} to {high},"
        f" {top['n']:,} reports), {_told_apart(top)}."
    )


def _told_apart(top: dict[str, Any]) -> str:
    near = top["not_told_apart_from"]
    if not near:
        return "told apart from all others"
    more = f" and {len(near) - _NAMED} more" if len(near) > _NAMED else ""
    return f"not told apart from {', '.join(near[:_NAMED])}{more}"
