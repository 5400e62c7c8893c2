"""What the public estimators give for fixed counts stays what it is, to 1e-12 of its size."""

import json

from golden_estimates import FILE, differences, mechanism_of, of_mechanism, papers, several
from sweeps import each

GOLDEN = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = sorted({case["mechanism"]["name"] for case in GOLDEN["mechanisms"]})


@each("name", NAMES)
def test_every_mechanism_tells_what_it_told(name: str):
    """Values, errors and intervals by every method at two confidences, matrices and words."""
    found = [
        f"{case['mechanism']} {case['counts']}{difference}"
        for case in GOLDEN["mechanisms"]
        if case["mechanism"]["name"] == name
        for difference in differences(
            case["told"], of_mechanism(mechanism_of(case), tuple(case["counts"]))
        )
    ]

    assert [] == found


def test_designs_from_paper_tell_what_they_told():
    """By name, in a table and from several samples."""
    assert [] == list(differences(GOLDEN["papers"], papers()))


def test_comparisons_and_tables_tell_what_they_told():
    """Differences, ratios, a trend, joint reports and weighted ones."""
    assert [] == list(differences(GOLDEN["several"], several()))
