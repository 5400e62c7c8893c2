"""Every mechanism has its proof page, and pages name tests that exist."""

import re
from pathlib import Path

import pytest

from tossup.shared.mechanisms import MECHANISMS

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "docs/proofs"
PAGES = sorted(page.stem for page in PROOFS.glob("*.md") if page.stem != "README")
NAMING = [page for page in sorted(ROOT.glob("docs/**/*.md")) if "`tests/" in page.read_text()]


def test_a_page_is_about_a_mechanism():
    """Pages have the stem of a name in the registry, and stand under it."""
    names = {name.rpartition("/")[0]: name for name in MECHANISMS}

    assert [f"# {names[stem]}" for stem in PAGES] == [
        (PROOFS / f"{stem}.md").read_text().partition("\n")[0] for stem in PAGES
    ]


def test_every_mechanism_has_a_page():
    """A new one needs its proof before it can be merged."""
    assert {name.rpartition("/")[0] for name in MECHANISMS} == set(PAGES)


def test_the_overview_links_every_page():
    """One row each, no row without its page."""
    linked = re.findall(
        r"^\| \[[\w/-]+\]\(([\w-]+)\.md\)", (PROOFS / "README.md").read_text(), re.M
    )

    assert PAGES == sorted(linked)


@pytest.mark.parametrize("stem", PAGES)
def test_a_page_says_what_why_and_whence(stem: str):
    """What is claimed, the proof, the tests that hold the code to it, and the source."""
    page = (PROOFS / f"{stem}.md").read_text()

    for part in ("Mechanism", "Claim", "Proof", "Held by", "Source"):
        assert f"**{part}.**" in page
    assert "`tests/" in page


@pytest.mark.parametrize("page", NAMING, ids=lambda page: page.stem)
def test_tests_that_pages_name_exist(page: Path):
    """Renaming a test without the pages that rest on it is found here."""
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", page.read_text())

    missing = [
        f"{path}::{name}"
        for path, name in named
        if not re.search(rf"^def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    ]
    assert [] == missing
