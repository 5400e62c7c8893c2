"""What is said of all estimates of a choice together, as plain JSON types."""

from dataclasses import asdict

from tossup.server.estimation.shares.together import MOST_OPTIONS
from tossup.server.results.leading import Lead, Leading
from tossup.server.results.values import Slice


def leading_to_json(found: Leading) -> dict[str, object]:
    """Return what the largest estimate is told apart from, and by how much."""
    listed = found.leads if len(found.leads) < MOST_OPTIONS else ()
    return {
        "told_apart": found.is_sure,
        "runner_up": found.leads[0].other.answer,
        "not_told_apart_from": [other.answer for other in found.not_told_apart],
        "differences": [lead_to_json(lead) for lead in listed],
    }


def lead_to_json(lead: Lead) -> dict[str, object]:
    """Return a difference with its interval and n."""
    return {
        "than": lead.other.answer,
        "n": list(lead.n),
        "value": lead.value,
        "standard_error": lead.standard_error,
        **asdict(lead.interval),
    }


def shares_covariance_to_json(part: Slice) -> dict[str, object] | None:
    """Return the covariance of all estimates of a slice; None without two of them."""
    found = part.covariance
    if found is None:
        return None
    return {
        "answers": [estimate.answer for estimate in part.estimates],
        "population": None if found.population is None else found.population.tolist(),
        "respondents": None if found.respondents is None else found.respondents.tolist(),
        "reason": found.reason or None,
    }
