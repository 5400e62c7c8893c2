"""What answers cost, as commands print it: local promises, bounds by name, and mixed reports."""

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tossup.server.cli.output import table
from tossup.shared.figures import in_full, read_in_full

if TYPE_CHECKING:
    from tossup.server.accounting.bounds import Bound
    from tossup.server.accounting.guarantee import Guarantee
    from tossup.server.accounting.shuffling import Amplified
    from tossup.shared.survey import Survey

_DIGITS: Final = 10


def promise(guarantee: "Guarantee") -> dict[str, object]:
    """Return epsilon and delta as JSON numbers, rounded up."""
    epsilon, delta = guarantee.shown(_DIGITS)
    return {"epsilon": float(epsilon), "delta": float(delta)}


def together(parts: "Mapping[Guarantee, int]", slack: Decimal) -> dict[str, object]:
    """Return every bound on what these cost together, those left out, and the tightest's name."""
    from tossup.server.accounting.bounds import bounds, left_out, tightest

    found = bounds(parts, slack)
    return {
        "slack": float(slack),
        "bounds": [_bound(bound) for bound in found],
        "left_out": _left_out(left_out(parts, slack)),
        "tightest": tightest(found).name,
    }


def mixed(one: "Amplified") -> dict[str, object]:
    """Return what one report among mixed ones promises: the local figure, then whom to trust."""
    return {
        "local": promise(one.local),
        "reports": one.reports,
        **promise(one.mixed),
        "trusts": one.trusts,
    }


def bounds_as_text(found: Mapping[str, Any]) -> str:
    """Return bounds as a table for people, and which are missing there that one might expect."""
    rows = [
        {**b, "epsilon": four(b["epsilon"]), "delta": f"{b['delta']:g}"} for b in found["bounds"]
    ]
    reasons: dict[str, list[str]] = {}
    for each in found["left_out"]:
        reasons.setdefault(each["why"], []).append(each["name"])
    missing = [f"without {', '.join(names)}: {why}" for why, names in reasons.items()]
    return "\n".join([table(rows, ["name", "epsilon", "delta", "source"]), *missing])


def mixed_as_text(one: Mapping[str, Any]) -> str:
    """Return what one mixed report promises, with whom it trusts."""
    return (
        f"One answer among {one['reports']} mixed reports: epsilon {four(one['epsilon'])},"
        f" delta {one['delta']:g}, if one trusts {one['trusts']}"
    )


def four(figure: float) -> str:
    """Return a figure to four decimals, rounded up."""
    from tossup.server.accounting.rounding import UPWARD

    return str(Decimal(repr(figure)).quantize(Decimal("1e-4"), context=UPWARD))


def _left_out(reasons: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "why": why} for name, why in reasons.items()]


def _bound(bound: "Bound") -> dict[str, object]:
    return {"name": bound.name, **promise(bound.guarantee), "source": bound.source}


def cost_to_json(survey: "Survey", slack: Decimal, reports: int) -> dict[str, Any]:
    """Return what a survey costs: each answer, all together by every bound, and mixed."""
    from tossup.server.surveys.costs import survey_cost
    from tossup.shared.odds import epsilon

    cost = survey_cost(survey, slack, reports)
    return {
        "answers": [
            {
                "id": name,
                "odds": in_full(odds),
                "epsilon": str(epsilon(odds)),
                "delta": in_full(delta),
                "odds_of_all_reports": in_full(cost.reports.get(name, odds)),
            }
            for name, (odds, delta) in cost.answers.items()
        ],
        "odds": in_full(cost.odds),
        "epsilon": str(epsilon(cost.odds)),
        "delta": in_full(cost.delta),
        "slack": float(cost.slack),
        "bounds": [_bound(bound) for bound in cost.bounds],
        "left_out": _left_out(cost.left_out),
        "tightest": cost.tightest.name,
        "mixed": [{"questions": [*one.questions], **mixed(one.amplified)} for one in cost.mixed],
    }


def cost_as_text(cost: Mapping[str, Any]) -> str:
    """Return what a survey costs, for people: what holds whomever one trusts comes first."""
    lines = ["Whomever one trusts, an answer costs at most:"]
    lines += [
        f"  {each['id']}: odds {_odds(each)} (epsilon {each['epsilon']}){_alone(each)}"
        for each in cost["answers"]
    ]
    lines.append(f"All together, as devices charge: odds {_odds(cost)} (epsilon {cost['epsilon']})")
    lines.append("All together by every bound:")
    lines += [f"  {line}" for line in bounds_as_text(cost).splitlines()]
    lines.append(f"Tightest: {cost['tightest']}.")
    for one in cost["mixed"]:
        lines.append(f"{', '.join(one['questions'])}: {mixed_as_text(one)}.")
    return "\n".join(lines)


def _alone(cost: Mapping[str, Any]) -> str:
    """Return what reports tell without what a device keeps, where that is less."""
    from tossup.shared.odds import odds_as_text

    alone = cost["odds_of_all_reports"]
    if alone == cost["odds"]:
        return ""
    of_reports = odds_as_text(read_in_full(alone))
    return f", also for whoever takes the device; its reports alone: {of_reports}"


def _odds(cost: Mapping[str, Any]) -> str:
    from tossup.shared.odds import promise_as_text

    return promise_as_text(read_in_full(cost["odds"]), read_in_full(cost["delta"]))
