"""The page of what an export holds names every column, as the code writes it."""

import re
from pathlib import Path

from tossup.server.results.as_csv import COLUMNS
from tossup.server.results.joint import linked

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "export.md"


def documented(heading: str) -> list[str]:
    """The names in the first column of the table under a heading."""
    section = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `(\w+)` \| \S.*\|$", section, re.MULTILINE)


def test_every_column_of_the_estimates_is_described():
    """In their order, and none that is not there."""
    assert list(COLUMNS) == documented("Columns of the estimates")


def test_every_column_of_joint_reports_is_described(joint_survey):
    """Those of our own; those that authors name begin as the page says."""
    heads = [*linked._heads([joint_survey]), linked.COUNT]
    shapes = [re.sub(r"^(attribute|report)_.*", r"\1_ID", head) for head in heads]

    assert list(dict.fromkeys(shapes)) == documented("Columns of joint reports")
