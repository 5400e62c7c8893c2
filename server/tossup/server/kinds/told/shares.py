"""What reports tell of shares: of one option of several, of each of some, or of mean points."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Final

from tossup.server.estimation import (
    AnswerShare,
    Interval,
    SharesCovariance,
    estimate_answers,
    estimate_several,
    norm_sub,
    shares_covariance,
)
from tossup.server.estimation.comparing.change import Measured, of_answers
from tossup.server.estimation.shares.statements import sizes
from tossup.server.estimation.shares.together import MOST_OPTIONS
from tossup.server.kinds.told.answer import AnswerEstimate
from tossup.server.kinds.told.base import Json, Told, ToldLine, conventions, ends
from tossup.server.kinds.told.finding import Finding, Reproduced
from tossup.server.kinds.told.leading import Lead, Leading, leading
from tossup.server.kinds.told.reproduced import of_share
from tossup.shared.mechanisms import FrequencyOracle, KaryRandomizedResponse, SeveralMechanism
from tossup.shared.survey import YES

#: Of more answers than this, what could have moved the shares is not listed.
MOST_SUPPOSED: Final = 32


@dataclass(frozen=True)
class SharesTold(Told):
    """The share of each answer that reports tell of."""

    @cached_property
    def estimates(self) -> tuple[AnswerEstimate, ...]:
        """One estimate an answer; none when suppressed, nor for one that too few reports ask."""
        if self.suppressed:
            return ()
        answers = zip(self.question.answer_ids, self.shares, strict=False)
        return tuple(
            AnswerEstimate(answer, share, self.confidence, self.looks)
            for answer, share in self._shown(tuple(answers))
            if share is not None and answer not in self.too_few
        )

    @cached_property
    def shares(self) -> Sequence[AnswerShare | None]:
        """The share of each answer; None for one that no report tells of."""
        return estimate_answers(self.counts, self.question.mechanism)

    def _shown(
        self, answers: tuple[tuple[str, AnswerShare | None], ...]
    ) -> tuple[tuple[str, AnswerShare | None], ...]:
        """Return those of the answers that are shown: all, for most."""
        return answers

    @cached_property
    def covariance(self) -> SharesCovariance | None:
        """How the errors of the estimates go together; None for fewer than two estimates."""
        if len(self.estimates) < 2:
            return None
        found = shares_covariance(self.counts, self.question.mechanism)
        if not self.too_few:
            return found
        asked = zip(self.question.answer_ids, self.shares, strict=True)
        told = [answer not in self.too_few for answer, share in asked if share is not None]
        return found.among([place for place, is_told in enumerate(told) if is_told])

    @cached_property
    def leading(self) -> Leading | None:
        """The largest estimate and how far it is ahead; None for fewer than two estimates.

        None, too, where too few reports tell of some option: it may be larger than all others.
        """
        if self.too_few:
            return None
        covariance = self.covariance
        population = covariance.population if covariance else None
        return leading(self.estimates, population, self._one_report)

    @property
    def finding(self) -> Finding | None:
        """The largest estimate, or the only one.

        The largest was picked by the reports themselves, and its own interval would miss more
        often than it says: so it is one of as many as there are options.
        """
        if self.leading:
            return _found(self.leading.top, len(self.estimates))
        return _found(self.estimates[0], 1) if len(self.estimates) == 1 else None

    @property
    def reproduced(self) -> Reproduced | None:
        """How to get the largest estimate again, or the only one."""
        finding = self.finding
        if finding is None:
            return None
        top = self.leading.top if self.leading else self.estimates[0]
        place = self.question.answer_ids.index(top.answer)
        return of_share(self, top.share, place, self._call, finding.among)

    @property
    def _call(self) -> str:
        """What estimates the shares, as Python calls it."""
        return "estimate_answers(counts, mechanism)"

    @property
    def _one_report(self) -> float:
        """What one report counts for in a share that it names, or not; 0 where that varies."""
        mechanism = self.question.mechanism
        n = mechanism.reports_counted(self.counts)
        if not n or not isinstance(mechanism, FrequencyOracle | KaryRandomizedResponse):
            return 0.0
        without, with_it = mechanism.rates
        return float(1 / (n * (with_it - without)))

    @property
    def possible(self) -> tuple[float, ...]:
        """The nearest possible shares of several options: a view, not an estimate.

        None for yes/no, of which `AnswerEstimate.shown` is that view, and where estimates are not
        shares that sum to 1.
        """
        return ()

    @property
    def lines(self) -> tuple[ToldLine, ...]:
        """A line an answer."""
        return tuple(ToldLine(each.answer, estimate_to_json(each)) for each in self.estimates)

    @property
    def compared(self) -> dict[str, Json]:
        """How far each estimate is behind the largest, and the view of possible shares."""
        possible = self.possible or ("",) * len(self.estimates)
        rows: dict[str, Json] = {
            each.answer: {"possible_share": share}
            for each, share in zip(self.estimates, possible, strict=True)
        }
        for lead in self.leading.leads if self.leading else ():
            rows[lead.other.answer] |= {
                "leader": self.leading.top.answer if self.leading else "",
                "lead": lead.value,
                "lead_low": lead.interval.low,
                "lead_high": lead.interval.high,
                "lead_method": lead.interval.method,
            }
        return rows

    @property
    def supposed(self) -> list[Json]:
        """The lines again, with what could have moved them; none of more than 32 answers."""
        if not 0 < len(self.estimates) <= MOST_SUPPOSED:
            return []
        return [estimate_to_json(each) | _supposed(each) for each in self.estimates]

    def more_to_json(self) -> Json:
        """Return what is said of all shares together, and what could have moved them."""
        supposed = self.supposed
        return ({"estimates": supposed} if supposed else {}) | self.together_to_json()

    def together_to_json(self) -> Json:
        """Return the largest estimate and the covariance of all."""
        found = self.leading
        top = None if found is None else estimate_to_json(found.top) | leading_to_json(found)
        return {"most_likely": top, "covariance": self._covariance_to_json()}

    def _covariance_to_json(self) -> Json | None:
        found = self.covariance
        if found is None:
            return None
        return {
            "answers": [estimate.answer for estimate in self.estimates],
            "population": None if found.population is None else found.population.tolist(),
            "respondents": None if found.respondents is None else found.respondents.tolist(),
            "reason": found.reason or None,
        }

    @property
    def measured(self) -> dict[str, Measured]:
        """The share of every answer, at one look."""
        return {each.answer: replace(each, looks="one") for each in self.estimates}

    @property
    def covariance_of_waves(self) -> float:
        """That of shares, which lie within 0 and 1."""
        return of_answers(1.0)

    @cached_property
    def design_p_value(self) -> float | None:
        """The smallest over the answers, times their number (Bonferroni)."""
        chances = [each.share.design_p_value for each in self.estimates]
        return min(1.0, len(chances) * min(chances)) if chances else None


@dataclass(frozen=True)
class YesTold(SharesTold):
    """The share of yes, which says that of no as well."""

    def _shown(
        self, answers: tuple[tuple[str, AnswerShare | None], ...]
    ) -> tuple[tuple[str, AnswerShare | None], ...]:
        return answers[YES:]

    @property
    def finding(self) -> Finding | None:
        """The share, drawn as a hundred coins."""
        found = super().finding
        return found and replace(found, answer="", picture="field")

    def together_to_json(self) -> Json:
        """Return nothing: there is one estimate."""
        return {}


@dataclass(frozen=True)
class ChoiceTold(SharesTold):
    """The shares of options of which each person has one: they sum to 1."""

    @cached_property
    def possible(self) -> tuple[float, ...]:
        """The nearest possible shares."""
        if len(self.estimates) < 2:
            return ()
        return norm_sub([estimate.value for estimate in self.estimates])

    def together_to_json(self) -> Json:
        """Return the view of possible shares as well."""
        shares, n = list(self.possible), self.question.mechanism.reports_counted(self.counts)
        view = {"view": "norm-sub", "n": n, "shares": shares} if shares else None
        return super().together_to_json() | {"possible_shares": view}


@dataclass(frozen=True)
class TicksTold(SharesTold):
    """The shares of options of which several may be ticked, each by itself."""

    @cached_property
    def shares(self) -> Sequence[AnswerShare | None]:
        """The share of each option; none where a sample of two statements has no report."""
        mechanism = self.question.mechanism
        if isinstance(mechanism, SeveralMechanism):
            return estimate_several(self.counts, mechanism).options
        return () if 0 in sizes(self.counts) else estimate_answers(self.counts, mechanism)

    @property
    def _call(self) -> str:
        """That of options asked, or of two statements."""
        if isinstance(self.question.mechanism, SeveralMechanism):
            return "estimate_several(counts, mechanism).options"
        return super()._call

    @cached_property
    def design_p_value(self) -> float | None:
        """That of all shares, and of how many reports ask each option."""
        mechanism = self.question.mechanism
        if isinstance(mechanism, SeveralMechanism) and not self.suppressed:
            return estimate_several(self.counts, mechanism).design_p_value
        return super().design_p_value


@dataclass(frozen=True)
class PointsTold(SharesTold):
    """The mean points of ranked options: nobody denies those."""

    @property
    def finding(self) -> Finding | None:
        """The most points."""
        found = super().finding
        return found and replace(found, unit="points")

    @property
    def supposed(self) -> list[Json]:
        """None."""
        return []


def _found(estimate: AnswerEstimate, among: int) -> Finding:
    return Finding(
        estimate.answer,
        estimate.value,
        estimate.shared_interval(among=among),
        estimate.shared_shown(among=among).interval,
        estimate.n,
        among=among,
    )


def estimate_to_json(estimate: AnswerEstimate) -> Json:
    """Return an estimate as plain JSON types, with its intervals and n."""
    shown = estimate.shown
    return {
        "answer": estimate.answer,
        "n": estimate.n,
        "reports": estimate.reports,
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        **conventions(estimate),
        **ends(estimate.interval),
        "shown_value": shown.value,
        "shown_low": shown.interval.low,
        "shown_high": shown.interval.high,
        "shown_method": shown.interval.method,
    }


def possible_ends(interval: Interval, low: float, high: float) -> Json:
    """Return the possible part of an interval for words and charts; null where there is none."""
    shown = interval.cut(low, high)
    return {
        "shown_low": shown and shown.low,
        "shown_high": shown and shown.high,
        "shown_method": shown and shown.method,
        "cut": shown != interval,
    }


def leading_to_json(found: Leading) -> Json:
    """Return what the largest estimate is told apart from, and by how much."""
    listed = found.leads if len(found.leads) < MOST_OPTIONS else ()
    return {
        "told_apart": found.is_sure,
        "runner_up": found.leads[0].other.answer,
        "not_told_apart_from": [other.answer for other in found.not_told_apart],
        "differences": [_lead_to_json(lead) for lead in listed],
    }


def _lead_to_json(lead: Lead) -> Json:
    return {
        "than": lead.other.answer,
        "n": list(lead.n),
        "value": lead.value,
        "standard_error": lead.standard_error,
        **asdict(lead.interval),
    }


def _supposed(estimate: AnswerEstimate) -> Json:
    """Return the share, should some reports be forged, or some people have denied."""
    n = estimate.n
    return {
        "forged": [
            {"forged": each.forged, "n": n, **_of_share(each.interval)} for each in estimate.forged
        ],
        "denied": [
            {"denied": each.supposed, "n": n, "value": each.value, **_of_share(each.interval)}
            for each in estimate.denied
        ],
    }


def _of_share(interval: Interval) -> Json:
    return ends(interval) | possible_ends(interval, 0.0, 1.0)
