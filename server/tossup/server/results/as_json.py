"""Results as JSON.

The object has these keys:

``v``
    1: the version of this form. Keys may be added; their meaning never changes.
``survey``
    The codebook: ``id``, ``version``, ``manifest`` (its SHA-256), ``title``, ``purpose``,
    ``publisher`` {``name``, ``contact``}, ``languages``, ``state``, ``linkage``, ``opens``,
    ``closes``, ``late_days``, ``minimum_batch``, ``odds``, ``epsilon`` and ``delta`` of all
    answers together (delta is the chance for which the odds are not promised: ``"0"`` for most),
    and ``waves``: {``count``, ``first``, ``days``, ``times``} of a survey that asks again
    (``times``: in how many waves a device tosses afresh, null where once for life), else null.
    Texts are objects from language to text; ratios are strings such as ``"3/4"``. ``wordings``
    has those of ``title`` and of ``purpose``, each as those of questions are.
``attributes``
    The public attributes: ``id``, ``text``, ``options`` [{``id``, ``label``}], and ``wordings``.
``filters``
    ``from``, ``to`` (days or null) and ``where`` (option by attribute).
``wave``
    In a survey with waves, the one that everything but the groups by ``wave`` is of: that of the
    filter, else the newest with enough reports; null without waves or reports.
``confidence``
    That of every interval, each on its own.
``looks``
    ``"one"``: intervals hold at one look fixed beforehand. ``"every"`` (asked with
    ``?looks=every``): those of shares hold at every look together, so that it is safe to peek;
    their method is ``anytime``. Intervals of numbers are for one look always.
``questions``
    For each: ``id``, ``versions``, ``text``, ``answers`` [{``id``, ``label``}], ``estimand``
    (what its estimates are: ``share``, ``points`` or ``number``), ``design``
    {``mechanism``, ``channel`` [answer][report], ``odds``, ``epsilon``, ``delta``,
    ``estimator``, ``possible``, ``p_value``}, then the keys of a slice for all reports, then
    ``days`` (slices with ``day``) and ``groups`` (slices with ``attribute`` and ``option``).
    ``wordings`` are the words that its reports were given to, the newest first: ``versions``,
    ``text``, ``answers`` (of attributes ``options``) with their labels, ``first_day``,
    ``last_day`` and ``n`` of the reports that the filters admit, of all waves (days null without
    any), and ``declared``: whether the publisher signed that it means the same as the one before
    (null for the first).
    Where a report may name several options, or there are more than 32, ``channel`` is that of
    one option: [not the answer, the answer][not named, named]. For an unrelated question it is
    [neither statement, first, second, both][first sample no, yes, second sample no, yes].
    ``comparisons`` has, for every public attribute and answer, ``attribute``, ``answer``,
    ``test`` {``method``, ``statistic``, ``df``, ``p_value``} of "all groups have the same share",
    and ``pairs`` of groups (for up to 10 groups and 32 answers): ``options`` (first, second),
    ``n`` that each rests on, ``value`` (first less second), ``standard_error``, ``low``,
    ``high``, ``confidence`` (intervals of all pairs together), ``method``, ``p_value`` and Holm's
    ``adjusted_p_value``. Groups with too few reports are left out.
    ``changes``, in a survey with waves, has the change of every answer (of
    the ``mean`` of a number, of the mean of every component of a vector, whose id ``answer`` is)
    from each wave with enough reports to the next such: ``answer``,
    ``from``, ``to``, ``n`` of both, ``value`` (later less earlier), ``standard_error`` (at least
    that of the change), ``low``, ``high``, ``confidence`` and ``method``; the interval holds
    whoever answered both waves.

A question about a number has ``integers`` {``low``, ``high``} or ``numbers`` {``low``, ``high``,
``step``} instead of ``answers``, and no ``channel``: the mechanism's integers are the design. Its
estimates are statistics, in the question's own unit: ``statistic`` (``mean``; where reports tell
them ``variance``, ``q1``, ``median`` and ``q3``), ``n``, ``value``, ``standard_error`` (null for
quantiles), ``population_standard_error`` (the same), ``respondents_standard_error`` (of a mean,
where reports tell more than it), ``low``, ``high``, ``confidence``, ``method``. All are of answers
clipped to the bounds; how many were clipped is unknown: ``clipped`` has ``low`` and ``high``, the
bounds as text, and ``share``, always null. ``histogram`` has the raw shares of points (``number``,
a ratio as text, and the keys of a statistic), empty where reports do not tell them, without shares
whose interval is 1 wide or wider. A variance or a quantile with an interval wider than half of all
that is possible (of the squared range / 4; of the range) says nothing and has no estimate: a slice
has it in ``not_told_yet``, the statistics that more reports would tell. ``distribution`` is a view
for charts and never an estimate: the likeliest share of every point, smoothed; null where reports
do not tell it.

A question about a vector has its components as ``answers``, ``vector`` or (with products)
``moments`` {``norm``, ``step``}, and no ``channel``. Its estimates are means: ``statistic``
(``mean``), ``component``, the keys of a statistic, and ``joint_low`` and ``joint_high``: an
interval that holds together with those of all ``intervals`` components. With products, a slice has
``covariance`` (null when suppressed): ``entries`` of the lower triangle, raw, with ``statistic``
(``covariance``), ``components`` (two ids), the keys of a statistic, ``joint_low``, ``joint_high``
and ``intervals``, and ``view``, which is no estimate: ``view``
(``nearest-positive-semidefinite``) and its ``matrix``.
All are of answers scaled down to the norm if longer; how many were is unknown.

Where a choice is made by score, ``channel`` is [answer][option sent]. With Kuk's cards, ``channel``
is [answer][red cards] and ``reports`` is null. A question about an order has ``ranking`` beside
``answers``, and its ``design`` has ``points``: what each rank counts for, best first, from 1 to 0.
Its estimates are *mean points* of the options, not shares: the share of first ranks only where all
other points are 0. ``channel`` is then that of one option: [ranked last, ranked first][not named,
named].

A question with several answers has ``several`` {``most``} beside ``answers``: people may tick so
many of them, and shares need not sum to 1. Its ``design`` has ``asked``, the share of reports that
ask an option (a ratio); ``channel`` is that of one option in these: [not ticked, ticked][said not
ticked, said ticked]. Each estimate has the ``n`` and ``reports`` of its own option, and so has
``forged``: forgers may choose what they are asked. An option that too few reports ask has no
estimate, and stands in ``too_few``; while there is one, ``most_likely`` is null.

A question about a text has ``texts`` {``characters`` (ranges), ``longest``, ``others``} instead
of ``answers``, no ``channel``, and ``counts`` null: there are too many to list. Its estimates are
the texts that were found, most common first: ``text`` (null for "another text"), ``n`` (the reports
of the last level, by which no text was found), ``reports`` (those that support it), ``value``
(raw), ``standard_error``, ``low``, ``high``, ``confidence`` (of the intervals of all examined texts
together), ``method``. Groups have the same texts, days none. ``search`` says for all reports
``examined`` (texts that were looked at in the end: as many intervals hold together), ``levels``
(reports of each level), ``smallest_found`` (the share that a text needs to be found with 95 %
chance with so many reports; null if none is enough: rarer texts may be missing) and ``rest`` (all
texts that were not found, together; its interval is on its own; null if none was examined). It is
null where reports are too few.

A question with options, but for numbers, vectors and texts, has what is said of all its estimates
together, from all reports; each is null when there are fewer than two estimates. ``most_likely``
is the largest estimate (of an order the most mean points), with the keys of an estimate;
``told_apart``: whether it surely is the largest; ``runner_up``, ``not_told_apart_from`` (ids), and
for up to 64 answers ``differences`` to all others, the smallest first: ``than`` (the other id),
``n`` that each rests on, ``value`` (the largest less the other), ``standard_error`` (null where
reports do not tell it), ``low``, ``high``, ``confidence`` and ``method`` (``mover-``, with the
correlation of both, or ``ends-``, which holds whatever it is) of an interval that holds together
with those of all pairs, and ``intervals``, among how many the confidence is shared. It is not told
apart from another one where the interval holds 0.
``covariance`` has ``answers`` (the order of rows and columns), and the matrix in both conventions:
``population`` and ``respondents``, whose diagonals are the squares of ``population_standard_error``
and ``respondents_standard_error``. Where one is null, ``reason`` says why: above 64 answers, or
where reports do not tell it.
``possible_shares``, where each person has one answer of several, is a view and never an estimate:
``view`` (``norm-sub``), ``n`` and the nearest ``shares`` that are not negative and sum to 1, in the
order of ``answers``. They are biased and have no intervals: those of the raw estimates stay.

A slice has ``n``, ``minimum`` (the fewest reports that an estimate may rest on: the survey's
``minimum_batch`` if its author chose it, else by the question's own design), ``rests_on`` (the most
that one of its estimates rests on: ``n``, or where a report asks some of several options those that
ask one, of texts those of the last level, and of two statements as many as equal samples would
need), ``suppressed`` (``rests_on`` is below ``minimum``), ``too_few`` (of several options those
with too few reports: ``answer`` and the ``n`` that ask it), ``counts`` (reports of each value, or
where a report may name several options those that name each, then ``n``; where a report asks some
of several options those that ask each and say not ticked, then ticked; null when suppressed, and
where some options have too few reports) and ``estimates`` (empty when suppressed), one an option
and for yes/no only that of yes: ``answer``, ``n``, ``reports`` (those that name it), ``value``
(raw, negative ones included), ``standard_error``, again as ``population_standard_error``
(respondents count as a random sample; its square is 4 y (1 - y) / n for two coins and a fraction y
of yes), ``respondents_standard_error`` (whoever answered is fixed, only the coins vary; its square
is 0.75 / n for two coins), ``low``, ``high``, ``confidence``, ``method``, and for words and charts
``shown_value``, ``shown_low``, ``shown_high``, ``shown_method``, which lie in [0, 1]. Those from
all reports, of up to 32 answers, also have ``forged``, the interval of the honest share should so
large a share of the reports be forged, and ``denied``, the share should so many of those with the
answer have given another instead: lists with ``forged`` or ``denied``, ``n``, ``value`` (denied
only), ``low``, ``high``, ``confidence`` and ``method``, all raw, and for words and charts
``shown_low``, ``shown_high`` and ``shown_method``, cut to what a share can be; ``cut`` says whether
they differ. They are null where no share explains the reports under what is supposed. Differences
of groups have these keys, too, for what is from -1 to 1.
"""

from collections.abc import Iterable

from tossup.server.kinds import kind_of
from tossup.server.kinds.told.base import ends
from tossup.server.kinds.told.shares import possible_ends
from tossup.server.results.changes import WaveChange
from tossup.server.results.comparisons import Comparison
from tossup.server.results.slices import Slice
from tossup.server.results.values import QuestionResult, Results
from tossup.server.results.wordings import wording_to_json
from tossup.shared.figures import in_full
from tossup.shared.odds import epsilon
from tossup.shared.survey import PURPOSE, TITLE, Option, Question, Survey
from tossup.shared.waves import Waves


def results_to_json(results: Results) -> dict[str, object]:
    """Return results as plain JSON types, as this module's text describes."""
    scope = results.scope
    return {
        "v": 1,
        "survey": {
            **_survey(results.survey, results.state),
            "wordings": {
                "title": [wording_to_json(each) for each in results.wordings[TITLE]],
                "purpose": [wording_to_json(each) for each in results.wordings[PURPOSE]],
            },
        },
        "attributes": [
            {
                "id": a.id,
                "text": dict(a.text),
                "options": _options(a.options),
                "wordings": [wording_to_json(each, "options") for each in results.wordings[a.id]],
            }
            for a in results.attributes
        ],
        "filters": {
            "from": scope.first_day and scope.first_day.isoformat(),
            "to": scope.last_day and scope.last_day.isoformat(),
            "where": dict(scope.where),
        },
        "wave": results.wave and int(results.wave),
        "confidence": results.confidence,
        "looks": results.looks,
        "questions": [_question(question) for question in results.questions],
    }


def _survey(survey: Survey, state: str) -> dict[str, object]:
    return {
        "id": survey.id,
        "version": survey.version,
        "manifest": survey.digest,
        "title": dict(survey.title),
        "purpose": dict(survey.purpose),
        "publisher": {"name": survey.publisher.name, "contact": survey.publisher.contact},
        "languages": list(survey.languages),
        "state": state,
        "linkage": survey.linkage,
        "opens": survey.opens and survey.opens.isoformat(),
        "closes": survey.closes and survey.closes.isoformat(),
        "late_days": survey.late_days,
        "minimum_batch": survey.minimum_batch,
        "odds": in_full(survey.odds),
        "epsilon": str(epsilon(survey.odds)),
        "delta": in_full(survey.delta),
        "waves": survey.waves and survey.waves.to_json(),
    }


def _options(options: Iterable[Option]) -> list[dict[str, object]]:
    return [{"id": option.id, "label": dict(option.label)} for option in options]


def _question(result: QuestionResult) -> dict[str, object]:
    question = result.question
    return {
        "id": question.id,
        "versions": list(result.versions),
        "text": dict(question.text),
        **({"unit": dict(question.unit)} if question.unit else {}),
        **_answers(question),
        "wordings": [wording_to_json(each, "answers") for each in result.wordings],
        "estimand": kind_of(question).unit,
        "design": {
            **_design(question, result.waves),
            "possible": result.possible_under_design,
            "p_value": result.design_p_value,
        },
        **_slice(result, result.total),
        **result.total.told.more_to_json(),
        "comparisons": [_comparison(found) for found in result.comparisons],
        "changes": [change_to_json(found) for found in result.changes],
        "days": [
            {"day": part.day and part.day.isoformat(), **_slice(result, part)}
            for part in result.days
        ],
        "groups": [
            {"attribute": part.attribute, "option": part.option, **_slice(result, part)}
            for part in result.groups
        ],
    }


def _answers(question: Question) -> dict[str, object]:
    domain = question.domain
    named = [{"id": answer} for answer in domain.answer_ids]
    found: dict[str, object] = {}
    if domain.answer_ids:
        found["answers"] = _options(question.options) or named
    if domain.field:
        found[domain.field] = domain.to_json()
    return found


def change_to_json(found: WaveChange) -> dict[str, object]:
    """Return a change from wave to wave as plain JSON types, with its interval and both n."""
    return {
        "answer": found.answer,
        "from": int(found.earlier),
        "to": int(found.later),
        "n": list(found.change.n),
        "value": found.change.value,
        "standard_error": found.change.standard_error,
        **ends(found.change.interval),
    }


def _comparison(found: Comparison) -> dict[str, object]:
    test = found.overall
    return {
        "attribute": found.attribute,
        "answer": found.answer,
        "test": {
            "method": test.method,
            "statistic": test.statistic,
            "df": test.df,
            "p_value": test.p_value,
        },
        "pairs": [
            {
                "options": list(pair.names),
                "n": [pair.difference.first.n, pair.difference.second.n],
                "value": pair.difference.value,
                "standard_error": pair.difference.standard_error,
                **ends(pair.interval),
                **possible_ends(pair.interval, -1.0, 1.0),
                "p_value": pair.p_value,
                "adjusted_p_value": pair.adjusted,
            }
            for pair in found.pairs
        ],
    }


def _design(question: Question, waves: Waves | None) -> dict[str, object]:
    return _of_one_report(question) | ({} if waves is None else _of_waves(question, waves))


def _of_waves(question: Question, waves: Waves) -> dict[str, object]:
    """Return the odds of all waves: as charged, and of all reports without what a device keeps."""
    return {
        "odds_of_all_waves": in_full(waves.odds(question.mechanism)),
        "odds_of_all_reports": in_full(waves.odds_of_reports(question.mechanism)),
    }


def _of_one_report(question: Question) -> dict[str, object]:
    kind, mechanism = kind_of(question), question.mechanism
    return {
        "mechanism": mechanism.spec(),
        **kind.channel(mechanism),
        "odds": in_full(mechanism.odds),
        "epsilon": str(epsilon(mechanism.odds)),
        "delta": in_full(mechanism.delta),
        **kind.estimator_of(mechanism),
    }


def _slice(result: QuestionResult, part: Slice) -> dict[str, object]:
    return {
        "n": part.n,
        "minimum": part.minimum,
        "rests_on": part.behind,
        "suppressed": part.suppressed,
        "too_few": [{"answer": answer, "n": n} for answer, n in part.too_few.items()],
        "counts": list(part.counts) if part.told.lists_counts else None,
        "estimates": [line.to_json() for line in result.lines(part)],
        **part.told.to_json(),
    }
