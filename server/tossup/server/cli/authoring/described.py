"""What a survey asks and what answering it costs: as JSON, and in lines for its author."""

from typing import TYPE_CHECKING, Any

from tossup.shared.figures import brief, in_full, read_in_full

if TYPE_CHECKING:
    from tossup.shared.survey import Question, Survey


def describe(survey: "Survey") -> dict[str, Any]:
    """Return what a survey asks, and what each question and all together cost, as JSON types."""
    from tossup.server.results.minimum import minimum_for
    from tossup.shared.odds import epsilon

    return {
        "survey": survey.id,
        "version": survey.version,
        "title": dict(survey.title),
        "odds": in_full(survey.odds),
        "epsilon": str(epsilon(survey.odds)),
        "delta": in_full(survey.delta),
        "minimum_batch": survey.minimum_batch,
        "questions": [
            {
                "id": question.id,
                "text": dict(question.text),
                **_answers(question),
                "odds": in_full(survey.cost(question)),
                "delta": in_full(survey.chance(question)),
                "minimum": minimum_for(question, survey),
            }
            for question in survey.questions
        ],
        "attributes": [
            {"id": attribute.id, "options": [option.id for option in attribute.options]}
            for attribute in survey.asked_attributes
        ],
        "waves": survey.waves and survey.waves.to_json(),
        "same_meaning": list(survey.same_meaning),
    }


def _answers(question: "Question") -> dict[str, object]:
    domain = question.domain
    answers: dict[str, object] = {"answers": list(question.answer_ids)}
    if not domain.field:
        return answers
    return (answers if domain.options else {}) | {domain.field: domain.to_json()}


def _waves(waves: dict[str, Any]) -> str:
    times = waves["times"]
    toss = "tossed once for life" if times is None else f"tossed afresh in {times} of them"
    return f"  {waves['count']} waves of {waves['days']} days from {waves['first']} on, {toss}"


def asked_in_lines(survey: "Survey", described: dict[str, Any]) -> list[str]:
    """Return what a survey asks and what it costs, in lines."""
    from tossup.server.kinds import kind_of
    from tossup.shared.odds import odds_as_text, promise_as_text

    total = odds_as_text(read_in_full(described["odds"]))
    lines = [
        f"Answering everything: odds {total} (epsilon {described['epsilon']},"
        f" delta {brief(read_in_full(described['delta']))})",
    ]
    for asked, question in zip(survey.questions, described["questions"], strict=True):
        kind = kind_of(asked)
        text = next(iter(question["text"].values()))
        odds = promise_as_text(read_in_full(question["odds"]), read_in_full(question["delta"]))
        lines.append(f"  {question['id']} ({odds})  {text}")
        lines.append(f"      {kind.choices(asked)}")
        lines.append(f"      an estimate needs {question['minimum']} reports{kind.behind}")
    if described["waves"]:
        lines.append(_waves(described["waves"]))
    for attribute in described["attributes"]:
        lines.append(f"  {attribute['id']} (public)  {' | '.join(attribute['options'])}")
    return lines
