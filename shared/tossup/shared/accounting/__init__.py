"""What answers cost: odds are the exact currency, epsilon is shown.

Stage: beside the mechanisms, never between an answer and its report.

One file each: exact odds (`odds`), an (epsilon, delta) promise (`guarantee`), what several cost
together by the simple rules (`composition`), the least they can cost (`optimal`), all bounds by
name (`bounds`), and what mixing reports adds for those who trust the mixer (`shuffling`). A device
charges its ledger in odds and needs nothing else, so only these are loaded with the package.
"""

from tossup.shared.accounting.odds import (
    chance_as_text,
    compose,
    epsilon,
    largest_odds,
    odds_as_text,
    promise_as_text,
)

__all__ = [
    "chance_as_text",
    "compose",
    "epsilon",
    "largest_odds",
    "odds_as_text",
    "promise_as_text",
]
